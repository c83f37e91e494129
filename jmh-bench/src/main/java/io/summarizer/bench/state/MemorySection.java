package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import java.util.SplittableRandom;

/**
 * Measures the machine's random reads from 2.4 GiB in chunks of 16 KiB. One figure is the rate at which a thread loads
 * cache lines when its loads overlap. The other figure is the time of one load when each load depends on the load
 * before. Updates of a state of this size cannot be faster than such loads.
 */
final class MemorySection {
    private static final int CHUNKS = 150_000;
    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int LINE = 64;
    private static final int READS = 1 << 22;
    private static final int DEPENDENT_READS = 1 << 20;
    private static final int ROUNDS = 7;

    private MemorySection() {}

    static void run() {
        byte[][] chunks = new byte[CHUNKS][CHUNK_BYTES];
        SplittableRandom random = new SplittableRandom(1);
        int[] places = new int[READS];
        for (int i = 0; i < READS; i++) {
            places[i] = random.nextInt();
        }
        double[] independent = new double[ROUNDS];
        double[] dependent = new double[ROUNDS];
        for (int round = -2; round < ROUNDS; round++) {
            long start = System.nanoTime();
            int sum = 0;
            for (int place : places) {
                sum += chunks[chunk(place)][offset(place)];
            }
            long middle = System.nanoTime();
            int last = 0;
            for (int i = 0; i < DEPENDENT_READS; i++) {
                int place = places[i + last];
                last = chunks[chunk(place)][offset(place)] & 1;
            }
            long end = System.nanoTime();
            Figures.keep(sum + last);
            if (round >= 0) {
                independent[round] = (double) (middle - start) / READS;
                dependent[round] = (double) (end - middle) / DEPENDENT_READS;
            }
        }
        Figures.report("memory-independent", Numbers.median(independent), "ns/line; its chunk's header included");
        Figures.report("memory-dependent", Numbers.median(dependent), "ns/line; its chunk's header included");
    }

    private static int chunk(int place) {
        return (int) (((place & 0xffff_ffffL) * CHUNKS) >>> 32);
    }

    private static int offset(int place) {
        return ((place * 0x9E3779B9) >>> 18) & -LINE;
    }
}
