package io.summarizer.dsl.check;

import static io.summarizer.dsl.check.Assignability.isInteger;
import static io.summarizer.dsl.check.Assignability.isNumber;
import static io.summarizer.dsl.model.Expression.describe;

import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventField.EnumConstant;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Binary;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.BoolLiteral;
import io.summarizer.dsl.model.Expression.DecimalLiteral;
import io.summarizer.dsl.model.Expression.DurationLiteral;
import io.summarizer.dsl.model.Expression.In;
import io.summarizer.dsl.model.Expression.IntLiteral;
import io.summarizer.dsl.model.Expression.NullLiteral;
import io.summarizer.dsl.model.Expression.StringLiteral;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.model.Expression.Unary;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import io.summarizer.dsl.parse.Ast;
import io.summarizer.dsl.parse.Ast.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the types of expressions and checks them. A method that reports an error still checks the rest of the
 * expression, and then returns null. The recursion of this class is bounded, because the parser bounds the depth of
 * expressions.
 */
final class ExpressionChecker {
    /** Maximum number of code points of an expression that advice quotes. */
    private static final int MAX_QUOTED = 40;

    private final Diagnostics diagnostics;
    private final PathChecker paths;
    private final CallChecker calls;
    private final Constants constants;

    ExpressionChecker(Diagnostics diagnostics, @Nullable Event event, List<String> summaryFields) {
        this.diagnostics = diagnostics;
        this.paths = new PathChecker(diagnostics, event, summaryFields);
        this.calls = new CallChecker(diagnostics, this);
        this.constants = new Constants(diagnostics);
    }

    PathChecker paths() {
        return paths;
    }

    Constants constants() {
        return constants;
    }

    /** Checks a condition, which must be a bool. */
    @Nullable
    Expression condition(@Nullable Expr expr, @Nullable Scope scope) {
        if (expr == null) {
            return null;
        }
        Expression condition = scalar(expr, scope);
        if (condition != null && condition.type() != Type.BOOL && condition.type() != Type.NULL) {
            return diagnostics.error(
                    expr.span(),
                    "a condition is a bool; this is " + describe(condition.type()),
                    isNumber(condition.type()) ? List.of("compare it, as `x != 0`") : List.of());
        }
        return condition;
    }

    /** Checks an expression that must be a single value. */
    @Nullable
    Expression scalar(Expr expr, @Nullable Scope scope) {
        Expression checked = any(expr, scope);
        return checked != null && checked.type() == Type.COMPOSITE
                ? paths.reportComposite(expr.span(), checked)
                : checked;
    }

    /** Checks an expression that may also be a message, a list or a map. */
    @Nullable
    Expression any(Expr expr, @Nullable Scope scope) {
        if (expr instanceof Ast.IntExpr literal) {
            return new IntLiteral(literal.value(), literal.isUnsigned() ? Type.UINT : Type.INT);
        }
        if (expr instanceof Ast.DecimalExpr literal) {
            if (Double.isInfinite(literal.value().doubleValue())) {
                diagnostics.newError(expr.span(), "the number is beyond the range of doubles");
            }
            return new DecimalLiteral(literal.value());
        }
        if (expr instanceof Ast.StringExpr literal) {
            return new StringLiteral(literal.value());
        }
        if (expr instanceof Ast.DurationExpr literal) {
            return isDuration(literal, diagnostics) ? new DurationLiteral(literal.micros()) : null;
        }
        if (expr instanceof Ast.BoolExpr literal) {
            return new BoolLiteral(literal.value());
        }
        if (expr instanceof Ast.NullExpr) {
            return new NullLiteral();
        }
        if (expr instanceof Ast.PathExpr path) {
            return paths.path(path, scope);
        }
        if (expr instanceof Ast.IndexExpr index) {
            return paths.index(index, scope);
        }
        if (expr instanceof Ast.MemberExpr member) {
            return paths.member(member, scope);
        }
        if (expr instanceof Ast.CallExpr call) {
            return calls.call(call, scope);
        }
        if (expr instanceof Ast.NegateExpr negate) {
            return negate(negate, scope);
        }
        if (expr instanceof Ast.NotExpr not) {
            return not(not, scope);
        }
        if (expr instanceof Ast.InExpr in) {
            return in(in, scope);
        }
        if (expr instanceof Ast.BinaryExpr binary) {
            return binary(binary, scope);
        }
        return null; // a BadExpr was reported by the parser
    }

