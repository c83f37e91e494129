package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.time.CalendarUnit;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files under definitions that changed after they were written. */
class CompatibilityTest {
    private static final Map<KeyType, Set<KeyType>> KEYS =
            Map.of(KeyType.INT32, EnumSet.of(KeyType.INT64), KeyType.UINT32, EnumSet.of(KeyType.INT64, KeyType.UINT64));

    private static final Set<AggregateType> INTEGERS = EnumSet.of(AggregateType.SUMINT32, AggregateType.SUMINT64);
    private static final Set<AggregateType> DOUBLES = EnumSet.of(AggregateType.SUMFLOAT, AggregateType.SUMDOUBLE);
    private static final Map<AggregateType, Set<AggregateType>> VALUES = Map.of(
            AggregateType.SUMINT32, INTEGERS,
            AggregateType.SUMINT64, INTEGERS,
            AggregateType.COUNT, INTEGERS,
            AggregateType.SUMFLOAT, DOUBLES,
            AggregateType.SUMDOUBLE, DOUBLES);

    @TempDir
    private Path folder;

    private static SummaryLayout layout(List<KeyColumn> keys, List<ValueColumn> values, SummaryLayout... nested) {
        return new SummaryLayout("s", 0, keys, values, List.of(nested));
    }

    private static ValueColumn value(String name, int number, AggregateType type) {
        boolean set = type == AggregateType.MULTISET64;
        return new ValueColumn(name, number, type, set ? 11 : 0, set ? 5 : 0);
    }

