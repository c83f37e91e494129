package io.summarizer.core.journal;

import java.util.Locale;

/**
 * A place in the journal that cannot be read, and what is missing there.
 *
 * @param from sequence of the first message that is missing
 * @param to sequence behind the last one
 * @param controls how many controls are missing
 * @param file name of the segment
 * @param position of the first byte that cannot be read
 * @param bytes how many cannot be; 0 when the segment ends too early
 * @param listener number of the listener that took the messages, as far as the records around tell; else -1
 * @param certain whether these bytes were safe on the disk once. When not, this may be what a loss of power left of a write that
 *     nobody was told of
 */
public record Lost(
        long from, long to, long controls, String file, long position, long bytes, int listener, boolean certain) {
    /** In place of a listener: the records around do not tell. */
    static final int UNKNOWN_LISTENER = -1;

    /** Messages that are missing. */
    public long messages() {
        return to - from;
    }

    /** In a line, for people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(file).append(": ");
        text.append(bytes == 0 ? "ends too early, at byte " : "cannot be read at byte ");
        text.append(String.format(Locale.ROOT, "%,d", position));
        if (bytes > 0) {
            text.append(String.format(Locale.ROOT, " for %,d bytes", bytes));
        }
        if (messages() > 0) {
            text.append(String.format(
                    Locale.ROOT, "; %,d messages are missing, sequences %d to %d", messages(), from, to - 1));
        }
        if (controls > 0) {
            text.append(String.format(Locale.ROOT, "; %,d changes of definitions or resets are missing", controls));
        }
        if (messages() == 0 && controls == 0) {
            text.append(
                    bytes == 0
                            ? ", where it was longer once: how many messages are missing from sequence " + from
                                    + " on is not known"
                            : "; no message is missing");
        }
        return text.append(certain ? "" : " (an unfinished write, or damage)").toString();
    }
}