    /** Whether a literal is a duration. Reports an error when the unit is the week, the month or the year. */
    static boolean isDuration(Ast.DurationExpr literal, Diagnostics diagnostics) {
        boolean isDuration = literal.unit().compareTo(CalendarUnit.DAY) <= 0;
        if (!isDuration) {
            diagnostics.error(
                    literal.span(),
                    "`" + literal.text() + "` is no duration",
                    "durations are written 500ms, 5s, 5m, 1h or 1d; only `bucket`, `every` and `keep` take w, mo and y");
        }
        return isDuration;
    }

    private @Nullable Expression negate(Ast.NegateExpr expr, @Nullable Scope scope) {
        Expression operand = scalar(expr.operand(), scope);
        if (operand == null || operand instanceof NullLiteral) {
            return operand;
        }
        if (operand.type() == Type.DURATION) {
            return new Unary(UnaryOperator.NEGATE, operand, Type.DURATION);
        }
        if (!isNumber(operand.type())) {
            return diagnostics.error(expr.span(), "`-` takes a number; this is " + describe(operand.type()));
        }
        Expression negated =
                new Unary(UnaryOperator.NEGATE, operand, operand.type() == Type.DOUBLE ? Type.DOUBLE : Type.INT);
        constants.negated(expr.span(), operand, negated);
        return negated;
    }

    private @Nullable Expression not(Ast.NotExpr expr, @Nullable Scope scope) {
        Expression operand = condition(expr.operand(), scope);
        if (operand == null || operand instanceof NullLiteral) {
            return operand;
        }
        return new Unary(UnaryOperator.NOT, operand, Type.BOOL);
    }

    private @Nullable Expression in(Ast.InExpr expr, @Nullable Scope scope) {
        Expression operand = scalar(expr.operand(), scope);
        List<Expression> elements = new ArrayList<>();
        boolean wrong = operand == null;
        EventField ofEnum = operand == null ? null : paths.enumOf(operand);
        for (Expr element : expr.elements()) {
            if (ofEnum != null && isBareConstant(element, ofEnum, scope)) {
                wrong = true;
                continue;
            }
            Expression checked = scalar(element, scope);
            if (checked instanceof NullLiteral) {
                diagnostics.warning(
                        element.span(),
                        "nothing is equal to null, not even null",
                        "`not has(" + written(expr.operand()) + ")` holds where it is null");
            } else if (ofEnum != null && checked != null) {
                enumConstant(element.span(), ofEnum, checked);
            }
            if (checked == null) {
                wrong = true;
            } else if (operand != null && !areComparable(operand.type(), checked.type())) {
                mixed(element.span(), operand, checked);
                wrong = true;
            } else {
                elements.add(checked);
            }
        }
        return wrong || operand == null ? null : new In(operand, elements);
    }

    private @Nullable Expression binary(Ast.BinaryExpr expr, @Nullable Scope scope) {
        BinaryOperator operator = expr.operator();
        if (operator == BinaryOperator.AND || operator == BinaryOperator.OR) {
            Expression left = condition(expr.left(), scope);
            Expression right = condition(expr.right(), scope);
            if (left == null || right == null) {
                return null;
            }
            return new Binary(operator, left, right, Type.BOOL);
        }
        if (operator.isComparison()) {
            return comparison(expr, operator, scope);
        }
        Expression left = scalar(expr.left(), scope);
        Expression right = scalar(expr.right(), scope);
        if (left == null || right == null) {
            return null;
        }
        if (left instanceof NullLiteral || right instanceof NullLiteral) {
            return new NullLiteral();
        }
        Expression arithmetic = arithmetic(operator, left, right);
        if (arithmetic == null) {
            boolean joins =
                    operator == BinaryOperator.ADD && (left.type() == Type.STRING || right.type() == Type.STRING);
            diagnostics.error(
                    expr.at(),
                    "`" + operator.symbol() + "` does not go with " + describe(left.type()) + " and "
                            + describe(right.type()),
                    joins
                            ? List.of("`string(x)` makes a string of a value")
                            : left.type() == Type.STRING || right.type() == Type.STRING
                                    ? List.of("`int64(x)` and `double(x)` read numbers from strings")
                                    : List.of());
        } else if (arithmetic instanceof Binary binary) {
            constants.computed(expr, binary);
        }
        return arithmetic;
    }

