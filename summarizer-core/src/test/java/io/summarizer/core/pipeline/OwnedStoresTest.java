package io.summarizer.core.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.TableRowCode;
import io.summarizer.core.store.UpdateBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OwnedStoresTest {
    private static final int ROWS_MAX = 40;

    private final List<Long> refused = new ArrayList<>();

    /** Runs of any length, keys of one hash among them, two summaries, more keys than there may be rows. */
    @Test
    void shouldApplyEachRecordToTheRowOfItsKeyWhateverIsBeforeIt() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<SummaryLayout> layouts = List.of(layout("A"), layout("B"));
        Summaries summaries =
                new Summaries(layouts, layouts.stream().map(TableRowCode::of).toList(), ROWS_MAX);
        OwnedStores stores = OwnedStores.ofAll(summaries, new OwnedStores.Listener() {
            @Override
            public void refused(byte[] bytes, int record) {
                refused.add(Bytes.getLong(bytes, record + UpdateBatch.STAMP_OFFSET));
            }

            @Override
            public void failed(byte[] bytes, int record, RuntimeException fault) {
                throw fault;
            }
        });
        List<Map<String, Long>> expected = List.of(new HashMap<>(), new HashMap<>());
        List<Long> expectedRefusals = new ArrayList<>();
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout("A").keys()));
        UpdateBatch batch = new UpdateBatch(1 << 16);
        long stamp = 0;
        for (int round = 0; round < 200; round++) {
            batch.clear();
            for (int run = random.nextInt(20); run >= 0; run--) {
                int number = random.nextInt(60);
                String name = number % 3 + "key" + number;
                int summary = random.nextInt(2);
                for (int repeat = random.nextInt(5); repeat >= 0; repeat--) {
                    byte[] text = ("key" + number).getBytes(UTF_8);
                    key.reset();
                    key.setLong(0, number % 3);
                    key.setString(1, text, 0, text.length);
                    batch.beginRow(summary, key, number % 7 * 0x9E3779B97F4A7C15L, ++stamp);
                    batch.addLong(0, stamp);
                    batch.endRow();
                    Map<String, Long> rows = expected.get(summary);
                    if (rows.containsKey(name) || rows.size() < ROWS_MAX) {
                        rows.merge(name, stamp, Long::sum);
                    } else {
                        expectedRefusals.add(stamp);
                    }
                }
            }
            stores.apply(batch);
        }
        assertThat(refused).as("seed %d", seed).isEqualTo(expectedRefusals).isNotEmpty();
        assertThat(List.of(rows(stores, 0), rows(stores, 1)))
                .as("seed %d", seed)
                .isEqualTo(expected);
    }

    private static Map<String, Long> rows(OwnedStores stores, int summary) {
        Map<String, Long> found = new HashMap<>();
        for (int partition = 0; partition < 16; partition++) {
            SummaryStore store = Objects.requireNonNull(stores.stores()[summary * 16 + partition]);
            RowCursor rows = store.freeze().cursor();
            while (rows.next()) {
                rows.readKeyText(1);
                found.put(
                        rows.keyLong(0) + new String(rows.text(), rows.textOffset(), rows.textLength(), UTF_8),
                        rows.longValue(0));
            }
        }
        return found;
    }

    private static SummaryLayout layout(String name) {
        return new SummaryLayout(
                name,
                0,
                List.of(
                        new SummaryLayout.KeyColumn("n", 1, KeyType.INT64),
                        new SummaryLayout.KeyColumn("t", 2, KeyType.STRING)),
                List.of(new SummaryLayout.ValueColumn("s", 1, AggregateType.SUMINT64, 0, 0)),
                List.of());
    }
}
