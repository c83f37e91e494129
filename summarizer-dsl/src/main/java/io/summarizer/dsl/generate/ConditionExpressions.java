package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import java.util.List;

/** Writes truth values other than comparisons. */
final class ConditionExpressions extends Expressions {
    ConditionExpressions(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        super(owner, leaves, sites, all);
    }

    Value bit(Expression expression, Place place) {
        Condition condition = hold(condition(expression, place), place);
        return new Value(condition.isTrue() + " ? 1L : 0L", condition.isNull());
    }

    /** A truth value. */
    Condition condition(Expression expression, Place place) {
        if (expression.type() == Type.NULL) {
            return Condition.NULL;
        }
        if (cost(expression) <= METHOD_COST) {
            return shortened(truth(expression, place), place);
        }
        String method = owner.names().variable("condition");
        Place inner = method("int", method);
        Condition result = truth(expression, inner);
        inner.code()
                .line("return " + Java.atom(result.isTrue()) + " ? 1 : " + Java.atom(result.isFalse()) + " ? 0 : 2;")
                .close();
        return ofInt(place.declare("int", "truth", method + "(" + leaves.arguments() + ")"));
    }

    private static Condition ofInt(String truth) {
        return new Condition(truth + " == 1", truth + " == 0");
    }

    private static Condition hold(Condition condition, Place place) {
        return new Condition(
                place.hold("boolean", "holds", condition.isTrue()),
                place.hold("boolean", "fails", condition.isFalse()));
    }

    /**
     * Declares variables for the two expressions of a long condition. Without variables, each nested expression would
     * be written twice at each level, so the code would grow exponentially with depth.
     */
    private static Condition shortened(Condition condition, Place place) {
        return condition.isTrue().length() + condition.isFalse().length() > 2 * NODE_COST
                ? hold(condition, place)
                : condition;
    }

    private Condition truth(Expression expression, Place place) {
        if (expression instanceof Expression.BoolLiteral literal) {
            return literal.value() ? Condition.TRUE : Condition.FALSE;
        }
        if (expression instanceof Expression.Field field) {
            Value value = leaves.field(field, place);
            return Condition.unlessNull(value.isNull(), value.value(), Java.not(value.value()));
        }
        if (expression instanceof Expression.Unary unary && unary.operator() == UnaryOperator.NOT) {
            return condition(unary.operand(), place).negated();
        }
        if (expression instanceof Expression.Binary binary) {
            return switch (binary.operator()) {
                case AND -> and(binary.left(), binary.right(), false, place);
                // a or b is not (not a and not b)
                case OR -> and(binary.left(), binary.right(), true, place).negated();
                default -> all.comparisons.compare(binary, place);
            };
        }
        if (expression instanceof Expression.In in) {
            return all.membership.in(in, place);
        }
        if (expression instanceof Expression.Call call) {
            return switch (call.function()) {
                case IF -> chooseCondition(call, place);
                case COALESCE -> firstPresentCondition(call, place);
                case HAS -> isPresent(call.arguments().get(0), place);
                default -> throw unsupported(call);
            };
        }
        throw unsupported(expression);
    }

    /**
     * The conjunction of two conditions; with {@code negated}, the conjunction of their negations. The right condition
     * is evaluated only when the left condition does not decide the result.
     */
    private Condition and(Expression left, Expression right, boolean negated, Place place) {
        Condition a = condition(left, place);
        a = negated ? a.negated() : a;
        Place aside = place.aside();
        Condition b = condition(right, aside);
        b = negated ? b.negated() : b;
        if (aside.code().isEmpty()) {
            return new Condition(Java.and(a.isTrue(), b.isTrue()), Java.or(a.isFalse(), b.isFalse()));
        }
        a = hold(a, place);
        String holds = place.declare("boolean", "holds", "false");
        String fails = place.declare("boolean", "fails", a.isFalse());
        place.code().open("if (!" + fails + ")");
        place.code().append(aside.code());
        place.code().line(holds + " = " + Java.and(a.isTrue(), b.isTrue()) + ";");
        place.code().line(fails + " = " + b.isFalse() + ";");
        place.code().close();
        return new Condition(holds, fails);
    }

    private Condition chooseCondition(Expression.Call call, Place place) {
        List<Expression> arguments = call.arguments();
        Condition condition = condition(arguments.get(0), place);
        String holds = place.declare("boolean", "holds", "false");
        String fails = place.declare("boolean", "fails", "false");
        place.code().open("if (" + condition.isTrue() + ")");
        assign(condition(arguments.get(1), place), holds, fails, place);
        place.code().next("else");
        assign(condition(arguments.get(2), place), holds, fails, place);
        place.code().close();
        return new Condition(holds, fails);
    }

    static void assign(Condition condition, String holds, String fails, Place place) {
        place.code().line(holds + " = " + condition.isTrue() + ";");
        place.code().line(fails + " = " + condition.isFalse() + ";");
    }

    private Condition firstPresentCondition(Expression.Call call, Place place) {
        if (call.arguments().size() > GROUP) {
            return firstPresentCondition(grouped(call), place);
        }
        String holds = place.declare("boolean", "holds", "false");
        String fails = place.declare("boolean", "fails", "false");
        boolean first = true;
        for (Expression argument : call.arguments()) {
            int block = first ? 0 : 1;
            if (block == 1) {
                place.code().open("if (!" + holds + " && !" + fails + ")");
            }
            assign(condition(argument, place), holds, fails, place);
            place.close(block);
            first = false;
        }
        return new Condition(holds, fails);
    }

    /** Whether an expression of any type is not null. The result itself is never null. */
    Condition isPresent(Expression expression, Place place) {
        String isNull = expression instanceof Expression.Field field
                ? leaves.field(field, place).isNull()
                : all.operand(expression, place).isNull();
        return Condition.known(Java.not(isNull));
    }
}
