package io.summarizer.dsl.generate;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.UpdateBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Updates of existing rows leave no garbage: an object for each would be a gigabyte in a few seconds. */
class UpdateAllocationTest {
    private static final int ROWS = 1_000;
    private static final int RECORDS = 20_000;
    private static final int UPDATES = 200_000;

    /** Allowance for what the JVM does once: a third of a byte per update, where the smallest object has sixteen. */
    private static final long BYTES_MAX = 64 * 1024;

    private static final List<AggregateType> LONGS = List.of(
            AggregateType.SUMINT32,
            AggregateType.SUMINT64,
            AggregateType.SUMCURRENCY,
            AggregateType.COUNT,
            AggregateType.MININT64,
            AggregateType.MAXINT64,
            AggregateType.MINTIMESTAMP,
            AggregateType.MAXTIMESTAMP,
            AggregateType.FIRSTINT64,
            AggregateType.LASTINT64,
            AggregateType.MULTISET64);
    private static final List<AggregateType> DOUBLES =
            List.of(AggregateType.SUMFLOAT, AggregateType.SUMDOUBLE, AggregateType.MINDOUBLE, AggregateType.MAXDOUBLE);
    private static final List<AggregateType> TEXTS = List.of(AggregateType.FIRSTSTRING, AggregateType.LASTSTRING);

    private final SummaryLayout nested = new SummaryLayout(
            "nested",
            1,
            List.of(new KeyColumn("n", 1, KeyType.INT64)),
            List.of(value("sum", AggregateType.SUMINT64, 1), value("set", AggregateType.MULTISET64, 2)),
            List.of());
    private final SummaryLayout wide = new SummaryLayout(
            "Wide",
            0,
            List.of(new KeyColumn("k", 1, KeyType.INT64), new KeyColumn("t", 2, KeyType.STRING)),
            values(),
            List.of(nested));
    private final SummaryLayout plain = new SummaryLayout(
            "Plain",
            0,
            List.of(new KeyColumn("k", 1, KeyType.INT64)),
            List.of(value("sum", AggregateType.SUMINT64, 1), value("cost", AggregateType.SUMCURRENCY, 2)),
            List.of());

    private final KeyBuffer wideKey = new KeyBuffer(new KeyLayout(wide.keys()));
    private final KeyBuffer nestedKey = new KeyBuffer(new KeyLayout(nested.keys()));
    private final KeyBuffer plainKey = new KeyBuffer(new KeyLayout(plain.keys()));
    private final byte[][] texts = IntStream.range(0, ROWS)
            .mapToObj(row -> ("some text " + row).getBytes(US_ASCII))
            .toArray(byte[][]::new);

    private final UpdateApplier stores = UpdateApplier.ofAll(
            new Summaries(List.of(wide, plain), List.of(RowSources.compile(wide), RowSources.compile(plain)), 2 * ROWS),
            new UpdateApplier.Listener() {
                @Override
                public void refused(byte[] bytes, int record) {
                    throw new AssertionError("there is room");
                }

                @Override
                public void failed(byte[] bytes, int record, RuntimeException fault) {
                    throw fault;
                }
            });

    private static ValueColumn value(String name, AggregateType type, int number) {
        boolean set = type == AggregateType.MULTISET64;
        return new ValueColumn(name, number, type, set ? 11 : 0, set ? 5 : 0);
    }

    private static List<ValueColumn> values() {
        List<ValueColumn> values = new ArrayList<>();
        for (List<AggregateType> types : List.of(LONGS, DOUBLES, TEXTS)) {
            types.forEach(type -> values.add(value("v" + values.size(), type, values.size() + 1)));
        }
        return values;
    }

    /** Each row twice in succession, and runs of either summary; each value of a set has come within three rounds. */
    private void fill(UpdateBatch batch, long round) {
        batch.clear();
        for (int i = 0; i < RECORDS; i++) {
            int row = (i / 2) * 7 % ROWS;
            long stamp = round * RECORDS + i + 1;
            if (i / 50 % 2 == 0) {
                addWide(batch, row, stamp);
            } else {
                plainKey.reset();
                plainKey.setLong(0, row);
                batch.beginRow(1, plainKey, plainKey.hash(), stamp);
                batch.addLong(0, 1);
                batch.addLong(1, stamp);
                batch.endRow();
            }
        }
    }

    private void addWide(UpdateBatch batch, int row, long stamp) {
        byte[] text = texts[row];
        wideKey.reset();
        wideKey.setLong(0, row);
        wideKey.setString(1, text, 0, text.length);
        batch.beginRow(0, wideKey, wideKey.hash(), stamp);
        int column = 0;
        for (AggregateType type : LONGS) {
            if (type == AggregateType.MULTISET64) {
                // Row 0 has a set of registers, the others have lists of one to three values.
                int members = row == 0 ? 1_000 : 1;
                for (int member = 0; member < members; member++) {
                    batch.addLong(column, scattered(row + (stamp + member) % (row == 0 ? members : 1 + row % 3)));
                }
            } else {
                batch.addLong(column, stamp);
            }
            column++;
        }
        for (int i = 0; i < DOUBLES.size(); i++) {
            batch.addLong(column++, Double.doubleToRawLongBits(stamp * 0.5));
        }
        for (int i = 0; i < TEXTS.size(); i++) {
            byte[] other = texts[(int) (stamp % ROWS)];
            batch.addString(column++, other, 0, other.length);
        }
        nestedKey.reset();
        nestedKey.setLong(0, row % 3);
        batch.enter(0, nestedKey, nestedKey.hash());
        batch.addLong(0, stamp);
        batch.addLong(1, scattered(row));
        batch.leave();
        batch.endRow();
    }

    private static long scattered(long value) {
        return (value + 1) * 0x9E3779B97F4A7C15L;
    }

    @Test
    void shouldAllocateNothingToUpdateRowsThatAreThere() throws Exception {
        UpdateBatch batch = new UpdateBatch(1 << 20);
        for (int round = 0; round < 3; round++) {
            fill(batch, round);
            stores.apply(batch);
        }
        long allocated = 0;
        for (int round = 3; round < 3 + UPDATES / RECORDS; round++) {
            fill(batch, round);
            allocated += AllocatedHere.during(() -> stores.apply(batch));
        }
        assertThat(allocated).as("bytes for %d updates", UPDATES).isLessThan(BYTES_MAX);
    }
}
