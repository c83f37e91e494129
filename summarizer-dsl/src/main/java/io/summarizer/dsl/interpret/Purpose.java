package io.summarizer.dsl.interpret;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;

/** The form in which an expression is evaluated. */
public sealed interface Purpose {
    /** The value of the expression in its own type. */
    record Own() implements Purpose {}

    /** Whether the expression is present, as a Boolean. */
    record Presence() implements Purpose {}

    /** The value in the form that a key column of this type stores. */
    record Key(KeyType type) implements Purpose {}

    /** The value in the form that a value column of this type accepts. */
    record Observation(AggregateType type) implements Purpose {}
}
