package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The common base of the writers of expressions. There is one writer for each type of result. Written methods go into
 * the class {@code owner}. Operands come from {@code leaves}. The statements that count failures come from {@code
 * sites}. For operands of another type, {@code all} has the writers of all types.
 */
abstract class Expressions {
    /** Maximum number of arguments of a function, and of elements of an {@code in}, in one method. */
    static final int GROUP = 16;

    /** Maximum number of characters of an expression in one method, as {@link Code#weight()} counts them. */
    static final int METHOD_COST = Code.METHOD_WEIGHT / 3;

    static final int NODE_COST = 120;
    static final String RANGE = "NullReason.RANGE";
    static final String DIVISION = "NullReason.DIVISION";

    final JavaClass owner;
    final Leaves leaves;
    final NullSites sites;
    final ExpressionGenerator all;

    Expressions(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        this.owner = owner;
        this.leaves = leaves;
        this.sites = sites;
        this.all = all;
    }

    static IllegalArgumentException unsupported(Expression expression) {
        return new IllegalArgumentException("not an expression that the checker lets pass: " + expression);
    }

    /**
     * A text for a function that reads all of it. In a loop, the text is null when the loops over the event have read
     * too much.
     */
    Value read(Expression argument, Place place) {
        Value text = all.texts.text(argument, place);
        if (!leaves.repeats() || text.isAlwaysNull() || argument instanceof Expression.StringLiteral) {
            return text;
        }
        Value held = place.hold("long", "text", text);
        String afforded = "afford(" + held.value() + ", " + sites.number() + ")";
        return Value.text(place.declare(
                "long",
                "read",
                held.isNeverNull() ? afforded : held.isNull() + " ? InputEvent.NULL_STRING : " + afforded));
    }

    /** The result of a function that takes a string. The result is null only when the string is null. */
    Value ofText(Expression argument, String type, UnaryOperator<String> result, Place place) {
        Value text = read(argument, place);
        if (text.isAlwaysNull()) {
            return Value.NULL;
        }
        Value held = place.hold("long", "text", text);
        String zero = type.equals("long") ? "0L" : "0.0";
        return new Value(
                place.declare(
                        type,
                        "result",
                        held.isNeverNull()
                                ? result.apply(held.value())
                                : held.isNull() + " ? " + zero + " : " + result.apply(held.value())),
                held.isNull());
    }

    /** A number that is read from a string; null when the string is not a number of this kind. */
    Value scanned(Expression argument, String suits, String result, String type, Place place) {
        Value text = place.hold("long", "text", read(argument, place));
        if (text.isAlwaysNull()) {
            return Value.NULL;
        }
        String reads = "scan(" + text.value() + ")" + (suits.equals("true") ? "" : " && " + suits);
        String read = place.declare(type, "read", type.equals("long") ? "0L" : "0.0");
        String isNull = place.declare("boolean", read + "Null", "true");
        int blocks = place.openUnless(text.isNull());
        place.code()
                .open("if (" + reads + ")")
                .line(read + " = " + result + ";")
                .line(isNull + " = false;")
                .next("else")
                .line(sites.unreadable(text.value()))
                .close();
        place.close(blocks);
        return new Value(read, isNull);
    }

    Value checked(Value operand, UnaryOperator<String> fails, UnaryOperator<String> result, Place place) {
        return checked("long", "long", operand, fails, result, place);
    }

    /**
     * The result of an operation on one operand. If the operation fails, the result is null, and the failure is
     * counted.
     */
    Value checked(
            String operandType,
            String type,
            Value operand,
            UnaryOperator<String> fails,
            UnaryOperator<String> result,
            Place place) {
        return apply(
                type,
                List.of(operandType),
                List.of(ignored -> operand),
                held -> fails.apply(held.get(0)),
                held -> result.apply(held.get(0)),
                held -> RANGE,
                place);
    }

    /**
     * Does the same as {@link #checked}, for an operation on two operands. The second operand is evaluated only when
     * the first operand is not null.
     */
    Value binary(
            String type,
            Function<Place, Value> left,
            Function<Place, Value> right,
            BinaryOperator<String> fails,
            BinaryOperator<String> result,
            Place place) {
        return binary(type, left, right, fails, result, (a, b) -> RANGE, place);
    }

    Value binary(
            String type,
            Function<Place, Value> left,
            Function<Place, Value> right,
            BinaryOperator<String> fails,
            BinaryOperator<String> result,
            BinaryOperator<String> reason,
            Place place) {
        return apply(
                type,
                List.of(type, type),
                List.of(left, right),
                held -> fails.apply(held.get(0), held.get(1)),
                held -> result.apply(held.get(0), held.get(1)),
                held -> reason.apply(held.get(0), held.get(1)),
                place);
    }

