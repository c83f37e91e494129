package io.summarizer.dsl.export;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.store.RowCursor;
import io.summarizer.dsl.generate.Code;
import io.summarizer.dsl.generate.Condition;
import io.summarizer.dsl.generate.ExpressionGenerator;
import io.summarizer.dsl.generate.JavaClass;
import io.summarizer.dsl.generate.Leaves;
import io.summarizer.dsl.generate.Place;
import io.summarizer.dsl.generate.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.runtime.Evaluator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes the class of a condition: an {@link Evaluator} whose operands are columns, with a method {@code holds}. Numbers are
 * read where they lie; texts are copied to the evaluator's space for strings, and given back after each row. One that does
 * not fit there is null.
 *
 * <p>Currency is the double nearest to its amount. Up to 9 * 10^9 no two amounts have the same one, and literals of up to
 * six places are read alike, so comparisons with them are exact.
 */
final class ConditionCode implements Leaves {
    private final List<Column> all;
    private final JavaClass type;
    private final ColumnCode columns;
    private final Set<Column> used = new LinkedHashSet<>();

    private ConditionCode(List<Column> all, JavaClass type) {
        this.all = all;
        this.type = type;
        columns = new ColumnCode(type);
    }

    /** Writes all of class {@code type}. */
    static void write(CheckedQuery query, Expression where, JavaClass type) {
        new ConditionCode(query.columns().all(), type).write(where);
    }

    private void write(Expression where) {
        collect(where);
        type.inherits("extends " + type.use(Evaluator.class));
        Code code = type.member();
        code.open("public boolean holds(" + type.use(RowCursor.class) + "[] rows)");
        columns.rows(code, used);
        List<String> locals = new ArrayList<>(List.of("rows"));
        parameters().forEach(parameter -> locals.add(parameter.name()));
        Place place = new Place(code, JavaClass.locals(locals.toArray(String[]::new)));
        code.line("event.releaseScratch(0);");
        Condition condition = new ExpressionGenerator(type, this).condition(where, place);
        code.line("return " + condition.isTrue() + ";");
        code.close();
    }

    private void collect(Expression expression) {
        if (expression instanceof Expression.Field field) {
            used.add(column(field));
        } else if (expression instanceof Expression.Unary unary) {
            collect(unary.operand());
        } else if (expression instanceof Expression.Binary binary) {
            collect(binary.left());
            collect(binary.right());
        } else if (expression instanceof Expression.In in) {
            collect(in.operand());
            in.elements().forEach(this::collect);
        } else if (expression instanceof Expression.Call call) {
            call.arguments().forEach(this::collect);
        }
    }

    private Column column(Expression.Field field) {
        return all.get(field.path().get(0).number() - 1);
    }

    @Override
    public Value field(Expression.Field field, Place place) {
        Column column = column(field);
        String isNull = columns.isNull(column);
        if (column.type() == Column.Type.TEXT) {
            String text = place.declare("long", column.name(), type.use(InputEvent.class) + ".NULL_STRING");
            place.code()
                    .open("if (!(" + isNull + "))")
                    .line(columns.readText(column))
                    .line(text + " = event.copyToScratch(" + columns.text(column) + ");")
                    .close();
            return Value.text(text);
        }
        String value = switch (column.type()) {
            case INT32, UINT32 -> "(long) " + columns.value(column);
            case CURRENCY -> columns.value(column) + " / 1e6";
            default -> columns.value(column);
        };
        return new Value(value, isNull.isEmpty() ? "false" : isNull);
    }

    @Override
    public List<Parameter> parameters() {
        return columns.parameters(used);
    }
}
