package io.summarizer.dsl.codegen;

/**
 * The result of an expression, in Java: two expressions without effects. The value is undefined when the other one is
 * true.
 *
 * @param value a {@code long}, a {@code double}, a string reference, or a {@code boolean}, by the expression's type
 * @param isNull whether the value is null: a {@code boolean}, as a literal {@code true} or {@code false} when that is
 *     known
 */
public record Value(String value, String isNull) {
    /** The value that is always null. */
    public static final Value NULL = new Value("0L", "true");

    /** A value that is never null. */
    public static Value present(String value) {
        return new Value(value, "false");
    }

    /** A string reference, which itself tells whether it is null. */
    public static Value text(String reference) {
        return new Value(reference, reference + " == InputEvent.NULL_STRING");
    }

    /** Whether it is always null. */
    public boolean isAlwaysNull() {
        return isNull.equals("true");
    }

    /** Whether it is never null. */
    public boolean isNeverNull() {
        return isNull.equals("false");
    }
}