    private @Nullable Expression comparison(Ast.BinaryExpr expr, BinaryOperator operator, @Nullable Scope scope) {
        if (expr.left() instanceof Ast.NullExpr || expr.right() instanceof Ast.NullExpr) {
            return comparisonWithNull(expr, operator, scope);
        }
        Expression left = bareConstant(expr.left(), expr.right(), scope) ? null : scalar(expr.left(), scope);
        EventField leftEnum = left == null ? null : paths.enumOf(left);
        boolean bare = leftEnum != null && isBareConstant(expr.right(), leftEnum, scope);
        Expression right = bare ? null : scalar(expr.right(), scope);
        if (left == null || right == null) {
            return null;
        }
        if (!areComparable(left.type(), right.type())) {
            mixed(expr.at(), left, right);
            return null;
        }
        EventField rightEnum = paths.enumOf(right);
        if (operator == BinaryOperator.EQ || operator == BinaryOperator.NE) {
            if (leftEnum != null) {
                enumConstant(expr.right().span(), leftEnum, right);
            }
            if (rightEnum != null) {
                enumConstant(expr.left().span(), rightEnum, left);
            }
        }
        boolean ordered = operator != BinaryOperator.EQ && operator != BinaryOperator.NE;
        if (ordered && (left.type() == Type.BOOL || right.type() == Type.BOOL)) {
            return diagnostics.error(expr.at(), "bools have no order", List.of("`==` and `!=` compare bools"));
        }
        return left instanceof NullLiteral || right instanceof NullLiteral
                ? new NullLiteral()
                : new Binary(operator, left, right, Type.BOOL);
    }

    private static boolean areComparable(Type left, Type right) {
        return left == right || (isNumber(left) && isNumber(right)) || left == Type.NULL || right == Type.NULL;
    }

    /**
     * Warns of a comparison with null. Such a comparison is always null, even when the other side is a message or a
     * list, and is hardly ever intended.
     */
    private @Nullable Expression comparisonWithNull(
            Ast.BinaryExpr expr, BinaryOperator operator, @Nullable Scope scope) {
        Expr other = expr.left() instanceof Ast.NullExpr ? expr.right() : expr.left();
        Expression checked = any(other, scope);
        if (checked == null) {
            return null;
        }
        String has = "has(" + written(other) + ")";
        String help = operator == BinaryOperator.EQ
                ? "`not " + has + "` holds where it is null"
                : "`" + has + "` holds where it is not null";
        String message = "a comparison with null never holds, whatever it is compared with";
        if (checked.type() == Type.COMPOSITE) {
            return diagnostics.error(expr.at(), message, List.of(help));
        }
        diagnostics.warning(expr.at(), message, help);
        return new NullLiteral();
    }

    /** The text of the expression, or {@code x} when the text is long. */
    private String written(Expr expr) {
        Span span = expr.span();
        String line = span.source().line(span.line());
        if (span.length() > MAX_QUOTED || line.codePointCount(0, line.length()) < span.column() - 1 + span.length()) {
            return "x";
        }
        int from = line.offsetByCodePoints(0, span.column() - 1);
        return line.substring(from, line.offsetByCodePoints(from, span.length()));
    }

    // Enums.

    /**
     * Checks whether {@code expr} is the bare name of a constant of {@code other}'s enum. If so, reports that quotes
     * are missing, and returns true.
     */
    private boolean bareConstant(Expr expr, Expr other, @Nullable Scope scope) {
        if (!isUnknownName(expr, scope) || !(other instanceof Ast.PathExpr path) || isUnknownName(other, scope)) {
            return false;
        }
        Expression checked = any(path, scope);
        EventField ofEnum = checked == null ? null : paths.enumOf(checked);
        return ofEnum != null && isBareConstant(expr, ofEnum, scope);
    }

    private boolean isUnknownName(Expr expr, @Nullable Scope scope) {
        return expr instanceof Ast.PathExpr path
                && !paths.isKnown(path.names().get(0).text(), scope);
    }

    /**
     * Checks whether {@code expr} is the bare name of a constant of the enum. If so, reports that quotes are missing,
     * and returns true.
     */
    private boolean isBareConstant(Expr expr, EventField ofEnum, @Nullable Scope scope) {
        if (!isUnknownName(expr, scope) || !(expr instanceof Ast.PathExpr path)) {
            return false;
        }
        String name = path.names().get(path.names().size() - 1).text();
        if (!constantNames(ofEnum).contains(name)) {
            return false;
        }
        diagnostics.error(
                expr.span(),
                "an enum is compared with the name of a constant as a string",
                List.of("write `\"" + name + "\"`"));
        return true;
    }

