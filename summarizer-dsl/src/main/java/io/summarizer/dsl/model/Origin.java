package io.summarizer.dsl.model;

import java.util.List;

/**
 * The place of a statement, and its own names for the variables of its loop. No part of what the statement does: all origins are
 * equal, so that definitions are equal that do the same. Immutable.
 */
public final class Origin {
    /** Of a statement that stands in no file. */
    public static final Origin NONE = new Origin("", 0, List.of());

    private final String file;
    private final int line;
    private final List<String> variables;

    /**
     * A place.
     *
     * @param line from 1 on; 0 when there is no file
     * @param variables the loop's, in their order; empty for other statements
     */
    public Origin(String file, int line, List<String> variables) {
        this.file = file;
        this.line = line;
        this.variables = List.copyOf(variables);
    }

    /** The loop's variables: of a map those of keys and values. */
    public List<String> variables() {
        return variables;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Origin;
    }

    @Override
    public int hashCode() {
        return 0;
    }

    /** As {@code file:line}; empty when there is no file. */
    @Override
    public String toString() {
        return line == 0 ? "" : file + ":" + line;
    }
}
