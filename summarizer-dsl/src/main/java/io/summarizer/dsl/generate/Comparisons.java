package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.runtime.Numbers;
import io.summarizer.dsl.runtime.Texts;

/** Writes comparisons of two values of any type. */
final class Comparisons extends Expressions {
    Comparisons(JavaClass owner, Leaves leaves, NullSites sites, ExpressionGenerator all) {
        super(owner, leaves, sites, all);
    }

    Condition compare(Expression.Binary comparison, Place place) {
        Expression left = comparison.left();
        Expression right = comparison.right();
        if (left.type() == Type.NULL || right.type() == Type.NULL) {
            return Condition.NULL;
        }
        BinaryOperator operator = comparison.operator();
        Value order = leaves.order(left, right, all, place);
        if (order != null) {
            return Condition.unlessNull(
                    order.isNull(),
                    order.value() + sign(operator) + "0",
                    order.value() + sign(opposite(operator)) + "0");
        }
        return compare(operator, left.type(), all.operand(left, place), right, place);
    }

    /** The condition {@code left operator right}. The code before it has already evaluated {@code left}. */
    Condition compare(BinaryOperator operator, Type type, Value left, Expression right, Place place) {
        if (left.isAlwaysNull() || right.type() == Type.NULL) {
            return Condition.NULL;
        }
        if (right instanceof Expression.StringLiteral literal) {
            owner.use(Texts.class);
            boolean equality = operator == BinaryOperator.EQ || operator == BinaryOperator.NE;
            String text = TextExpressions.constant(owner, literal.value());
            Value held = place.hold("long", "text", left);
            String equal = "Texts.equal(event, " + held.value() + ", " + text + ")";
            String order = "Texts.compare(event, " + held.value() + ", " + text + ")";
            String holds = equality ? equal : order + sign(operator) + "0";
            String fails = equality ? "!" + equal : order + sign(opposite(operator)) + "0";
            return operator == BinaryOperator.NE
                    ? Condition.unlessNull(held.isNull(), fails, holds)
                    : Condition.unlessNull(held.isNull(), holds, fails);
        }
        Place aside = place.aside();
        Value b = all.operand(right, aside);
        if (aside.code().isEmpty()) {
            String isNull = Java.or(left.isNull(), b.isNull());
            return b.isAlwaysNull()
                    ? Condition.NULL
                    : ordered(operator, type, right.type(), left.value(), b.value(), isNull, place);
        }
        Value a = place.hold(type == Type.DOUBLE ? "double" : "long", "left", left);
        String holds = place.declare("boolean", "holds", "false");
        String fails = place.declare("boolean", "fails", "false");
        int blocks = place.openUnless(a.isNull());
        place.code().append(aside.code());
        if (!b.isAlwaysNull()) {
            Value held = place.hold(right.type() == Type.DOUBLE ? "double" : "long", "right", b);
            ConditionExpressions.assign(
                    ordered(operator, type, right.type(), a.value(), held.value(), held.isNull(), place),
                    holds,
                    fails,
                    place);
        }
        place.close(blocks);
        return new Condition(holds, fails);
    }

    private Condition ordered(
            BinaryOperator operator, Type left, Type right, String a, String b, String isNull, Place place) {
        String x = Java.atom(a);
        String y = Java.atom(b);
        boolean plain = left == right ? left != Type.STRING && left != Type.UINT : isSigned(left) && isSigned(right);
        boolean bits = left == Type.UINT
                && right == Type.UINT
                && (operator == BinaryOperator.EQ || operator == BinaryOperator.NE);
        if (plain || bits) {
            // Doubles are never NaN, so the opposite operator is the negation.
            return Condition.unlessNull(isNull, x + sign(operator) + y, x + sign(opposite(operator)) + y);
        }
        owner.use(Numbers.class);
        String order;
        boolean reversed = false;
        if (left == Type.STRING) {
            owner.use(Texts.class);
            order = "Texts.compare(event, " + a + ", " + b + ")";
            if (leaves.repeats()) {
                String unread = "!affords(Math.min(InputEvent.stringLength(" + a + "), InputEvent.stringLength(" + b
                        + ")), " + sites.number() + ")";
                isNull = place.declare("boolean", "unknown", Java.or(isNull, unread));
            }
        } else if (left == Type.UINT && right == Type.UINT) {
            order = "Long.compareUnsigned(" + a + ", " + b + ")";
        } else if (left == Type.DOUBLE || right == Type.DOUBLE) {
            reversed = left == Type.DOUBLE;
            Type integer = reversed ? right : left;
            order = "Numbers." + (integer == Type.UINT ? "compareUnsigned" : "compare") + "("
                    + (reversed ? b + ", " + a : a + ", " + b) + ")";
        } else {
            reversed = left == Type.UINT;
            order = "Numbers.compareSignedUnsigned(" + (reversed ? b + ", " + a : a + ", " + b) + ")";
        }
        BinaryOperator of = reversed ? mirrored(operator) : operator;
        return Condition.unlessNull(isNull, order + sign(of) + "0", order + sign(opposite(of)) + "0");
    }

    private static boolean isSigned(Type type) {
        return type != Type.STRING && type != Type.DOUBLE && type != Type.UINT;
    }

    private static String sign(BinaryOperator operator) {
        return " " + operator.symbol() + " ";
    }

    private static BinaryOperator opposite(BinaryOperator operator) {
        return switch (operator) {
            case EQ -> BinaryOperator.NE;
            case NE -> BinaryOperator.EQ;
            case LT -> BinaryOperator.GE;
            case LE -> BinaryOperator.GT;
            case GT -> BinaryOperator.LE;
            case GE -> BinaryOperator.LT;
            default -> throw new IllegalArgumentException(operator + " is not a comparison");
        };
    }

    /** The operator for swapped operands. */
    private static BinaryOperator mirrored(BinaryOperator operator) {
        return switch (operator) {
            case LT -> BinaryOperator.GT;
            case LE -> BinaryOperator.GE;
            case GT -> BinaryOperator.LT;
            case GE -> BinaryOperator.LE;
            default -> operator;
        };
    }
}
