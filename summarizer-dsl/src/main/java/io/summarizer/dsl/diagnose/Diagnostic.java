package io.summarizer.dsl.diagnose;

import java.util.List;
import java.util.Locale;

/**
 * One error or warning. Immutable.
 *
 * @param severity the severity; it determines whether the definitions can be used
 * @param span its place
 * @param message the error, without a full stop
 * @param help advice, with one sentence in each element; may be empty
 */
public record Diagnostic(Severity severity, Span span, String message, List<String> help) {
    /** Severity of a diagnostic. */
    public enum Severity {
        /** The definitions cannot be used. */
        ERROR,
        /** The definitions can be used, but probably do not do what their author meant. */
        WARNING;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Maximum width of a source line, in columns of a terminal; longer lines are cropped around the caret. */
    private static final int WIDTH = 120;
    /** Columns kept before the caret of a cropped line. */
    private static final int BEFORE_CARET = 60;

    private static final int TAB = 4;

    public Diagnostic {
        help = List.copyOf(help);
    }

    /** Name of the file, for people. */
    public String file() {
        return span.source().name();
    }

    /** Line from 1, or 0 for the whole file. */
    public int line() {
        return span.line();
    }

    /** Column from 1 in code points, or 0 for the whole file. */
    public int column() {
        return span.column();
    }

    /**
     * The diagnostic as text: {@code file:line:column: error: message} (or {@code warning:} in place of {@code
     * error:}), the source line, a caret line, and {@code help:} lines. Ends in LF.
     */
    public String render() {
        StringBuilder out = new StringBuilder(printable(file()));
        if (line() > 0) {
            out.append(':').append(line()).append(':').append(column());
        }
        out.append(": ").append(severity.word()).append(": ");
        out.append(printable(message)).append('\n');
        if (line() > 0) {
            renderLine(out);
        }
        for (String advice : help) {
            out.append("help: ").append(printable(advice)).append('\n');
        }
        return out.toString();
    }

    private void renderLine(StringBuilder out) {
        // Expand tabs to cells of the terminal. Code point i starts at cell[i].
        int[] points = span.source().line(line()).codePoints().toArray();
        int[] cell = new int[points.length + 1];
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < points.length; i++) {
            cell[i] = shown.length();
            if (points[i] == '\t') {
                shown.append(" ".repeat(TAB - shown.length() % TAB));
            } else if (isPrintable(points[i]) && Character.isBmpCodePoint(points[i])) {
                shown.appendCodePoint(points[i]);
            } else {
                // Every code point takes one cell, so that the caret is exactly below the error.
                shown.append('\uFFFD');
            }
        }
        cell[points.length] = shown.length();
        int first = Math.min(column() - 1, points.length);
        int last = (int) Math.min((long) first + Math.max(1, span.length()), points.length);
        int from = column() - 1 > points.length ? cell[points.length] + 1 : cell[first];
        int to = Math.max(from + 1, cell[last]);
        int begin = shown.length() <= WIDTH ? 0 : Math.max(0, Math.min(from - BEFORE_CARET, shown.length() - WIDTH));
        int end = Math.min(shown.length(), begin + WIDTH);
        String prefix = begin > 0 ? "..." : "";
        out.append("    ").append(prefix).append(shown, begin, end);
        out.append(end < shown.length() ? "..." : "").append('\n');
        int carets = Math.max(1, Math.min(to, Math.max(end, from + 1)) - from);
        out.append("    ").append(" ".repeat(prefix.length() + from - begin)).append('^');
        out.append("~".repeat(carets - 1)).append('\n');
    }

    private static boolean isPrintable(int point) {
        int type = Character.getType(point);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }

    /** The text without control characters, so that names in a file cannot send control characters to a terminal. */
    private static String printable(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(point -> out.appendCodePoint(isPrintable(point) ? point : 0xFFFD));
        return out.toString();
    }

    @Override
    public String toString() {
        return render();
    }
}
