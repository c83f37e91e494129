package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.pipeline.EventProgram.Counts;
import io.summarizer.core.text.DecimalText;

/**
 * What every generated class that evaluates expressions has: a place for strings, a reader of numbers, counters. Belongs to
 * one thread.
 */
public abstract class Evaluator {
    /** The fields of the event, where there is one, and the space for computed strings. */
    protected final InputEvent event = new InputEvent();

    /** Reads one string at a time. */
    protected final DecimalText decimal = new DecimalText();

    protected final Counts counts;

    /** Of a method that evaluates an expression: whether what it returned last means null. */
    protected boolean resultIsNull;

    /** With counters for {@code mappings} mappings. */
    protected Evaluator(int mappings) {
        counts = new Counts(mappings);
    }

    /** Reads a string as a number into {@link #decimal}; false when it is none. */
    protected final boolean scan(long string) {
        int from = InputEvent.stringOffset(string);
        return decimal.scan(event.stringBytes(string), from, from + InputEvent.stringLength(string));
    }
}
