package io.summarizer.bench.store;

import io.summarizer.bench.state.Owner;
import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.RowSources;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Totals in the product's row stores. Hashes keys and writes records like a parser worker, then applies a batch of
 * records like an owner. Both happen on one thread.
 */
final class StoreTotals implements KeyedTotals {
    private static final int RECORD_BYTES = 160;

    private final boolean strings;
    private final KeyBuffer key;
    private final UpdateApplier stores;
    private final UpdateBatch batch = new UpdateBatch(64 * RECORD_BYTES);

    private StoreTotals(boolean strings) {
        this.strings = strings;
        List<KeyColumn> keys = List.of(new KeyColumn("key", 1, strings ? KeyType.STRING : KeyType.INT32));
        SummaryLayout layout = new SummaryLayout(
                "Totals",
                0,
                keys,
                List.of(
                        new ValueColumn("events", 1, AggregateType.SUMINT64, 0, 0),
                        new ValueColumn("amount", 2, AggregateType.SUMINT64, 0, 0)),
                List.of());
        key = new KeyBuffer(new KeyLayout(keys));
        Summaries summaries = new Summaries(List.of(layout), List.of(RowSources.compile(layout)), Long.MAX_VALUE);
        stores = UpdateApplier.ofAll(summaries, Owner.STRICT);
    }

    /** A summary with a key {@code int32}. */
    static StoreTotals ofIntegers() {
        return new StoreTotals(false);
    }

    /** A summary with a key {@code string}. */
    static StoreTotals ofStrings() {
        return new StoreTotals(true);
    }

    @Override
    public void add(KeyedEvents events, int from, int to) {
        batch.clear();
        for (int event = from; event < to; event++) {
            key.reset();
            if (strings) {
                key.setString(0, events.names(), events.nameOffset(event), events.nameLength(event));
            } else {
                key.setLong(0, events.id(event));
            }
            batch.beginRow(0, key, key.hash(), event);
            batch.addLong(0, 1);
            batch.addLong(1, events.amount(event));
            batch.endRow();
        }
        stores.apply(batch);
    }

    @Override
    public Map<String, Totals> totals() {
        Map<String, Totals> totals = new HashMap<>();
        for (SummaryPartition partition : stores.partitions().cells()) {
            SummaryStore store = Objects.requireNonNull(partition).single();
            RowCursor rows = Objects.requireNonNull(store).freeze().cursor();
            while (rows.next()) {
                totals.put(key(rows), new Totals(rows.longValue(0), rows.longValue(1)));
            }
        }
        return totals;
    }

    private String key(RowCursor rows) {
        if (!strings) {
            return Long.toString(rows.keyLong(0));
        }
        rows.readKeyText(0);
        return new String(rows.text(), rows.textOffset(), rows.textLength(), StandardCharsets.UTF_8);
    }
}
