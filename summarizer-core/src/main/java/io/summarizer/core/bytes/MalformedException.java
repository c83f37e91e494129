package io.summarizer.core.bytes;

/** Thrown for an error in the contents of a block. The caller adds the file and the position. */
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    /** An exception with a description of the data found. */
    public MalformedException(String message) {
        super(message);
    }
}
