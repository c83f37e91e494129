package io.summarizer.dsl.plan;

import io.summarizer.dsl.model.Expression;

/**
 * Which expressions hand the text of a number to a {@code sumcurrency} without computing with it. Their operands are read
 * in millionths, exactly; everything else is computed first and rounded then.
 */
public final class CurrencyOperand {
    private CurrencyOperand() {}

    /** Whether {@code expression} only chooses among its operands or changes their sign. */
    public static boolean isTransparent(Expression expression) {
        if (expression instanceof Expression.Unary unary) {
            return unary.operator() == Expression.UnaryOperator.NEGATE;
        }
        if (expression instanceof Expression.Call call) {
            return call.function() == Expression.Function.IF || call.function() == Expression.Function.COALESCE;
        }
        return false;
    }
}
