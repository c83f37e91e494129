package io.summarizer.dsl.interpret;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;

/** The form in which an expression is evaluated. */
public sealed interface Purpose {
    /** In its own type. */
    record Own() implements Purpose {}

    /** Its presence, a Boolean. */
    record Presence() implements Purpose {}

    /** As a key column of this type takes it. */
    record Key(KeyType type) implements Purpose {}

    /** As a value column of this type takes it. */
    record Observation(AggregateType type) implements Purpose {}
}
