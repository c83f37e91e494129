package io.summarizer.bench.queue;

import io.summarizer.bench.report.Figures;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows why the product offers no unbounded queue. A producer and a slower consumer first use the unbounded {@code
 * clq}, then a bounded queue, for the same time. The unbounded queue accepts all batches, and its memory grows. A guard
 * stops a run before the heap is full. The results are the time of each run, its batches, and the memory of the batches
 * that are left.
 */
public final class GrowthSection {
    /**
     * The guard: maximum number of batches in the queue. Each batch has 64 bytes of data. All of these batches take
     * about 1.2 GiB.
     */
    private static final long BATCHES_MAX = 8_000_000;

    private static final int LONGS_EACH = 8;
    private static final int CAPACITY = 256;
    /** Time for which the consumer works on a batch after taking it. */
    private static final long WORK_NANOS = 1_000;

    private GrowthSection() {}

    /** Runs for as many seconds as the first argument says. */
    public static void main(String[] arguments) throws InterruptedException {
        long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        Queue<long[]> unbounded = new ConcurrentLinkedQueue<>();
        run("clq", unbounded::add, unbounded::poll, nanos);
        BatchQueue<long[]> bounded = QueueKind.LBQ.singleConsumer(CAPACITY, WaitPolicy.BLOCKING);
        run("lbq", bounded::offer, bounded::poll, nanos);
    }

    private static void run(String name, Predicate<long[]> offer, Supplier<long @Nullable []> poll, long nanos)
            throws InterruptedException {
        long bytesBefore = Figures.liveBytes();
        long added = 0;
        AtomicLong taken = new AtomicLong();
        long start = System.nanoTime();
        long end = start + nanos;
        Thread consumer = new Thread(() -> {
            while (System.nanoTime() < end) {
                if (poll.get() != null) {
                    taken.lazySet(taken.get() + 1);
                    work();
                }
            }
        });
        consumer.start();
        long most = 0;
        while (System.nanoTime() < end && most < BATCHES_MAX) {
            if (offer.test(new long[LONGS_EACH])) {
                added++;
                most = Math.max(most, added - taken.get());
            } else {
                Thread.onSpinWait(); // like a receiver, which keeps a refused batch
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        boolean stopped = System.nanoTime() < end;
        consumer.join();
        long bytes = Figures.liveBytes() - bytesBefore;
        long left = added - taken.get();
        Figures.report(name + "-seconds", seconds, "s");
        Figures.report(name + "-stopped-by-the-guard", stopped ? 1 : 0, "yes=1");
        Figures.report(name + "-waiting-or-in-hand-at-most", (double) most, "batches");
        Figures.report(name + "-left", (double) left, "batches");
        Figures.report(name + "-memory-of-what-is-left", bytes / (double) (1 << 20), "MiB");
        Figures.report(name + "-taken", taken.get() / (nanos / 1e9), "batches/s");
        Figures.keep(offer);
    }

    private static void work() {
        long end = System.nanoTime() + WORK_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
