package io.summarizer.core.journal;

import java.io.IOException;

/** Says what is wrong with a journal: not with the disk, but with what is on it. */
public sealed class JournalException extends IOException permits NewerJournalException {
    private static final long serialVersionUID = 1;

    JournalException(String message) {
        super(message);
    }

    JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
