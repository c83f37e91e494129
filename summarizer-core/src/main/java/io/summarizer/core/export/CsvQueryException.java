package io.summarizer.core.export;

/** A query that is not answered; its message says why and what to do, for people. */
public final class CsvQueryException extends Exception {
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final String message;

    /** What kind of refusal it is. */
    public enum Reason {
        /** The query makes no sense, or names what is not there. */
        INVALID,
        /** Its answer would take more memory than a query may have. */
        TOO_LARGE,
        /** Its answer would take more work than a query may take. */
        TOO_COSTLY,
        /** Too many others take what it needs; it would work in a moment. */
        BUSY
    }

    public CsvQueryException(Reason reason, String message) {
        super(message);
        this.reason = reason;
        this.message = message;
    }

    /** A query that makes no sense. */
    public static CsvQueryException invalid(String message) {
        return new CsvQueryException(Reason.INVALID, message);
    }

    @Override
    public String getMessage() {
        return message; // never null, which Throwable does not promise
    }

    /** What kind of refusal it is. */
    public Reason reason() {
        return reason;
    }
}
