package io.summarizer.dsl.interpret;

/**
 * Evaluates to a string reference into the frame's event, or {@link io.summarizer.core.decode.InputEvent#NULL_STRING}.
 * It is valid until the statement's scratch space is released.
 */
@FunctionalInterface
interface StringNode {
    long eval(Frame frame);
}
