package io.summarizer.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random writes to tables of one memory, with views taken, read again and released in any order, against plain copies.
 */
class ChunkedBytesModelTest {
    /** Large enough that no view is ever revoked. */
    private static final long PLENTY = 1L << 40;

    private static final class Table {
        final ChunkedBytes chunks = new ChunkedBytes();
        final List<byte[]> model = new ArrayList<>();

        List<byte[]> copy() {
            return model.stream().map(byte[]::clone).toList();
        }
    }

    /** Views of all tables under one lease, and their expected contents. */
    private record Taken(CutLease lease, List<ChunkedBytes.Frozen> views, List<List<byte[]>> expected) {
        void verify(String what) {
            for (int table = 0; table < views.size(); table++) {
                ChunkedBytes.Frozen view = views.get(table);
                List<byte[]> model = expected.get(table);
                assertThat(view.count()).as(what).isEqualTo(model.size());
                for (int chunk = 0; chunk < model.size(); chunk++) {
                    byte[] bytes = view.chunk(chunk).clone();
                    view.check();
                    if (Arrays.mismatch(bytes, model.get(chunk)) >= 0) {
                        assertThat(bytes)
                                .as("%s, table %s, chunk %s", what, table, chunk)
                                .isEqualTo(model.get(chunk));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyViewHoldsTheBytesOfItsMomentForAsLongAsItIsHeld(long seed) {
        Random random = new Random(seed);
        CutMemory memory = new CutMemory(PLENTY);
        List<Table> tables = List.of(new Table(), new Table());
        List<Taken> live = new ArrayList<>();
        List<Taken> pinned = new ArrayList<>();
        for (int step = 0; step < 4_000; step++) {
            String what = "seed " + seed + ", step " + step;
            Table table = tables.get(random.nextInt(tables.size()));
            switch (random.nextInt(20)) {
                case 0 -> {
                    if (live.size() < 6) {
                        live.add(take(tables, memory.lease(CutLease.Kind.READ)));
                    }
                }
                case 1, 2 -> {
                    if (!live.isEmpty()) {
                        Taken ended = live.remove(random.nextInt(live.size()));
                        ended.verify(what);
                        ended.lease().release();
                    }
                }
                case 3 -> live.forEach(taken -> taken.verify(what));
                case 4 -> {
                    if (random.nextInt(40) == 0) {
                        pinned.add(take(tables, CutLease.unmanaged()));
                    }
                }
                case 5 -> {
                    if (table.model.size() < 40) { // views span several words of bits, and the tables double
                        table.chunks.append();
                        table.model.add(new byte[ChunkedBytes.CHUNK_BYTES]);
                    }
                }
                default -> {
                    if (!table.model.isEmpty()) {
                        write(table, random);
                    }
                }
            }
        }
        live.forEach(taken -> taken.verify("seed " + seed + ", in the end"));
        pinned.forEach(taken -> taken.verify("seed " + seed + ", pinned"));
        assertThat(memory.held()).isEqualTo(live.size());
        live.forEach(taken -> taken.lease().release());
        assertThat(memory.heldBytes()).as("seed " + seed).isZero();
        assertThat(memory.held()).isZero();
        assertThat(memory.copies()).isPositive();
    }

    private static Taken take(List<Table> tables, CutLease lease) {
        return new Taken(
                lease,
                tables.stream().map(table -> table.chunks.freeze(lease)).toList(),
                tables.stream().map(Table::copy).toList());
    }

    private static void write(Table table, Random random) {
        int chunk = random.nextInt(table.model.size());
        int at = random.nextInt(ChunkedBytes.CHUNK_BYTES - 8);
        long value = random.nextLong();
        Bytes.putLong(table.chunks.writable(chunk), at, value);
        Bytes.putLong(table.model.get(chunk), at, value);
        assertThat(table.chunks.readable(chunk)).isSameAs(table.chunks.writable(chunk));
    }

    @Test
    void aTableOfManyLeavesKeepsViewsApart() {
        CutMemory memory = new CutMemory(PLENTY);
        ChunkedBytes table = new ChunkedBytes(16, ByteAccount.unbounded());
        int chunks = 1_000; // of 256 to a leaf
        for (int i = 0; i < chunks; i++) {
            Bytes.putInt(table.writable(table.append()), 0, i);
        }
        CutLease first = memory.lease(CutLease.Kind.READ);
        ChunkedBytes.Frozen before = table.freeze(first);
        for (int i = 0; i < chunks; i += 3) {
            Bytes.putInt(table.writable(i), 0, -i);
        }
        CutLease second = memory.lease(CutLease.Kind.READ);
        ChunkedBytes.Frozen between = table.freeze(second);
        for (int i = 0; i < chunks; i += 2) {
            Bytes.putInt(table.writable(i), 0, 7);
        }
        for (int i = chunks; i < 2 * chunks; i++) {
            Bytes.putInt(table.writable(table.append()), 0, i);
        }
        assertThat(before.count()).isEqualTo(chunks);
        for (int i = 0; i < chunks; i++) {
            assertThat(Bytes.getInt(before.chunk(i), 0)).isEqualTo(i);
            assertThat(Bytes.getInt(between.chunk(i), 0)).isEqualTo(i % 3 == 0 ? -i : i);
        }
        for (int i = 0; i < 2 * chunks; i++) {
            int expected = i >= chunks ? i : i % 2 == 0 ? 7 : i % 3 == 0 ? -i : i;
            assertThat(Bytes.getInt(table.readable(i), 0)).isEqualTo(expected);
        }
    }

    /** Regions of a table: chunks of one region are released together, and later regions take over their numbers. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyViewHoldsTheRegionsOfItsMoment(long seed) {
        Random random = new Random(seed);
        CutMemory memory = new CutMemory(PLENTY);
        ChunkedBytes table = new ChunkedBytes(16, ByteAccount.unbounded());
        Set<ChunkedBytes.Region> all = new LinkedHashSet<>();
        Set<ChunkedBytes.Region> closed = new HashSet<>();
        List<RegionsTaken> live = new ArrayList<>();
        int most = 0;
        for (int step = 0; step < 20_000; step++) {
            List<ChunkedBytes.Region> regions = List.copyOf(all);
            ChunkedBytes.Region region = regions.isEmpty() ? null : regions.get(random.nextInt(regions.size()));
            switch (random.nextInt(40)) {
                case 0 -> all.add(new ChunkedBytes.Region(ByteAccount.unbounded()));
                case 1 -> {
                    CutLease lease = memory.lease(CutLease.Kind.READ);
                    live.add(RegionsTaken.of(table, regions, table.freeze(lease), lease));
                }
                case 2 -> {
                    if (region != null) { // it is written no more
                        closed.add(region);
                        CutLease lease = memory.lease(CutLease.Kind.READ);
                        FrozenTables tables = new FrozenTables(lease, 1);
                        int note = table.freeze(tables, true);
                        live.add(RegionsTaken.of(
                                table, List.of(region), tables.add().view(note), lease));
                    }
                }
                case 3 -> {
                    if (region != null && closed.contains(region)) {
                        table.release(region);
                        all.remove(region);
                    }
                }
                case 4, 5 -> {
                    if (!live.isEmpty()) {
                        RegionsTaken ended = live.remove(random.nextInt(live.size()));
                        ended.verify("seed " + seed + ", step " + step);
                        ended.lease.release();
                    }
                }
                default -> {
                    if (region != null && !closed.contains(region)) {
                        int chunk = random.nextInt(3) == 0 || region.count() == 0
                                ? table.append(region)
                                : region.numbers()[random.nextInt(region.count())];
                        Bytes.putInt(table.writable(chunk), random.nextInt(3) * 4, random.nextInt());
                    }
                }
            }
            most = Math.max(
                    most, all.stream().mapToInt(ChunkedBytes.Region::count).sum());
        }
        live.forEach(taken -> taken.verify("seed " + seed + ", in the end"));
        live.forEach(taken -> taken.lease.release());
        assertThat(memory.heldBytes()).as("seed " + seed).isZero();
        assertThat(table.count())
                .as("seed %d: chunks, as many as were in regions at once", seed)
                .isEqualTo(most);
    }

    private record RegionsTaken(CutLease lease, ChunkedBytes.Frozen view, List<int[]> numbers, List<byte[]> expected) {
        static RegionsTaken of(
                ChunkedBytes table, List<ChunkedBytes.Region> regions, ChunkedBytes.Frozen view, CutLease lease) {
            List<int[]> numbers = regions.stream()
                    .map(region -> Arrays.copyOf(region.numbers(), region.count()))
                    .toList();
            List<byte[]> expected = new ArrayList<>();
            numbers.forEach(some -> Arrays.stream(some)
                    .forEach(chunk -> expected.add(table.readable(chunk).clone())));
            return new RegionsTaken(lease, view, numbers, expected);
        }

        void verify(String what) {
            List<byte[]> found = new ArrayList<>();
            numbers.forEach(some -> Arrays.stream(some)
                    .forEach(chunk -> found.add(view.chunk(chunk).clone())));
            view.check();
            assertThat(found).as(what).usingElementComparator(Arrays::compare).isEqualTo(expected);
        }
    }
}
