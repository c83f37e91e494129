package io.summarizer.core.journal;

/**
 * Thrown when a journal has an undamaged record that only a newer version of this program can read. Readers must not
 * skip such a record.
 */
public final class NewerJournalException extends JournalException {
    private static final long serialVersionUID = 1;

    private final String what;

    NewerJournalException(String what) {
        super(what + ", which this program does not know; go on with a newer version of the program");
        this.what = what;
    }

    /** Returns this exception with the place of the record in the message. */
    NewerJournalException at(String file, long position) {
        return new NewerJournalException(file + ": at byte " + position + " is " + what);
    }
}
