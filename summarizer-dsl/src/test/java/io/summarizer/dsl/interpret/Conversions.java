package io.summarizer.dsl.interpret;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.text.DecimalText;
import io.summarizer.core.text.TimestampText;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.runtime.Numbers;
import java.nio.charset.StandardCharsets;

/** The functions {@code int64}, {@code double}, {@code string} and {@code timestamp}. Unsuitable text gives null. */
final class Conversions {
    private static final long MICROS_PER_MILLI = 1000;
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_NUMBER_LENGTH = 32;

    private Conversions() {}

    /** Reads a string as a number; false when it is null or no number. */
    static boolean scan(Frame frame, DecimalText decimal, long string) {
        if (string == InputEvent.NULL_STRING) {
            return false;
        }
        int from = InputEvent.stringOffset(string);
        return decimal.scan(frame.event.stringBytes(string), from, from + InputEvent.stringLength(string));
    }

    /**
     * A double loses its fraction; a timestamp becomes epoch milliseconds (the inverse of {@code timestamp}), a
     * duration µs, a bool 0 or 1; a string has to be an integer that an {@code int64} field takes.
     */
    static LongNode toInt64(Operand operand) {
        return switch (operand.type()) {
            case STRING -> {
                DecimalText decimal = new DecimalText();
                StringNode text = operand.text();
                yield f -> {
                    long string = text.eval(f);
                    return scan(f, decimal, string) && decimal.toInt64()
                            ? f.value(decimal.value())
                            : f.unreadable(string);
                };
            }
            case DOUBLE -> {
                DoubleNode number = operand.number();
                yield f -> {
                    double value = number.eval(f);
                    if (f.isNull) {
                        return 0;
                    }
                    return value >= -0x1p63 && value < 0x1p63 ? (long) value : f.arithmeticNone();
                };
            }
            case UINT -> {
                LongNode bits = operand.bits();
                yield f -> {
                    long value = bits.eval(f);
                    return f.isNull || value >= 0 ? value : f.arithmeticNone();
                };
            }
            case TIMESTAMP -> {
                LongNode micros = operand.bits();
                yield f -> Math.floorDiv(micros.eval(f), MICROS_PER_MILLI);
            }
            default -> operand.bits();
        };
    }

    /** Numbers become the nearest double; a string has to be a number within the range of finite ones. */
    static DoubleNode toDouble(Operand operand) {
        return switch (operand.type()) {
            case STRING -> {
                DecimalText decimal = new DecimalText();
                StringNode text = operand.text();
                yield f -> {
                    long string = text.eval(f);
                    if (!scan(f, decimal, string) || Double.isInfinite(decimal.toDouble())) {
                        return f.unreadable(string);
                    }
                    f.isNull = false;
                    return decimal.toDouble();
                };
            }
            case DOUBLE -> operand.number();
            case UINT -> {
                LongNode bits = operand.bits();
                yield f -> Numbers.unsignedToDouble(bits.eval(f));
            }
            case TIMESTAMP -> {
                LongNode micros = operand.bits();
                yield f -> micros.eval(f) / (double) MICROS_PER_MILLI;
            }
            default -> operand.bits()::eval;
        };
    }

    /** Integers and doubles are epoch milliseconds, strings ISO 8601 text or the digits of epoch milliseconds. */
    static LongNode toTimestamp(Operand operand, Builtins builtins) {
        return switch (operand.type()) {
            case STRING -> {
                DecimalText decimal = new DecimalText();
                StringNode text = operand.text();
                yield f -> {
                    long string = text.eval(f);
                    if (string == InputEvent.NULL_STRING) {
                        return f.none();
                    }
                    int from = InputEvent.stringOffset(string);
                    long micros = TimestampText.parseAny(
                            decimal,
                            f.event.stringBytes(string),
                            from,
                            from + InputEvent.stringLength(string),
                            builtins.zone(f));
                    return micros == TimestampText.INVALID ? f.unreadable(string) : f.value(micros);
                };
            }
            case DOUBLE -> {
                DoubleNode millis = operand.number();
                yield f -> {
                    double micros = Math.rint(millis.eval(f) * MICROS_PER_MILLI);
                    if (f.isNull) {
                        return 0;
                    }
                    return Math.abs(micros) < 0x1p63 ? (long) micros : f.arithmeticNone();
                };
            }
            case TIMESTAMP -> operand.bits();
            default -> {
                LongNode millis = toInt64(operand);
                yield f -> {
                    long value = millis.eval(f);
                    if (f.isNull) {
                        return 0;
                    }
                    long micros = value * MICROS_PER_MILLI;
                    return Math.multiplyHigh(value, MICROS_PER_MILLI) == micros >> 63 ? micros : f.arithmeticNone();
                };
            }
        };
    }

    /**
     * Integers in decimal, doubles by the fewest digits that read back as the same double, timestamps in the common
     * format, durations as their µs.
     */
    static StringNode toText(Operand operand) {
        return switch (operand.type()) {
            case STRING -> operand.text();
            case DOUBLE -> {
                DoubleNode number = operand.number();
                yield f -> {
                    double value = number.eval(f);
                    if (f.isNull) {
                        return InputEvent.NULL_STRING;
                    }
                    // The JDK's own printing changed between the versions that we support.
                    byte[] text = NumberOutput.toString(value, true).getBytes(StandardCharsets.US_ASCII);
                    return f.event.copyToScratch(text, 0, text.length);
                };
            }
            case BOOL -> {
                LongNode bit = operand.bits();
                yield f -> {
                    byte[] text = bit.eval(f) != 0 ? TRUE : FALSE;
                    return f.isNull ? InputEvent.NULL_STRING : f.event.copyToScratch(text, 0, text.length);
                };
            }
            case TIMESTAMP -> {
                LongNode micros = operand.bits();
                yield f -> {
                    long value = micros.eval(f);
                    if (f.isNull || !f.event.reserveScratch(TimestampText.MAX_LENGTH)) {
                        return InputEvent.NULL_STRING;
                    }
                    return taken(f, TimestampText.format(value, f.event.scratch(), f.event.scratchLimit()));
                };
            }
            default -> {
                LongNode integer = operand.bits();
                boolean unsigned = operand.type() == Expression.Type.UINT;
                yield f -> {
                    long value = integer.eval(f);
                    if (f.isNull || !f.event.reserveScratch(MAX_NUMBER_LENGTH)) {
                        return InputEvent.NULL_STRING;
                    }
                    return taken(f, format(value, unsigned, f.event.scratch(), f.event.scratchLimit()));
                };
            }
        };
    }

    private static long taken(Frame frame, int end) {
        int from = frame.event.scratchLimit();
        frame.event.scratchLimit(end);
        return InputEvent.scratchString(from, end - from);
    }

    private static int format(long value, boolean unsigned, byte[] target, int at) {
        int from = at;
        if (value < 0 && !unsigned) {
            target[from++] = '-';
        }
        long magnitude = value < 0 && !unsigned ? -value : value; // 2^63 is correct as an unsigned number
        int end = from;
        do {
            long quotient = Long.divideUnsigned(magnitude, 10);
            target[end++] = (byte) ('0' + (magnitude - quotient * 10));
            magnitude = quotient;
        } while (magnitude != 0);
        for (int left = from, right = end - 1; left < right; left++, right--) {
            byte swapped = target[left];
            target[left] = target[right];
            target[right] = swapped;
        }
        return end;
    }
}
