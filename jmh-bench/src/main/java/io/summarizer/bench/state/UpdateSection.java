package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.core.store.UpdateBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Measures updates of the reference workload's 280,000 rows by one owner thread, with the workload's skewed keys and
 * with uniform keys.
 */
final class UpdateSection {
    private static final int ROWS = 280_000;
    private static final int BATCHES = 4_096;
    private static final int WARM_UPS = 8;
    private static final int ROUNDS = 15;
    /** Exponent of the distribution of the reference workload's keys. */
    private static final double SKEW = 1.1;

    private UpdateSection() {}

    static void run() {
        for (boolean multiset : new boolean[] {false, true}) {
            for (double skew : new double[] {SKEW, 0}) {
                measure(multiset, skew);
            }
        }
        for (int length : new int[] {4, 16}) {
            measureRuns(length);
        }
    }

    /**
     * Measures batches in which each row occurs several times. In some batches, the records of a row follow each other;
     * in others, all records are in random order.
     */
    private static void measureRuns(int length) {
        Owner owner = new Owner(Updates.reference(false));
        owner.fill(ROWS);
        UpdateBatch[] runs = runs(owner.updates(), length, false);
        UpdateBatch[] mixed = runs(owner.updates(), length, true);
        double[] runsPerSecond = new double[ROUNDS];
        double[] mixedPerSecond = new double[ROUNDS];
        for (int i = -WARM_UPS; i < ROUNDS; i++) { // alternately, because the machine's speed drifts
            double run = owner.perSecond(runs, 1)[0];
            double mix = owner.perSecond(mixed, 1)[0];
            if (i >= 0) {
                runsPerSecond[i] = run;
                mixedPerSecond[i] = mix;
            }
        }
        Figures.report("280k-rows-runs-of-" + length, Numbers.median(runsPerSecond), "updates/s");
        Figures.report("280k-rows-runs-of-" + length + "-mixed", Numbers.median(mixedPerSecond), "updates/s");
    }

    private static UpdateBatch[] runs(Updates updates, int length, boolean mixed) {
        Random random = new Random(1);
        UpdateBatch[] batches = new UpdateBatch[BATCHES];
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            rows.clear();
            while (rows.size() < Updates.BATCH) {
                rows.addAll(Collections.nCopies(length, random.nextInt(ROWS)));
            }
            if (mixed) {
                Collections.shuffle(rows, new Random(i));
            }
            batches[i] = Updates.batch();
            for (int row : rows) {
                updates.append(batches[i], row, i, 0);
            }
        }
        return batches;
    }

    private static void measure(boolean multiset, double skew) {
        Owner owner = new Owner(Updates.reference(multiset));
        owner.fill(ROWS);
        Zipf zipf = new Zipf(ROWS, skew);
        Random random = new Random(1);
        UpdateBatch[] batches = Updates.batches(BATCHES, (batch, i, j) -> {
            int row = zipf.sample(random);
            owner.updates().append(batch, row, i, Updates.user(row, j));
        });
        String name = "280k-rows" + (skew == 0 ? "-uniform" : "-zipf") + (multiset ? "-multiset" : "");
        owner.report(name, batches, WARM_UPS, ROUNDS);
    }
}
