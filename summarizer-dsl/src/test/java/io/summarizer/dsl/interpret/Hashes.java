package io.summarizer.dsl.interpret;

import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.dsl.model.Expression;

/**
 * The hash of {@code hash64} and of the elements of a {@code multiset64}: the first 64 bits of MurmurHash3_x64_128 (A.
 * Appleby) with seed 0, as in PostgreSQL's {@code hll_hash_bigint} and {@code hll_hash_text}. An integer, timestamp or
 * bool is hashed as 8 bytes, little-endian, a string as its UTF-8 bytes, a double as its bits.
 */
final class Hashes {
    static final Hasher128 MURMUR = Hashing.murmur3_128();

    private Hashes() {}

    /** The hash of one value, null when it is. */
    static LongNode single(Operand operand) {
        if (operand.type() == Expression.Type.STRING) {
            StringNode text = operand.text();
            return f -> {
                long string = text.eval(f);
                if (string == InputEvent.NULL_STRING) {
                    return f.none();
                }
                return f.value(MURMUR.hashBytesToLong(
                        f.event.stringBytes(string), InputEvent.stringOffset(string), InputEvent.stringLength(string)));
            };
        }
        LongNode bits = bits(operand);
        if (bits instanceof FieldNode field) {
            return new HashedField(field);
        }
        return f -> {
            long value = bits.eval(f);
            return f.isNull ? 0 : MURMUR.hashLongToLong(value);
        };
    }

    private record HashedField(FieldNode field) implements LongNode {
        @Override
        public long eval(Frame frame) {
            long value = field.eval(frame);
            return frame.isNull ? 0 : MURMUR.hashLongToLong(value);
        }

        @Override
        public boolean leavesStrings() {
            return false;
        }
    }

    /** The 64 bits of a value that is no string. */
    static LongNode bits(Operand operand) {
        if (operand.type() != Expression.Type.DOUBLE) {
            return operand.bits();
        }
        DoubleNode number = operand.number();
        // Adding 0.0 makes the two zeros equal.
        return f -> Double.doubleToRawLongBits(number.eval(f) + 0.0);
    }
}
