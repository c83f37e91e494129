package io.summarizer.dsl.codegen;

/**
 * Java code for the result of an expression of the definitions: two Java expressions without side effects. {@code
 * value} is undefined when {@code isNull} is true.
 *
 * @param value an expression of Java type {@code long}, {@code double} or {@code boolean}, or a string reference;
 *     depends on the type of the original expression
 * @param isNull a {@code boolean} expression that tells whether the value is null; the literal {@code true} or {@code
 *     false} when this is known in advance
 */
public record Value(String value, String isNull) {
    /** The value that is always null. */
    public static final Value NULL = new Value("0L", "true");

    /** A value that is never null. */
    public static Value present(String value) {
        return new Value(value, "false");
    }

    /** A value that is a string reference. The reference itself tells whether the string is null. */
    public static Value text(String reference) {
        return new Value(reference, reference + " == InputEvent.NULL_STRING");
    }

    /** Whether the value is always null. */
    public boolean isAlwaysNull() {
        return isNull.equals("true");
    }

    /** Whether the value is never null. */
    public boolean isNeverNull() {
        return isNull.equals("false");
    }
}
