package io.summarizer.dsl.check;

import static io.summarizer.dsl.check.Assignability.isInteger;
import static io.summarizer.dsl.check.Assignability.isNumber;
import static io.summarizer.dsl.model.Expression.describe;

import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.diagnose.Span;
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
import io.summarizer.dsl.model.Expression.Unary;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import io.summarizer.dsl.parse.Ast;
import io.summarizer.dsl.parse.Ast.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Types expressions. Every method returns null for what is wrong and was reported; the rest of the expression is checked all
 * the same. Recursion is bounded by the depth that the parser allows.
 */
final class ExpressionChecker {
    private final Source source;
    private final Diagnostics diagnostics;
    private final PathChecker paths;
    private final CallChecker calls;

    ExpressionChecker(Source source, Diagnostics diagnostics, @Nullable Event event, List<String> summaryFields) {
        this.source = source;
        this.diagnostics = diagnostics;
        this.paths = new PathChecker(source, diagnostics, event, summaryFields);
        this.calls = new CallChecker(source, diagnostics, this);
    }

    PathChecker paths() {
        return paths;
    }

    /** A condition, which must be a bool. */
    @Nullable
    Expression condition(@Nullable Expr expr, @Nullable Scope scope) {
        if (expr == null) {
            return null;
        }
        Expression condition = scalar(expr, scope);
        if (condition != null && condition.type() != Expression.Type.BOOL && condition.type() != Expression.Type.NULL) {
            error(
                    expr.span(),
                    "a condition is a bool; this is " + describe(condition.type()),
                    isNumber(condition.type()) ? List.of("compare it, as `x != 0`") : List.of());
            return null;
        }
        return condition;
    }

    /** An expression that is a single value. */
    @Nullable
    Expression scalar(Expr expr, @Nullable Scope scope) {
        Expression checked = any(expr, scope);
        if (checked != null && checked.type() == Expression.Type.COMPOSITE) {
            paths.reportComposite(expr.span(), checked);
            return null;
        }
        return checked;
    }

