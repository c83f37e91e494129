package io.summarizer.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("races")
class ReceiveBudgetTest {
    private static final int LOOPS = 4;
    private static final int ROUNDS = 20_000;
    private static final int STEPS = 20;

    @Test
    void aStallBeginsAboveHalfOfTheBoundAndEndsAtAQuarter() {
        ReceiveBudget budget = new ReceiveBudget(100);
        ReceiveBudget.Share share = budget.share(() -> {});
        AtomicInteger resumed = new AtomicInteger();
        share.hold(0, 0, 50, false, false);
        assertThat(budget.isStalled()).isFalse();
        share.hold(0, 0, 51, false, false);
        assertThat(budget.isStalled()).isTrue();
        budget.defer(resumed::incrementAndGet);
        Runnable gone = () -> resumed.addAndGet(100);
        budget.defer(gone);
        budget.forget(gone);
        share.hold(0, 0, 26, false, false);
        assertThat(budget.isStalled()).isTrue();
        assertThat(resumed).hasValue(0);
        share.hold(0, 0, 25, false, false);
        assertThat(budget.isStalled()).isFalse();
        assertThat(resumed).hasValue(1);
        share.hold(0, 0, 50, false, false);
        assertThat(budget.isStalled()).isFalse();
        budget.defer(resumed::incrementAndGet);
        assertThat(resumed).hasValue(2);
    }

    /** The waiting bytes rise above half of the bound, and fall below a quarter of it, again and again. */
    @Test
    void aBudgetWithoutWaitingBytesIsNotStalled() throws Exception {
        ReceiveBudget budget = new ReceiveBudget(100);
        AtomicInteger resumed = new AtomicInteger();
        CyclicBarrier barrier = new CyclicBarrier(LOOPS);
        ExecutorService loops = Executors.newFixedThreadPool(LOOPS);
        try {
            List<Future<Integer>> stalls = new ArrayList<>();
            for (int i = 0; i < LOOPS; i++) {
                Callable<Integer> loop = () -> {
                    ReceiveBudget.Share share = budget.share(() -> {});
                    int stalled = 0;
                    for (int round = 0; round < ROUNDS; round++) {
                        barrier.await();
                        for (int step = 0; step < STEPS; step++) {
                            share.hold(0, 0, 30, false, false);
                            share.hold(0, 0, 0, false, false);
                        }
                        budget.defer(resumed::incrementAndGet);
                        barrier.await();
                        stalled += budget.isStalled() ? 1 : 0;
                    }
                    return stalled;
                };
                stalls.add(loops.submit(loop));
            }
            for (Future<Integer> stalled : stalls) {
                assertThat(stalled.get()).as("rounds that ended in a stall").isZero();
            }
            assertThat(resumed).hasValue(LOOPS * ROUNDS);
        } finally {
            loops.shutdownNow();
        }
    }
}
