package io.summarizer.core.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.snapshot.FrozenTables;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeenIdsTest {
    private static final int CHUNK = 240;
    private static final int PARTITIONS = 4;
    private static final long SECOND = 1_000_000;
    private static final long LAG = 10 * SECOND;
    private static final DedupRule RULE = new DedupRule("E", "S", "id", 100 * SECOND);
    private static final DedupRule OTHER = new DedupRule("F", "S", "lower(id)", 100 * SECOND);
    private static final IdKey KEY = new IdKey(5, 6);

    private static SeenIds seen(SavedIds saved, long idsMax, DedupRule... rules) {
        return SeenIds.of(List.of(rules), saved, LAG, idsMax, PARTITIONS, CHUNK, ByteBudget.unbounded());
    }

    private static SeenIdsView view(SeenIds seen, CutLease lease) {
        RecentIds.View[] views = new RecentIds.View[seen.tables() * PARTITIONS];
        FrozenTables tables = new FrozenTables(lease, views.length * RecentIds.NOTES);
        for (int i = 0; i < views.length; i++) {
            views[i] = seen.recent(i / PARTITIONS, i % PARTITIONS).freeze(tables);
        }
        tables.add();
        return seen.view(views);
    }

    private static byte[] bytes(SeenIdsView view) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        view.writeTo(out);
        return out.toByteArray();
    }

    private static SavedIds read(byte[] bytes) throws IOException {
        return SavedIds.readFrom(new ByteArrayInputStream(bytes));
    }

    @Test
    void shouldKeepFewerIdsWhereAllWouldTakeMoreThanAQuarterOfTheState() {
        ByteBudget state = ByteBudget.ofState(160 << 20);
        int configured = 4_000_000;
        SeenIds seen = SeenIds.of(List.of(RULE, OTHER), SavedIds.none(KEY), LAG, configured, PARTITIONS, state);
        assertThat(seen.idsMax()).isBetween(200_000L, 400_000L);
        Random random = new Random(1); // any seed
        for (int i = 0; i < 6 * seen.idsMax(); i++) {
            seen.recent(i & 1, random.nextInt(PARTITIONS)).isNew(random.nextLong(), random.nextLong(), SECOND + i);
        }
        assertThat(state.used()).isBetween(state.maximum() / 4 / 10 * 6, state.maximum() / 4);
        assertThat(SeenIds.of(List.of(RULE), SavedIds.none(KEY), LAG, 1000, PARTITIONS, state)
                        .idsMax())
                .isEqualTo(1000);
    }

    /** A quarter of the state is for the ids of all tables, so a table may keep more ids when others go. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGiveKeptTablesTheBoundOfTheirNewNumber(boolean isFull) {
        ByteBudget state = ByteBudget.ofState(160 << 20);
        SeenIds many = SeenIds.of(
                List.of(RULE, OTHER, new DedupRule("G", "S", "id", 1), new DedupRule("H", "S", "id", 1)),
                SavedIds.none(KEY),
                LAG,
                4_000_000,
                PARTITIONS,
                state);
        long few = isFull ? 2 * many.idsMax() : many.idsMax() / 8;
        for (long i = 0; i < few; i++) {
            many.recent(0, (int) (i % PARTITIONS)).isNew(i << 20, -i, SECOND);
        }
        SeenIds one = many.successor(List.of(RULE), new int[] {0}, new boolean[] {true});
        assertThat(one.idsMax()).isGreaterThanOrEqualTo(4 * many.idsMax());
        for (int partition = 0; partition < PARTITIONS; partition++) {
            one.recent(0, partition).goOverTo(one, 0);
            if (partition < PARTITIONS - 1) { // an owner goes on before the others have moved
                assertThat(one.table(0).budget.take(Integer.MAX_VALUE)).isFalse();
            }
        }
        long evicted = evicted(one);
        assertThat(evicted > 0).isEqualTo(isFull);
        long more = one.idsMax() / 10 * 8;
        for (long i = few; i < few + more; i++) {
            assertThat(one.recent(0, (int) (i % PARTITIONS)).isNew(i << 20, -i, 2 * SECOND))
                    .isTrue();
        }
        for (long i = few; i < few + more; i++) {
            assertThat(one.recent(0, (int) (i % PARTITIONS)).isNew(i << 20, -i, 3 * SECOND))
                    .isFalse();
        }
        for (long i = few + more; i < few + 3 * one.idsMax(); i++) {
            one.recent(0, (int) (i % PARTITIONS)).isNew(i << 20, -i, 3 * SECOND);
        }
        assertThat(evicted(one)).as("the bound holds").isGreaterThan(evicted);
        assertThat(IntStream.range(0, PARTITIONS)
                        .mapToLong(partition -> one.recent(0, partition).size())
                        .sum())
                .isBetween(one.idsMax() / 10 * 9, one.idsMax() / 10 * 11);
    }

    private static long evicted(SeenIds seen) {
        return IntStream.range(0, PARTITIONS)
                .mapToLong(partition -> seen.recent(0, partition).evicted())
                .sum();
    }

    @Test
    void shouldLetGoOfItsOldestIdsWhereAllStateHasNoRoomForMore() {
        ByteBudget state = ByteBudget.ofState(1 << 20);
        ByteAccount rows = new ByteAccount(ByteBudget.unbounded(), state);
        rows.add(1 << 20);
        SeenIds seen = SeenIds.of(List.of(RULE), SavedIds.none(KEY), LAG, 3000, 1, state);
        for (int i = 0; i < 5000; i++) {
            assertThat(seen.recent(0, 0).isNew(i, i, SECOND + i)).isTrue();
        }
        assertThat(seen.recent(0, 0).isNew(4999, 4999, SECOND + 5000)).isFalse();
        assertThat(seen.recent(0, 0).size()).isLessThan(1000);
    }

    /** Cuts are saved later, while the owner goes on, chunks are recycled and filters overwritten. */
    @Test
    void shouldSaveWhatThereWasAtTheCut() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 10; round++) {
            CutMemory memory = new CutMemory(1 << 20);
            long idsMax = 40L + random.nextInt(2000);
            SeenIds seen = seen(SavedIds.none(KEY), idsMax, RULE, OTHER);
            long stamp = 1_795_132_800_000_000L;
            CutLease lease = null;
            SeenIdsView view = null;
            byte[] expected = {};
            for (int step = 0; step < 4000; step++) {
                stamp += 1 + random.nextInt((int) (SECOND / 4));
                seen.recent(random.nextInt(2), random.nextInt(PARTITIONS))
                        .isNew(random.nextInt(2000), random.nextLong(2000) << 54, stamp);
                if (random.nextInt(150) == 0) {
                    if (lease != null && view != null) {
                        assertThat(bytes(view))
                                .as("seed %d, round %d", seed, round)
                                .isEqualTo(expected);
                        lease.release();
                    }
                    lease = memory.lease(CutLease.Kind.CHECKPOINT);
                    view = view(seen, lease);
                    expected = bytes(view);
                }
            }
        }
    }

    @Test
    void shouldKnowInEveryPartitionWhatWasSavedFromAny() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        SeenIds before = seen(SavedIds.none(KEY), 10_000, RULE, OTHER);
        Map<Long, Long> stamps = new HashMap<>();
        long stamp = 1_795_132_800_000_000L;
        for (int i = 0; i < 3000; i++) {
            stamp += random.nextInt((int) (SECOND / 4));
            long id = random.nextLong();
            assertThat(before.recent(0, random.nextInt(PARTITIONS)).isNew(~id, id, stamp))
                    .isTrue();
            stamps.put(id, stamp);
        }
        SavedIds saved = read(bytes(view(before, CutLease.unmanaged())));
        assertThat(saved.key()).isEqualTo(KEY);
        assertThat(saved.lastStamp()).isEqualTo(stamp);
        assertThat(saved.size()).isBetween(700L, 1200L); // those of the window and slightly more
        SeenIds after = seen(saved, 10_000, OTHER, RULE);
        assertThat(after.key()).isEqualTo(KEY);
        long now = stamp + 5 * SECOND;
        stamps.forEach((id, seenAt) -> {
            RecentIds ids = after.recent(1, random.nextInt(PARTITIONS));
            assertThat(ids.isNew(~id, id, now))
                    .as("seed %d, %d after", seed, now - seenAt)
                    .isEqualTo(now - seenAt > RULE.windowMicros());
            // Of the other event type, it is another id.
            assertThat(after.recent(0, random.nextInt(PARTITIONS)).isNew(~id, id, now))
                    .isTrue();
        });
    }

    @Test
    void shouldLetGoOfInheritedIdsOnceTheirWindowIsOver() throws IOException {
        SeenIds before = seen(SavedIds.none(KEY), 1000, RULE);
        before.recent(0, 0).isNew(1, 1, SECOND);
        SeenIds after = seen(read(bytes(view(before, CutLease.unmanaged()))), 1000, RULE);
        assertThat(after.inherited()).isEqualTo(1);
        assertThat(after.inheritedBytes()).isPositive();
        assertThat(after.recent(0, 1).isNew(1, 1, 2 * SECOND)).isFalse();
        after.recent(0, 2).isNew(2, 2, 102 * SECOND);
        assertThat(after.inherited()).as("within the lag of other workers").isEqualTo(1);
        after.recent(0, 2).isNew(3, 3, 112 * SECOND);
        assertThat(after.inherited()).isZero();
        assertThat(after.recent(0, 1).isNew(1, 1, 112 * SECOND)).isTrue();
    }

    @Test
    void shouldSaveWhatItInheritedItself() throws IOException {
        byte[] saved = bytes(view(seen(SavedIds.none(KEY), 1000, RULE), CutLease.unmanaged()));
        for (int restart = 0; restart < 5; restart++) {
            SeenIds ids = seen(read(saved), 1000, RULE);
            for (int before = 0; before < restart; before++) {
                assertThat(ids.recent(0, 1).isNew(before, before, (10 + restart) * SECOND))
                        .isFalse();
            }
            assertThat(ids.recent(0, 0).isNew(restart, restart, (10 + restart) * SECOND))
                    .isTrue();
            saved = bytes(view(ids, CutLease.unmanaged()));
        }
        assertThat(read(saved).size()).isEqualTo(5);
    }

    @Test
    void shouldKeepTheLatestOfTooManyInheritedIds() throws IOException {
        SeenIds before = seen(SavedIds.none(KEY), 10_000, RULE);
        for (int i = 0; i < 1000; i++) {
            before.recent(0, 0).isNew(i, i, SECOND + i);
        }
        SeenIds after = seen(read(bytes(view(before, CutLease.unmanaged()))), 50, RULE);
        assertThat(after.inherited()).isEqualTo(100);
        assertThat(after.forgotten()).isEqualTo(900);
        assertThat(after.recent(0, 3).isNew(999, 999, 2 * SECOND)).isFalse();
        assertThat(after.recent(0, 3).isNew(900, 900, 2 * SECOND)).isFalse();
        assertThat(after.recent(0, 3).isNew(899, 899, 2 * SECOND)).isTrue();
    }

    @Test
    void shouldCountAsForgottenOnlyWhatIsWithinItsWindow() throws IOException {
        SeenIds before = seen(SavedIds.none(KEY), 10_000, RULE);
        for (int i = 0; i < 300; i++) {
            before.recent(0, 0).isNew(i, i, (1 + i) * SECOND);
        }
        SeenIds after = seen(read(bytes(view(before, CutLease.unmanaged()))), 40, RULE);
        assertThat(after.inherited()).isEqualTo(80);
        assertThat(after.forgotten()).isEqualTo(RULE.windowMicros() / SECOND + 1 - 80);
        DedupRule shorter = new DedupRule("E", "S", "id", 2 * SECOND);
        long forgotten = after.forgotten();
        assertThat(after.successor(List.of(shorter), new int[] {0}, new boolean[] {true})
                        .forgotten())
                .isEqualTo(forgotten);
        assertThat(after.successor(List.of(shorter), new int[] {0}, new boolean[] {false})
                        .forgotten())
                .as("rows that fall into other partitions")
                .isEqualTo(forgotten);
        assertThat(after.successor(List.of(shorter), new int[] {-1}, new boolean[] {false})
                        .forgotten())
                .as("a rule that is gone; a counter does not fall")
                .isEqualTo(forgotten);
    }

    /** An event that updates rows of several partitions is remembered by each. */
    @Test
    void shouldTakeAnIdThatSeveralPartitionsSawForOne() throws IOException {
        SeenIds before = seen(SavedIds.none(KEY), 10_000, RULE);
        for (int i = 0; i < 100; i++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                before.recent(0, partition).isNew(i, i, SECOND + i);
            }
        }
        SeenIds after = seen(read(bytes(view(before, CutLease.unmanaged()))), 50, RULE);
        assertThat(after.inherited()).isEqualTo(100);
        assertThat(after.forgotten()).isZero();
        assertThat(after.recent(0, 0).isNew(0, 0, 2 * SECOND)).isFalse();
    }

    @Test
    void shouldGoOnUnderOtherDefinitions() {
        SeenIds before = seen(SavedIds.none(KEY), 1000, RULE, OTHER);
        before.recent(0, 2).isNew(1, 1, SECOND);
        before.recent(1, 2).isNew(1, 1, SECOND);
        DedupRule shorter = new DedupRule("E", "S", "id", 2 * SECOND);
        DedupRule fresh = new DedupRule("G", "S", "id", 2 * SECOND);
        List<DedupRule> rules = List.of(fresh, OTHER, shorter);
        int[] sources = rules.stream().mapToInt(before::find).toArray();
        assertThat(sources).containsExactly(-1, 1, 0);
        SeenIds after = before.successor(rules, sources, new boolean[] {false, true, true});
        for (int table = 1; table < 3; table++) {
            assertThat(after.recent(table, 2)).isSameAs(before.recent(sources[table], 2));
            after.recent(table, 2).goOverTo(after, table);
        }
        assertThat(after.recent(0, 2).isNew(1, 1, 2 * SECOND)).isTrue();
        assertThat(after.recent(1, 2).isNew(1, 1, 4 * SECOND)).isFalse();
        assertThat(after.recent(2, 2).isNew(1, 1, 3 * SECOND)).isFalse();
        assertThat(after.recent(2, 2).isNew(1, 1, 4 * SECOND)).isTrue(); // the window has changed
    }

    /** For example, when a wider key moves its rows to other partitions. */
    @Test
    void shouldHaveAllPartitionsInheritWhatTheFormerOnesSaw() {
        SeenIds before = seen(SavedIds.none(KEY), 1000, RULE);
        for (int id = 0; id < 200; id++) {
            before.recent(0, id % PARTITIONS).isNew(id, id, SECOND + id);
        }
        SeenIds after = before.successor(List.of(RULE), new int[] {0}, new boolean[] {false});
        for (int partition = 0; partition < PARTITIONS; partition++) {
            RecentIds retired = before.recent(0, partition);
            assertThat(after.successorOf(retired)).isZero();
            after.inherit(0, retired);
        }
        for (int id = 0; id < 200; id++) {
            assertThat(after.recent(0, (id + 1) % PARTITIONS).isNew(id, id, 2 * SECOND))
                    .isFalse();
            assertThat(after.recent(0, id % PARTITIONS).isNew(id, id + 1000, 2 * SECOND))
                    .isTrue();
        }
    }

    /**
     * The bytes of inherited ids count once, while any table holds them, whether the other definitions take effect or
     * not.
     */
    @Test
    void shouldCountInheritedBytesOnceWhetherASuccessorComesOrNot() throws IOException {
        SeenIds saved = seen(SavedIds.none(KEY), 1000, RULE, OTHER);
        for (int id = 0; id < 200; id++) {
            saved.recent(id & 1, id % PARTITIONS).isNew(id, id, SECOND + id);
        }
        byte[] bytes = bytes(view(saved, CutLease.unmanaged()));
        for (int way = 0; way < 8; way++) {
            boolean[] kept = {(way & 1) != 0};
            boolean comes = (way & 2) != 0;
            boolean overMeanwhile = (way & 4) != 0;
            ByteBudget state = ByteBudget.ofState(1 << 20);
            SeenIds before = SeenIds.of(List.of(RULE, OTHER), read(bytes), LAG, 1000, PARTITIONS, CHUNK, state);
            long ofBoth = state.used();
            assertThat(ofBoth).isEqualTo(before.inheritedBytes()).isPositive();

            SeenIds after = before.successor(List.of(OTHER), new int[] {1}, kept);
            assertThat(state.used()).isEqualTo(ofBoth);
            if (overMeanwhile) { // an owner that did not move yet finds that the window is over
                for (int table = 0; table < 2; table++) {
                    assertThat(before.table(table).inheritedStamp(1, 1, 200 * SECOND))
                            .isZero();
                }
                assertThat(state.used()).isEqualTo(after.inheritedBytes());
            }
            (comes ? before : after).retire();
            SeenIds left = comes ? after : before;
            assertThat(state.used()).as("way %d", way).isEqualTo(left.inheritedBytes());
            for (int table = 0; table < left.tables(); table++) {
                assertThat(left.table(table).inheritedStamp(1, 1, 200 * SECOND)).isZero();
            }
            assertThat(state.used()).as("way %d", way).isZero();
        }
    }

    @Test
    void shouldRefuseWhatItHasNotWritten() throws IOException {
        SeenIds ids = seen(SavedIds.none(KEY), 1000, RULE);
        for (int id = 0; id < 30; id++) {
            ids.recent(0, 0).isNew(id, id, SECOND + id);
        }
        byte[] whole = bytes(view(ids, CutLease.unmanaged()));
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(part)).isInstanceOf(IOException.class);
        }
        byte[] newer = whole.clone();
        newer[3]++;
        assertThatThrownBy(() -> read(newer)).hasMessageContaining("version 2");
        // Damage, which the keeper of the bytes detects: no other exception, no endless loop, no huge array.
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                read(damaged);
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
    }
}
