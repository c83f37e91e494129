package io.summarizer.core.journal;

import java.io.IOException;

/** Thrown for an error in the contents of a journal, as opposed to its disk. */
public sealed class JournalException extends IOException permits NewerJournalException {
    private static final long serialVersionUID = 1;

    JournalException(String message) {
        super(message);
    }

    JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
