package io.summarizer.dsl.interpret;

/** Carries out a statement: writes updates to the frame's open record, or opens one. */
@FunctionalInterface
interface Action {
    void run(Frame frame);
}
