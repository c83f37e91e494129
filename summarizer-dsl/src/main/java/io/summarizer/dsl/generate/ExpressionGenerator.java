package io.summarizer.dsl.generate;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.runtime.Numbers;
import java.util.List;

/**
 * Writes expressions as Java statements, for a class that extends {@link io.summarizer.dsl.runtime.Evaluator}.
 *
 * <p>There is one method for each type of result; each method switches on the form of the expression. By the rules of
 * the language, an operand is not evaluated when an earlier operand is null or decides the result. The generated code
 * then skips the block that evaluates the operand, so overflows in this operand are not counted. An expression that is
 * too large for one method is divided among several methods.
 */
public final class ExpressionGenerator {
    final IntegerExpressions integers;
    final DoubleExpressions doubles;
    final AmountExpressions amounts;
    final TextExpressions texts;
    final HashExpressions hashes;
    final ConditionExpressions conditions;
    final Comparisons comparisons;
    final Membership membership;

    /**
     * A generator for expressions in class {@code owner}. The operands come from {@code leaves}; {@code sites} records
     * the expressions that may fail.
     */
    public ExpressionGenerator(JavaClass owner, Leaves leaves, NullSites sites) {
        integers = new IntegerExpressions(owner, leaves, sites, this);
        doubles = new DoubleExpressions(owner, leaves, sites, this);
        amounts = new AmountExpressions(owner, leaves, sites, this);
        texts = new TextExpressions(owner, leaves, sites, this);
        hashes = new HashExpressions(owner, leaves, sites, this);
        conditions = new ConditionExpressions(owner, leaves, sites, this);
        comparisons = new Comparisons(owner, leaves, sites, this);
        membership = new Membership(owner, leaves, sites, this);
        owner.use(InputEvent.class);
    }

    /**
     * The value of an expression in its own type; a bool is the long 0 or 1. The expression must not be a message, list
     * or map.
     */
    public Value operand(Expression expression, Place place) {
        return switch (expression.type()) {
            case STRING -> texts.text(expression, place);
            case DOUBLE -> doubles.number(expression, place);
            case BOOL -> conditions.bit(expression, place);
            case NULL -> Value.NULL;
            case INT, UINT, TIMESTAMP, DURATION -> integers.integer(expression, expression.type(), place);
            case COMPOSITE -> throw Expressions.unsupported(expression);
        };
    }

    /**
     * The value of an expression for a key column of type {@code type}: a string, or 64 bits. A 32-bit column takes the
     * low bits.
     */
    public Value key(KeyType type, Expression expression, Place place) {
        return switch (type) {
            case INT64 -> integers.integer(expression, Type.INT, place);
            case UINT64 -> integers.integer(expression, Type.UINT, place);
            case INT32 ->
                integers.within(
                        integers.integer(expression, Type.INT, place), "Integer.MIN_VALUE", "Integer.MAX_VALUE", place);
            case UINT32 -> integers.within(integers.integer(expression, Type.INT, place), "0L", "0xffffffffL", place);
            case BOOL -> conditions.bit(expression, place);
            case TIMESTAMP -> integers.integer(expression, Type.TIMESTAMP, place);
            case STRING -> texts.text(expression, place);
        };
    }

    /** The operand of a value column of this type: 64 bits, a double, or a string. */
    public Value observation(AggregateType type, Expression expression, Place place) {
        return switch (type) {
            case SUMINT32, SUMINT64, MININT64, MAXINT64, FIRSTINT64, LASTINT64 ->
                integers.integer(expression, Type.INT, place);
            case MINTIMESTAMP, MAXTIMESTAMP -> integers.integer(expression, Type.TIMESTAMP, place);
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> doubles.number(expression, place);
            case SUMCURRENCY -> {
                integers.owner.use(Numbers.class);
                yield integers.checked(
                        amounts.micros(expression, place), held -> held + " == Numbers.NO_AMOUNT", held -> held, place);
            }
            case COUNT ->
                new Value("1L", Java.not(conditions.isPresent(expression, place).isTrue()));
            case MULTISET64 -> hashes.hash(List.of(expression), place);
            case FIRSTSTRING, LASTSTRING -> texts.text(expression, place);
        };
    }

    /** A truth value. */
    public Condition condition(Expression expression, Place place) {
        return conditions.condition(expression, place);
    }
}
