package io.summarizer.core.evolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WindowFilesFitTest {
    private static final ValueColumn COUNT = value("n", 1, AggregateType.COUNT);
    private static final ValueColumn ERRORS = value("errors", 2, AggregateType.SUMINT64);

    private static ValueColumn value(String name, int number, AggregateType type) {
        return new ValueColumn(name, number, type, 0, 0);
    }

    private static SummaryLayout summary(String name, int number, List<SummaryLayout> nested, ValueColumn... values) {
        return new SummaryLayout(
                name, number, List.of(new KeyColumn("k", 1, KeyType.INT64)), Arrays.asList(values), nested);
    }

    private static SummaryLayout summary(ValueColumn... values) {
        return summary("W", 0, List.of(), values);
    }

    private static String problem(SummaryLayout to, @Nullable SummaryLayout from, SummaryLayout... files) {
        return WindowFilesFit.problem(to, from, List.of(files));
    }

    /** A new field with the number of a removed one would show the values of the removed one. */
    @Test
    void shouldFindANewFieldWithTheNumberOfAnotherField() {
        SummaryLayout file = summary(COUNT, ERRORS);
        SummaryLayout removed = summary(COUNT);
        SummaryLayout reused = summary(COUNT, value("retries", 2, AggregateType.SUMINT64));
        assertThat(problem(reused, removed, file))
                .isEqualTo("W: field 2 (retries) is new, but files of closed windows have data of an earlier field 2"
                        + " (errors); give the new field a number that was never used");
        assertThat(problem(reused, null, file)).contains("retries");
        assertThat(problem(removed, file, file)).isEmpty();
        assertThat(problem(summary(COUNT, value("retries", 3, AggregateType.SUMINT64)), removed, file))
                .isEmpty();
    }

    /** A field that comes back as it was shows its own values. */
    @Test
    void shouldTakeAFieldThatComesBack() {
        SummaryLayout file = summary(COUNT, ERRORS);
        SummaryLayout removed = summary(COUNT);
        assertThat(problem(file, removed, file)).isEmpty();
        assertThat(problem(summary(COUNT, value("errors", 2, AggregateType.SUMINT32)), removed, file))
                .as("a type that the values fit")
                .isEmpty();
        assertThat(problem(summary(COUNT, value("errors", 2, AggregateType.LASTSTRING)), removed, file))
                .as("another type")
                .contains("field 2 (errors) is sumint64 in files of closed windows and laststring in the definitions");
    }

    /** A renamed field keeps its values, in files as in memory. */
    @Test
    void shouldTakeARenamedField() {
        SummaryLayout renamed = summary(COUNT, value("failures", 2, AggregateType.SUMINT64));
        assertThat(problem(renamed, summary(COUNT, ERRORS), summary(COUNT, ERRORS)))
                .isEmpty();
        assertThat(problem(renamed, renamed, summary(COUNT, ERRORS))).isEmpty();
    }

    @Test
    void shouldLookIntoNestedSummaries() {
        SummaryLayout file = summary("W", 0, List.of(summary("parts", 5, List.of(), COUNT, ERRORS)), COUNT);
        SummaryLayout before = summary("W", 0, List.of(summary("parts", 5, List.of(), COUNT)), COUNT);
        SummaryLayout reused = summary(
                "W",
                0,
                List.of(summary("parts", 5, List.of(), COUNT, value("retries", 2, AggregateType.SUMINT64))),
                COUNT);
        assertThat(problem(reused, before, file)).startsWith("W/parts: field 2 (retries) is new");
        assertThat(problem(file, summary(COUNT), file)).isEmpty();
        assertThat(problem(
                        summary("W", 0, List.of(summary("pieces", 5, List.of(), COUNT)), COUNT), summary(COUNT), file))
                .contains("field 5 (pieces) is new", "(parts)");
        assertThat(problem(summary(COUNT, value("total", 5, AggregateType.SUMINT64)), summary(COUNT), file))
                .contains("field 5 is the nested summary parts in files of closed windows and a value");
        assertThat(problem(
                        summary("W", 0, List.of(summary("parts", 2, List.of(), COUNT)), COUNT),
                        summary(COUNT),
                        summary(COUNT, ERRORS)))
                .contains("field 2 is the value errors in files of closed windows and a nested summary");
    }

    /** A nested summary that comes back must have its old key. */
    @Test
    void shouldFindAnotherKey() {
        SummaryLayout file = summary("W", 0, List.of(summary("parts", 5, List.of(), COUNT)), COUNT);
        SummaryLayout texts = new SummaryLayout(
                "parts", 5, List.of(new KeyColumn("k", 1, KeyType.STRING)), List.of(COUNT), List.of());
        assertThat(problem(summary("W", 0, List.of(texts), COUNT), summary(COUNT), file))
                .contains("key column 1 (k) is int64 in files of closed windows and string in the definitions");
    }

    /** Files from before and after a rename have two names of one field. */
    @Test
    void shouldTakeARenamedFieldThatComesBack() {
        SummaryLayout after = summary(COUNT, value("failures", 2, AggregateType.SUMINT64));
        assertThat(problem(after, summary(COUNT), summary(COUNT, ERRORS), after))
                .isEmpty();
    }

    /** Files that did not fit before, of an earlier version, must not hold up other changes. */
    @Test
    void shouldNotRefuseWhatDidNotFitBefore() {
        SummaryLayout file = summary(COUNT, ERRORS);
        SummaryLayout before = summary(COUNT, value("host", 2, AggregateType.LASTSTRING));
        SummaryLayout more =
                summary(COUNT, value("host", 2, AggregateType.LASTSTRING), value("more", 3, AggregateType.SUMINT64));
        assertThat(problem(more, before, file)).isEmpty();
        assertThat(problem(more, summary(COUNT), file)).contains("field 2 (host)");
    }
}
