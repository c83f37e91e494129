package io.summarizer.dsl.check;

import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.Expression.Root;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Visible loop variables, innermost first. Immutable; null is the empty scope.
 *
 * @param field type of the variable: an element of a repeated field, or the key or the value of a map. Null when the
 *     loop has an error; every use of the variable is then accepted.
 */
record Scope(
        String name,
        Root root,
        @Nullable EventField field,
        @Nullable Scope outer) {
    /** The variable of this name, or null. */
    static @Nullable Scope find(@Nullable Scope scope, String name) {
        for (Scope at = scope; at != null; at = at.outer) {
            if (at.name.equals(name)) {
                return at;
            }
        }
        return null;
    }

    /** Names of all variables. */
    static List<String> names(@Nullable Scope scope) {
        List<String> names = new ArrayList<>();
        for (Scope at = scope; at != null; at = at.outer) {
            names.add(at.name);
        }
        return names;
    }
}
