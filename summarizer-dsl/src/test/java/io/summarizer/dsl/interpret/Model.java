package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventField.EnumConstant;
import io.summarizer.dsl.model.EventField.Kind;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Function;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.model.Origin;
import io.summarizer.dsl.model.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Definitions built by hand, in the form of the checker's. */
final class Model {
    private Model() {}

    static MessageType message(String name, EventField... fields) {
        MessageType type = new MessageType(name);
        type.define(List.of(fields));
        return type;
    }

    static EventField scalar(String name, int number, Kind kind) {
        return EventField.of(name, number, kind);
    }

    static EventField named(String name, String jsonName, int number, Kind kind) {
        return new EventField(name, jsonName, number, false, null, kind, null, null, null, null);
    }

    static EventField constants(String name, int number, EnumConstant... constants) {
        return new EventField(name, name, number, false, null, Kind.ENUM, null, List.of(constants), null, null);
    }

    static EventField nested(String name, int number, MessageType type) {
        return new EventField(name, name, number, false, null, Kind.MESSAGE, type, null, null, null);
    }

    static EventField list(String name, int number, Kind kind) {
        return new EventField(name, name, number, true, null, kind, null, null, null, null);
    }

    static EventField list(String name, int number, MessageType type) {
        return new EventField(name, name, number, true, null, Kind.MESSAGE, type, null, null, null);
    }

    static EventField map(String name, int number, Kind key, Kind value) {
        return new EventField(
                name,
                name,
                number,
                false,
                null,
                Kind.MAP,
                null,
                null,
                scalar("key", 1, key),
                scalar("value", 2, value));
    }

    /** The field at the end of a path of names, from the event. */
    static Expression.Field path(MessageType type, String names) {
        return path(new Expression.EventRoot(), type, names);
    }

    /** The field at the end of a path of names, from a loop's element. */
    static Expression.Field path(int loop, MessageType type, String names) {
        return path(new Expression.Variable(loop), type, names);
    }

    private static Expression.Field path(Expression.Root root, MessageType start, String names) {
        List<EventField> steps = new ArrayList<>();
        MessageType type = start;
        for (String name : names.split("\\.")) {
            EventField field = type.field(name).orElseThrow();
            steps.add(field);
            if (field.message() != null) {
                type = field.message();
            }
        }
        return new Expression.Field(root, steps, type(steps.get(steps.size() - 1)));
    }

    /** A loop's element that is a scalar. */
    static Expression.Field variable(int loop, Expression.Type type) {
        return new Expression.Field(new Expression.Variable(loop), List.of(), type);
    }

    /** The key of a loop's map entry. */
    static Expression.Field mapKey(int loop, Expression.Type type) {
        return new Expression.Field(new Expression.MapKey(loop), List.of(), type);
    }

    private static Expression.Type type(EventField field) {
        if (field.repeated()) {
            return Expression.Type.COMPOSITE;
        }
        return switch (field.type()) {
            case INT32, INT64 -> Expression.Type.INT;
            case UINT32, UINT64 -> Expression.Type.UINT;
            case FLOAT, DOUBLE -> Expression.Type.DOUBLE;
            case BOOL -> Expression.Type.BOOL;
            case STRING, ENUM, BYTES -> Expression.Type.STRING;
            case TIMESTAMP -> Expression.Type.TIMESTAMP;
            case MESSAGE, MAP -> Expression.Type.COMPOSITE;
        };
    }

    static Expression number(long value) {
        return new Expression.IntLiteral(value, Expression.Type.INT);
    }

    static Expression decimal(String value) {
        return new Expression.DecimalLiteral(new java.math.BigDecimal(value));
    }

    static Expression text(String value) {
        return new Expression.StringLiteral(value);
    }

    static Expression binary(Expression.Type type, Expression left, BinaryOperator operator, Expression right) {
        return new Expression.Binary(operator, left, right, type);
    }

    static Expression compare(Expression left, BinaryOperator operator, Expression right) {
        return binary(Expression.Type.BOOL, left, operator, right);
    }

    static Expression call(Expression.Type type, Function function, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), type);
    }

    static KeyColumn key(String name, int number, KeyType type) {
        return new KeyColumn(name, number, type);
    }

    static ValueColumn value(String name, int number, AggregateType type) {
        boolean sketch = type == AggregateType.MULTISET64;
        return new ValueColumn(name, number, type, sketch ? 11 : 0, sketch ? 5 : 0);
    }

    static SummaryLayout summary(String name, List<KeyColumn> keys, List<ValueColumn> values, SummaryLayout... nested) {
        return new SummaryLayout(name, 0, keys, values, List.of(nested));
    }

    static Statement.Key keyBlock(Expression... columns) {
        return new Statement.Key(List.of(columns), Collections.nCopies(columns.length, Origin.NONE));
    }

    static Statement.Update add(int column, Expression operand) {
        return add(column, operand, null);
    }

    static Statement.Update add(int column, Expression operand, @Nullable Expression where) {
        return new Statement.Update(column, operand, where, Origin.NONE);
    }

    static Statement.Nested enter(int nested, Expression key, Statement... body) {
        return new Statement.Nested(nested, List.of(key), null, List.of(body), Origin.NONE);
    }

    static Statement.For loop(int id, Expression.Field list, @Nullable Expression where, Statement... body) {
        return new Statement.For(id, list, where, List.of(body), Origin.NONE);
    }

    static Mapping mapping(int event, int summary, @Nullable Expression where, Statement... body) {
        return new Mapping("E" + event + "->S" + summary, event, summary, null, where, List.of(body), Origin.NONE);
    }

    static EventType event(String topic, MessageType type, EventSchema.Format format) {
        return new EventType(type.fullName(), type, List.of(TopicPattern.of(topic)), format);
    }

    static Definitions definitions(EventType event, SummaryLayout summary, Mapping... mappings) {
        return new Definitions(List.of(event), List.of(summary), Arrays.asList(mappings));
    }
}
