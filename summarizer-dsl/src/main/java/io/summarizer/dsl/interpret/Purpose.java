package io.summarizer.dsl.interpret;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;

/** The form in which an expression is evaluated. */
public sealed interface Purpose {
    /** The purpose of a value in the expression's own type. */
    record Own() implements Purpose {}

    /** The purpose of the expression's presence, a Boolean. */
    record Presence() implements Purpose {}

    /** The purpose of a value as a key column of this type takes it. */
    record Key(KeyType type) implements Purpose {}

    /** The purpose of a value as a value column of this type takes it. */
    record Observation(AggregateType type) implements Purpose {}
}
