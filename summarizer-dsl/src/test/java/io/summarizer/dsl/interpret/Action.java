package io.summarizer.dsl.interpret;

/** Executes a statement: writes updates to the frame's open record, or opens one. */
@FunctionalInterface
interface Action {
    void run(Frame frame);
}
