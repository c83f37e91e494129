package io.summarizer.dsl.codegen;

/** Thrown when correct definitions would need more generated code than Java or this program allows. */
public final class TooLargeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    TooLargeException(String message, Throwable cause) {
        super(message, cause);
    }

    TooLargeException(String message) {
        super(message);
    }
}
