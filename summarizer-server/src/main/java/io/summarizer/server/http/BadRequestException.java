package io.summarizer.server.http;

/** The refusal of a request whose path or parameters make no sense; the message says why, and what would. */
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
