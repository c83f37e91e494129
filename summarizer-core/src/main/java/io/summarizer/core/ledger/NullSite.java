package io.summarizer.core.ledger;

/**
 * An expression of a program that may fail. Immutable.
 *
 * @param mapping position among the mappings of its event type; -1 for an expression of the event type itself
 * @param expression the expression and its use, in the syntax of definitions; no two expressions of a mapping have the
 *     same text
 * @param at its place, {@code file:line}
 * @param evaluated the occasion on which the expression is evaluated
 */
public record NullSite(int mapping, String expression, String at, Evaluated evaluated) {
    /** The occasion on which an expression is evaluated. It determines where the number of evaluations comes from. */
    public enum Evaluated {
        /** Once for each message that the mapping takes: the mapping's condition. */
        TAKEN,
        /** Once for each message that the mapping applies. */
        APPLIED,
        /** In a loop or under a condition; the program counts the evaluations. */
        COUNTED
    }
}
