package io.summarizer.core.route;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache from topics to values of the caller, for one thread. {@link TopicLookup} finds the matches of a
 * topic, and a function of the caller turns the matches into a value. As long as all values fit into the cache, topics
 * with the same matches get the same value. Allocates only for new matches.
 *
 * <p>The last topic is recognized by one comparison. Topics up to {@value #LONGEST_TOPIC} bytes are kept in a two-way
 * associative table with entries of one cache line, so a hit costs a hash and a comparison. A new topic replaces an
 * entry that was not used recently. The table starts small and doubles while misses are frequent. When topics hardly
 * recur, hits are rare. Lookups then bypass the table, and use it again for a trial at intervals.
 *
 * @param <R> value made from matches; immutable
 */
public final class TopicCache<R> {
    /** Longer topics are matched each time. */
    public static final int LONGEST_TOPIC = 56;

    /** Default bound on cached topics: a table of 4 MiB. */
    public static final int DEFAULT_TOPICS = 65_536;

    private static final int FIRST_TOPICS = 1_024;

    /** Longs of an entry: its tag, and the words of the topic. */
    private static final int ENTRY = 8;

    private static final int WAYS = 2;
    private static final int MOST_RESULTS = 4_096;

    /**
     * Number of consecutive lookups that make up a window. At the end of each window, the cache decides by the window's
     * number of hits whether the table grows or is bypassed.
     */
    private static final int WINDOW = 4_096;
    /** The table grows when more than one in this number of lookups misses. */
    private static final int GROWTH = 16;
    /** The table is bypassed when less than one in this number of lookups hits. */
    private static final int WORTH = 4;
    /**
     * Length of the first bypass of the table, in windows of {@link #WINDOW} lookups. If the table has too few hits
     * after a bypass, the next bypass is longer.
     */
    private static final int REST = 64;

    private static final int LONGEST_REST = 16_384;

    /**
     * Multipliers for the words of a topic in its hash; because they differ, the hash depends on the order of the
     * words. They are odd numbers near multiples of the golden ratio's fraction.
     */
    private static final long[] FACTORS = new long[ENTRY];

    static {
        for (int i = 0; i < ENTRY; i++) {
            FACTORS[i] = (i + 1) * 0x9E3779B97F4A7C15L | 1;
        }
    }

    private final TopicLookup lookup;
    private final Function<int[], R> resolve;

    private final int mostTopics;
    private long[] entries = {};
    private @Nullable Object[] values = {};
    /**
     * For each entry, whether a lookup has found the entry recently. When an entry is replaced, this becomes false for
     * both entries of its pair.
     */
    private boolean[] recent = {};

    private int setShift;
    /** The words of the last topic of {@link #lastLength} bytes. */
    private final long[] topic = new long[ENTRY];

    /** Length of the last topic that the table was searched for; -1 before the first. */
    private int lastLength = -1;

    private @Nullable R lastValue;

    private long matched;
    private int lookups;
    private int misses;
    /** Number of lookups that still bypass the table. */
    private int resting;

    private int rest = REST;

    private int[][] keys = new int[MOST_RESULTS * 2][];
    private @Nullable Object[] results = new Object[MOST_RESULTS * 2];
    private int resultCount;

    /**
     * A cache for the patterns of {@code matcher}; {@code resolve} turns a sorted array of pattern numbers into a
     * value.
     */
    public TopicCache(TopicMatcher matcher, Function<int[], R> resolve) {
        this(matcher, resolve, DEFAULT_TOPICS);
    }

    /** A cache for at most {@code mostTopics} topics, a power of two and at least 4. */
    public TopicCache(TopicMatcher matcher, Function<int[], R> resolve, int mostTopics) {
        if (mostTopics < 4 || Integer.bitCount(mostTopics) != 1) {
            throw new IllegalArgumentException("topics=" + mostTopics + " is not a power of two from 4 on");
        }
        lookup = matcher.newLookup();
        this.resolve = resolve;
        this.mostTopics = mostTopics;
        clear(Math.min(mostTopics, FIRST_TOPICS));
    }

    /** Current capacity in topics. */
    int capacity() {
        return values.length;
    }

    /** Number of lookups so far that had to match the topic because the table did not have it. */
    long matched() {
        return matched;
    }

    private void clear(int topics) {
        entries = new long[topics * ENTRY];
        values = new Object[topics];
        recent = new boolean[topics];
        setShift = Long.SIZE - Integer.numberOfTrailingZeros(topics / WAYS);
    }

    /** The value of the topic in {@code bytes[offset, offset + length)}. */
    public R get(byte[] bytes, int offset, int length) {
        R value = lastValue;
        if (value != null && length == lastLength && isLast(bytes, offset, length)) {
            return value;
        }
        if (length > LONGEST_TOPIC) {
            return find(bytes, offset, length);
        }
        lastLength = -1; // in case the rest throws
        long[] topic = this.topic;
        int words = (length + 7) >>> 3;
        int last = words - 1;
        long hash = length;
        for (int i = 0; i < last; i++) {
            long word = Bytes.getLong(bytes, offset + (i << 3));
            topic[i] = word;
            hash += (word ^ (word >>> 32)) * FACTORS[i];
        }
        if (last >= 0) {
            // The last word is the last eight bytes, which may overlap the word before. A shorter topic is one word.
            long word =
                    length >= 8 ? Bytes.getLong(bytes, offset + length - 8) : TopicWords.load(bytes, offset, length);
            topic[last] = word;
            hash += (word ^ (word >>> 32)) * FACTORS[last];
        }
        R found;
        if (resting > 0) {
            resting--;
            found = find(bytes, offset, length);
        } else {
            found = ask(hash, bytes, offset, length, words);
        }
        lastLength = length;
        lastValue = found;
        return found;
    }

    /**
     * Whether a topic equals the last topic, as is usual when a sender has one kind of event. The caller has checked
     * that both have the same length.
     */
    private boolean isLast(byte[] bytes, int offset, int length) {
        long[] last = topic;
        if (length < 8) {
            return length == 0 || TopicWords.load(bytes, offset, length) == last[0];
        }
        int end = (length - 1) >>> 3;
        if (Bytes.getLong(bytes, offset + length - 8) != last[end]) {
            return false; // this detects nearly all topics that differ
        }
        long different = 0;
        for (int i = 0; i < end; i++) {
            different |= Bytes.getLong(bytes, offset + (i << 3)) ^ last[i];
        }
        return different == 0;
    }

    /** Finds the value of the topic whose words are in {@link #topic}, with the help of the table. */
    private R ask(long sum, byte[] bytes, int offset, int length, int words) {
        if (++lookups == WINDOW) {
            review();
        }
        long hash = (sum ^ sum >>> 29) * 0xD6E8FEB86659FD93L;
        // The low byte holds the length, which the words do not determine. It is never 0, because 0 marks an empty
        // entry.
        long tag = (hash & -256L) | (length + 1);
        int entry = (int) (hash >>> setShift) * WAYS;
        if (is(entry, tag, topic, words)) {
            return hit(entry);
        }
        if (is(entry + 1, tag, topic, words)) {
            return hit(entry + 1);
        }
        misses++;
        R found = find(bytes, offset, length);
        put(victim(entry), tag, words, found);
        return found;
    }

    private boolean is(int entry, long tag, long[] topic, int words) {
        long[] entries = this.entries;
        int at = entry * ENTRY;
        if (entries[at] != tag) {
            return false;
        }
        long different = 0;
        for (int i = 0; i < words; i++) {
            different |= entries[at + 1 + i] ^ topic[i];
        }
        return different == 0;
    }

    @SuppressWarnings("unchecked") // only values of R are put in
    private R hit(int entry) {
        if (!recent[entry]) {
            recent[entry] = true;
        }
        return (R) values[entry];
    }

    /**
     * Chooses the entry that a new topic replaces in a pair: an empty entry, otherwise an entry that no lookup found
     * recently, otherwise the first entry.
     */
    private int victim(int entry) {
        boolean second = entries[entry * ENTRY] != 0
                && (entries[(entry + 1) * ENTRY] == 0 || (recent[entry] && !recent[entry + 1]));
        return second ? entry + 1 : entry;
    }

    private void put(int entry, long tag, int words, R value) {
        int at = entry * ENTRY;
        entries[at] = tag;
        System.arraycopy(topic, 0, entries, at + 1, words);
        values[entry] = value;
        recent[entry] = false;
        recent[entry ^ 1] = false;
    }

    private void review() {
        int topics = values.length;
        if (misses * GROWTH > WINDOW && topics < mostTopics) {
            clear(topics * 2); // entries need not be moved, because topics soon return
        } else if ((WINDOW - misses) * WORTH < WINDOW) {
            resting = WINDOW * rest;
            rest = Math.min(rest * 4, LONGEST_REST);
            clear(Math.min(mostTopics, FIRST_TOPICS));
        } else {
            rest = REST;
        }
        lookups = 0;
        misses = 0;
    }

    /** The value of a topic, without the help of the table: matches the topic and resolves the matches. */
    @SuppressWarnings("unchecked") // only values of R are put in
    private R find(byte[] bytes, int offset, int length) {
        matched++;
        int count = lookup.match(bytes, offset, length);
        int[] matches = lookup.matches();
        sort(matches, count);
        int slot = hash(matches, count);
        for (int[] key; (key = keys[slot]) != null; slot = (slot + 1) & (keys.length - 1)) {
            if (Arrays.equals(key, 0, key.length, matches, 0, count)) {
                return (R) results[slot];
            }
        }
        if (resultCount == MOST_RESULTS) {
            keys = new int[keys.length][];
            results = new Object[results.length];
            resultCount = 0;
            slot = hash(matches, count);
        }
        int[] key = Arrays.copyOf(matches, count);
        R result = resolve.apply(key);
        keys[slot] = key;
        results[slot] = result;
        resultCount++;
        return result;
    }

    private int hash(int[] matches, int count) {
        long hash = count;
        for (int i = 0; i < count; i++) {
            hash = (hash ^ matches[i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return (int) hash & (keys.length - 1);
    }

    private static void sort(int[] numbers, int count) {
        if (count > 32) {
            Arrays.sort(numbers, 0, count);
            return;
        }
        for (int i = 1; i < count; i++) {
            int number = numbers[i];
            int at = i;
            for (; at > 0 && numbers[at - 1] > number; at--) {
                numbers[at] = numbers[at - 1];
            }
            numbers[at] = number;
        }
    }
}
