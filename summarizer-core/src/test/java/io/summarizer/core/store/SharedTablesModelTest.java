package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.time.CalendarUnit;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stores of many windows, which share tables, against stores that share nothing. Windows close and are retired
 * while views of them are held; later windows then use the released places.
 */
class SharedTablesModelTest {
    private static final long HOUR = 3_600_000_000L;
    private static final int HOURS = 5;
    /** Number of the latest keys whose rows are prefetched when windows were retired. */
    private static final int RECENT = 500;

    private static final SummaryLayout BELOW = new SummaryLayout(
            "Pages",
            0,
            List.of(new KeyColumn("page", 1, KeyType.STRING)),
            List.of(
                    new ValueColumn("users", 1, AggregateType.MULTISET64, 11, 5),
                    new ValueColumn("last", 2, AggregateType.LASTSTRING, 0, 0)),
            List.of());
    /** One of the columns of sets has registers in several pages. */
    private static final SummaryLayout LAYOUT = new SummaryLayout(
            "Traffic",
            0,
            List.of(
                    new KeyColumn("hour", 1, KeyType.TIMESTAMP),
                    new KeyColumn("site", 2, KeyType.STRING),
                    new KeyColumn("code", 3, KeyType.INT32)),
            List.of(
                    new ValueColumn("bytes", 1, AggregateType.SUMINT32, 0, 0),
                    new ValueColumn("users", 2, AggregateType.MULTISET64, 13, 5),
                    new ValueColumn("agents", 3, AggregateType.MULTISET64, 6, 4),
                    new ValueColumn("first", 4, AggregateType.FIRSTSTRING, 0, 0)),
            List.of(BELOW),
            SummaryLimit.DEFAULT,
            new SummaryWindow(0, 1, CalendarUnit.HOUR, ZoneOffset.UTC));

    /** The same summary without windows. */
    private static final SummaryLayout ALONE =
            new SummaryLayout(LAYOUT.name(), 0, LAYOUT.keys(), LAYOUT.values(), LAYOUT.nested());

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyViewOfAWindowHasTheRowsOfItsMoment(long seed) {
        new Life(seed).run(25_000);
    }

    @Test
    @Tag("long")
    void everyViewOfAWindowHasTheRowsOfItsMomentForManySeeds() {
        long first = System.nanoTime();
        for (int i = 0; i < 200; i++) {
            new Life(first + i).run(50_000);
        }
    }

    /** The expected rows are read from the stores that share nothing, when the views are taken. */
    private record Taken(CutLease lease, List<StoreView> views, List<List<String>> expected) {}

    /** A partition, and the stores that share nothing. */
    private static final class Life {
        private final Random random;
        private final long seed;
        private final CutMemory memory = new CutMemory(1L << 40);
        private final SummaryPartition partition =
                new Summaries(List.of(LAYOUT), List.of(TableRowCode.of(LAYOUT)), 1_000_000).partition(0, 0);
        private final Map<Long, SummaryStore> alone = new TreeMap<>();
        private final List<Taken> held = new ArrayList<>();
        private final UpdateBatch batch = new UpdateBatch(1);
        /** Records of the latest keys; the rows of some of these keys are gone. */
        private final UpdateBatch recent = new UpdateBatch(1);

        private final List<Integer> recentStarts = new ArrayList<>();
        private final RowPrefetch prefetch = new RowPrefetch(RECENT);
        private long boundary;

        Life(long seed) {
            this.seed = seed;
            random = new Random(seed);
        }

