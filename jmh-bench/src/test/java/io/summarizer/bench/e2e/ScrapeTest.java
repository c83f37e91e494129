package io.summarizer.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScrapeTest {
    @Test
    void readsNamesLabelsAndValuesAndPassesOverComments() {
        Scrape scrape = Scrape.parse("""
                # HELP a_total what it is
                # TYPE a_total counter
                a_total 1.5E9
                b{queue="parse",pipeline="v1"} 3.0
                b { queue = "a \\"b\\\\c\\n" , } 4 1395066363000
                empty{} 5
                """);
        assertThat(scrape.samples())
                .containsExactly(
                        new Scrape.Sample("a_total", Map.of(), 1.5e9),
                        new Scrape.Sample("b", Map.of("queue", "parse", "pipeline", "v1"), 3),
                        new Scrape.Sample("b", Map.of("queue", "a \"b\\c\n"), 4),
                        new Scrape.Sample("empty", Map.of(), 5));
    }

    @Test
    void sumsOverLabelsThatNobodyAskedFor() {
        Scrape scrape = Scrape.parse("x{pipeline=\"a\"} 1\nx{pipeline=\"b\"} 2\nxy 4\n");
        assertThat(scrape.sum("x")).isEqualTo(3);
        assertThat(scrape.sum("z")).isZero();
        assertThat(scrape.values("x", sample -> "b".equals(sample.labels().get("pipeline"))))
                .containsExactly(2.0);
    }

    @Test
    void readsWhatIsNoFiniteNumber() {
        Scrape scrape = Scrape.parse("a NaN\nb +Inf\nc -Inf\n");
        assertThat(scrape.sum("a")).isNaN();
        assertThat(scrape.sum("b")).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(scrape.sum("c")).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a{b=\"c} 1", "a{b=c} 1", "a{b=\"c\"", "a one"})
    void saysWhatItCannotRead(String line) {
        assertThatThrownBy(() -> Scrape.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a line of Prometheus text: " + line);
    }
}
