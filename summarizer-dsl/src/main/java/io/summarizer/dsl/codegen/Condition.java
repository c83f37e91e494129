package io.summarizer.dsl.codegen;

/**
 * A three-valued condition, in Java: two boolean expressions without side effects. The first expression is true when
 * the condition is true; the second is true when the condition is false. Both expressions are false when the condition
 * is null.
 */
public record Condition(String isTrue, String isFalse) {
    public static final Condition TRUE = new Condition("true", "false");
    public static final Condition FALSE = new Condition("false", "true");
    public static final Condition NULL = new Condition("false", "false");

    /** A condition that is never null. */
    public static Condition known(String isTrue) {
        return new Condition(isTrue, Java.not(isTrue));
    }

    /** A condition on a value that may be null. */
    public static Condition unlessNull(String isNull, String holds, String holdsNot) {
        String present = Java.not(isNull);
        return new Condition(Java.and(present, holds), Java.and(present, holdsNot));
    }

    public Condition negated() {
        return new Condition(/* isTrue= */ isFalse, /* isFalse= */ isTrue);
    }

    /** A Java expression that is true when the condition is null. */
    public String isNull() {
        return Java.and(Java.not(isTrue), Java.not(isFalse));
    }
}
