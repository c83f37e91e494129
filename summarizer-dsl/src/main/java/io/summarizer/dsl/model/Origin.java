package io.summarizer.dsl.model;

import java.util.List;

/**
 * The place of a statement in its file, and the names of its loop variables. By {@code equals}, all origins are equal,
 * because an origin is not a part of a statement's meaning. Definitions with the same meaning are therefore equal, even
 * if they are in different places. Immutable.
 */
public final class Origin {
    /** The origin of a statement that is in no file. */
    public static final Origin NONE = new Origin("", 0, List.of());

    private final String file;
    private final int line;
    private final List<String> variables;

    /**
     * A place.
     *
     * @param line from 1 on; 0 when there is no file
     * @param variables variables of a loop, in order; empty for other statements
     */
    public Origin(String file, int line, List<String> variables) {
        this.file = file;
        this.line = line;
        this.variables = List.copyOf(variables);
    }

    /** The loop's variables. For a map, these are the variables of keys and values. */
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

    /** The origin as {@code file:line}; empty without a file. */
    @Override
    public String toString() {
        return line == 0 ? "" : file + ":" + line;
    }
}