        private void run(int steps) {
            int retired = 0;
            int reset = 0;
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(400)) {
                    case 0, 1 -> take(lease -> freeze(lease, Long.MAX_VALUE), alone);
                    case 2 -> {
                        boundary += HOUR;
                        partition.closeBefore(boundary);
                        take(lease -> freeze(lease, boundary), before(boundary));
                    }
                    case 3 -> {
                        List<SummaryStore> taken = partition.takeBefore(boundary);
                        taken.forEach(partition::retire);
                        prefetchRecent();
                        retired += taken.size();
                        before(boundary).keySet().forEach(alone::remove);
                    }
                    case 4 -> reset += random.nextInt(10) == 0 ? reset() : 0;
                    case 5, 6, 7 -> {
                        if (!held.isEmpty()) {
                            Taken ended = held.remove(random.nextInt(held.size()));
                            verify(ended, step);
                            ended.lease.release();
                        }
                    }
                    default -> update();
                }
            }
            take(lease -> freeze(lease, Long.MAX_VALUE), alone);
            held.forEach(taken -> verify(taken, steps));
            held.forEach(taken -> taken.lease.release());
            assertThat(memory.heldBytes()).as("seed %d", seed).isZero();
            assertThat(retired).as("seed %d", seed).isGreaterThan(10);
            assertThat(reset).as("seed %d", seed).isPositive();
        }

        private Map<Long, SummaryStore> before(long time) {
            Map<Long, SummaryStore> before = new TreeMap<>();
            alone.forEach((start, store) -> {
                if (start < time) {
                    before.put(start, store);
                }
            });
            return before;
        }

        private void update() {
            long start = boundary + random.nextInt(HOURS) * HOUR;
            int site = (int) Math.abs(random.nextGaussian() * 60);
            batch.clear();
            KeyBuffer key = Rows.key(LAYOUT, start, "site-" + site, (long) (site % 3));
            batch.beginRow(0, key, key.hash(), random.nextInt(1_000));
            batch.addLong(0, random.nextInt(20) == 0 ? Integer.MAX_VALUE : random.nextInt(100));
            batch.addLong(1, new Random(random.nextInt(20_000)).nextLong());
            batch.addLong(2, random.nextLong());
            Rows.addText(batch, 3, "x".repeat(random.nextInt(random.nextInt(100) == 0 ? 20_000 : 40)));
            KeyBuffer page = Rows.key(BELOW, "/page/" + random.nextInt(3));
            batch.enter(0, page, page.hash());
            for (int i = random.nextInt(site == 0 ? 60 : 3); i > 0; i--) {
                batch.addLong(0, random.nextLong());
            }
            Rows.addText(batch, 1, "y".repeat(random.nextInt(40)));
            batch.leave();
            batch.endRow();
            remember(key, page);
            SummaryStore store = Objects.requireNonNull(partition.storeOf(batch.bytes(), 0));
            assertThat(store.apply(batch.bytes(), 0)).isTrue();
            assertThat(alone.computeIfAbsent(start, unused -> Rows.store(ALONE)).apply(batch.bytes(), 0))
                    .isTrue();
        }

        private void remember(KeyBuffer key, KeyBuffer page) {
            if (recentStarts.size() == RECENT) {
                recent.clear();
                recentStarts.clear();
            }
            recentStarts.add(recent.limit());
            recent.beginRow(0, key, key.hash(), 0);
            recent.enter(0, page, page.hash());
            recent.leave();
            recent.endRow();
        }

        /** A prefetch has no effect, also of rows that are gone. */
        private void prefetchRecent() {
            prefetch.begin();
            for (int start : recentStarts) {
                prefetch.add(partition.tables(), UpdateBatch.hash(recent.bytes(), start));
            }
            prefetch.run(
                    recent.bytes(),
                    recentStarts.stream().mapToInt(Integer::intValue).toArray());
        }

        /** Takes the open windows out, as a reset does; returns their number. */
        private int reset() {
            List<SummaryStore> taken = partition.takeOpen(0);
            Map<Long, SummaryStore> expected = new TreeMap<>(alone);
            expected.keySet().removeIf(start -> start < boundary);
            take(lease -> noted(lease, tables -> partition.freeze(taken, tables)), expected);
            taken.forEach(partition::retire);
            expected.keySet().forEach(alone::remove);
            return taken.size();
        }

        private List<StoreView> freeze(CutLease lease, long before) {
            return noted(lease, tables -> partition.freeze(tables, before));
        }

        private static List<StoreView> noted(CutLease lease, Function<FrozenTables, List<StoreView>> freeze) {
            FrozenTables tables = new FrozenTables(lease, 1);
            List<StoreView> views = freeze.apply(tables);
            var unused = tables.add();
            return views;
        }

        private void take(Function<CutLease, List<StoreView>> freeze, Map<Long, SummaryStore> expected) {
            CutLease lease = memory.lease(CutLease.Kind.READ);
            List<StoreView> views = freeze.apply(lease);
            assertThat(views.stream().map(StoreView::window).toList())
                    .as("seed %d", seed)
                    .isEqualTo(List.copyOf(expected.keySet()));
            held.add(new Taken(
                    lease, views, expected.values().stream().map(Life::dump).toList()));
        }

        private static List<String> dump(SummaryStore store) {
            return ModelSummary.dumpAll(store.freeze());
        }

        private void verify(Taken taken, int step) {
            for (int i = 0; i < taken.views.size(); i++) {
                int at = i;
                Supplier<String> what = () -> "seed " + seed + ", step " + step + ", window " + at;
                assertThat(ModelSummary.dumpAll(taken.views.get(i))).as(what).isEqualTo(taken.expected.get(i));
            }
        }
    }
}
