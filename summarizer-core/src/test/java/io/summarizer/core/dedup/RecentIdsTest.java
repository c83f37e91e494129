package io.summarizer.core.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.ByteBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecentIdsTest {
    /** Ten ids each. */
    private static final int CHUNK = 240;

    private static final int IDS_PER_CHUNK = 10;
    private static final long SECOND = 1_000_000;
    private static final long LAG = 10 * SECOND;

    private static RecentIds ids(long windowMicros, long idsMax) {
        DedupRule rule = new DedupRule("E", "S", "id", windowMicros);
        return new RecentIds(IdTable.of(rule, LAG, idsMax, 1, CHUNK, ByteBudget.unbounded()), CHUNK);
    }

    /** Hashes of few values, many of which agree in a half, or in the bits that an index uses. */
    private static long[] hash(int id, int spread) {
        return new long[] {id % 3 * 0x100000000L, (long) (id % spread) << 56 | id};
    }

    /** Stamps slightly out of order, as with several workers; windows shorter and longer than the ids are kept. */
    @Test
    void shouldCountEachIdOnceInAWindowAsLongAsThereIsRoom() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            long window = (1 + random.nextInt(300)) * SECOND;
            int values = 1 + random.nextInt(400);
            int spread = 1 + random.nextInt(4);
            RecentIds ids = ids(window, 1_000_000);
            Map<Integer, Long> counted = new HashMap<>();
            long now = 1_795_132_800_000_000L;
            for (int i = 0; i < 3000; i++) {
                now += 1 + (random.nextInt(4) == 0 ? random.nextInt((int) (3 * SECOND)) : 0);
                long stamp = now - random.nextInt((int) (4 * SECOND));
                int id = random.nextInt(values);
                Long seen = counted.get(id);
                boolean isNew = seen == null || seen == stamp || Math.abs(stamp - seen) > window;
                long[] hash = hash(id, spread);
                prefetch(ids, random, hash[1]);
                assertThat(ids.isNew(hash[0], hash[1], stamp))
                        .as("seed %d, round %d, event %d of id %d", seed, round, i, id)
                        .isEqualTo(isNew);
                if (isNew && random.nextInt(8) == 0) {
                    ids.forgetLast();
                    if (seen == null || seen != stamp) {
                        counted.remove(id);
                    }
                } else if (isNew) {
                    counted.put(id, stamp);
                }
            }
            assertThat(ids.evicted()).isZero();
        }
    }

    /** Whether a source's id is known after 60 s of its time, within its window, when another source is ahead. */
    private static boolean isKnown(long ahead) {
        RecentIds ids = ids(60 * SECOND, 1_000_000);
        long behind = 1_795_132_800_000_000L;
        for (int id = 1; id <= 10 * IDS_PER_CHUNK; id++) {
            assertThat(ids.isNew(id, id, id <= IDS_PER_CHUNK ? behind : behind + ahead))
                    .isTrue();
        }
        return !ids.isNew(1, 1, behind + 60 * SECOND);
    }

    @Test
    void shouldKnowTheIdsOfASourceThatIsBehindByLessThanTheWindowAndTheLag() {
        assertThat(isKnown(70 * SECOND)).isTrue();
        assertThat(isKnown(70 * SECOND + 1)).isFalse();
    }

    /** Prefetches at times, as owners do, several ids ahead: without effect. */
    private static void prefetch(RecentIds ids, Random random, long low) {
        for (int ahead = random.nextInt(4); ahead > 0; ahead--) {
            int unused = ids.prefetch(low);
        }
    }

    @Test
    void shouldReuseTheRoomOfIdsThatAreOver() {
        RecentIds ids = ids(60 * SECOND, 1_000_000);
        long stamp = 1;
        for (int i = 0; i < 100_000; i++) {
            stamp += SECOND / 10;
            assertThat(ids.isNew(i, (long) i << 56 | i, stamp)).isTrue();
        }
        assertThat(ids.size()).isBetween(600, 800);
        assertThat(ids.bytesUsed()).isLessThan(100_000);
        assertThat(ids.evicted()).isZero();
    }

    /** Beyond the bound: no new event is dropped, the latest ids are certainly known, all others possibly. */
    @Test
    void shouldNeverDropANewEventAndAlwaysKnowTheLatestIds() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 30; round++) {
            long window = (1 + random.nextInt(1000)) * SECOND;
            int chunks = 1 + random.nextInt(20);
            int certain = (chunks - 1) * IDS_PER_CHUNK;
            int values = 1 + random.nextInt(2000);
            RecentIds ids = ids(window, (long) chunks * IDS_PER_CHUNK);
            Map<Integer, List<Long>> counted = new HashMap<>();
            Deque<Integer> latest = new ArrayDeque<>();
            Set<Integer> known = new HashSet<>();
            long stamp = 1;
            long missed = 0;
            for (int i = 0; i < 5000; i++) {
                stamp += 1 + random.nextInt((int) SECOND);
                int id = random.nextInt(values);
                long now = stamp;
                List<Long> stamps = counted.computeIfAbsent(id, any -> new ArrayList<>());
                boolean within = stamps.stream().anyMatch(seen -> now - seen <= window);
                prefetch(ids, random, (long) id << 56 | id);
                boolean isNew = ids.isNew(id % 7 * 0x1000000000L, (long) id << 56 | id, stamp);
                if (!isNew) {
                    assertThat(within)
                            .as("seed %d, round %d: a new event was dropped", seed, round)
                            .isTrue();
                } else {
                    if (within) {
                        missed++;
                        assertThat(known).as("seed %d, round %d", seed, round).doesNotContain(id);
                    }
                    stamps.add(stamp);
                    latest.addLast(id);
                    known.add(id);
                    if (latest.size() > certain) {
                        int oldest = latest.removeFirst();
                        if (!latest.contains(oldest)) {
                            known.remove(oldest);
                        }
                    }
                }
                assertThat(ids.size()).isLessThanOrEqualTo(chunks * IDS_PER_CHUNK);
            }
            if (missed > 0) {
                assertThat(ids.evicted()).isPositive();
            }
        }
    }

    @Test
    void shouldKnowMoreThanItsExactIdsByTheFilter() {
        Random random = new Random(1);
        RecentIds ids = ids(Long.MAX_VALUE / 4, 1000);
        long[][] hashes = new long[2000][];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = new long[] {random.nextLong(), random.nextLong()};
            assertThat(ids.isNew(hashes[i][0], hashes[i][1], i + 1)).isTrue();
        }
        int known = 0;
        for (int i = 500; i < 1000; i++) {
            known += ids.isNew(hashes[i][0], hashes[i][1], 5000 + i) ? 0 : 1;
        }
        assertThat(known).isGreaterThan(250); // between 500 and 1,000 others followed: more than half are kept
        assertThat(ids.evicted()).isGreaterThanOrEqualTo(990);
    }

    @Test
    void shouldTakeAllRecordsOfOneEventForNew() {
        RecentIds ids = ids(60 * SECOND, 1000);
        assertThat(ids.isNew(1, 1, 100)).isTrue();
        assertThat(ids.isNew(1, 1, 100)).isTrue();
        assertThat(ids.isNew(1, 1, 101)).isFalse();
        assertThat(ids.isNew(1, 1, 100)).isTrue(); // of the first event again, by another path
        assertThat(ids.isNew(1, 1, 101)).isFalse();
        assertThat(ids.isNew(1, 2, 101)).isTrue();
        assertThat(ids.isNew(2, 1, 101)).isTrue();
    }

    @Test
    void shouldCountTheWindowFromTheEventThatWasCounted() {
        RecentIds ids = ids(10 * SECOND, 1000);
        assertThat(ids.isNew(1, 1, SECOND)).isTrue();
        assertThat(ids.isNew(1, 1, 8 * SECOND)).isFalse();
        assertThat(ids.isNew(1, 1, 11 * SECOND)).isFalse(); // just within the window
        assertThat(ids.isNew(1, 1, 11 * SECOND + 1)).isTrue();
        assertThat(ids.isNew(1, 1, 12 * SECOND)).isFalse();
    }
}
