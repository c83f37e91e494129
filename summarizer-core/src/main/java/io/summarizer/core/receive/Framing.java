package io.summarizer.core.receive;

/** The way in which the frames of a stream are separated. */
public enum Framing {
    /**
     * Frame by frame: octet-counted when it starts with one to nine digits, a space and {@code <} (or {@code z},
     * compressed), else a line.
     */
    AUTO,
    /** RFC 6587 3.4.1: the length in decimal digits, a space, then that many bytes. */
    OCTET,
    /** RFC 6587 3.4.2 with LF as the trailer: one line each. */
    LF
}