    Value apply(
            String type,
            List<String> operandTypes,
            List<Function<Place, Value>> operands,
            Function<List<String>, String> fails,
            Function<List<String>, String> result,
            Function<List<String>, String> reason,
            Place place) {
        String zero = type.equals("long") ? "0L" : "0.0";
        String value = place.declare(type, "result", zero);
        String isNull = place.declare("boolean", value + "Null", "true");
        List<String> held = new ArrayList<>();
        int blocks = 0;
        for (int i = 0; i < operands.size(); i++) {
            Value operand = operands.get(i).apply(place);
            if (operand.isAlwaysNull()) {
                place.close(blocks);
                return new Value(zero, "true");
            }
            blocks += place.openUnless(operand.isNull());
            held.add(place.hold(operandTypes.get(i), "operand", operand.value()));
        }
        place.code()
                .ifElse(
                        fails.apply(held),
                        sites.count(owner, reason.apply(held)),
                        value + " = " + result.apply(held) + ";",
                        isNull + " = false;");
        place.close(blocks);
        return new Value(value, isNull);
    }

    Value choose(String type, Expression.Call call, BiFunction<Expression, Place, Value> branch, Place place) {
        Condition condition = all.conditions.condition(call.arguments().get(0), place);
        String value = place.declare(type, "chosen", type.equals("long") ? "0L" : "0.0");
        String isNull = place.declare("boolean", value + "Null", "false");
        place.code().open("if (" + condition.isTrue() + ")");
        assign(branch.apply(call.arguments().get(1), place), value, isNull, place);
        place.code().next("else");
        assign(branch.apply(call.arguments().get(2), place), value, isNull, place);
        place.code().close();
        return new Value(value, isNull);
    }

    static void assign(Value from, String value, String isNull, Place place) {
        if (!from.isAlwaysNull()) {
            place.code().line(value + " = " + from.value() + ";");
        }
        place.code().line(isNull + " = " + from.isNull() + ";");
    }

    Value firstPresent(String type, Expression.Call call, BiFunction<Expression, Place, Value> argument, Place place) {
        if (call.arguments().size() > GROUP) {
            return firstPresent(type, grouped(call), argument, place);
        }
        String value = place.declare(type, "first", type.equals("long") ? "0L" : "0.0");
        String isNull = place.declare("boolean", value + "Null", "true");
        boolean first = true;
        for (Expression candidate : call.arguments()) {
            int block = first ? 0 : place.openUnless("!" + isNull);
            assign(argument.apply(candidate, place), value, isNull, place);
            place.close(block);
            first = false;
        }
        return new Value(value, isNull);
    }

    /**
     * Divides a long {@code coalesce} into several calls that together have the same value, so that no method is too
     * large.
     */
    static Expression.Call grouped(Expression.Call call) {
        return new Expression.Call(
                call.function(),
                groups(call.arguments()).stream()
                        .map(group -> (Expression) new Expression.Call(call.function(), group, call.type()))
                        .toList(),
                call.type());
    }

    static List<List<Expression>> groups(List<Expression> expressions) {
        List<List<Expression>> groups = new ArrayList<>();
        for (int from = 0; from < expressions.size(); from += GROUP) {
            groups.add(expressions.subList(from, Math.min(expressions.size(), from + GROUP)));
        }
        return groups;
    }

    /** Evaluates a large expression in a method of its own, and any other expression in place. */
    Value apart(Expression expression, String type, Place place, Function<Place, Value> emission) {
        if (cost(expression) <= METHOD_COST) {
            return emission.apply(place);
        }
        String method = owner.names().variable("expression");
        Place inner = method(type, method);
        Value result = emission.apply(inner);
        inner.code().line("this.resultIsNull = " + result.isNull() + ";");
        inner.code().line("return " + result.value() + ";").close();
        String value = place.declare(type, "result", method + "(" + leaves.arguments() + ")");
        return new Value(value, place.declare("boolean", value + "Null", "this.resultIsNull"));
    }

    Place method(String type, String name) {
        return method(type, name, List.of());
    }

    /** Begins a method that may read leaves. The caller writes the method's body and its last brace. */
    Place method(String type, String name, List<Leaves.Parameter> first) {
        List<Leaves.Parameter> parameters = new ArrayList<>(first);
        parameters.addAll(leaves.parameters());
        Code code = owner.member();
        code.open("private " + type + " " + name + "(" + Leaves.Parameter.declared(parameters) + ")");
        return new Place(
                code,
                JavaClass.locals(parameters.stream().map(Leaves.Parameter::name).toArray(String[]::new)));
    }

    /** The approximate number of characters of Java for an expression, without code that is in other methods. */
    static int cost(Expression expression) {
        List<Expression> operands = expression.operands();
        int links = expression instanceof Expression.Call ? operands.size() : Math.max(0, operands.size() - 1);
        return NODE_COST
                + 2 * NODE_COST * links
                + operands.stream().mapToInt(Expressions::cost).sum();
    }

    /** Whether the evaluation of an expression may leave strings in the event's scratch space. */
    static boolean leavesStrings(Expression expression) {
        return (expression.type() == Type.STRING && !(expression instanceof Expression.Field))
                || expression.operands().stream().anyMatch(Expressions::leavesStrings);
    }

    /** A variable with the scratch space before expressions are evaluated; empty if they leave no strings there. */
    static String mark(List<Expression> expressions, Place place) {
        return expressions.stream().anyMatch(Expressions::leavesStrings)
                ? place.declare("int", "mark", "event.scratchLimit()")
                : "";
    }

    /** Releases the strings in the scratch space behind a {@link #mark}. */
    static void release(String mark, Place place) {
        if (!mark.isEmpty()) {
            place.code().line("event.releaseScratch(" + mark + ");");
        }
    }
}
