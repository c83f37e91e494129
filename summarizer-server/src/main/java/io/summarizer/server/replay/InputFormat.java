package io.summarizer.server.replay;

/** Formats of files with messages. */
public enum InputFormat {
    /** A JSON object on each line, with the whole message or its parts; see {@link JsonlReader}. */
    JSONL,
    /** Each message follows its length, as in {@code data/rejects/}. */
    FRAMES,
    /** One message on each line. */
    LINES
}
