package io.summarizer.core.journal;

import java.util.Locale;

/**
 * An unreadable place in the journal, and the messages and controls that were lost there.
 *
 * @param from sequence of the first missing message
 * @param to sequence after the last missing message
 * @param controls number of missing controls
 * @param file name of the segment
 * @param position of the first unreadable byte
 * @param bytes number of unreadable bytes; 0 when the segment ends too early
 * @param listener number of the listener that took the messages, if the records before and after the place have the
 *     same listener; otherwise -1
 * @param certain whether the bytes at the place were certainly durable before they became unreadable. If not, a loss of
 *     power may have interrupted the write of these bytes. The messages of such a write were not acknowledged
 */
public record Lost(
        long from, long to, long controls, String file, long position, long bytes, int listener, boolean certain) {
    /** Stands for an unknown listener: the records before and after the place have different listeners. */
    static final int UNKNOWN_LISTENER = -1;

    /** Number of missing messages. */
    public long messages() {
        return to - from;
    }

    /** A line of text for people. */
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
