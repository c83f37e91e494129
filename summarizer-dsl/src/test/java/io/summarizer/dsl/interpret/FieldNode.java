package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.InputEvent;

/**
 * A decoded field, the most common operand and key. Callers with a field of this class avoid the dispatch over all
 * kinds of nodes, which costs more than reading the field (EventProgramBenchmark).
 */
final class FieldNode implements LongNode {
    private static final int NO_LOOP = -1;

    private final int loop;
    private final int slot;

    /**
     * The field in slot {@code slot}.
     *
     * @param loop whose element has the field, -1 for the event
     */
    FieldNode(int loop, int slot) {
        this.loop = loop;
        this.slot = slot;
    }

    @Override
    public long eval(Frame frame) {
        int record = loop == NO_LOOP ? InputEvent.ROOT : frame.loops[loop];
        frame.isNull = !frame.event.has(record, slot);
        return frame.event.get(record, slot);
    }

    @Override
    public boolean leavesStrings() {
        return false;
    }
}
