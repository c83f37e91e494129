package io.summarizer.core.bytes;

/** Describes the error in the contents of a block. The caller, which knows the file and the position, adds both. */
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    /** An exception with a description of the data found. */
    public MalformedException(String message) {
        super(message);
    }
}
