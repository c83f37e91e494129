package io.summarizer.server.explain;

/** Lines of text, indented by depth. Not thread-safe. */
final class Outline {
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();

    /** Adds a line; replaces unprintable characters. */
    Outline line(int depth, String line) {
        text.append(INDENT.repeat(depth)).append(Shown.of(line)).append('\n');
        return this;
    }

    /** Adds a line with a name, padded to {@code width}, and a value. */
    Outline line(int depth, String name, int width, String value) {
        return line(depth, name + " ".repeat(Math.max(1, width - name.length() + 2)) + value);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
