package io.summarizer.dsl.codegen;

/** Thrown when generated code does not compile or does not load, which is a fault of this program. */
public final class GeneratedCodeException extends RuntimeException {
    GeneratedCodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
