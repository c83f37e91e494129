package io.summarizer.dsl.plan;

import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;

/**
 * Finds the expressions that pass a number on to a {@code sumcurrency} without computing with the number. The operands
 * of such an expression are read exactly, in millionths. All other expressions compute a result first, which is then
 * rounded.
 */
public final class CurrencyOperand {
    private CurrencyOperand() {}

    /** Whether {@code expression} reads its operands as amounts, and only chooses among them or changes their sign. */
    public static boolean isTransparent(Expression expression) {
        if (expression instanceof Expression.Unary unary) {
            return unary.operator() == Expression.UnaryOperator.NEGATE;
        }
        if (expression instanceof Expression.Call call) {
            // The first string that is not null counts, even if it is no number.
            return call.function() == Expression.Function.IF
                    || (call.function() == Expression.Function.COALESCE && call.type() != Type.STRING);
        }
        return false;
    }
}
