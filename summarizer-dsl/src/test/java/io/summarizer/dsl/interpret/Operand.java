package io.summarizer.dsl.interpret;

import io.summarizer.dsl.model.Expression;
import org.jspecify.annotations.Nullable;

/** An evaluator of any type but a composite: a type and its evaluator. */
final class Operand {
    private final Expression.Type type;
    private final @Nullable LongNode bits;
    private final @Nullable DoubleNode number;
    private final @Nullable StringNode text;

    private Operand(
            Expression.Type type, @Nullable LongNode bits, @Nullable DoubleNode number, @Nullable StringNode text) {
        this.type = type;
        this.bits = bits;
        this.number = number;
        this.text = text;
    }

    static Operand ofBits(Expression.Type type, LongNode bits) {
        return new Operand(type, bits, null, null);
    }

    static Operand ofNumber(DoubleNode number) {
        return new Operand(Expression.Type.DOUBLE, null, number, null);
    }

    static Operand ofText(StringNode text) {
        return new Operand(Expression.Type.STRING, null, null, text);
    }

    Expression.Type type() {
        return type;
    }

    /** The evaluator of an integer, time, duration, bool or the null literal. */
    LongNode bits() {
        return require(bits);
    }

    /** The evaluator of a double. */
    DoubleNode number() {
        return require(number);
    }

    /** The evaluator of a string. */
    StringNode text() {
        return require(text);
    }

    private <T> T require(@Nullable T node) {
        if (node == null) {
            throw new IllegalStateException("not an operand of type " + type);
        }
        return node;
    }

    /** Whether the value is not null: always true or false. */
    BoolNode isPresent() {
        if (text != null) {
            return f -> BoolNode.of(text.eval(f) != io.summarizer.core.decode.InputEvent.NULL_STRING);
        }
        if (number != null) {
            return f -> {
                number.eval(f);
                return BoolNode.of(!f.isNull);
            };
        }
        LongNode bits = bits();
        return f -> {
            bits.eval(f);
            return BoolNode.of(!f.isNull);
        };
    }
}
