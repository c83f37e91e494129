package io.summarizer.core.store;

/**
 * The partitions of every summary: their total number, and the range of them that this process or owner has. The high
 * bits of a key's hash choose the partition. A service has all {@value #COUNT} partitions ({@link #ALL}), whatever the
 * number of its owners. A job on several machines has more partitions, and each of its owners has a range of them.
 *
 * <p>Immutable.
 */
public final class Partitions {
    /** Number of partitions of a summary in a service. */
    public static final int COUNT = 16;

    /** Maximum number of partitions of a summary. */
    public static final int COUNT_MAX = 1 << 15;

    /** The partitions of a service, all of which are here. */
    public static final Partitions ALL = of(COUNT);

    private final int count;
    private final int first;
    private final int end;
    /**
     * The number of bits of a second shift: the hash is shifted right by one, and then by this number. A single shift
     * is not possible, because Java treats a shift by 64 as no shift.
     */
    private final int shift;

    private Partitions(int count, int first, int end) {
        if (Integer.bitCount(count) != 1 || count > COUNT_MAX || first < 0 || end < first || end > count) {
            throw new IllegalArgumentException("partitions=" + count + " first=" + first + " end=" + end);
        }
        this.count = count;
        this.first = first;
        this.end = end;
        shift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(count);
    }

    /**
     * All of {@code count} partitions.
     *
     * @param count a power of two, at most {@link #COUNT_MAX}
     */
    public static Partitions of(int count) {
        return new Partitions(count, 0, count);
    }

    /** The partitions from {@code first} to {@code end - 1}. The total number of partitions stays the same. */
    public Partitions range(int first, int end) {
        return new Partitions(count, first, end);
    }

    /** Number of partitions of a summary; a power of two. */
    public int count() {
        return count;
    }

    /** The first partition that is here. */
    public int first() {
        return first;
    }

    /** The number after the last partition that is here. */
    public int end() {
        return end;
    }

    /** The partition of a key with this hash. */
    public int of(long hash) {
        return (int) (hash >>> 1 >>> shift);
    }

    /** The cell of a partition in a table with a row for each summary. */
    public int cell(int row, int partition) {
        return row * count + partition;
    }

    /** The cell of the partition that a key with this hash falls into. */
    public int cellOf(int row, long hash) {
        return row * count + of(hash);
    }

    /**
     * The owner of a partition. Neighbouring partitions belong to different owners, so that all owners share a hot
     * summary. If there are as many owners as partitions, each owner has the partition with its own number, of all
     * summaries. If there are fewer owners, the first partitions of different summaries belong to different owners, so
     * that the first owner does not get all small summaries.
     */
    public int owner(int summary, int partition, int owners) {
        return owners == count ? partition : (summary + partition) % owners;
    }
}
