package io.summarizer.core.receive;

/** The way in which the frames of a stream are separated. */
public enum Framing {
    /**
     * Detects the framing of each frame. A frame that starts with one to nine digits, a space and {@code <} is
     * octet-counted. A compressed frame has {@code z} in place of {@code <}. Every other frame is a line.
     */
    AUTO,
    /** RFC 6587 3.4.1: the length in decimal digits, a space, then the bytes of the frame. */
    OCTET,
    /** RFC 6587 3.4.2 with LF as the trailer: each frame is a line. */
    LF
}
