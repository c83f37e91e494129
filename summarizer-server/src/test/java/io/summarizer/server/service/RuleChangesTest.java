package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.model.Definitions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleChangesTest {
    private static final String PROTO = """
            syntax = "proto3";
            message Item { string sku = 1; Item part = 2; }
            message Order { int64 id = 1; repeated Item items = 2; }
            message Visit { int64 id = 1; }
            """;
    private static final String SUMM = """
            import "e.proto";
            event Order on "order.#" as json;
            event Visit on "visit" as csv;
            summary S { key { int64 id = 1; } value { count n = 1; } }
            map Order into S where id > 0 { key { id; } for i in items where i.sku != "x" { n += 1; } }
            map Visit into S { key { id; } n += 1; }
            """;

    private static Definitions definitions(String summ, String proto) {
        return DefinitionsCompiler.check(Map.of("e.proto", proto, "s.summ", summ))
                .definitions()
                .orElseThrow();
    }

    private static String changes(String summ, String proto) {
        return RuleChanges.between(definitions(SUMM, PROTO), definitions(summ, proto))
                .text();
    }

    @Test
    void shouldSayNothingOfWhatIsSpelledOtherwise() {
        assertThat(changes(
                        SUMM.replace("for i in", "for item in")
                                .replace("i.sku", "item.sku")
                                .replace(";", " ;\n"),
                        PROTO))
                .isEmpty();
    }

    @Test
    void shouldShowTheConstantsOfAnEnum() {
        String before = PROTO.replace("repeated Item", "Status status = 4; repeated Item")
                + "enum Status { none = 0; sent = 1; }";
        String after = before.replace("sent = 1;", "sent = 1; bounced = 2;");
        assertThat(RuleChanges.between(definitions(SUMM, before), definitions(SUMM, after))
                        .text())
                .containsSubsequence(
                        "- ",
                        "enum {none = 0, sent = 1} status = 4",
                        "+ ",
                        "enum {none = 0, sent = 1, bounced = 2} status = 4");
    }

    @Test
    void shouldTellElementsFromFieldsWithTheirNames() {
        String proto = PROTO.replace("Item part = 2;", "string key = 3;")
                .replace("items = 2;", "items = 2; Item item = 3; map<string, Item> lot = 4; Item lotElement = 5;");
        String loop = "for i in items where i.sku != \"x\" { n += 1; }";
        for (List<String> pair : List.of(
                List.of(loop, "for i in items where item.sku != \"x\" { n += 1; }"),
                List.of(
                        "for k, v in lot where k != \"x\" { n += 1; }",
                        "for k, v in lot where v.key != \"x\" { n += 1; }"),
                List.of(
                        "for k, v in lot where v.sku != \"x\" { n += 1; }",
                        "for k, v in lot where lotElement.sku != \"x\" { n += 1; }"))) {
            Definitions before = definitions(SUMM.replace(loop, pair.get(0)), proto);
            Definitions after = definitions(SUMM.replace(loop, pair.get(1)), proto);
            assertThat(RuleChanges.between(before, after).text())
                    .as(pair.get(1))
                    .isNotEmpty();
        }
        Definitions parameter =
                definitions(SUMM.replace(loop, "n += 1 where syslog.sd[\"a\"].`b == c` == \"\";"), PROTO);
        assertThat(RuleChanges.between(definitions(SUMM, PROTO), parameter).text())
                .contains("+ n += 1 where syslog.sd[\"a\"].`b == c` == \"\";");
    }

    @Test
    void shouldSayThatTheZoneOfABucketChanges() {
        String updates = "n += 1 where bucket(syslog.timestamp, 24h) == syslog.timestamp;";
        Definitions utc = definitions(SUMM.replace("n += 1;", updates), PROTO);
        assertThat(RuleChanges.between(
                                utc, definitions(SUMM.replace("n += 1;", updates.replace("24h", "1d, 'Z'")), PROTO))
                        .text())
                .isEmpty();
        Definitions tokyo = definitions(SUMM.replace("n += 1;", updates.replace("24h", "1d, 'Asia/Tokyo'")), PROTO);
        assertThat(RuleChanges.between(utc, tokyo).text())
                .contains("- n += 1 where bucket(syslog.timestamp, 86400000ms) == syslog.timestamp;\n")
                .contains("+ n += 1 where bucket(syslog.timestamp, 1d, \"Asia/Tokyo\") == syslog.timestamp;\n");
    }

    @Test
    void shouldSayWhichConditionsAndUpdatesChange() {
        assertThat(changes(SUMM.replace("id > 0", "id > 5").replace("{ id; } n += 1;", "{ id; } n += id % 2;"), PROTO))
                .isEqualTo("""
                        mapping Order->S changes
                          - map Order into S where id > 0 {
                          + map Order into S where id > 5 {
                        mapping Visit->S changes
                          - n += 1;
                          + n += id % 2;
                        """);
    }

    @Test
    void shouldSayWhichTopicsAndFieldsOfEventsChange() {
        assertThat(changes(
                        SUMM.replace("order.#", "order.eu.#").replace("as csv", "as csv dedup by id within 1h"),
                        PROTO.replace("string sku = 1", "string sku = 3")))
                .isEqualTo("""
                        event Order changes
                          - on "order.#" as json
                          - Item: string sku = 1, in JSON sku
                          + on "order.eu.#" as json
                          + Item: string sku = 3, in JSON sku
                        event Visit changes
                          + dedup by id within 1h
                        """);
    }

    @ParameterizedTest
    @CsvSource({"dedup by id within 2h, false", "dedup by id + 1 within 1h, true", "'', true"})
    void shouldSayThatIdsAreForgotten(String dedup, boolean areForgotten) {
        Definitions before = definitions(SUMM.replace("as csv", "as csv dedup by id within 1h"), PROTO);
        Definitions after = definitions(SUMM.replace("as csv", "as csv " + dedup), PROTO);
        String changes = RuleChanges.between(before, after).text();
        assertThat(changes).contains("- dedup by id within 1h");
        assertThat(changes.contains(
                        "  its ids are forgotten: an event that comes again after the change counts again\n"))
                .isEqualTo(areForgotten);
    }

    @Test
    void shouldSayWhatIsNewAndWhatGoes() {
        String other = SUMM.replace("map Visit into S { key { id; } n += 1; }", "")
                        .replace("event Visit on \"visit\" as csv;", "")
                + "map Order into S { key { id; } n += 1; }";
        assertThat(changes(other, PROTO)).isEqualTo("""
                event Visit is not defined any more
                mapping Order->S#2 is new
                mapping Visit->S is not defined any more
                """);
    }

    @Test
    void shouldSayWhichLimitsChange() {
        String nested = SUMM.replace(
                        "value { count n = 1; }",
                        "value { count n = 1; summary Part { %s key { string sku = 1; } value { count m = 1; } } repeated Part parts = 2; }")
                .replace("summary S {", "summary S { %s");
        Definitions before = definitions(nested.formatted("limit keys = 5k;", "limit keys = 7;"), PROTO);
        Definitions after =
                definitions(nested.formatted("limit keys = 5k bytes = 4G overflow = other;", "limit keys = 8;"), PROTO);
        assertThat(RuleChanges.between(before, after).text()).isEqualTo("""
                limits of S change
                  - parts: limit keys = 7
                  + limit bytes = 4000000000
                  + limit overflow = other
                  + parts: limit keys = 8
                """);
        assertThat(RuleChanges.between(before, definitions(nested.formatted("", ""), PROTO))
                        .text())
                .isEqualTo("""
                limits of S change
                  - limit keys = 5000
                  - parts: limit keys = 7
                """);
    }

    /** A change that is too long for a line of an explanation is reported nevertheless. */
    @Test
    void shouldCompareAllOfALongList() {
        String many = "id in (" + "1000000, ".repeat(100) + "%d)";
        String before = SUMM.replace("id > 0", many.formatted(1));
        String after = SUMM.replace("id > 0", many.formatted(2));
        assertThat(RuleChanges.between(definitions(before, PROTO), definitions(after, PROTO))
                        .text())
                .contains("mapping Order->S changes");
    }

    @Test
    void shouldSayThatWindowsChange() {
        String before = SUMM.replace(
                        "summary S { key { int64 id = 1; }",
                        "summary S { window t every 1d zone \"Europe/Berlin\" close after 90m keep 1y;"
                                + " key { int64 id = 1; timestamp t = 2; }")
                .replace("key { id; }", "key { id; t = null; }");
        String after = before.replace("close after 90m keep 1y", "close after 0s");
        assertThat(RuleChanges.between(definitions(before, PROTO), definitions(before, PROTO))
                        .text())
                .isEmpty();
        assertThat(RuleChanges.between(definitions(before, PROTO), definitions(after, PROTO))
                        .text())
                .isEqualTo("""
                        windows of S change
                          - window t every 1d zone "Europe/Berlin" close after 90m keep 366d;
                          + window t every 1d zone "Europe/Berlin" close after 0s;
                        """);
    }
}
