package io.summarizer.dsl.diagnose;

/**
 * One file of definitions: its name for messages, and its text. Immutable.
 *
 * @param name name of the file, shown before {@code :line:column}
 */
public record Source(String name, String text) {
    /** The text of line {@code line} (from 1) without the line end; empty when there is no such line. */
    public String line(int line) {
        int start = 0;
        for (int i = 1; i < line; i++) {
            int end = text.indexOf('\n', start);
            if (end < 0) {
                return "";
            }
            start = end + 1;
        }
        int end = text.indexOf('\n', start);
        String found = end < 0 ? text.substring(start) : text.substring(start, end);
        return found.endsWith("\r") ? found.substring(0, found.length() - 1) : found;
    }
}
