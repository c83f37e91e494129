package io.summarizer.dsl.export;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.store.RowCursor;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.generate.ExpressionGenerator;
import io.summarizer.dsl.generate.Leaves;
import io.summarizer.dsl.generate.NullSites;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.runtime.Evaluator;
import io.summarizer.dsl.runtime.Numbers;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the class of a condition: an {@link Evaluator} with a method {@code holds}. The operands of the condition are
 * columns. Numbers are read in place. Texts are copied to the evaluator's space for strings. A text that does not fit
 * into this space is null. The space is cleared after each row.
 *
 * <p>Amounts of currency, and literals with up to six decimals, are read as the nearest double. An amount of up to 9 *
 * 10^9 is compared with such a literal exactly, because different amounts up to this bound have different doubles.
 * Comparisons of integer sums of any size are exact, too. In arithmetic and in functions, a sum beyond int64 is null.
 */
final class ConditionCode implements Leaves {
    /** Maximum number of nodes of a condition. Longer classes would exceed the bound on their characters. */
    private static final int NODES_MAX = 20_000;

    private final List<Column> all;
    private final JavaClass type;
    private final ColumnCode columns;
    private final Set<Column> used = new LinkedHashSet<>();
    private boolean extracts;

    private ConditionCode(List<Column> all, JavaClass type) {
        this.all = all;
        this.type = type;
        columns = new ColumnCode(type);
    }

    /**
     * Writes the class {@code type}. Returns the {@code throws} clause of its method {@code holds}; null when the class
     * would be too long, because the condition repeats operands of {@code in}, so that nothing was written.
     */
    static @Nullable String write(CheckedQuery query, Expression where, JavaClass type) {
        ConditionCode code = new ConditionCode(query.columns().all(), type);
        Expression rewritten = code.withSums(where);
        if (nodes(rewritten, new IdentityHashMap<>()) > NODES_MAX) {
            return null;
        }
        code.write(where, rewritten);
        return code.thrown();
    }

    /** Number of nodes of an expression as a tree; a node that is shared counts each time. */
    private static long nodes(Expression expression, Map<Expression, Long> known) {
        Long seen = known.get(expression);
        if (seen != null) {
            return seen;
        }
        long nodes = 1;
        for (Expression operand : expression.operands()) {
            nodes = Math.min(Integer.MAX_VALUE, nodes + nodes(operand, known));
        }
        known.put(expression, nodes);
        return nodes;
    }

    private String thrown() {
        return extracts ? " throws " + type.use(CsvQueryException.class) : "";
    }

    private void write(Expression where, Expression rewritten) {
        collect(where);
        type.inherits("extends " + type.use(Evaluator.class));
        Code code = type.member();
        code.open("public boolean holds(" + type.use(RowCursor.class) + "[] rows)" + thrown());
        columns.rows(code, used);
        List<String> locals = new ArrayList<>(List.of("rows"));
        parameters().forEach(parameter -> locals.add(parameter.name()));
        Place place = new Place(code, JavaClass.locals(locals.toArray(String[]::new)));
        Condition condition = new ExpressionGenerator(type, this, NullSites.single()).condition(rewritten, place);
        String holds = place.declare("boolean", "holds", condition.isTrue());
        if (extracts) {
            code.line("checkExtracts();");
        }
        code.line("endRow();").line("return " + holds + ";").close();
    }

    private void collect(Expression expression) {
        if (expression instanceof Expression.Field field) {
            used.add(column(field));
        }
        extracts |= expression instanceof Expression.Call call && call.function() == Expression.Function.EXTRACT;
        expression.operands().forEach(this::collect);
    }

