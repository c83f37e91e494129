package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.RowTransfer;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows transferred in memory equal those transferred by a file. */
class RowTransferTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldBringOverWhatAFileWould(long seed) throws Exception {
        Random random = new Random(seed);
        List<SummaryLayout> before = StateFileTest.layouts(random);
        Summaries state = States.empty(before);
        StateFileTest.feed(before, random, 1_000, List.of(state));
        List<SummaryLayout> after = new ArrayList<>(
                before.stream().map(layout -> changed(layout, random)).toList());
        Collections.shuffle(after, random);

        Summaries loaded = States.empty(after);
        States.load(States.save(state, folder.resolve("s.state")), loaded);
        Summaries brought = States.empty(after);
        LayoutMatch match = LayoutMatch.of(before, (summary, path) -> 0, after, "before");
        assertThat(match.refusals()).isEmpty();
        for (int summary = 0; summary < before.size(); summary++) {
            RowTransfer rows = new RowTransfer(match, summary, brought);
            int from = summary;
            IntStream.range(0, 16)
                    .parallel()
                    .forEach(partition -> rows.add(state.store(from, partition).freeze()));
        }
        assertThat(rows(brought)).as("seed=%s", seed).isEqualTo(rows(loaded));
    }

    /** Without the numbers of updates, which do not belong to rows. */
    private static List<String> rows(Summaries state) {
        return States.dump(state).stream().filter(line -> line.startsWith("[")).toList();
    }

    /** Columns in another order, some left out, some made wider, a new one. */
    private static SummaryLayout changed(SummaryLayout layout, Random random) {
        List<KeyColumn> keys = new ArrayList<>();
        for (KeyColumn key : layout.keys()) {
            boolean wider = random.nextBoolean() && (key.type() == KeyType.INT32 || key.type() == KeyType.UINT32);
            keys.add(new KeyColumn(key.name(), key.number(), wider ? KeyType.INT64 : key.type()));
        }
        Collections.shuffle(keys, random);
        List<ValueColumn> values = new ArrayList<>(layout.values());
        values.removeIf(value -> random.nextInt(5) == 0);
        values.add(new ValueColumn("fresh", 9_999, AggregateType.MAXDOUBLE, 0, 0));
        Collections.shuffle(values, random);
        List<SummaryLayout> nested = new ArrayList<>();
        for (SummaryLayout below : layout.nested()) {
            if (random.nextInt(5) > 0) {
                nested.add(changed(below, random));
            }
        }
        Collections.shuffle(nested, random);
        return new SummaryLayout(layout.name(), layout.number(), keys, values, nested);
    }
}
