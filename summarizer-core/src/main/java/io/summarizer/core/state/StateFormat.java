package io.summarizer.core.state;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.time.CalendarUnit;
import java.nio.charset.StandardCharsets;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The constants of the format in {@code docs/understand/state-files.md}. No constant may ever change its meaning. */
final class StateFormat {
    /** First bytes of a file. */
    static final byte[] MAGIC = "SUMMSTAT".getBytes(StandardCharsets.US_ASCII);
    /** The version that this program writes. The program reads this version and all older versions. */
    static final int VERSION = 2;
    /** Bytes of the header of a file: magic (8 bytes), version (int), checksum of magic and version (int). */
    static final int HEADER_BYTES = 16;

    /**
     * Bytes of the header of a block. The header has five ints: the kind, the number of stored bytes, the number of
     * plain bytes, the number of the block, and the checksum. The checksum covers the other four ints and the stored
     * bytes.
     */
    static final int BLOCK_HEADER_BYTES = 20;
    /** Offset of the checksum in the header of a block. */
    static final int BLOCK_CHECKSUM = 16;

    /** Kind of a block: data of the cut, and all layouts. */
    static final int LAYOUTS = 1;
    /** Kind of a block: rows of one table of one section. */
    static final int ROWS = 2;
    /** Kind of a block: the index, which lists all other blocks. */
    static final int INDEX = 3;
    /** Kind of a block: a piece of a part of a cut. */
    static final int PART = 4;

    /**
     * Bytes of the trailer: the offset of the index block (long), a checksum (int), and magic (int). The checksum
     * covers the offset and the checksum of the index block.
     */
    static final int TRAILER_BYTES = 16;

    /** The last four bytes of a file, "SEND". */
    static final int TRAILER_MAGIC = 0x444e4553;

    /**
     * A bit of the tag of an attribute. If the bit is set, a program that does not know the attribute must not read the
     * object with this attribute.
     */
    static final int MUST_UNDERSTAND = 1 << 31;

    /** Tag of an attribute of a value column: the parameters of the column's type. */
    static final int PARAMETERS = MUST_UNDERSTAND | 1;

    /** Tag of an attribute of a file or of a summary: the window of the file, or the windows of the summary. */
    static final int WINDOW = MUST_UNDERSTAND | 16;

    /** Tag of an attribute of a summary: its closed windows. */
    static final int BOUNDARY = MUST_UNDERSTAND | 17;

    /** Tag of an attribute of a file with one window: the files whose rows this file began with. */
    static final int MADE_FROM = 18;

    /** Tag of an attribute of a file with one window: the late messages that corrections added. */
    static final int ADDED = 19;

    /** Maximum number of bytes of a piece of a part. */
    static final int PIECE_BYTES = 1 << 20;

    private StateFormat() {}

    static int code(KeyType type) {
        return switch (type) {
            case INT32 -> 1;
            case INT64 -> 2;
            case UINT32 -> 3;
            case UINT64 -> 4;
            case BOOL -> 5;
            case STRING -> 6;
            case TIMESTAMP -> 7;
        };
    }

    static @Nullable KeyType keyType(int code) {
        return find(KeyType.values(), StateFormat::code, code);
    }

    private static <T> @Nullable T find(T[] values, ToIntFunction<T> code, int wanted) {
        for (T value : values) {
            if (code.applyAsInt(value) == wanted) {
                return value;
            }
        }
        return null;
    }

    static int code(AggregateType type) {
        return switch (type) {
            case SUMINT32 -> 1;
            case SUMINT64 -> 2;
            case SUMFLOAT -> 3;
            case SUMDOUBLE -> 4;
            case SUMCURRENCY -> 5;
            case COUNT -> 6;
            case MININT64 -> 7;
            case MAXINT64 -> 8;
            case MINDOUBLE -> 9;
            case MAXDOUBLE -> 10;
            case MINTIMESTAMP -> 11;
            case MAXTIMESTAMP -> 12;
            case FIRSTSTRING -> 13;
            case LASTSTRING -> 14;
            case FIRSTINT64 -> 15;
            case LASTINT64 -> 16;
            case MULTISET64 -> 17;
        };
    }

    static @Nullable AggregateType aggregateType(int code) {
        return find(AggregateType.values(), StateFormat::code, code);
    }

    /**
     * The keyword of a type that this program does not support, but for which it reserves a code; null for other codes.
     */
    static @Nullable String reservedType(int code) {
        return switch (code) {
            case 18 -> "quantiles";
            case 19 -> "histogram";
            case 20 -> "moments";
            case 21 -> "kmv64";
            case 22 -> "top";
            case 23 -> "allbool";
            case 24 -> "anybool";
            default -> null;
        };
    }

    static int code(CalendarUnit unit) {
        return switch (unit) {
            case SECOND -> 1;
            case MINUTE -> 2;
            case HOUR -> 3;
            case DAY -> 4;
            case WEEK -> 5;
            case MONTH -> 6;
            case YEAR -> 7;
            case MILLISECOND -> throw new IllegalStateException("no windows of " + unit);
        };
    }

    static @Nullable CalendarUnit unit(int code) {
        for (CalendarUnit unit : CalendarUnit.values()) {
            if (unit != CalendarUnit.MILLISECOND && code(unit) == code) {
                return unit;
            }
        }
        return null;
    }

    /** A description, for messages, of an unknown attribute that the program must understand. */
    static String attribute(int tag) {
        return switch (tag) {
            case WINDOW -> "a time window";
            case BOUNDARY -> "closed time windows";
            default -> "the attribute " + (tag & ~MUST_UNDERSTAND);
        };
    }

    static int checksum(byte[] bytes, int offset, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, offset, length);
        return (int) checksum.getValue();
    }

    /**
     * The checksum of a block that starts at {@code offset}. It covers the header, except the checksum itself, and the
     * stored bytes.
     */
    static int blockChecksum(byte[] bytes, int offset, int storedBytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, offset, BLOCK_CHECKSUM);
        checksum.update(bytes, offset + BLOCK_HEADER_BYTES, storedBytes);
        return (int) checksum.getValue();
    }
}
