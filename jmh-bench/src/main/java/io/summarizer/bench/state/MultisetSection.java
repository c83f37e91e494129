package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.core.sketch.MultisetArena;
import net.agkn.hll.HLL;
import net.agkn.hll.HLLType;

/** Measures multisets: the bytes of sets by size, and the cost of adds, compared with java-hll on the same values. */
final class MultisetSection {
    private static final int SETS = 1_000_000;
    /**
     * Number of sets for java-hll. It is smaller than {@link #SETS}, because java-hll's objects take much more memory.
     * This favours java-hll, because fewer sets cause fewer cache misses.
     */
    private static final int RIVAL_SETS = 250_000;

    private static final int ROUNDS = 7;
    private static final int ADDS = 4_000_000;
    private static final int FULL_HASHES = 1 << 16;
    private static final int FULL_ADDS = 64 * FULL_HASHES;
    private static final int GROUP = 32;

    private MultisetSection() {}

    static void run() {
        for (int size : new int[] {1, 2, 3, 4}) {
            bytesOfSize(size);
        }
        mix();
        full();
        rival();
    }

    private static void bytesOfSize(int size) {
        MultisetArena arena = new MultisetArena(11, 5);
        int[] handles = new int[SETS];
        for (int i = 0; i < size * SETS; i++) {
            int set = i % SETS;
            handles[set] = arena.add(handles[set], Updates.scatter(i));
        }
        Figures.report("multiset-" + size + "-values", 4 + (double) arena.bytesUsed() / SETS, "bytes/set");
    }

    private static void mix() {
        ReferenceSets reference = new ReferenceSets(SETS, 1);
        double[] growing = new double[ROUNDS];
        MultisetArena arena = new MultisetArena(11, 5);
        int[] handles = new int[SETS];
        for (int round = 0; round < ROUNDS; round++) {
            arena = new MultisetArena(11, 5);
            handles = new int[SETS];
            long start = System.nanoTime();
            for (int value = 0; value < reference.values(); value++) {
                int set = reference.set(value);
                handles[set] = arena.add(handles[set], Updates.scatter(value));
            }
            growing[round] = (double) (System.nanoTime() - start) / reference.values();
        }
        Figures.report("multiset-mix", 4 + (double) arena.bytesUsed() / SETS, "bytes/set");
        Figures.report("multiset-mix-add-growing", Numbers.median(growing), "ns/add");
        Again again = new Again(reference);
        double[] one = new double[ROUNDS];
        double[] groups = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < ADDS; i++) {
                int set = again.sets[i];
                handles[set] = arena.add(handles[set], again.hashes[i]);
            }
            one[round] = (double) (System.nanoTime() - start) / ADDS;
            groups[round] = (double) inGroups(arena, handles, again) / ADDS;
        }
        Figures.report("multiset-mix-add-again", Numbers.median(one), "ns/add, one by one");
        Figures.report("multiset-mix-add-groups", Numbers.median(groups), "ns/add, in prefetched groups as owners do");
    }

    /** Adds in groups, as owners do: prefetches the memory of all sets of a group before the first add. */
    private static long inGroups(MultisetArena arena, int[] handles, Again again) {
        long[] places = new long[GROUP];
        long start = System.nanoTime();
        int read = 0;
        for (int from = 0; from < ADDS; from += GROUP) {
            for (int i = from; i < from + GROUP; i++) {
                read += handles[again.sets[i]];
            }
            for (int i = 0; i < GROUP; i++) {
                places[i] = arena.placeOf(handles[again.sets[from + i]]);
            }
            for (long place : places) {
                if (place != MultisetArena.NO_PLACE) {
                    read += arena.prefetch(place);
                }
            }
            for (int i = from; i < from + GROUP; i++) {
                int set = again.sets[i];
                handles[set] = arena.add(handles[set], again.hashes[i]);
            }
        }
        long nanos = System.nanoTime() - start;
        Figures.keep(read);
        return nanos;
    }

    /** Values in random order, to add to sets that already have these values. Each value of a set is equally likely. */
    private static final class Again {
        final int[] sets = new int[ADDS];
        final long[] hashes = new long[ADDS];

        Again(ReferenceSets reference) {
            for (int i = 0; i < ADDS; i++) {
                int value = Updates.below(i, reference.values());
                sets[i] = reference.set(value);
                hashes[i] = Updates.scatter(value);
            }
        }
    }

    private static void full() {
        MultisetArena arena = new MultisetArena(11, 5);
        int handle = 0;
        long value = 0;
        while (value < 100_000) {
            handle = arena.add(handle, Updates.scatter(value++));
        }
        long[] hashes = new long[FULL_HASHES];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = Updates.scatter(value++);
        }
        double[] adds = new double[ROUNDS + 5];
        for (int round = 0; round < adds.length; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < FULL_ADDS; i += hashes.length) {
                handle = addAll(arena, handle, hashes);
            }
            adds[round] = (double) (System.nanoTime() - start) / FULL_ADDS;
        }
        Figures.report("multiset-full-add", Numbers.median(adds), "ns/add");
    }

    /**
     * Adds all hashes to a set. The method is separate, so that the JVM compiles it as a whole. Otherwise the JVM would
     * compile a loop that is already running.
     */
    private static int addAll(MultisetArena arena, int handle, long[] hashes) {
        int grown = handle;
        for (long hash : hashes) {
            grown = arena.add(grown, hash);
        }
        return grown;
    }

    private static void rival() {
        for (int size : new int[] {1, 2, 4}) {
            HLL[] sets = new HLL[RIVAL_SETS];
            long before = Figures.liveBytes();
            for (int i = 0; i < size * RIVAL_SETS; i++) {
                add(sets, i % RIVAL_SETS, Updates.scatter(i));
            }
            double bytes = (double) (Figures.liveBytes() - before) / RIVAL_SETS;
            Figures.report("java-hll-" + size + "-values", 4 + bytes, "bytes/set");
            Figures.keep(sets);
        }
        ReferenceSets reference = new ReferenceSets(RIVAL_SETS, 1);
        HLL[] sets = new HLL[RIVAL_SETS];
        long before = Figures.liveBytes();
        long start = System.nanoTime();
        for (int value = 0; value < reference.values(); value++) {
            add(sets, reference.set(value), Updates.scatter(value));
        }
        double nanos = (double) (System.nanoTime() - start) / reference.values();
        Figures.report("java-hll-mix", 4 + (double) (Figures.liveBytes() - before) / RIVAL_SETS, "bytes/set");
        Figures.report("java-hll-mix-add-growing", nanos, "ns/add");
        Again values = new Again(reference);
        double[] again = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            start = System.nanoTime();
            for (int i = 0; i < ADDS; i++) {
                add(sets, values.sets[i], values.hashes[i]);
            }
            again[round] = (double) (System.nanoTime() - start) / ADDS;
        }
        Figures.report("java-hll-mix-add-again", Numbers.median(again), "ns/add");
        Figures.keep(sets);
    }

    private static void add(HLL[] sets, int set, long hash) {
        HLL hll = sets[set];
        if (hll == null) {
            hll = newRival();
            sets[set] = hll;
        }
        hll.addRaw(hash);
    }

    /** Makes a set with java-hll's defaults. Like the product's sets, it is exact first, then sparse, then full. */
    static HLL newRival() {
        return new HLL(11, 5, -1, true, HLLType.EMPTY);
    }
}