    private static final List<KeyColumn> KEY = List.of(new KeyColumn("k", 1, KeyType.INT64));

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void shouldWidenKeysThatFitAndRefuseAllOthers(KeyType from) throws Exception {
        Summaries written = States.empty(List.of(layout(List.of(new KeyColumn("k", 1, from)), List.of())));
        Object key = from == KeyType.STRING ? "a" : from == KeyType.BOOL ? (Object) true : (Object) 3_000_000_000L;
        Rows.apply(written.store(0, 0), Rows.key(written.layouts().get(0), key), 1, ops -> {});
        Path file = States.save(written, folder.resolve("s.state"));
        for (KeyType to : KeyType.values()) {
            Summaries target = States.empty(List.of(layout(List.of(new KeyColumn("k", 1, to)), List.of())));
            if (from == to || KEYS.getOrDefault(from, Set.of()).contains(to)) {
                States.load(file, target);
                String text = from == KeyType.INT32 ? Integer.toString((int) 3_000_000_000L) : key.toString();
                assertThat(States.dump(target)).as("%s to %s", from, to).contains("[] " + text + "|");
            } else {
                assertThatThrownBy(() -> States.load(file, target))
                        .as("%s to %s", from, to)
                        .hasMessageContaining("s: key column 1 (k) is " + from.keyword() + " in the file and "
                                + to.keyword() + " in the definitions");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(AggregateType.class)
    void shouldConvertValuesThatFitAndRefuseAllOthers(AggregateType from) throws Exception {
        Summaries written = States.empty(List.of(layout(KEY, List.of(value("v", 2, from)))));
        Rows.apply(written.store(0, 0), Rows.key(written.layouts().get(0), 1L), 1, ops -> {
            switch (from.operand()) {
                case LONG -> ops.addLong(0, 5_000_000_000L);
                case DOUBLE -> ops.addLong(0, Double.doubleToRawLongBits(0.25));
                case STRING -> Rows.addText(ops, 0, "text");
            }
        });
        Path file = States.save(written, folder.resolve("s.state"));
        for (AggregateType to : AggregateType.values()) {
            Summaries target = States.empty(List.of(layout(KEY, List.of(value("v", 2, to)))));
            if (from == to || VALUES.getOrDefault(from, Set.of()).contains(to)) {
                States.load(file, target);
                assertThat(States.dump(target)).as("%s to %s", from, to).isEqualTo(States.dump(written));
            } else {
                assertThatThrownBy(() -> States.load(file, target))
                        .as("%s to %s", from, to)
                        .isInstanceOf(StateException.class)
                        .hasMessageContaining("s: field 2 (v) is " + from.keyword());
            }
        }
    }

    @Test
    void shouldFindFieldsByNumberLeaveOutThoseRemovedAndStartNewOnesEmpty() throws Exception {
        SummaryLayout before = layout(
                List.of(new KeyColumn("a", 1, KeyType.INT32), new KeyColumn("b", 2, KeyType.STRING)),
                List.of(value("kept", 1, AggregateType.COUNT), value("gone", 2, AggregateType.LASTSTRING)),
                new SummaryLayout("n", 3, KEY, List.of(value("x", 1, AggregateType.SUMINT64)), List.of()),
                new SummaryLayout("m", 4, KEY, List.of(), List.of()));
        SummaryLayout after = layout(
                List.of(new KeyColumn("bb", 2, KeyType.STRING), new KeyColumn("aa", 1, KeyType.INT64)),
                List.of(value("fresh", 9, AggregateType.MININT64), value("renamed", 1, AggregateType.SUMINT64)),
                new SummaryLayout("empty", 5, KEY, List.of(), List.of()),
                new SummaryLayout("nn", 3, KEY, List.of(value("y", 1, AggregateType.SUMINT32)), List.of()));
        Summaries written = States.empty(List.of(before, new SummaryLayout("old", 0, KEY, List.of(), List.of())));
        Rows.apply(written.store(0, 3), Rows.key(before, 4L, "four"), 9, ops -> {
            ops.addLong(0, 1);
            ops.addLong(0, 1);
            Rows.addText(ops, 1, "gone");
            ops.enter(0, Rows.key(before.nested().get(0), 5L), 55);
            ops.addLong(0, 6);
            ops.leave();
            ops.enter(1, Rows.key(before.nested().get(1), 7L), 77);
            ops.leave();
        });
        Summaries read = States.empty(List.of(after));
        assertThat(States.load(States.save(written, folder.resolve("s.state")), read))
                .containsExactly(
                        "s: field 2 (gone) is not defined any more; its values are left out",
                        "s/m is not defined any more; its rows are left out",
                        "summary old is not defined any more; its rows are left out");
        assertThat(States.dump(read)).containsExactly("[] four|4|null|2|", "[1] four|4|5|6|", "s updates 0");
    }

    @Test
    void shouldSayEverythingThatDoesNotGoTogether() throws Exception {
        SummaryLayout before = layout(
                List.of(new KeyColumn("a", 1, KeyType.INT32), new KeyColumn("b", 2, KeyType.STRING)),
                List.of(value("v", 1, AggregateType.SUMINT64), value("w", 2, AggregateType.COUNT)),
                new SummaryLayout("n", 3, KEY, List.of(), List.of()));
        SummaryLayout after = layout(
                List.of(new KeyColumn("a", 1, KeyType.STRING), new KeyColumn("c", 3, KeyType.STRING)),
                List.of(value("v", 1, AggregateType.MAXINT64), value("n", 3, AggregateType.COUNT)),
                new SummaryLayout("w", 2, KEY, List.of(), List.of()));
        Path file = States.save(States.empty(List.of(before)), folder.resolve("s.state"));
        assertThatThrownBy(() -> States.load(file, States.empty(List.of(after))))
                .hasMessage(file + """
                        : does not go together with these definitions:
                          s: key column 1 (a) is int32 in the file and string in the definitions; keys of the one cannot become keys of the other
                          s: key column 3 (c) is not in the file; the columns of a key cannot change
                          s: key column 2 (b) is not in the definitions any more; the columns of a key cannot change
                          s: field 1 (v) is sumint64 in the file and maxint64 in the definitions; what the one holds cannot become what the other holds
                          s: field 2 is the value w in the file and a nested summary in the definitions
                          s: field 3 is the nested summary n in the file and a value in the definitions
                        load it with the definitions that it was made with, or give what changed a new name or number""");
    }

    @Test
    void shouldRefuseRowsWithoutWindowsForASummaryWithWindows() throws Exception {
        List<KeyColumn> keys = List.of(new KeyColumn("t", 1, KeyType.TIMESTAMP));
        SummaryLayout without = layout(keys, List.of(value("n", 1, AggregateType.COUNT)));
        SummaryLayout with = new SummaryLayout(
                "s",
                0,
                keys,
                without.values(),
                List.of(),
                SummaryLimit.DEFAULT,
                new SummaryWindow(0, 5, CalendarUnit.MINUTE, ZoneOffset.UTC));
        Summaries written = States.empty(List.of(without));
        Path empty = States.save(written, folder.resolve("empty.state"));
        assertThat(States.load(empty, States.empty(List.of(with)))).isEmpty();
        Rows.apply(written.store(0, 0), Rows.key(without, 300_000_000L), 1, ops -> ops.addLong(0, 1));
        Path file = States.save(written, folder.resolve("s.state"));
        assertThatThrownBy(() -> States.load(file, States.empty(List.of(with))))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("s: windows are none in the file and 5m by t in the definitions; they cannot"
                        + " change while there are rows");
    }

    /** Reduced registers equal those that the same hashes would have made. */
    @ParameterizedTest
    @CsvSource({"11,5,11,5", "12,5,11,5", "14,5,8,5", "11,5,11,4", "17,5,4,3", "15,4,13,2"})
    void shouldReduceSetsExactly(int log2m, int regwidth, int log2mTo, int regwidthTo) throws Exception {
        SummaryLayout large = layout(KEY, List.of(new ValueColumn("v", 1, AggregateType.MULTISET64, log2m, regwidth)));
        SummaryLayout small =
                layout(KEY, List.of(new ValueColumn("v", 1, AggregateType.MULTISET64, log2mTo, regwidthTo)));
        Summaries written = States.empty(List.of(large));
        Summaries expected = States.empty(List.of(small));
        Random random = new Random(log2m);
        int[] sizes = {0, 1, 2, 7, 200, 400, 3_000, 60_000};
        for (int i = 0; i < sizes.length; i++) {
            long[] hashes = random.longs(sizes[i]).toArray();
            long row = i;
            for (Summaries each : List.of(written, expected)) {
                SummaryStore store = each.store(0, 0);
                Rows.apply(store, Rows.key(each.layouts().get(0), row), 1, ops -> add(ops, hashes));
            }
        }
        Summaries read = States.empty(List.of(small));
        States.load(States.save(written, folder.resolve("s.state")), read);
        assertThat(sets(read)).isEqualTo(sets(expected));
    }

    @ParameterizedTest
    @CsvSource({"12,5", "11,4"})
    void shouldRefuseSetsOfMoreRegistersThanWereKept(int log2mBefore, int regwidthBefore) throws Exception {
        SummaryLayout before = layout(
                KEY, List.of(new ValueColumn("v", 1, AggregateType.MULTISET64, log2mBefore - 1, regwidthBefore)));
        SummaryLayout after = layout(KEY, List.of(new ValueColumn("v", 1, AggregateType.MULTISET64, 12, 5)));
        Path file = States.save(States.empty(List.of(before)), folder.resolve("s.state"));
        assertThatThrownBy(() -> States.load(file, States.empty(List.of(after))))
                .hasMessageContaining("s: field 1 (v) is multiset64(log2m=" + (log2mBefore - 1) + ", regwidth="
                        + regwidthBefore + ") in the file and multiset64(log2m=12, regwidth=5) in the definitions");
    }

    private static void add(UpdateBatch ops, long[] hashes) {
        for (long hash : hashes) {
            ops.addLong(0, hash);
        }
    }

    /** Registers of every set, by key. */
    private static List<String> sets(Summaries state) {
        List<String> lines = new ArrayList<>();
        for (int partition = 0; partition < 16; partition++) {
            RowCursor row = state.store(0, partition).freeze().cursor();
            while (row.next()) {
                byte[] registers = new byte[1 << row.sets(0).log2m()];
                row.sets(0).registers(row.setHandle(0), registers);
                lines.add(row.keyLong(0) + " " + row.sets(0).isFull(row.setHandle(0)) + " "
                        + java.util.Arrays.toString(registers));
            }
        }
        return lines.stream().sorted().toList();
    }
}
