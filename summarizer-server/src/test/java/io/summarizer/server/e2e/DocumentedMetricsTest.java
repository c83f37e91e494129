package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages tell people to watch is there to be watched. */
class DocumentedMetricsTest {
    private static final Pattern METRIC = Pattern.compile("`(summarizer_[a-z0-9_]+[a-z0-9])[`{]");

    /** Those of TLS, of tokens, and of summaries with a bound on bytes: where there are any. */
    private static final Pattern ELSEWHERE =
            Pattern.compile("summarizer_(tls|http_access|http_tokens)[a-z_]*|summarizer_summary_bytes");

    @TempDir
    Path folder;

    @Test
    void everyMetricOfThePagesIsScraped() throws Exception {
        Set<String> documented = new TreeSet<>();
        try (Stream<Path> pages = Files.walk(ProjectHome.path().resolve("docs"))) {
            for (Path page :
                    pages.filter(file -> file.toString().endsWith(".md")).toList()) {
                METRIC.matcher(Files.readString(page)).results().forEach(found -> documented.add(found.group(1)));
            }
        }
        documented.removeIf(metric -> ELSEWHERE.matcher(metric).matches());
        if (!Files.exists(Path.of("/proc/net/udp"))) {
            documented.remove("summarizer_listener_kernel_dropped_total"); // of Linux only
        }
        documented.remove("summarizer_null_values_total"); // of expressions that failed
        assertThat(documented).contains("summarizer_journal_ok").hasSizeGreaterThan(40);
        try (RunningService service = RunningService.withAds(folder, "listen.syslog-udp.bind=127.0.0.1:0")) {
            Set<String> scraped = new TreeSet<>();
            scrape(service).forEach(line -> scraped.add(line.split("[ {]", 2)[0]));
            assertThat(scraped).containsAll(documented);
        }
    }

    private static List<String> scrape(RunningService service) throws IOException, InterruptedException {
        return service.get("/metrics")
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
