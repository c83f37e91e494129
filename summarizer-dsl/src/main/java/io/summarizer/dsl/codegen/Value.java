package io.summarizer.dsl.codegen;

/**
 * What an expression came to, in Java: two expressions without effects. The value means nothing where the other one holds.
 *
 * @param value a {@code long}, a {@code double}, a string reference, or a {@code boolean}, as the expression's type has it
 * @param isNull whether the value is null: a {@code boolean}, the literals {@code true} and {@code false} where that is known
 */
public record Value(String value, String isNull) {
    /** Null whatever comes. */
    public static final Value NULL = new Value("0L", "true");

    /** A value that is there whatever comes. */
    public static Value present(String value) {
        return new Value(value, "false");
    }

    /** A string reference, which says itself whether it is null. */
    public static Value text(String reference) {
        return new Value(reference, reference + " == InputEvent.NULL_STRING");
    }

    /** Whether it is null whatever comes. */
    public boolean isAlwaysNull() {
        return isNull.equals("true");
    }

    /** Whether it is there whatever comes. */
    public boolean isNeverNull() {
        return isNull.equals("false");
    }
}
