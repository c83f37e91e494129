package io.summarizer.dsl.interpret;

/** Evaluates to 64 bits: an integer, µs, millionths, or 0 and 1; sets {@link Frame#isNull}. */
@FunctionalInterface
interface LongNode {
    long eval(Frame frame);

    /** Whether evaluating may leave strings in the event's scratch space. */
    default boolean leavesStrings() {
        return true;
    }
}
