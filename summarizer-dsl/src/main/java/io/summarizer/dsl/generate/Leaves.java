package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The source of operands of expressions: the slots of an event, or the columns of a row. If an operand needs
 * statements, the method for this operand writes the statements to {@code place}. The returned expressions have no side
 * effects.
 */
public interface Leaves {
    /**
     * A variable that the code of leaves reads. A generated method that contains such code gets the variable as a
     * parameter.
     */
    record Parameter(String type, String name) {
        /** Parameters of a method. */
        static String declared(List<Parameter> parameters) {
            return parameters.stream()
                    .map(parameter -> parameter.type + " " + parameter.name)
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * The value of a field. An integer, time or duration is a {@code long}, a double is a {@code double}, a bool is a
     * {@code boolean}, and a string is a reference into {@code event}. For a message, list or map, only the presence is
     * defined.
     */
    Value field(Expression.Field field, Place place);

    /**
     * Whether {@link #micros} returns the exact millionths of a field that is read as currency. If not, the field's
     * value is converted.
     */
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
     * Compares two numbers if at least one of them is a leaf that a {@code long} cannot hold; otherwise, returns null.
     * The result is an expression whose value is negative, zero or positive.
     *
     * @param expressions writes other operands
     */
    default @Nullable Value order(Expression left, Expression right, ExpressionGenerator expressions, Place place) {
        return null;
    }

    /** The value of a {@code BuiltinValue}, {@code TopicWord} or {@code StructuredData}. */
    default Value builtin(Expression builtin, Place place) {
        throw new IllegalArgumentException("no message is at hand: " + builtin);
    }

    /** Whether the written code runs in a loop over elements of an event. */
    default boolean repeats() {
        return false;
    }

    /** A Java expression for the {@code ZoneId} of times without a zone. */
    default String zone() {
        return "ZoneOffset.UTC";
    }

    /** The arguments with which a method passes its own {@link #parameters()} on to another method. */
    default String arguments() {
        return parameters().stream().map(Parameter::name).collect(Collectors.joining(", "));
    }

    /** The variables that the returned values use. */
    default List<Parameter> parameters() {
        return List.of();
    }
}
