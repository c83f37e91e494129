package io.summarizer.core.export;

/** Thrown when a query is refused. The message tells the user the reason and a remedy. */
public final class CsvQueryException extends Exception {
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final String message;

    /** The kind of refusal. */
    public enum Reason {
        /** The query is malformed, or uses unknown names. */
        INVALID,
        /** The query needs a file that does not match the present definitions. */
        CONFLICT,
        /** The result would take more memory than a query may use. */
        TOO_LARGE,
        /** The result would take more work than a query may cause. */
        TOO_COSTLY,
        /** Other queries use the resources at the moment, so the query may succeed a little later. */
        BUSY
    }

    public CsvQueryException(Reason reason, String message) {
        super(message);
        this.reason = reason;
        this.message = message;
    }

    /** The refusal of a malformed query. */
    public static CsvQueryException invalid(String message) {
        return new CsvQueryException(Reason.INVALID, message);
    }

    @Override
    public String getMessage() {
        return message; // never null, which Throwable does not promise
    }

    /** The kind of refusal. */
    public Reason reason() {
        return reason;
    }
}
