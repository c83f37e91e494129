package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("races")
class GateTest {
    @Test
    void shouldKeepEveryWorkerOutsideWhileClosed() throws InterruptedException {
        int workers = 3;
        Gate gate = new Gate(workers);
        AtomicBoolean stop = new AtomicBoolean();
        // Plain longs: only the gate makes the workers' writes visible to the closer, and keeps the two in step.
        long[][] pairs = new long[workers][2];
        Thread[] threads = new Thread[workers];
        for (int w = 0; w < workers; w++) {
            int worker = w;
            threads[w] = new Thread(() -> {
                while (!stop.get()) {
                    gate.enter(worker);
                    pairs[worker][0]++;
                    Thread.onSpinWait();
                    pairs[worker][1]++;
                    gate.leave(worker);
                }
            });
            threads[w].start();
        }
        long total = 0;
        while (total < 10_000) {
            gate.close();
            while (!gate.isEmpty()) {
                Thread.onSpinWait();
            }
            long before = total;
            total = 0;
            for (long[] pair : pairs) {
                assertThat(pair[0]).isEqualTo(pair[1]);
                total += pair[0];
            }
            assertThat(total).isGreaterThanOrEqualTo(before);
            gate.open();
        }
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
