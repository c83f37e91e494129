package io.summarizer.dsl.interpret;

/** Evaluates to a finite double; leaves in {@link Frame#isNull} whether it is null. */
@FunctionalInterface
interface DoubleNode {
    double eval(Frame frame);
}
