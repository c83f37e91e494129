package io.summarizer.server.http;

/** A refused request, whose path or parameters are invalid; the message says why, and what is valid. */
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
