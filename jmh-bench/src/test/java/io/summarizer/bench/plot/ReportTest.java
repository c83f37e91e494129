package io.summarizer.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.advice.SyntheticSweep;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportTest {
    private static final String JDK = "25.0.3";
    private static final Point V1 = SyntheticSweep.usual("v1", JDK);
    private static final Pattern BREAKS = Pattern.compile("NaN|Infinity|-\\d+(\\.\\d+)?\" height=");

    @TempDir
    static Path shared;

    @SuppressWarnings("NullAway.Init") // JUnit calls makeFull first
    private static Report full;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeFull() throws IOException {
        full = fullReport();
    }

    private static Report fullReport() throws IOException {
        SyntheticSweep sweep = new SyntheticSweep(1).full(List.of("v1", "v2"), List.of("17.0.19", JDK));
        return Report.of(Results.read(sweep.write(shared)), List.of("v1", "v2"));
    }

    private Report report(SyntheticSweep sweep) throws IOException {
        Results results = Results.read(sweep.write(folder));
        return Report.of(results, results.values(Factor.WORKLOAD));
    }

    private static Document xml(String text) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> chartTitles(String figure) {
        return Objects.requireNonNull(full.figures().get(figure), figure).charts().stream()
                .map(Chart::title)
                .toList();
    }

    @Test
    void thePageIsWellFormedAndNeedsNothingElse() throws Exception {
        String html = full.html();
        NodeList all = xml(html).getElementsByTagNameNS("*", "*");
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            assertThat(element.getLocalName()).isNotIn("script", "link", "image", "iframe", "use", "object");
            assertThat(element.hasAttribute("href")).isFalse();
            if (element.hasAttribute("src")) {
                assertThat(element.getAttribute("src")).startsWith("data:image/svg+xml;base64,");
            }
        }
        assertThat(html).doesNotContain("@import", "url(").doesNotContainPattern(BREAKS);
        assertThat(html).contains("prefers-color-scheme: dark");
    }

    @Test
    void thereIsAPanelForEachPairOfQueuesAndJdk() throws Exception {
        String svg = full.svgs().getOrDefault("throughput-v1.svg", "");
        assertThat(chartTitles("throughput-v1"))
                .containsExactlyInAnyOrder(
                        "[abq-abq, 17.0.19]",
                        "[abq-abq, 25.0.3]",
                        "[lbq-lbq, 17.0.19]",
                        "[lbq-lbq, 25.0.3]",
                        "[lbq-disruptor, 17.0.19]",
                        "[lbq-disruptor, 25.0.3]",
                        "[mpmc-mpsc, 17.0.19]",
                        "[mpmc-mpsc, 25.0.3]");
        assertThat(svg).contains("mode inline", "mode locked", "owner workers", "events/s", "2 parser workers");
    }

    @Test
    void everyPictureIsAFileOfItsOwn() throws Exception {
        Path page = full.writeTo(folder.resolve("report"));
        assertThat(page).content().contains("<h2>Workload v2</h2>");
        for (String kind : List.of("throughput", "efficiency", "fill", "full-or-empty", "latency", "factors")) {
            for (String workload : List.of("v1", "v2")) {
                Path file = folder.resolve("report").resolve(kind + "-" + workload + ".svg");
                String svg = Files.readString(file);
                assertThat(chartTitles(kind + "-" + workload)).isNotEmpty();
                xml(svg);
                assertThat(svg).doesNotContainPattern(BREAKS).contains("prefers-color-scheme: dark");
            }
        }
    }

    @Test
    void factorsThatWereVariedAloneHaveAPanelEach() throws Exception {
        assertThat(chartTitles("factors-v2"))
                .containsExactlyInAnyOrder(
                        "capacity of both queues, batches",
                        "wait of owners",
                        "messages a batch at most",
                        "collector",
                        "netty workers");
    }

    @Test
    void theSameResultsGiveTheSameBytes() throws Exception {
        assertThat(fullReport().html()).isEqualTo(full.html());
    }

    @Test
    void whatIsMissingIsSaid() throws Exception {
        String html = report(new SyntheticSweep(1).repeats(1).point(V1)).html();
        assertThat(html)
                .contains("What these results do not show")
                .contains("one JDK only")
                .contains("v1: no latency at offered rates")
                .contains("v1: no factor but queues and workers was varied alone")
                .contains("v1: no level of mode inline and locked on JDK 25.0.3")
                .contains("the noise is not known");
        xml(html);
    }

    @Test
    void resultsOfFailuresOnlyStillGiveAPage() throws Exception {
        String html = report(new SyntheticSweep(1).failed(V1, 1, "<no> \"room\" & more"))
                .html();
        xml(html);
        assertThat(html).contains("no run of v1 at full speed succeeded");
    }

    @Test
    void failedRunsAreListedWithTheirReasons() throws Exception {
        String html = report(new SyntheticSweep(1).point(V1).failed(V1.with(Factor.GC, "ZGC"), 1, "a <b> & c"))
                .html();
        xml(html);
        assertThat(html).contains("Runs that failed").contains("failed: a &lt;b&gt; &amp; c");
    }

    @Test
    void baselinesWithoutAnyQueueStillGiveAPage() throws Exception {
        String html = report(new SyntheticSweep(1)
                        .point(SyntheticSweep.without("inline", "v1", JDK, 1))
                        .point(SyntheticSweep.without("locked", "v1", JDK, 1)))
                .html();
        xml(html);
        assertThat(html).contains("v1: no run in mode queued succeeded");
    }

    @Test
    void runsOfSeveralCommitsAreToldOf() throws Exception {
        SyntheticSweep sweep = new SyntheticSweep(1).point(V1).commit("def5678").point(V1);
        assertThat(report(sweep).html()).contains("the runs are of 2 commits");
    }
}
