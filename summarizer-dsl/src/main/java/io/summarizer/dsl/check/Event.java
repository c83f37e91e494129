package io.summarizer.dsl.check;

import io.summarizer.dsl.model.EventType;

/**
 * A declared event.
 *
 * @param position position in {@link io.summarizer.dsl.model.Definitions#events()}
 */
record Event(int position, EventType type) {
    /** The position of an event that is not part of definitions. */
    private static final int NONE = -1;

    /** An event whose fields are the columns of a summary. A row has no topic and no envelope. */
    static Event ofColumns(EventType columns) {
        return new Event(NONE, columns);
    }

    /** Whether this event stands for the columns of a summary. */
    boolean isColumns() {
        return position == NONE;
    }

    String name() {
        return type.name();
    }
}
