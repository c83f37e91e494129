package io.summarizer.dsl.check;

import io.summarizer.dsl.model.EventType;

/**
 * A declared event.
 *
 * @param position in {@link io.summarizer.dsl.model.Definitions#events()}
 */
record Event(int position, EventType type) {
    String name() {
        return type.name();
    }
}
