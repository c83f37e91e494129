package io.summarizer.dsl.generate;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.dsl.model.Expression;
import java.util.List;

/**
 * An expression of a mapping that is to be evaluated by itself, and what as. Immutable.
 *
 * @param mapping position among the event type's mappings
 * @param loops ids of the loops around it, outermost first
 */
public record Probe(int mapping, Expression expression, Purpose purpose, List<Integer> loops) {
    public Probe {
        loops = List.copyOf(loops);
    }

    /** What an expression is evaluated as. */
    public sealed interface Purpose {}

    /** As what its own type says; a bool as 0 or 1. */
    public record Own() implements Purpose {}

    /** Whether it is there: 0 or 1. */
    public record Presence() implements Purpose {}

    /** As a key column of this type takes it. */
    public record Key(KeyType type) implements Purpose {}

    /** As a value column of this type takes it. */
    public record Observation(AggregateType type) implements Purpose {}

    /** How the result is handed over. */
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
