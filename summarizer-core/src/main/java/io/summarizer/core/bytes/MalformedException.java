package io.summarizer.core.bytes;

/** Says what is wrong with the contents of a block; a reader that knows the block's file and place adds them. */
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    /** An exception that says what was found. */
    public MalformedException(String message) {
        super(message);
    }
}
