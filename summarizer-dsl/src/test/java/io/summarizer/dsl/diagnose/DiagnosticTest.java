package io.summarizer.dsl.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosticTest {
    private static String render(String line, int column, int length) {
        return new Diagnostic(
                        Diagnostic.Severity.ERROR,
                        new Span(new Source("a.summ", line), 1, column, length),
                        "it is wrong",
                        List.of("do better"))
                .render();
    }

    @Test
    void showsThePlaceTheLineACaretAndAdvice() {
        assertThat(render("abc def", 5, 3)).isEqualTo("""
                        a.summ:1:5: error: it is wrong
                            abc def
                                ^~~
                        help: do better
                        """);
    }

    @Test
    void putsTheCaretUnderItsCauseBehindTabsAndWideCharacters() {
        assertThat(render("\tx\ty", 4, 1)).isEqualTo("""
                        a.summ:1:4: error: it is wrong
                                x   y
                                    ^
                        help: do better
                        """);
        assertThat(render("\"\uD83D\uDE00\" y", 5, 1)).contains("    \"\uFFFD\" y\n        ^\n");
    }

    /** Some errors of the parser of protocol buffers have such a place. */
    @Test
    void takesAPlaceBeforeTheFirstColumnForTheFirst() {
        assertThat(render("}", 0, 1)).contains("a.summ:1:1: error", "    }\n    ^\n");
        assertThat(new Span(new Source("a.summ", ""), 1, 3, Integer.MAX_VALUE)
                        .behind()
                        .column())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void cropsLongLinesAroundTheCaret() {
        String rendered = render("x".repeat(500) + "HERE" + "y".repeat(500), 501, 4);
        assertThat(rendered.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(130));
        List<String> lines = rendered.lines().toList();
        assertThat(lines.get(1)).startsWith("    ...xxx").contains("HERE").endsWith("yyy...");
        assertThat(lines.get(2).indexOf('^')).isEqualTo(lines.get(1).indexOf("HERE"));
        assertThat(lines.get(2)).endsWith("^~~~");
    }

    @Test
    void letsNoControlCharacterThrough() {
        Diagnostic diagnostic = new Diagnostic(
                Diagnostic.Severity.ERROR,
                new Span(new Source("a\u001b[31m.summ", "\u001b[2J\u0007"), 1, 1, 99),
                "bad \u001b name",
                List.of("\u0000"));
        assertThat(diagnostic.render()).doesNotContain("\u001b", "\u0007", "\u0000");
    }

    @Test
    void pointsBehindTheEndOfALine() {
        assertThat(render("abc", 4, 1)).contains("    abc\n       ^\n");
        assertThat(render("abc", 400, 1)).contains("    abc\n        ^\n");
    }

    @Test
    void sortsBoundsAndCounts() {
        Diagnostics diagnostics = new Diagnostics();
        Source source = new Source("a.summ", "x\n".repeat(3000));
        for (int line = 2000; line > 0; line--) {
            diagnostics.error(new Span(source, line, 1, 1), "wrong");
            diagnostics.error(new Span(source, 2000, 1, 1), "wrong");
        }
        assertThat(diagnostics.sorted())
                .hasSize(Diagnostics.MAX_KEPT)
                .isSortedAccordingTo(Comparator.comparingInt(Diagnostic::line));
        assertThat(diagnostics.count()).isGreaterThanOrEqualTo(2000);
        String rendered = Diagnostics.render(diagnostics.sorted(), diagnostics.count());
        assertThat(rendered.split("error: wrong", -1)).hasSize(Diagnostics.MAX_SHOWN + 1);
        assertThat(rendered).endsWith("\nand " + (diagnostics.count() - Diagnostics.MAX_SHOWN) + " more\n");
    }

    /** Otherwise, the time for the advice of errors that nobody sees grows with their number. */
    @Test
    void asksForAdviceOnlyWhileErrorsAreKept() {
        Diagnostics diagnostics = new Diagnostics();
        Source source = new Source("a.summ", "x\n".repeat(3000));
        int[] asked = new int[1];
        for (int line = 1; line <= 2000; line++) {
            diagnostics.error(new Span(source, line, 1, 1), "wrong", () -> List.of("help " + asked[0]++));
        }
        assertThat(asked[0]).isEqualTo(Diagnostics.MAX_KEPT);
        assertThat(diagnostics.count()).isEqualTo(2000);
    }

    @Test
    void suggestsTheNearestNameOrNone() {
        List<String> known = List.of("campaign_id", "creative_id", "user_id", "id");
        assertThat(Suggestions.nearest("campain_id", known)).isEqualTo("campaign_id");
        assertThat(Suggestions.nearest("cmapaign_id", known)).isEqualTo("campaign_id");
        assertThat(Suggestions.nearest("CAMPAIGN_ID", known)).isEqualTo("campaign_id");
        assertThat(Suggestions.nearest("revenue", known)).isEmpty();
        assertThat(Suggestions.nearest("x", known)).isEmpty();
        assertThat(Suggestions.nearest("x".repeat(100_000), known)).isEmpty();
        assertThat(Suggestions.distance("ab", "ba")).isEqualTo(1);
        assertThat(Suggestions.distance("kitten", "sitting")).isEqualTo(3);
    }
}
