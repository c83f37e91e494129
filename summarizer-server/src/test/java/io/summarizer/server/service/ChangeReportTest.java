package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChangeReportTest {
    private static final KeyColumn KEY = new KeyColumn("k", 1, KeyType.INT64);
    private static final ValueColumn COUNT = new ValueColumn("n", 1, AggregateType.COUNT, 0, 0);

    private static SummaryLayout summary(String name, SummaryLayout... nested) {
        return new SummaryLayout(name, 0, List.of(KEY), List.of(COUNT), List.of(nested));
    }

    private static SummaryLayout nested(String name, int number, ValueColumn... values) {
        return new SummaryLayout(name, number, List.of(KEY), List.of(values), List.of());
    }

    private static ChangeReport report(List<SummaryLayout> before, List<SummaryLayout> after) {
        return new ChangeReport(
                LayoutMatch.of(before, (summary, path) -> 1_234 - path.size(), after, "in the service"));
    }

    @Test
    void shouldSayThatNothingChanges() {
        ChangeReport report = report(List.of(summary("A"), summary("B")), List.of(summary("B"), summary("A")));
        assertThat(report.isRefused()).isFalse();
        assertThat(report.text()).isEqualTo("B stays with its 1,234 rows\nA stays with its 1,234 rows\n");
    }

    @Test
    void shouldSayWhichFilesBelongToANewSummary() {
        LayoutMatch match = LayoutMatch.of(List.of(), (summary, path) -> 0, List.of(summary("A")), "in the service");
        assertThat(new ChangeReport(match, name -> List.of(60L, 120L), 200).text())
                .isEqualTo("A is new and starts empty, but the files of 2 closed windows belong to it again\n");
    }

    @Test
    void shouldSayEachThingOnceWhereSummariesOverflow() {
        SummaryLimit limit = new SummaryLimit(5_000, 0, SummaryLimit.Overflow.OTHER);
        ValueColumn sum = new ValueColumn("s", 2, AggregateType.SUMINT32, 0, 0);
        SummaryLayout before = new SummaryLayout("A", 0, List.of(KEY), List.of(COUNT), List.of(), limit);
        SummaryLayout after = new SummaryLayout("A", 0, List.of(KEY), List.of(COUNT, sum), List.of(), limit);
        assertThat(report(List.of(before, before.overflow()), List.of(after, after.overflow()))
                        .text())
                .isEqualTo("""
                        A stays; its 1,234 rows are laid out anew
                          field 2 (s) is new and starts empty
                        """);
        SummaryLayout without = new SummaryLayout("A", 0, List.of(KEY), List.of(COUNT), List.of());
        assertThat(report(List.of(before, before.overflow()), List.of(without)).text())
                .isEqualTo("""
                A stays with its 1,234 rows
                A.overflow is not defined any more; its 1,234 rows go
                """);
    }

    @Test
    void shouldSpeakOfOneRowInTheSingular() {
        ValueColumn sum = new ValueColumn("s", 2, AggregateType.SUMINT32, 0, 0);
        SummaryLayout after = new SummaryLayout("A", 0, List.of(KEY), List.of(COUNT, sum), List.of());
        LayoutMatch match = LayoutMatch.of(
                List.of(summary("A"), summary("B")), (summary, path) -> 1, List.of(after), "in the service");
        assertThat(new ChangeReport(match).text()).isEqualTo("""
                A stays; its 1 row is laid out anew
                  field 2 (s) is new and starts empty
                B is not defined any more; its 1 row goes
                """);
    }

    @Test
    void shouldSayThatALimitIsBelowTheRowsThatExist() {
        SummaryLayout lower = new SummaryLayout(
                "A",
                0,
                List.of(KEY),
                List.of(COUNT),
                List.of(),
                new SummaryLimit(1_233, 0, SummaryLimit.Overflow.REJECT));
        assertThat(report(List.of(summary("A")), List.of(lower)).text()).isEqualTo("""
                A stays with its 1,234 rows
                  limit keys = 1,233 is below its 1,234 rows: these stay, and further keys are refused
                """);
    }

    @Test
    void shouldSayThatALimitOfANestedSummaryIsBelowItsRows() {
        SummaryLimit limit = new SummaryLimit(1_200, 0, SummaryLimit.Overflow.OTHER);
        SummaryLayout deep = new SummaryLayout("deep", 7, List.of(KEY), List.of(COUNT), List.of(), limit);
        SummaryLayout first = new SummaryLayout("first", 4, List.of(KEY), List.of(COUNT), List.of(), limit);
        SummaryLayout before = new SummaryLayout("x", 5, List.of(KEY), List.of(COUNT), List.of(nested("d", 7)));
        SummaryLayout after = new SummaryLayout("y", 5, List.of(KEY), List.of(COUNT), List.of(deep));
        assertThat(report(List.of(summary("A", before)), List.of(summary("A", first, after)))
                        .text())
                .isEqualTo("""
                        A stays; its 1,234 rows are laid out anew
                          y/deep: limit keys = 1,200 is below its 1,232 rows: these stay, and further keys are put into the overflow
                          x is called y now
                          x/d is called deep now
                          x/d: field 1 (n) is new and starts empty
                          first is new and starts empty
                        """);
    }

    @Test
    void shouldSayWhatChangesInNestedSummaries() {
        ValueColumn sum = new ValueColumn("s", 2, AggregateType.SUMINT32, 0, 0);
        ValueColumn wide = new ValueColumn("t", 2, AggregateType.SUMINT64, 0, 0);
        ChangeReport report = report(
                List.of(summary("A", nested("x", 5, COUNT, sum), nested("gone", 6, COUNT))),
                List.of(summary("A", nested("y", 5, wide), nested("fresh", 7, COUNT))));
        assertThat(report.isRefused()).isFalse();
        assertThat(report.text()).isEqualTo("""
                A stays; its 1,234 rows are laid out anew
                  x is called y now
                  x: field 1 (n) is not defined any more; its values are left out
                  x: field 2 (t) becomes sumint64 of sumint32 and keeps its data
                  x: field 2 is renamed from s to t and keeps its data
                  gone is not defined any more; its rows are left out
                  fresh is new and starts empty
                """);
    }

    @Test
    void shouldWarnWhereASummarySeemsToBeRenamed() {
        ChangeReport report = report(List.of(summary("A"), summary("B")), List.of(summary("A"), summary("C")));
        assertThat(report.text()).isEqualTo("""
                A stays with its 1,234 rows
                C is new and starts empty
                B is not defined any more; its 1,234 rows go (a summary is known by its name; C starts empty)
                """);
    }

    @Test
    void shouldSayEverythingThatIsRefused() {
        ValueColumn text = new ValueColumn("n", 1, AggregateType.LASTSTRING, 0, 0);
        SummaryLayout after = new SummaryLayout(
                "A", 0, List.of(KEY, new KeyColumn("more", 2, KeyType.BOOL)), List.of(text), List.of());
        ChangeReport report = report(List.of(summary("A")), List.of(after));
        assertThat(report.isRefused()).isTrue();
        assertThat(report.text()).isEqualTo("""
                A is refused; it has 1,234 rows
                  key column 2 (more) is not in the service; the columns of a key cannot change
                  field 1 (n) is count in the service and laststring in the definitions; what the one holds cannot become what the other holds
                """);
    }

    @Test
    void shouldRefuseDefinitionsThatHaveNoneOfTheSummaries() {
        ChangeReport report = report(List.of(summary("A")), List.of());
        assertThat(report.isRefused()).isTrue();
        assertThat(report.text()).isEqualTo("""
                A is not defined any more; its 1,234 rows go
                no summary is defined
                refused: none of the summaries in the service is defined: there is A; defined are none at all
                """);
    }

    private static final List<KeyColumn> TIMES =
            List.of(KEY, new KeyColumn("t", 2, KeyType.TIMESTAMP), new KeyColumn("u", 3, KeyType.TIMESTAMP));

    private static SummaryLayout windows(@Nullable SummaryWindow window) {
        return new SummaryLayout("A", 0, TIMES, List.of(COUNT), List.of(), SummaryLimit.DEFAULT, window);
    }

    private static LayoutMatch match(
            @Nullable SummaryWindow before, @Nullable SummaryWindow after, long rows, boolean files) {
        return LayoutMatch.of(
                List.of(windows(before)),
                new LayoutMatch.RowCounts() {
                    @Override
                    public long of(int summary, List<Integer> path) {
                        return rows;
                    }

                    @Override
                    public boolean hasFiles(int summary) {
                        return files;
                    }
                },
                List.of(windows(after)),
                "in the service");
    }

    @Test
    void shouldRefuseOtherWindowsWhileThereAreRowsOrFiles() {
        SummaryWindow minutes = new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC);
        SummaryWindow day = new SummaryWindow(1, 1, CalendarUnit.DAY, ZoneId.of("Europe/Berlin"));
        assertThat(match(null, minutes, 7, false).refusals())
                .containsExactly("A: windows are none in the service and 5m by t in the definitions; they cannot change"
                        + " while there are rows");
        assertThat(match(minutes, null, 7, true).refusals())
                .containsExactly("A: windows are 5m by t in the service and none in the definitions; they cannot change"
                        + " while there are rows and files of closed windows");
        assertThat(match(minutes, day, 0, true).refusals())
                .containsExactly("A: windows are 5m by t in the service and 1d in zone Europe/Berlin by t in the"
                        + " definitions; they cannot change while there are files of closed windows");
        for (SummaryWindow other : List.of(
                new SummaryWindow(1, 10, CalendarUnit.MINUTE, ZoneOffset.UTC),
                new SummaryWindow(1, 6, CalendarUnit.HOUR, ZoneOffset.UTC),
                new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.ofHours(1)),
                new SummaryWindow(2, 5, CalendarUnit.MINUTE, ZoneOffset.UTC))) {
            assertThat(match(minutes, other, 1, false).refusals())
                    .as(other.toString())
                    .hasSize(1);
        }
    }

    @Test
    void shouldChangeWindowsOfASummaryThatIsEmpty() {
        SummaryWindow minutes = new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC);
        LayoutMatch match = match(null, minutes, 0, false);
        assertThat(match.outcome(0)).isEqualTo(LayoutMatch.Outcome.REBUILT);
        assertThat(new ChangeReport(match).text()).isEqualTo("""
                A stays; its 0 rows are laid out anew
                  windows are none in the service and 5m by t in the definitions
                """);
    }

    @Test
    void shouldKeepRowsWhenWindowsCloseAtAnotherTime() {
        SummaryWindow before =
                new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC, 60_000_000, SummaryWindow.FOR_EVER);
        SummaryWindow after = new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC, 0, 90_000_000);
        LayoutMatch match = match(before, after, 7, true);
        assertThat(match.outcome(0)).isEqualTo(LayoutMatch.Outcome.KEPT);
        assertThat(match.changes()).isEmpty();
    }

    @Test
    void shouldFindTheColumnOfAWindowByItsNumber() {
        SummaryWindow minutes = new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC);
        SummaryLayout moved = new SummaryLayout(
                "A",
                0,
                List.of(new KeyColumn("time", 2, KeyType.TIMESTAMP), TIMES.get(2), KEY),
                List.of(COUNT),
                List.of(),
                SummaryLimit.DEFAULT,
                new SummaryWindow(0, 5, CalendarUnit.MINUTE, ZoneOffset.UTC));
        assertThat(report(List.of(windows(minutes)), List.of(moved)).text()).isEqualTo("""
                A stays; its 1,234 rows are laid out anew
                  key column 2 is renamed from t to time and keeps its data
                """);
    }
}
