package io.summarizer.core.state;

/** Says what is wrong with the contents of a block; whoever knows which block it is makes a {@link StateException} of it. */
final class MalformedException extends Exception {
    MalformedException(String message) {
        super(message);
    }
}