    /** An expression, which may be a message, a list or a map. */
    @Nullable
    Expression any(Expr expr, @Nullable Scope scope) {
        if (expr instanceof Ast.IntExpr literal) {
            return new IntLiteral(literal.value());
        }
        if (expr instanceof Ast.DecimalExpr literal) {
            return new DecimalLiteral(literal.value());
        }
        if (expr instanceof Ast.StringExpr literal) {
            return new StringLiteral(literal.value());
        }
        if (expr instanceof Ast.DurationExpr literal) {
            return new DurationLiteral(literal.micros());
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

    private @Nullable Expression negate(Ast.NegateExpr expr, @Nullable Scope scope) {
        Expression operand = scalar(expr.operand(), scope);
        if (operand == null || operand instanceof NullLiteral) {
            return operand;
        }
        if (operand.type() == Expression.Type.DURATION) {
            return new Unary(UnaryOperator.NEGATE, operand, Expression.Type.DURATION);
        }
        if (!isNumber(operand.type())) {
            error(expr.span(), "`-` takes a number; this is " + describe(operand.type()), List.of());
            return null;
        }
        return new Unary(
                UnaryOperator.NEGATE,
                operand,
                operand.type() == Expression.Type.DOUBLE ? Expression.Type.DOUBLE : Expression.Type.INT);
    }

    private @Nullable Expression not(Ast.NotExpr expr, @Nullable Scope scope) {
        Expression operand = condition(expr.operand(), scope);
        if (operand == null || operand instanceof NullLiteral) {
            return operand;
        }
        return new Unary(UnaryOperator.NOT, operand, Expression.Type.BOOL);
    }

    private @Nullable Expression in(Ast.InExpr expr, @Nullable Scope scope) {
        Expression operand = scalar(expr.operand(), scope);
        List<Expression> elements = new ArrayList<>();
        boolean wrong = operand == null;
        for (Expr element : expr.elements()) {
            Expression checked = scalar(element, scope);
            if (checked == null) {
                wrong = true;
            } else if (operand != null && !areComparable(operand.type(), checked.type())) {
                mixed(element.span(), operand.type(), checked.type());
                wrong = true;
            } else {
                elements.add(checked);
            }
        }
        return wrong || operand == null ? null : new In(operand, elements);
    }

    private @Nullable Expression binary(Ast.BinaryExpr expr, @Nullable Scope scope) {
        Ast.Operator operator = expr.operator();
        if (operator == Ast.Operator.AND || operator == Ast.Operator.OR) {
            Expression left = condition(expr.left(), scope);
            Expression right = condition(expr.right(), scope);
            if (left == null || right == null) {
                return null;
            }
            BinaryOperator which = operator == Ast.Operator.AND ? BinaryOperator.AND : BinaryOperator.OR;
            return new Binary(which, left, right, Expression.Type.BOOL);
        }
        Expression left = scalar(expr.left(), scope);
        Expression right = scalar(expr.right(), scope);
        if (left == null || right == null) {
            return null;
        }
        BinaryOperator comparison = comparison(operator);
        if (comparison != null) {
            return comparison(expr, comparison, left, right);
        }
        if (left instanceof NullLiteral || right instanceof NullLiteral) {
            return new NullLiteral();
        }
        Expression arithmetic = arithmetic(operator, left, right);
        if (arithmetic == null) {
            boolean joins = operator == Ast.Operator.ADD
                    && (left.type() == Expression.Type.STRING || right.type() == Expression.Type.STRING);
            error(
                    expr.at(),
                    "`" + operator.symbol() + "` does not go with " + describe(left.type()) + " and "
                            + describe(right.type()),
                    joins
                            ? List.of("`string(x)` makes a string of a value")
                            : left.type() == Expression.Type.STRING || right.type() == Expression.Type.STRING
                                    ? List.of("`int64(x)` and `double(x)` read numbers from strings")
                                    : List.of());
        }
        return arithmetic;
    }

    private @Nullable Expression comparison(
            Ast.BinaryExpr expr, BinaryOperator operator, Expression left, Expression right) {
        if (!areComparable(left.type(), right.type())) {
            mixed(expr.at(), left.type(), right.type());
            return null;
        }
        boolean ordered = operator != BinaryOperator.EQ && operator != BinaryOperator.NE;
        if (ordered && (left.type() == Expression.Type.BOOL || right.type() == Expression.Type.BOOL)) {
            error(expr.at(), "bools have no order", List.of("`==` and `!=` compare bools"));
            return null;
        }
        return left instanceof NullLiteral || right instanceof NullLiteral
                ? new NullLiteral()
                : new Binary(operator, left, right, Expression.Type.BOOL);
    }

    private static boolean areComparable(Expression.Type left, Expression.Type right) {
        return left == right
                || (isNumber(left) && isNumber(right))
                || left == Expression.Type.NULL
                || right == Expression.Type.NULL;
    }

    private void mixed(Span span, Expression.Type left, Expression.Type right) {
        List<String> help = new ArrayList<>();
        boolean string = left == Expression.Type.STRING || right == Expression.Type.STRING;
        if (left == Expression.Type.TIMESTAMP || right == Expression.Type.TIMESTAMP) {
            boolean duration = left == Expression.Type.DURATION || right == Expression.Type.DURATION;
            if (!duration) {
                help.add("`timestamp(x)` reads ISO 8601 text and epoch milliseconds");
            }
        } else if (string && (isNumber(left) || isNumber(right))) {
            help.add("`int64(x)` and `double(x)` read numbers from strings, `string(x)` makes a string");
        }
        error(span, describe(left) + " cannot be compared with " + describe(right), help);
    }

    /** Null when the operator does not go with the operands. */
    private static @Nullable Expression arithmetic(Ast.Operator operator, Expression left, Expression right) {
        Expression.Type a = left.type();
        Expression.Type b = right.type();
        if (isNumber(a) && isNumber(b)) {
            boolean integers = isInteger(a) && isInteger(b);
            Expression.Type type =
                    integers && operator != Ast.Operator.DIVIDE ? Expression.Type.INT : Expression.Type.DOUBLE;
            return new Binary(arithmetic(operator), left, right, type);
        }
        if (operator == Ast.Operator.ADD) {
            if (a == Expression.Type.STRING && b == Expression.Type.STRING) {
                return new Binary(BinaryOperator.CONCAT, left, right, Expression.Type.STRING);
            }
            if (a == Expression.Type.TIMESTAMP && b == Expression.Type.DURATION) {
                return new Binary(BinaryOperator.ADD, left, right, Expression.Type.TIMESTAMP);
            }
            if (a == Expression.Type.DURATION && b == Expression.Type.TIMESTAMP) {
                return new Binary(BinaryOperator.ADD, right, left, Expression.Type.TIMESTAMP);
            }
        }
        if (a == Expression.Type.DURATION && b == Expression.Type.DURATION) {
            return switch (operator) {
                case ADD, SUBTRACT -> new Binary(arithmetic(operator), left, right, Expression.Type.DURATION);
                case DIVIDE -> new Binary(BinaryOperator.DIVIDE, left, right, Expression.Type.DOUBLE);
                default -> null;
            };
        }
        if (operator == Ast.Operator.SUBTRACT && a == Expression.Type.TIMESTAMP) {
            if (b == Expression.Type.TIMESTAMP) {
                return new Binary(BinaryOperator.SUBTRACT, left, right, Expression.Type.DURATION);
            }
            if (b == Expression.Type.DURATION) {
                return new Binary(BinaryOperator.SUBTRACT, left, right, Expression.Type.TIMESTAMP);
            }
        }
        return null;
    }

    private static BinaryOperator arithmetic(Ast.Operator operator) {
        return switch (operator) {
            case ADD -> BinaryOperator.ADD;
            case SUBTRACT -> BinaryOperator.SUBTRACT;
            case MULTIPLY -> BinaryOperator.MULTIPLY;
            case DIVIDE -> BinaryOperator.DIVIDE;
            case REMAINDER -> BinaryOperator.REMAINDER;
            default -> throw new IllegalArgumentException(operator + " is not arithmetic");
        };
    }

    private static @Nullable BinaryOperator comparison(Ast.Operator operator) {
        return switch (operator) {
            case EQ -> BinaryOperator.EQ;
            case NE -> BinaryOperator.NE;
            case LT -> BinaryOperator.LT;
            case LE -> BinaryOperator.LE;
            case GT -> BinaryOperator.GT;
            case GE -> BinaryOperator.GE;
            default -> null;
        };
    }

    private void error(Span span, String message, List<String> help) {
        diagnostics.error(source, span, message, help);
    }
}
