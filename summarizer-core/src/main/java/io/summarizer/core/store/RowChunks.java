package io.summarizer.core.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the chunks of a view's rows, in the order of the rows. Without windows, the number of a chunk is its
 * position. Immutable; any thread may use it.
 */
final class RowChunks {
    private final int[] numbers;
    private final int count;
    /** For each chunk {@code number << 32 | position}, ascending; made when a position is looked up first. */
    private volatile long @Nullable [] sorted;

    /**
     * @param numbers the numbers; only the first {@code count} entries count, and they never change
     */
    RowChunks(int[] numbers, int count) {
        this.numbers = numbers;
        this.count = count;
    }

    int count() {
        return count;
    }

    /** The number of the chunk at a position. */
    int number(int position) {
        return numbers[position];
    }

    /** The position of the chunk with this number, which is one of the chunks. */
    int position(int number) {
        return number < count && numbers[number] == number ? number : search(number);
    }

    private int search(int number) {
        long[] sorted = this.sorted;
        if (sorted == null) {
            sorted = new long[count];
            for (int i = 0; i < count; i++) {
                sorted[i] = (long) numbers[i] << 32 | i;
            }
            Arrays.sort(sorted);
            this.sorted = sorted;
        }
        int at = Arrays.binarySearch(sorted, (long) number << 32);
        return (int) sorted[at < 0 ? ~at : at];
    }
}
