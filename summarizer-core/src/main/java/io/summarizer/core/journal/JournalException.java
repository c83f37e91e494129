package io.summarizer.core.journal;

import java.io.IOException;

/** Thrown for an error in the contents of a journal. Errors of the disk are other exceptions. */
public sealed class JournalException extends IOException permits NewerJournalException {
    private static final long serialVersionUID = 1;

    JournalException(String message) {
        super(message);
    }

    JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
