package io.summarizer.dsl.interpret;

/** Evaluates to a finite double; sets {@link Frame#isNull}. */
@FunctionalInterface
interface DoubleNode {
    double eval(Frame frame);
}
