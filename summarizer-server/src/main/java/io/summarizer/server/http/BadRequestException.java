package io.summarizer.server.http;

/**
 * Thrown to refuse a request with an invalid path or invalid parameters. The message says what is invalid, and what is
 * valid.
 */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1;

    BadRequestException(String why) {
        super(why);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
