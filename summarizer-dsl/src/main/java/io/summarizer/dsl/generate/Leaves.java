package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the operands of expressions come from: the slots of an event, or the columns of a row. Code for them may first be
 * written to {@code place}; the values are without effects.
 */
public interface Leaves {
    /**
     * A variable that leaves refer to: expressions too large for one method take it along as a parameter.
     */
    record Parameter(String type, String name) {}

    /**
     * A field. An integer, time or duration is a {@code long}, a double a {@code double}, a bool a {@code boolean}, a
     * string a reference into {@code event}; of a message, list or map only the presence matters.
     */
    Value field(Expression.Field field, Place place);

    /** A field that is read as currency: exact millionths if there are, a value as {@link #micros} has no use for else. */
    default boolean hasMicros(Expression.Field field) {
        return false;
    }

    /** A field in millionths. */
    default Value micros(Expression.Field field, Place place) {
        throw new IllegalArgumentException("not read as currency: " + field);
    }

    /** Number of elements of a list or map, as a {@code long}. */
    default Value length(Expression.Field field, Place place) {
        throw new IllegalArgumentException("not a list: " + field);
    }

    /**
     * How two numbers compare when at least one of them is a leaf that a {@code long} does not hold: negative, zero or positive.
     * Null when there is none such.
     *
     * @param expressions writes what else there is
     */
    default @Nullable Value order(Expression left, Expression right, ExpressionGenerator expressions, Place place) {
        return null;
    }

    /** A {@code BuiltinValue}, {@code TopicWord} or {@code StructuredData}. */
    default Value builtin(Expression builtin, Place place) {
        throw new IllegalArgumentException("no message is at hand: " + builtin);
    }

    /** The {@code ZoneId} of times without a zone. */
    default String zone() {
        return "ZoneOffset.UTC";
    }

    /** The variables that values refer to. */
    default List<Parameter> parameters() {
        return List.of();
    }
}
