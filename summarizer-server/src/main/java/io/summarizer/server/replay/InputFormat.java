package io.summarizer.server.replay;

/** The forms in which messages lie in a file. */
public enum InputFormat {
    /** A JSON object on each line, which has the whole message or what one is made of; see {@link JsonlReader}. */
    JSONL,
    /** Each behind its length, as in {@code data/rejects/}. */
    FRAMES,
    /** One on each line. */
    LINES
}
