package io.summarizer.dsl.interpret;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.dsl.model.Expression;
import java.util.Arrays;
import java.util.List;

/**
 * The hash of several values as one: of a sequence of bytes in which each value begins with its type and a string with
 * its length, so that moving a byte from one value to its neighbour makes another sequence. Null when one of them is,
 * as everywhere in the language; {@code coalesce} replaces nulls.
 */
final class HashSequence implements LongNode {
    /** Type of an integer, however it was declared. */
    private static final byte INTEGER = 1;
    /** Type of an unsigned integer of 2^63 or more. */
    private static final byte BIG_INTEGER = 2;

    private static final byte DOUBLE = 3;
    private static final byte BOOL = 4;
    private static final byte TIME = 5;
    private static final byte STRING = 6;

    private final Operand[] operands;
    private final LongNode[] values;
    private byte[] buffer = new byte[128];
    private int limit;

    HashSequence(List<Operand> operands) {
        this.operands = operands.toArray(new Operand[0]);
        values = operands.stream().map(HashSequence::value).toArray(LongNode[]::new);
    }

    @Override
    public long eval(Frame frame) {
        limit = 0;
        for (int i = 0; i < values.length; i++) {
            long value = values[i].eval(frame);
            if (operands[i].type() == Expression.Type.STRING) {
                if (value == InputEvent.NULL_STRING) {
                    return frame.none();
                }
                putString(frame.event, value);
            } else if (frame.isNull) {
                return 0;
            } else {
                put(tag(operands[i].type(), value), value);
            }
        }
        return frame.value(Hashes.MURMUR.hashBytesToLong(buffer, 0, limit));
    }

    private static LongNode value(Operand operand) {
        return operand.type() == Expression.Type.STRING ? operand.text()::eval : Hashes.bits(operand);
    }

    private static byte tag(Expression.Type type, long bits) {
        return switch (type) {
            case UINT -> bits < 0 ? BIG_INTEGER : INTEGER;
            case DOUBLE -> DOUBLE;
            case BOOL -> BOOL;
            case TIMESTAMP -> TIME;
            default -> INTEGER;
        };
    }

    private void put(byte tag, long value) {
        ensure(9);
        buffer[limit] = tag;
        Bytes.putLong(buffer, limit + 1, value);
        limit += 9;
    }

    private void putString(InputEvent event, long string) {
        int length = InputEvent.stringLength(string);
        put(STRING, length);
        ensure(length);
        System.arraycopy(event.stringBytes(string), InputEvent.stringOffset(string), buffer, limit, length);
        limit += length;
    }

    private void ensure(int more) {
        if (limit + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(limit + more, buffer.length * 2));
        }
    }
}
