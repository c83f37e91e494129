package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores against {@link ModelSummary} on random layouts and updates, and views against themselves at a later time. */
class SummaryStoreModelTest {
    private static final int PARTITION_BITS = 2;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void partitionsTogetherHoldWhatTheModelHolds(long seed) {
        check(seed, 1_000);
    }

    @Test
    @Tag("long")
    void partitionsTogetherHoldWhatTheModelHoldsForManySeeds() {
        long first = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            check(first + i, 3_000);
        }
    }

    private static void check(long seed, int records) {
        Random random = new Random(seed);
        SummaryLayout layout = ModelSummary.randomLayout("s", 3, random);
        ModelSummary model = new ModelSummary(layout, 1 + random.nextInt(400), random);
        RowLimit limit = RowLimit.of(layout, Long.MAX_VALUE);
        List<SummaryStore> stores = new ArrayList<>();
        for (int i = 0; i < 1 << PARTITION_BITS; i++) {
            stores.add(new SummaryStore(layout, TableRowCode.of(layout), limit));
        }
        UpdateBatch batch = new UpdateBatch(1);
        List<StoreView> views = new ArrayList<>();
        List<List<String>> dumps = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            batch.clear();
            long hash = model.update(batch, random);
            SummaryStore store = stores.get((int) (hash >>> (64 - PARTITION_BITS)));
            store.apply(batch.bytes(), 0);
            if (random.nextInt(records / 4) == 0) {
                views.add(store.freeze());
                dumps.add(ModelSummary.dumpAll(views.get(views.size() - 1)));
            }
        }
        compare(stores.stream().map(SummaryStore::freeze).toList(), List.of(), layout, model, "seed " + seed);
        for (int i = 0; i < views.size(); i++) {
            assertThat(ModelSummary.dumpAll(views.get(i)))
                    .as("seed %d, view %d", seed, i)
                    .isEqualTo(dumps.get(i));
        }
    }

    private static void compare(
            List<StoreView> views, List<Integer> path, SummaryLayout layout, ModelSummary model, String what) {
        List<String> lines = new ArrayList<>();
        for (StoreView view : views) {
            lines.addAll(ModelSummary.dump(view, path));
        }
        assertThat(ModelSummary.sorted(lines)).as("%s, %s", what, layout).isEqualTo(ModelSummary.sorted(model.dump()));
        assertThat(new SummaryView(views.get(0).layout(), views, 0).rows(path)).isEqualTo(model.rows());
        for (int i = 0; i < layout.nested().size(); i++) {
            List<Integer> below = new ArrayList<>(path);
            below.add(i);
            compare(views, below, layout.nested().get(i), model.nested(i), what);
        }
    }

    private record Taken(StoreView view, List<String> dump) {}

    @Test
    void aViewReadByAnotherThreadStaysAsItWasWhileTheOwnerGoesOn() throws InterruptedException, ExecutionException {
        long seed = 77;
        Random random = new Random(seed);
        SummaryLayout layout = Rows.layout(
                "s",
                List.of(KeyType.INT64, KeyType.STRING),
                List.of(AggregateType.SUMINT32, AggregateType.LASTSTRING, AggregateType.MULTISET64),
                Rows.layout("n", List.of(KeyType.UINT32), List.of(AggregateType.SUMDOUBLE, AggregateType.FIRSTSTRING)));
        ModelSummary model = new ModelSummary(layout, 500, random);
        SummaryStore store = Rows.store(layout);
        BlockingQueue<Taken> taken = new ArrayBlockingQueue<>(4);
        CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> readAll(taken));
        UpdateBatch batch = new UpdateBatch(1);
        int views = 40;
        for (int i = 0; i < views * 200 && !reader.isDone(); i++) {
            batch.clear();
            model.update(batch, random);
            store.apply(batch.bytes(), 0);
            if (i % 200 == 199) {
                StoreView view = store.freeze();
                taken.put(new Taken(view, ModelSummary.dumpAll(view)));
            }
        }
        taken.put(new Taken(store.freeze(), List.of()));
        assertThat(reader.get()).as("views read").isEqualTo(views);
    }

    private static int readAll(BlockingQueue<Taken> taken) {
        try {
            for (int views = 0; ; views++) {
                Taken next = taken.take();
                if (next.dump.isEmpty()) {
                    return views;
                }
                for (int again = 0; again < 3; again++) {
                    assertThat(ModelSummary.dumpAll(next.view)).isEqualTo(next.dump);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
