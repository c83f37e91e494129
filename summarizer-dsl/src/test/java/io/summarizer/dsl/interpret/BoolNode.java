package io.summarizer.dsl.interpret;

/** Evaluates to one of three truth values. */
@FunctionalInterface
interface BoolNode {
    int FALSE = 0;
    int TRUE = 1;
    int NULL = 2;

    int eval(Frame frame);

    static int of(boolean value) {
        return value ? TRUE : FALSE;
    }
}
