package io.summarizer.core.evolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReusedFieldsTest {
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

    /** A new field with the number of a removed one would show the values of the removed one. */
    @Test
    void shouldFindANewFieldWithTheNumberOfAnotherField() {
        SummaryLayout file = summary(COUNT, ERRORS);
        SummaryLayout removed = summary(COUNT);
        SummaryLayout reused = summary(COUNT, value("retries", 2, AggregateType.SUMINT64));
        assertThat(ReusedFields.problem(reused, removed, file))
                .isEqualTo("W: field 2 (retries) is new, but files of closed windows have data of an earlier field 2"
                        + " (errors, sumint64); give the new field a number that was never used");
        assertThat(ReusedFields.problem(reused, null, file)).contains("retries");
        assertThat(ReusedFields.problem(removed, file, file)).isEmpty();
        assertThat(ReusedFields.problem(summary(COUNT, value("retries", 3, AggregateType.SUMINT64)), removed, file))
                .isEmpty();
    }

    /** A field that comes back as it was shows its own values. */
    @Test
    void shouldTakeAFieldThatComesBack() {
        SummaryLayout file = summary(COUNT, ERRORS);
        SummaryLayout removed = summary(COUNT);
        assertThat(ReusedFields.problem(file, removed, file)).isEmpty();
        assertThat(ReusedFields.problem(summary(COUNT, value("errors", 2, AggregateType.SUMINT32)), removed, file))
                .as("a type that the values fit")
                .isEmpty();
        assertThat(ReusedFields.problem(summary(COUNT, value("errors", 2, AggregateType.LASTSTRING)), removed, file))
                .as("another type")
                .contains("field 2 (errors) is new");
    }

    /** A renamed field keeps its values, in files as in memory. */
    @Test
    void shouldTakeARenamedField() {
        SummaryLayout renamed = summary(COUNT, value("failures", 2, AggregateType.SUMINT64));
        assertThat(ReusedFields.problem(renamed, summary(COUNT, ERRORS), summary(COUNT, ERRORS)))
                .isEmpty();
        assertThat(ReusedFields.problem(renamed, renamed, summary(COUNT, ERRORS)))
                .isEmpty();
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
        assertThat(ReusedFields.problem(reused, before, file)).startsWith("W/parts: field 2 (retries) is new");
        assertThat(ReusedFields.problem(file, summary(COUNT), file)).isEmpty();
        assertThat(ReusedFields.problem(
                        summary("W", 0, List.of(summary("pieces", 5, List.of(), COUNT)), COUNT), summary(COUNT), file))
                .contains("field 5 (pieces) is new", "the nested summary parts");
        assertThat(ReusedFields.problem(
                        summary(COUNT, value("total", 5, AggregateType.SUMINT64)), summary(COUNT), file))
                .contains("field 5 (total) is new", "the nested summary parts");
        assertThat(ReusedFields.problem(
                        summary("W", 0, List.of(summary("parts", 2, List.of(), COUNT)), COUNT),
                        summary(COUNT),
                        summary(COUNT, ERRORS)))
                .contains("field 2 (parts) is new", "(errors, sumint64)");
    }
}
