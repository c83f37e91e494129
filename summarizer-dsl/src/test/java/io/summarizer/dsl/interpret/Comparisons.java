package io.summarizer.dsl.interpret;

import static io.summarizer.dsl.interpret.BoolNode.NULL;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.runtime.Numbers;
import java.util.Arrays;
import java.util.List;

/** Comparisons: numbers of any types by their exact values, strings by code points. */
final class Comparisons {
    private Comparisons() {}

    /** {@code left operator right}. */
    static BoolNode compare(BinaryOperator operator, Operand left, Operand right) {
        if (left.type() == Expression.Type.NULL || right.type() == Expression.Type.NULL) {
            return f -> NULL;
        }
        if (isPlain(left)
                && isPlain(right)
                && left.type() != Expression.Type.UINT
                && right.type() != Expression.Type.UINT) {
            return compareSigned(operator, left.bits(), right.bits());
        }
        LongNode order = order(left, right);
        return f -> {
            long sign = order.eval(f);
            return f.isNull ? NULL : BoolNode.of(holds(operator, sign));
        };
    }

    private static boolean isPlain(Operand operand) {
        return operand.type() != Expression.Type.STRING && operand.type() != Expression.Type.DOUBLE;
    }

    private static boolean holds(BinaryOperator operator, long sign) {
        return switch (operator) {
            case EQ -> sign == 0;
            case NE -> sign != 0;
            case LT -> sign < 0;
            case LE -> sign <= 0;
            case GT -> sign > 0;
            case GE -> sign >= 0;
            default -> throw new IllegalArgumentException(operator + " is not a comparison");
        };
    }

    private static BoolNode compareSigned(BinaryOperator operator, LongNode left, LongNode right) {
        return f -> {
            long a = left.eval(f);
            if (f.isNull) {
                return NULL;
            }
            long b = right.eval(f);
            return f.isNull ? NULL : BoolNode.of(holds(operator, Long.compare(a, b)));
        };
    }

    /** The sign of left minus right. */
    private static LongNode order(Operand left, Operand right) {
        if (left.type() == Expression.Type.STRING) {
            return orderOfStrings(left.text(), right.text());
        }
        if (left.type() == Expression.Type.DOUBLE) {
            return right.type() == Expression.Type.DOUBLE
                    ? orderOfDoubles(left.number(), right.number())
                    : orderOfMixed(left.number(), right);
        }
        if (right.type() == Expression.Type.DOUBLE) {
            return orderOfMixed(left, right.number());
        }
        LongNode a = left.bits();
        LongNode b = right.bits();
        if (left.type() == Expression.Type.UINT && right.type() == Expression.Type.UINT) {
            return both(a, b, Long::compareUnsigned);
        }
        return left.type() == Expression.Type.UINT
                ? both(a, b, (x, y) -> -Numbers.compareSignedUnsigned(y, x))
                : both(a, b, Numbers::compareSignedUnsigned);
    }

    @FunctionalInterface
    private interface Order {
        int of(long a, long b);
    }

    private static LongNode both(LongNode left, LongNode right, Order order) {
        return f -> {
            long a = left.eval(f);
            if (f.isNull) {
                return 0;
            }
            long b = right.eval(f);
            return f.isNull ? 0 : order.of(a, b);
        };
    }

    private static LongNode orderOfDoubles(DoubleNode left, DoubleNode right) {
        return f -> {
            double a = left.eval(f);
            if (f.isNull) {
                return 0;
            }
            double b = right.eval(f);
            // not Double.compare: the two zeros are equal
            return a < b ? -1 : a > b ? 1 : 0;
        };
    }

    private static LongNode orderOfMixed(Operand integer, DoubleNode number) {
        LongNode bits = integer.bits();
        boolean unsigned = integer.type() == Expression.Type.UINT;
        return f -> {
            long a = bits.eval(f);
            if (f.isNull) {
                return 0;
            }
            double b = number.eval(f);
            if (f.isNull) {
                return 0;
            }
            return unsigned ? Numbers.compareUnsigned(a, b) : Numbers.compare(a, b);
        };
    }

    private static LongNode orderOfMixed(DoubleNode number, Operand integer) {
        LongNode bits = integer.bits();
        boolean unsigned = integer.type() == Expression.Type.UINT;
        return f -> {
            double a = number.eval(f);
            if (f.isNull) {
                return 0;
            }
            long b = bits.eval(f);
            if (f.isNull) {
                return 0;
            }
            return -(unsigned ? Numbers.compareUnsigned(b, a) : Numbers.compare(b, a));
        };
    }

    private static LongNode orderOfStrings(StringNode left, StringNode right) {
        return f -> {
            long a = left.eval(f);
            if (a == InputEvent.NULL_STRING) {
                return f.none();
            }
            long b = right.eval(f);
            if (b == InputEvent.NULL_STRING) {
                return f.none();
            }
            int fromA = InputEvent.stringOffset(a);
            int fromB = InputEvent.stringOffset(b);
            // The order of UTF-8 as unsigned bytes is that of its code points.
            return f.value(Arrays.compareUnsigned(
                    f.event.stringBytes(a),
                    fromA,
                    fromA + InputEvent.stringLength(a),
                    f.event.stringBytes(b),
                    fromB,
                    fromB + InputEvent.stringLength(b)));
        };
    }

    /** {@code operand in (elements)}: true when one is equal, else null when the operand or an element is. */
    static BoolNode in(Operand operand, List<Operand> elements) {
        Memo memo = new Memo(operand);
        BoolNode[] equal = elements.stream()
                .map(element -> compare(BinaryOperator.EQ, memo.operand(), element))
                .toArray(BoolNode[]::new);
        return f -> {
            memo.remember(f);
            int result = BoolNode.FALSE;
            for (BoolNode candidate : equal) {
                int truth = candidate.eval(f);
                if (truth == BoolNode.TRUE) {
                    return BoolNode.TRUE;
                }
                result |= truth; // FALSE | NULL is NULL
            }
            return result;
        };
    }

    /** Evaluates an operand once for several comparisons. Belongs to one program. */
    private static final class Memo {
        private final Operand source;
        private long bits;
        private double number;
        private boolean isNull;

        Memo(Operand source) {
            this.source = source;
        }

        void remember(Frame frame) {
            switch (source.type()) {
                case STRING -> bits = source.text().eval(frame);
                case DOUBLE -> {
                    number = source.number().eval(frame);
                    isNull = frame.isNull;
                }
                default -> {
                    bits = source.bits().eval(frame);
                    isNull = frame.isNull;
                }
            }
        }

        Operand operand() {
            return switch (source.type()) {
                case STRING -> Operand.ofText(f -> bits);
                case DOUBLE ->
                    Operand.ofNumber(f -> {
                        f.isNull = isNull;
                        return number;
                    });
                default ->
                    Operand.ofBits(source.type(), f -> {
                        f.isNull = isNull;
                        return bits;
                    });
            };
        }
    }
}
