package io.summarizer.dsl.diagnose;

/**
 * A stretch of one line of a source.
 *
 * @param line from 1; 0 stands for the file as a whole
 * @param column from 1, in code points
 * @param length length in code points, at least 1; a part beyond the end of the line is not shown
 */
public record Span(Source source, int line, int column, int length) {
    /** Makes a span. Moves a place before the first column, which some parsers report, to the first column. */
    public Span {
        column = line > 0 ? Math.max(1, column) : column;
    }

    /** A file as a whole. */
    public static Span of(Source source) {
        return new Span(source, 0, 0, 1);
    }

    /** The file and the line, for people. */
    public String place() {
        return source.name() + ":" + line;
    }

    /** The point right after this stretch. */
    public Span behind() {
        return new Span(source, line, (int) Math.min(Integer.MAX_VALUE, (long) column + length), 1);
    }

    /**
     * The span from the start of this span to the end of {@code end}. If {@code end} is on a later line, the span goes
     * to the end of the first line.
     */
    public Span to(Span end) {
        int whole = end.line == line ? Math.max(length, end.column + end.length - column) : Integer.MAX_VALUE;
        return new Span(source, line, column, whole);
    }
}
