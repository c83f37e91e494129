package io.summarizer.bench.sweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The times in which a processor of a machine is slow by itself, for example because a hypervisor gives its time to
 * other machines. Such stalls are part of every latency that is measured on the machine. The operating system may not
 * count them as stolen time.
 *
 * @param seconds length of the measurement
 * @param share part of this time in which a processor was slow
 * @param longestMillis the longest time without a break in which a processor was slow
 */
public record MachineStalls(double seconds, double share, long longestMillis) {
    private static final int WINDOW_MILLIS = 10;
    private static final double SLOW = 0.7;
    private static final int INTS = 1 << 24; // more than the caches of a processor have
    private static final double WARM_UP_SECONDS = 1;

    /**
     * Measures with a busy thread on each processor. Each thread reads random places of memory. A window of time is
     * slow if a thread made less than 70 % of its median number of reads.
     */
    public static MachineStalls measure(double seconds) throws InterruptedException {
        int processors = Runtime.getRuntime().availableProcessors();
        int windows = (int) (seconds * 1000 / WINDOW_MILLIS);
        int[] memory = new int[INTS];
        long start = System.nanoTime() + (long) (WARM_UP_SECONDS * 1e9);
        Callable<long[]> work = () -> readsByWindow(memory, start, windows);
        ExecutorService threads = Executors.newFixedThreadPool(processors);
        try {
            List<long[]> reads = new ArrayList<>();
            for (var counted : threads.invokeAll(Collections.nCopies(processors, work))) {
                reads.add(counted.get());
            }
            return of(reads);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdown();
        }
    }

    private static long[] readsByWindow(int[] memory, long start, int windows) {
        long[] reads = new long[windows];
        int at = ThreadLocalRandom.current().nextInt();
        for (long window = -1; window < windows; ) {
            for (int i = 0; i < 500; i++) {
                at = at * 1_664_525 + 1_013_904_223 + memory[at >>> 8];
            }
            window = Math.floorDiv(System.nanoTime() - start, WINDOW_MILLIS * 1_000_000L);
            if (window >= 0 && window < windows) {
                reads[(int) window]++;
            }
        }
        memory[0] = at; // so that the compiler cannot remove the reads
        return reads;
    }

    /** Judges the reads of each thread in each window. */
    static MachineStalls of(List<long[]> reads) {
        int windows = reads.get(0).length;
        boolean[] slow = new boolean[windows];
        for (long[] ofThread : reads) {
            long median = Arrays.stream(ofThread).sorted().toArray()[windows / 2];
            for (int i = 0; i < windows; i++) {
                slow[i] |= ofThread[i] < SLOW * median;
            }
        }
        int all = 0;
        int run = 0;
        int longest = 0;
        for (boolean isSlow : slow) {
            run = isSlow ? run + 1 : 0;
            all += isSlow ? 1 : 0;
            longest = Math.max(longest, run);
        }
        return new MachineStalls(windows * WINDOW_MILLIS / 1e3, (double) all / windows, (long) longest * WINDOW_MILLIS);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "the machine: without a server, a processor was slow for %.1f %% of %.0f s, for up to %d ms at once",
                100 * share,
                seconds,
                longestMillis);
    }
}
