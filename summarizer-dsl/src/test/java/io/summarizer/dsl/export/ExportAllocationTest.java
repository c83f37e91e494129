package io.summarizer.dsl.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.summarizer.core.export.ByteSink;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.AllocatedHere;
import io.summarizer.dsl.generate.RowSources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An export only allocates its buffers: a pull of all rows of a large summary leaves no garbage per row. */
class ExportAllocationTest {
    private static final int ROWS = 4_000;
    /** One for all, because the first use of each lambda allocates. */
    private static final ByteSink NOWHERE = (bytes, offset, length) -> {};

    private static final SummaryLayout LAYOUT = new SummaryLayout(
            "Campaigns",
            0,
            List.of(new KeyColumn("campaign", 1, KeyType.INT64), new KeyColumn("creative", 2, KeyType.INT64)),
            List.of(
                    new ValueColumn("shown", 1, AggregateType.SUMINT32, 0, 0),
                    new ValueColumn("bytes", 2, AggregateType.SUMINT64, 0, 0),
                    new ValueColumn("cost", 3, AggregateType.SUMCURRENCY, 0, 0),
                    new ValueColumn("users", 4, AggregateType.MULTISET64, 11, 5)),
            List.of());

    private static SummaryView rows(int rows) {
        SummaryStore store = new SummaryStore(LAYOUT, RowSources.compile(LAYOUT), RowLimit.of(LAYOUT, rows));
        KeyBuffer key = new KeyBuffer(new KeyLayout(LAYOUT.keys()));
        UpdateBatch batch = new UpdateBatch(256);
        for (int row = 0; row < rows; row++) {
            key.reset();
            key.setLong(0, row % 100);
            key.setLong(1, row * 1_000_003L);
            batch.clear();
            batch.beginRow(0, key, key.hash(), row);
            batch.addLong(0, row);
            batch.addLong(1, row * 1_000_000_007L * 1_000_003);
            batch.addLong(2, -row * 1_234_567L);
            for (int user = 0; user <= row % 5; user++) {
                batch.addLong(3, (row + user + 1) * 0x9E3779B97F4A7C15L);
            }
            batch.endRow();
            store.apply(batch.bytes(), 0);
        }
        return new SummaryView(LAYOUT, List.of(store.freeze()), rows);
    }

    @ParameterizedTest
    @CsvSource({"estimate,csv", "hll,csv", "both,csv", "estimate,ndjson", "both,ndjson"})
    void shouldAllocateNoMoreForMoreRows(String distinct, String format) throws Exception {
        CsvQuery query = CsvQuery.parse(Map.of("distinct", distinct, "format", format));
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of());
        CsvExporter few = CsvExporter.of(rows(ROWS), List.of(), query, compiler);
        CsvExporter many = CsvExporter.of(rows(4 * ROWS), List.of(), query, compiler);
        long[] written = new long[2];
        for (CsvExporter each : List.of(few, many)) {
            each.writeTo(NOWHERE);
        }
        long forFew = AllocatedHere.during(() -> written[0] = few.writeTo(NOWHERE));
        long forMany = AllocatedHere.during(() -> written[1] = many.writeTo(NOWHERE));
        assertThat(written[1]).isGreaterThan(3 * written[0]);
        assertThat(forMany).isCloseTo(forFew, within(4_096L));
    }
}
