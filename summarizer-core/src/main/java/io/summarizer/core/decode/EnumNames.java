package io.summarizer.core.decode;

import io.summarizer.core.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The constants of an enum by name and by number. Immutable, shared by all decoders. Cost: one probe for a name, a
 * binary search for a number.
 */
public final class EnumNames {
    /** Names as UTF-8 in an open-addressing table, at most half full. */
    private final byte[] @Nullable [] table;

    private final long[] numbers;
    /** The name of each number. */
    private final byte[][] byNumber;

    /**
     * The number of each name of an enum, in the order of definition. If several names have the same number, this
     * number is shown as the first of these names.
     */
    public EnumNames(Map<String, Integer> constants) {
        TreeMap<Integer, byte[]> names = new TreeMap<>();
        table = new byte[Integer.highestOneBit(Math.max(1, constants.size())) * 4][];
        constants.forEach((name, number) -> {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            table[slot(bytes, 0, bytes.length)] = bytes;
            names.putIfAbsent(number, bytes);
        });
        numbers = names.keySet().stream().mapToLong(Integer::longValue).toArray();
        byNumber = names.values().toArray(new byte[0][]);
    }

    /** Position of the name in the table, or the empty position where it would be added. */
    private int slot(byte[] bytes, int from, int to) {
        int mask = table.length - 1;
        int at = (int) (Bytes.hash(bytes, from, to - from, 0) >>> 32) & mask;
        byte[] name;
        while ((name = table[at]) != null && !Arrays.equals(name, 0, name.length, bytes, from, to)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /** Whether a constant has this name. */
    boolean hasName(byte[] bytes, int from, int to) {
        return table[slot(bytes, from, to)] != null;
    }

    /** The name of constant {@code number} as UTF-8, null when there is no such constant. Do not write to the array. */
    byte @Nullable [] name(long number) {
        int at = Arrays.binarySearch(numbers, number);
        return at < 0 ? null : byNumber[at];
    }
}
