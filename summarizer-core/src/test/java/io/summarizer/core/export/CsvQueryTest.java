package io.summarizer.core.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.export.CsvQuery.Order;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CsvQueryTest {
    @Test
    void parametersBecomeAQuery() throws CsvQueryException {
        assertThat(CsvQuery.parse(Map.of())).isEqualTo(CsvQuery.ALL);
        CsvQuery query = CsvQuery.parse(Map.of(
                "columns", "a, `b,c` ,d",
                "where", " a > 1 ",
                "order_by", "a desc,`b,c` DESC , d asc,`order`,e",
                "limit", "10",
                "profile", "excel",
                "distinct", "both",
                "format", "csv"));
        assertThat(query.columns()).containsExactly("a", "b,c", "d");
        assertThat(query.where()).isEqualTo("a > 1");
        assertThat(query.orderBy())
                .containsExactly(
                        new Order("a", true),
                        new Order("b,c", true),
                        new Order("d", false),
                        new Order("order", false),
                        new Order("e", false));
        assertThat(query.limit()).isEqualTo(10);
        assertThat(query.profile()).isEqualTo(CsvProfile.EXCEL);
        assertThat(query.distinct()).isEqualTo(Distinct.BOTH);
        assertThat(query.format()).isEqualTo(ExportFormat.CSV);
        assertThat(CsvQuery.parse(Map.of("format", "ndjson"))).isEqualTo(CsvQuery.ALL.withFormat(ExportFormat.NDJSON));
    }

    @Test
    void onlyCsvHasAProfile() {
        for (CsvProfile profile : CsvProfile.values()) {
            assertThatThrownBy(() -> CsvQuery.parse(Map.of("profile", profile.word(), "format", "ndjson")))
                    .isInstanceOf(CsvQueryException.class)
                    .hasMessage("profile=" + profile.word()
                            + ": a profile is a dialect of CSV; with format=ndjson there is none");
        }
        CsvQuery excel = CsvQuery.ALL.withProfile(CsvProfile.EXCEL);
        assertThatThrownBy(() -> excel.withFormat(ExportFormat.NDJSON)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNotWellFormedIsRefusedWithAnExample() {
        refused("columns", "a,,b", "a name is missing");
        refused("columns", "", "a name is missing");
        refused("columns", "`a", "a closing backquote is missing");
        refused("columns", "a,".repeat(10_000) + "a", "too many columns; at most 2000");
        refused("where", " ", "the condition is missing");
        refused("where", "(".repeat(5_000), "5000 characters; at most 4000");
        refused("order_by", "a descending", "followed by `asc`, `desc` or nothing");
        refused("order_by", "desc desc desc", "followed by");
        refused("order_by", "a,".repeat(20) + "a", "too many columns; at most 16");
        refused("limit", "-1", "a number of rows");
        refused("limit", "99999999999999999999", "a number of rows, from 0 to 9223372036854775807");
        refused("limit", "ten", "a number of rows");
        refused("profile", "xls", "there are rfc4180, excel, pg");
        refused("distinct", "hl", "there are estimate, hll, both");
        refused("format", "json", "there are csv, ndjson");
    }

    private static void refused(String parameter, String value, String why) {
        assertThatThrownBy(() -> CsvQuery.parse(Map.of(parameter, value)))
                .isInstanceOfSatisfying(CsvQueryException.class, e -> {
                    assertThat(e.reason()).isEqualTo(CsvQueryException.Reason.INVALID);
                    assertThat(e.getMessage())
                            .startsWith(parameter)
                            .contains(why)
                            .hasSizeLessThan(400);
                });
    }
}
