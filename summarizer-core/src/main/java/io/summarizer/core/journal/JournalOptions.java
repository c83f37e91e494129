package io.summarizer.core.journal;

/**
 * Sizes and compression of a journal.
 *
 * @param segmentBytes size in bytes of a segment's file, a multiple of {@value JournalFormat#BLOCK_BYTES}
 * @param maxBytes bound on the bytes of all files together, including prepared files; at least the size of four
 *     segments. Controls may exceed the bound by one segment
 * @param level level of Zstandard; ignored for other kinds of compression
 */
public record JournalOptions(long segmentBytes, long maxBytes, Compression compression, int level) {
    /** Minimum number of segments that the bound of a journal must allow. */
    public static final int SEGMENTS_MIN = 4;

    /**
     * A fast level, which compresses the reference workload to about a quarter; {@code JournalBenchmark} compares
     * levels.
     */
    public static final int DEFAULT_LEVEL = -1;

    private static final long SEGMENT_BYTES_MAX = 1L << 30;

    /** Checks the bounds. */
    public JournalOptions {
        if (segmentBytes < 4 * JournalFormat.BLOCK_BYTES
                || segmentBytes > SEGMENT_BYTES_MAX
                || segmentBytes % JournalFormat.BLOCK_BYTES != 0
                || maxBytes < SEGMENTS_MIN * segmentBytes) {
            throw new IllegalArgumentException("segmentBytes=" + segmentBytes + " maxBytes=" + maxBytes);
        }
    }

    /** Options with the default level. */
    public JournalOptions(long segmentBytes, long maxBytes, Compression compression) {
        this(segmentBytes, maxBytes, compression, DEFAULT_LEVEL);
    }

    /** Options with segments of {@code segmentBytes}, rounded down to whole blocks. */
    public static JournalOptions of(long segmentBytes, long maxBytes, Compression compression) {
        return new JournalOptions(segmentBytes & -JournalFormat.BLOCK_BYTES, maxBytes, compression);
    }
}
