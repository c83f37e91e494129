package io.summarizer.dsl.generate;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.dsl.model.Expression;
import java.util.List;

/**
 * An expression of a mapping to be evaluated by itself, with its purpose. Immutable.
 *
 * @param mapping position among the event type's mappings
 * @param loops ids of the enclosing loops, outermost first
 */
public record Probe(int mapping, Expression expression, Purpose purpose, List<Integer> loops) {
    public Probe {
        loops = List.copyOf(loops);
    }

    /** The form in which an expression is evaluated. */
    public sealed interface Purpose {}

    /** In its own type; a bool as 0 or 1. */
    public record Own() implements Purpose {}

    /** Its presence: 0 or 1. */
    public record Presence() implements Purpose {}

    /** As a key column of this type takes it. */
    public record Key(KeyType type) implements Purpose {}

    /** As a value column of this type takes it. */
    public record Observation(AggregateType type) implements Purpose {}

    /** The form of the result. */
    AggregateType.Operand result() {
        if (purpose instanceof Observation observation) {
            return observation.type().operand();
        }
        if (purpose instanceof Key key) {
            return key.type() == KeyType.STRING ? AggregateType.Operand.STRING : AggregateType.Operand.LONG;
        }
        if (purpose instanceof Presence) {
            return AggregateType.Operand.LONG;
        }
        return switch (expression.type()) {
            case STRING -> AggregateType.Operand.STRING;
            case DOUBLE -> AggregateType.Operand.DOUBLE;
            default -> AggregateType.Operand.LONG;
        };
    }
}