    /**
     * Rewrites a condition so that it compares sums of any size exactly. An {@code in} with sums becomes comparisons.
     * {@code has} of a sum becomes true, because a sum is never null.
     */
    private Expression withSums(Expression expression) {
        if (expression instanceof Expression.Unary unary) {
            return new Expression.Unary(unary.operator(), withSums(unary.operand()), unary.type());
        }
        if (expression instanceof Expression.Binary binary) {
            return new Expression.Binary(
                    binary.operator(), withSums(binary.left()), withSums(binary.right()), binary.type());
        }
        if (expression instanceof Expression.In in) {
            return in(in.operand(), in.elements());
        }
        if (expression instanceof Expression.Call call) {
            if (call.function() == Expression.Function.HAS
                    && sum(call.arguments().get(0)) != null) {
                return new Expression.BoolLiteral(true);
            }
            return new Expression.Call(
                    call.function(),
                    call.arguments().stream().map(this::withSums).toList(),
                    call.type());
        }
        return expression;
    }

    /** Compares sums one by one, and the other elements together: the operand is written once for each of these. */
    private Expression in(Expression operand, List<Expression> elements) {
        if (sum(operand) != null) {
            return anyEqual(operand, elements);
        }
        Expression checked = withSums(operand);
        List<Expression> sums = elements.stream()
                .filter(element -> sum(element) != null)
                .distinct()
                .toList();
        List<Expression> others = elements.stream()
                .filter(element -> sum(element) == null)
                .map(this::withSums)
                .toList();
        if (sums.isEmpty()) {
            return new Expression.In(checked, others);
        }
        Expression equal = anyEqual(checked, sums);
        return others.isEmpty()
                ? equal
                : new Expression.Binary(
                        Expression.BinaryOperator.OR, equal, new Expression.In(checked, others), Expression.Type.BOOL);
    }

    private Expression anyEqual(Expression operand, List<Expression> elements) {
        int half = elements.size() / 2;
        if (half == 0) {
            return new Expression.Binary(
                    Expression.BinaryOperator.EQ, operand, withSums(elements.get(0)), Expression.Type.BOOL);
        }
        return new Expression.Binary(
                Expression.BinaryOperator.OR,
                anyEqual(operand, elements.subList(0, half)),
                anyEqual(operand, elements.subList(half, elements.size())),
                Expression.Type.BOOL);
    }

    /** If an expression reads a column that is a sum of integers, this column; otherwise null. */
    private @Nullable Column sum(Expression expression) {
        if (!(expression instanceof Expression.Field field)) {
            return null;
        }
        Column column = column(field);
        return column.type() == Column.Type.SUM ? column : null;
    }

    @Override
    public @Nullable Value order(Expression left, Expression right, ExpressionGenerator expressions, Place place) {
        Column column = sum(left);
        if (column != null) {
            return order(column, right, expressions, place);
        }
        Column other = sum(right);
        if (other == null) {
            return null;
        }
        Value order = order(other, left, expressions, place);
        return new Value("-" + order.value(), order.isNull());
    }

    private Value order(Column column, Expression right, ExpressionGenerator expressions, Place place) {
        Column other = sum(right);
        if (other != null) {
            return Value.present(columns.compareSum(column, columns.sum(other)));
        }
        Value operand = expressions.operand(right, place);
        String value = operand.value();
        String order = switch (right.type()) {
            case DOUBLE -> type.use(Numbers.class) + ".compare(" + columns.sum(column) + ", " + value + ")";
            case UINT -> columns.compareSum(column, value + ", 0L");
            default -> columns.compareSum(column, value);
        };
        return new Value(order, operand.isNull());
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
                    .onlyIf(
                            "!(" + isNull + ")",
                            columns.readText(column),
                            text + " = event.copyToScratch(" + columns.text(column) + ");");
            return Value.text(text);
        }
        if (column.type() == Column.Type.SUM) {
            isNull = columns.isWide(column);
        }
        String value = switch (column.type()) {
            case INT32, UINT32 -> "(long) " + columns.value(column);
            case CURRENCY -> type.use(Numbers.class) + ".amount(" + columns.sum(column) + ")";
            case SUM -> columns.low(column);
            default -> columns.value(column);
        };
        return new Value(value, isNull.isEmpty() ? "false" : isNull);
    }

    @Override
    public List<Parameter> parameters() {
        return columns.parameters(used);
    }
}
