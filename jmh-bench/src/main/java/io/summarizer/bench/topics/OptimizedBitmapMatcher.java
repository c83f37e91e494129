package io.summarizer.bench.topics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A matcher with bitmaps by the position of a word. Each position has a row for every word that occurs there in a
 * subscription. It also has a row <em>other</em> for all other words, and a row <em>null</em> for topics that end
 * before this position. Each row has a bit for each subscription. The bit is set if the subscription accepts the row's
 * word at this position. A subscription matches if its bit is set in the rows of all the topic's words. The greatest
 * number of words of a topic has to be known beforehand. A lookup of a longer topic finds no subscription.
 *
 * <p>In the row of a word, the bits of subscriptions with {@code *} are set, too, so a lookup needs only one row per
 * position. Rows are plain bitmaps. For a few thousand subscriptions, a row takes a few hundred bytes, and intersecting
 * such rows is faster than unpacking compressed bitmaps. The matcher does not support {@code #}.
 */
public final class OptimizedBitmapMatcher implements TopicMatcher {
    private final Subscriptions subscriptions = new Subscriptions();
    private final Position[] positions;

    /** A row with a bit for each subscription, and the number of subscriptions with the word of this row. */
    private static final class Row {
        long[] bits;
        int uses;

        Row(long[] bits) {
            this.bits = bits;
        }

        void set(int number) {
            int index = number >>> 6;
            if (index >= bits.length) {
                bits = Arrays.copyOf(bits, Math.max(index + 1, 2 * bits.length));
            }
            bits[index] |= 1L << number;
        }

        void clear(int number) {
            if (number >>> 6 < bits.length) {
                bits[number >>> 6] &= ~(1L << number);
            }
        }
    }

    /** All rows of one position. */
    private static final class Position {
        final WordMap<Row> words = new WordMap<>();
        final Row other = new Row(new long[1]);
        final Row none = new Row(new long[1]);
    }

    /** Makes a matcher without subscriptions, for topics and patterns of a limited number of words. */
    public OptimizedBitmapMatcher(int mostWords) {
        positions = new Position[mostWords];
        Arrays.setAll(positions, i -> new Position());
    }

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        Subscriptions.refuseHash(pattern);
        if (pattern.count() > positions.length) {
            throw new IllegalArgumentException(
                    pattern + " has " + pattern.count() + " words; this is made for at most " + positions.length);
        }
        int number = subscriptions.add(pattern, subscriber);
        if (number < 0) {
            return false;
        }
        for (int i = 0; i < positions.length; i++) {
            Position position = positions[i];
            if (i >= pattern.count()) {
                position.none.set(number);
            } else if (pattern.isStar(i)) {
                position.other.set(number);
                position.words.forEach(row -> row.set(number));
            } else {
                Row row = position.words.get(pattern, i);
                if (row == null) {
                    row = new Row(position.other.bits.clone());
                    position.words.put(pattern, i, row);
                }
                row.uses++;
                row.set(number);
            }
        }
        return true;
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        int number = subscriptions.remove(pattern, subscriber);
        if (number < 0) {
            return false;
        }
        for (int i = 0; i < positions.length; i++) {
            Position position = positions[i];
            if (i >= pattern.count()) {
                position.none.clear(number);
            } else if (pattern.isStar(i)) {
                position.other.clear(number);
                position.words.forEach(row -> row.clear(number));
            } else {
                Row row = position.words.get(pattern, i);
                if (row != null) {
                    row.clear(number);
                    if (--row.uses == 0) {
                        position.words.remove(pattern, i);
                    }
                }
            }
        }
        return true;
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.clear();
        Words words = found.words;
        words.set(bytes, offset, length);
        if (words.count() > positions.length) {
            return;
        }
        long[] first = row(words, 0).bits;
        long[] both = found.bits(first.length);
        System.arraycopy(first, 0, both, 0, first.length);
        int size = first.length;
        for (int i = 1; i < positions.length; i++) {
            long[] row = row(words, i).bits;
            size = Math.min(size, row.length);
            long any = 0;
            for (int j = 0; j < size; j++) {
                any |= both[j] &= row[j];
            }
            if (any == 0) {
                return;
            }
        }
        for (int j = 0; j < size; j++) {
            for (long bits = both[j]; bits != 0; bits &= bits - 1) {
                found.add(subscriptions.subscriber((j << 6) + Long.numberOfTrailingZeros(bits)));
            }
        }
    }

    private Row row(Words words, int index) {
        Position position = positions[index];
        if (index >= words.count()) {
            return position.none;
        }
        @Nullable Row row = position.words.get(words, index);
        return row == null ? position.other : row;
    }

    @Override
    public int parts() {
        int[] bits = {subscriptions.size()};
        for (Position position : positions) {
            bits[0] += position.words.size();
            for (Row row : new Row[] {position.other, position.none}) {
                for (long word : row.bits) {
                    bits[0] += Long.bitCount(word);
                }
            }
        }
        return bits[0];
    }
}
