package io.summarizer.dsl.codegen;

/**
 * Indented lines of Java, written from the top. Separately written pieces can be put together. Not thread-safe.
 *
 * <p>HotSpot never compiles a method of more than 8000 bytes of bytecode, and a class file cannot have a method above
 * 64 KiB. The length of some code depends on the definitions. Generators of such code check the {@link #weight()} of
 * the method that they write, and continue in another method when this method is long enough.
 */
public final class Code {
    /** The largest weight of a method. The bytecode of such a method stays well below HotSpot's limit. */
    public static final int METHOD_WEIGHT = 8_000;

    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;
    private int weight;

    /** Adds a statement or another whole line. */
    public Code line(String line) {
        if (line.isEmpty()) {
            text.append('\n');
            return this;
        }
        text.append(INDENT.repeat(depth)).append(line).append('\n');
        weight += line.length();
        return this;
    }

    /** Adds a line that opens a block: {@code head} and a brace. */
    public Code open(String head) {
        line(head + " {");
        depth++;
        return this;
    }

    /** Ends the innermost block and opens another block, as in {@code } else {}. */
    public Code next(String head) {
        depth--;
        line("} " + head + " {");
        depth++;
        return this;
    }

    /** Adds lines in a block that is executed only if a condition is true. */
    public Code onlyIf(String condition, String... lines) {
        open("if (" + condition + ")");
        for (String line : lines) {
            line(line);
        }
        return close();
    }

    /** Adds a line for a true condition, and lines for any other condition. */
    public Code ifElse(String condition, String then, String... otherwise) {
        open("if (" + condition + ")").line(then).next("else");
        for (String line : otherwise) {
            line(line);
        }
        return close();
    }

    /** Ends the innermost block. */
    public Code close() {
        return end("}");
    }

    /** Ends the block of a {@code do} with its {@code condition}. */
    public Code closeWhile(String condition) {
        return end("} while (" + condition + ");");
    }

    private Code end(String line) {
        if (depth == 0) {
            throw new IllegalStateException("no block is open");
        }
        depth--;
        return line(line);
    }

    /** Adds a comment with one line for each line of {@code text}; any text is allowed. */
    public Code comment(String text) {
        String harmless = JavaText.inComment(text);
        for (String line : harmless.split("\n", -1)) {
            this.text
                    .append(INDENT.repeat(depth))
                    .append(line.isBlank() ? "//" : "// " + line)
                    .append('\n');
        }
        return this;
    }

    /** Adds all lines of {@code piece}, indented to this code's level. */
    public Code append(Code piece) {
        if (piece.depth != 0) {
            throw new IllegalStateException("a piece of code with an open block");
        }
        for (String line : piece.text.toString().split("\n")) {
            text.append(line.isEmpty() ? "" : INDENT.repeat(depth) + line).append('\n');
        }
        if (piece.isEmpty()) {
            text.setLength(text.length() - 1);
        }
        weight += piece.weight;
        return this;
    }

    /** Whether no code was written. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /**
     * Number of characters of code, without comments and indentation. The bytecode of this code has no more bytes than
     * this number.
     */
    public int weight() {
        return weight;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