    private void enumConstant(Span span, EventField ofEnum, Expression compared) {
        if (!(compared instanceof StringLiteral literal)) {
            return;
        }
        List<String> names = constantNames(ofEnum);
        String given = literal.value();
        if (names.contains(given)) {
            return;
        }
        String byNumber = given.matches("-?[0-9]{1,10}") ? constantNumbered(ofEnum, given) : "";
        if (byNumber == null) {
            return; // an unknown number is converted to its digits
        }
        diagnostics.warning(
                span,
                "the enum of `" + ofEnum.name() + "` has no constant `\"" + given
                        + "\"`, so that nothing is equal to it",
                byNumber.isEmpty()
                        ? Suggestions.help(given, names, "its constants are").toArray(new String[0])
                        : new String[] {"number " + given + " is `\"" + byNumber + "\"`"});
    }

    private static List<String> constantNames(EventField ofEnum) {
        List<EnumConstant> constants = ofEnum.enumConstants();
        return constants == null
                ? List.of()
                : constants.stream().map(EnumConstant::name).toList();
    }

    /** The name of the constant with this number; null when the enum has no such constant. */
    private static @Nullable String constantNumbered(EventField ofEnum, String number) {
        List<EnumConstant> constants = ofEnum.enumConstants();
        return constants == null
                ? null
                : constants.stream()
                        .filter(constant -> constant.number() == Long.parseLong(number))
                        .map(EnumConstant::name)
                        .findFirst()
                        .orElse(null);
    }

    private void mixed(Span span, Expression leftSide, Expression rightSide) {
        Type left = leftSide.type();
        Type right = rightSide.type();
        List<String> help = new ArrayList<>();
        EventField ofEnum = paths.enumOf(leftSide) == null ? paths.enumOf(rightSide) : paths.enumOf(leftSide);
        if (ofEnum != null && (isInteger(left) || isInteger(right))) {
            Expression number = isInteger(left) ? leftSide : rightSide;
            String name = number instanceof IntLiteral literal ? constantNumbered(ofEnum, "" + literal.value()) : null;
            diagnostics.error(
                    span,
                    describe(left) + " cannot be compared with " + describe(right),
                    List.of("an enum is the name of its constant" + (name == null ? "" : ": `\"" + name + "\"`")));
            return;
        }
        boolean string = left == Type.STRING || right == Type.STRING;
        if (left == Type.TIMESTAMP || right == Type.TIMESTAMP) {
            boolean duration = left == Type.DURATION || right == Type.DURATION;
            if (!duration) {
                help.add("`timestamp(x)` reads ISO 8601 text and epoch milliseconds");
            }
        } else if (string && (isNumber(left) || isNumber(right))) {
            help.add("`int64(x)` and `double(x)` read numbers from strings, `string(x)` makes a string");
        }
        diagnostics.error(span, describe(left) + " cannot be compared with " + describe(right), help);
    }

    /** The expression of an arithmetic operation, with its type; null when the operator does not take the operands. */
    private static @Nullable Expression arithmetic(BinaryOperator operator, Expression left, Expression right) {
        Type a = left.type();
        Type b = right.type();
        if (isNumber(a) && isNumber(b)) {
            boolean integers = isInteger(a) && isInteger(b);
            Type type = integers && operator != BinaryOperator.DIVIDE ? Type.INT : Type.DOUBLE;
            return new Binary(operator, left, right, type);
        }
        if (operator == BinaryOperator.ADD) {
            if (a == Type.STRING && b == Type.STRING) {
                return new Binary(BinaryOperator.CONCAT, left, right, Type.STRING);
            }
            if (a == Type.TIMESTAMP && b == Type.DURATION) {
                return new Binary(BinaryOperator.ADD, left, right, Type.TIMESTAMP);
            }
            if (a == Type.DURATION && b == Type.TIMESTAMP) {
                return new Binary(BinaryOperator.ADD, right, left, Type.TIMESTAMP);
            }
        }
        if (a == Type.DURATION && b == Type.DURATION) {
            return switch (operator) {
                case ADD, SUBTRACT -> new Binary(operator, left, right, Type.DURATION);
                case DIVIDE -> new Binary(BinaryOperator.DIVIDE, left, right, Type.DOUBLE);
                default -> null;
            };
        }
        if (operator == BinaryOperator.SUBTRACT && a == Type.TIMESTAMP) {
            if (b == Type.TIMESTAMP) {
                return new Binary(BinaryOperator.SUBTRACT, left, right, Type.DURATION);
            }
            if (b == Type.DURATION) {
                return new Binary(BinaryOperator.SUBTRACT, left, right, Type.TIMESTAMP);
            }
        }
        return null;
    }
}
