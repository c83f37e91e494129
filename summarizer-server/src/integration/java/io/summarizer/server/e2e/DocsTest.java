package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.config.ConfigLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * README, CONTRIBUTING and the pages of docs/: links and anchors resolve, commands run and print what the page says,
 * definitions and configurations are taken, tasks are found, words and widths are those of the house. CONTRIBUTING.md
 * says which tag of a fenced block means what.
 */
class DocsTest {
    private static final Path HOME = ProjectHome.path();

    /** Commands that are not run here, and why. Each is of use, or it goes. */
    private static final Map<String, String> NOT_RUN = notRun();

    private static Map<String, String> notRun() {
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put("^bin/(package|test)\\b", "builds: PackageDayTest, and who builds");
        reasons.put("^bin/bench\\b", "measures for minutes: BenchCommandTest holds the options");
        reasons.put("^bin/summarizer demo", "DemoCommandTest runs it");
        reasons.put(
                "^(apt-get|systemctl|podman|cp config/rsyslog|rsyslogd)\\b",
                "changes the machine: PackageDayTest, RsyslogEndToEndTest");
        reasons.put("/etc/summarizer/", "is there on a machine with the package: PackageDayTest");
        reasons.put("^SUMMARIZER_SERVE_JAVA_OPTS=", "flags for a JVM, which ScriptsTest passes on");
        reasons.put("^logger -p", "speaks to the rsyslogd of the machine");
        reasons.put("\\b(DIR|HOST|NUMBER|OLD|RESULTS|TOPIC|LINE|FILE|NAME)\\b", "has a word to fill in");
        reasons.put("http.bind=0.0.0.0", "would be reachable by other hosts: ExposureTest, SiteCheckTest");
        reasons.put("relps://|https://", "takes certificates where the service looks for them: TlsEndToEndTest");
        reasons.put("data/rejects|rejects.jsonl", "takes messages that were rejected: ReplayRejectsEndToEndTest");
        reasons.put("^kafka-[a-z-]+\\.sh ", "is a tool of Kafka: KafkaEndToEndTest reads what it shows");
        reasons.put("^bin/summarizer flink", "runs on Flink's class path: FlinkCommandTest, JobTest");
        reasons.put("^bin/summarizer serve --from-exports", "needs results of a job: ServeResultsTest");
        reasons.put("^flink (run|stop) |^standalone-job\\.sh ", "speaks to a cluster: FlinkClusterTest");
        reasons.put("^kubectl ", "speaks to Kubernetes: KubernetesManifestTest reads the file");
        reasons.put("health-bind", "HttpListenerTest");
        reasons.put("^\\d+ \\* \\* \\* \\* ", "is a line for cron: PostgresExportTest loads windows");
        return reasons;
    }

    /** Tags of blocks that nothing runs, and why. */
    private static final Map<String, String> OTHER_TAGS = Map.of(
            "ini", "a drop-in of systemd: ScriptsTest checks the unit",
            "rsyslog", "checked below against config/rsyslog, which RsyslogEndToEndTest runs",
            "text", "what a command prints, compared when it stands after one",
            "csv", "likewise",
            "json", "the form of an answer: HttpListenerTest, LedgerTest",
            "log", "an example of lines that differ each time");

    /** The tasks of users, and the page or section to which README leads; pages list their sections at the top. */
    private static final Map<String, String> TASKS = tasks();

    private static Map<String, String> tasks() {
        Map<String, String> tasks = new LinkedHashMap<>();
        tasks.put("install", "docs/start/install.md");
        tasks.put("upgrade", "docs/operate/upgrade.md#upgrade");
        tasks.put("roll back", "docs/operate/upgrade.md#roll-back");
        tasks.put("size", "docs/operate/size.md");
        tasks.put("back up", "docs/operate/backup.md#back-up");
        tasks.put("restore", "docs/operate/backup.md#restore");
        tasks.put("monitor", "docs/operate/monitor.md#scrape-the-metrics");
        tasks.put("alert", "docs/operate/monitor.md#alert-rules");
        tasks.put("high availability", "docs/operate/high-availability.md");
        tasks.put("certificates", "docs/operate/certificates.md");
        tasks.put("tokens", "docs/operate/tokens.md");
        tasks.put("trouble by symptom", "docs/operate/trouble.md");
        tasks.put("first summary", "docs/start/first-summary.md");
        tasks.put("web logs", "docs/write/recipes/web-logs.md");
        tasks.put("sshd", "docs/write/recipes/sshd.md");
        tasks.put("nested JSON", "docs/write/recipes/nested-json.md");
        tasks.put("time buckets in UTC and in local days", "docs/write/recipes/time-buckets.md");
        tasks.put("adding a field", "docs/write/recipes/add-a-field.md");
        tasks.put("backfill", "docs/write/recipes/backfill.md");
        tasks.put("checking and trying definitions", "docs/write/recipes/check-and-try.md");
        tasks.put("Excel", "docs/pull/excel.md");
        tasks.put("pandas", "docs/pull/pandas.md");
        tasks.put("R", "docs/pull/r.md");
        tasks.put("DuckDB", "docs/pull/duckdb.md");
        tasks.put("PostgreSQL with hll", "docs/pull/postgresql.md");
        tasks.put("how a number came about", "docs/write/recipes/how-a-number-came-about.md");
        tasks.put("merging hosts", "docs/write/recipes/merge-hosts.md");
        return tasks;
    }

    /** Words and openings that have a plainer form, in prose. */
    private static final Map<String, String> WORDS = Map.of(
            "\\b[Bb]ehind (?!rsyslog|a proxy|a balancer|your)", "after, or before",
            "\\b[Ss]ome (\\d|hundreds? of|thousands? of)", "about",
            "\\b[Ww]hoever\\b|\\b[Ww]homever\\b", "name the actor",
            "\\bwithin TLS\\b", "over TLS",
            "(^|[.;:] )(Never|Nor) (is|are|was|does)\\b", "subject, verb, object",
            "(^|[.;:] )(What|Who|Whose)\\b(?![^.]*\\?)", "begin with the actor",
            "\\b(told apart|befalls?|befell)\\b", "a plainer word",
            "\\b(TODO|FIXME|for now)\\b", "do it, or leave it out",
            "(?<![\\w/.-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,8}(?![\\w.-])",
                    "hashes of commits belong to docs/lab");

    private static final int WIDTH = 120;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern METRIC = Pattern.compile("\\bsummarizer_[a-z0-9_]+[a-z0-9]\\b");

    /** Commands that ask a service, and how one is begun for pages that take it for granted. */
    private static final Pattern ASKS =
            Pattern.compile("127\\.0\\.0\\.1(:| -P )(8080|5514|2514)|summarizer (export|ledger|reset|reload|journal)");

    private static final String SERVICE = """
            bin/summarizer serve --definitions schemas
            bin/summarizer generate ads-v1 --events 2000 --to relp://127.0.0.1:2514 2>/dev/null
            """;
    private static final Pattern FILE = Pattern.compile("// (\\S+)/[^/\\s]+\\.(?:summ|proto)\n");

    @TempDir
    Path folder;

    /**
     * A fenced block.
     *
     * @param line of its opening, from 1
     */
    private record Block(String tag, String text, int line) {}

    /** A page: its blocks, and its prose with blocks left out and inline code blanked, line by line. */
    private record Page(String name, List<Block> blocks, List<String> prose) {
        static Page read(String name) {
            try {
                return parse(name, Files.readAllLines(HOME.resolve(name)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Page parse(String name, List<String> lines) {
            List<Block> blocks = new ArrayList<>();
            List<String> prose = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (!line.strip().startsWith("```")) {
                    prose.add(line.replaceAll("`[^`]*`", "`x`"));
                    continue;
                }
                int begin = i;
                int indent = line.indexOf('`');
                StringBuilder text = new StringBuilder();
                while (!lines.get(++i).strip().equals("```")) {
                    String inner = lines.get(i);
                    text.append(inner.substring(Math.min(indent, inner.length())))
                            .append('\n');
                }
                blocks.add(new Block(line.strip().substring(3), text.toString(), begin + 1));
                for (int j = begin; j <= i; j++) {
                    prose.add("");
                }
            }
            return new Page(name, blocks, prose);
        }

        /** Anchors of headings, as GitHub makes them. */
        Set<String> anchors() {
            Set<String> anchors = new HashSet<>();
            Map<String, Integer> seen = new HashMap<>();
            try {
                boolean code = false;
                for (String line : Files.readAllLines(HOME.resolve(name))) {
                    code ^= line.strip().startsWith("```");
                    if (!code && line.matches("#+ .*")) {
                        String slug = line.replaceFirst("#+ ", "")
                                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                                .replace(' ', '-');
                        int times = seen.merge(slug, 1, Integer::sum);
                        anchors.add(times == 1 ? slug : slug + "-" + (times - 1));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return anchors;
        }

        List<String> links() {
            return prose.stream()
                    .flatMap(line -> LINK.matcher(line).results().map(found -> found.group(1)))
                    .toList();
        }
    }

    private static List<Page> pages() throws IOException {
        try (Stream<Path> files = Files.walk(HOME.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md"),
                            files.filter(file -> file.toString().endsWith(".md"))
                                    .map(file -> HOME.relativize(file).toString())
                                    .sorted())
                    .map(Page::read)
                    .toList();
        }
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Page page : pages()) {
            for (String link : page.links()) {
                if (link.startsWith("http") || link.startsWith("mailto:")) {
                    continue;
                }
                String[] parts = link.split("#", 2);
                Path target = parts[0].isEmpty()
                        ? HOME.resolve(page.name)
                        : HOME.resolve(page.name).resolveSibling(parts[0]).normalize();
                if (!Files.exists(target)) {
                    dead.add(page.name + ": " + link);
                } else if (parts.length == 2
                        && !Page.read(HOME.relativize(target).toString())
                                .anchors()
                                .contains(parts[1])) {
                    dead.add(page.name + ": " + link + " (no such section)");
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void everyPageIsInTheIndexOrLinkedByAPageThatIs() throws IOException {
        Set<String> reached = new TreeSet<>(Set.of("README.md"));
        List<String> next = new ArrayList<>(reached);
        while (!next.isEmpty()) {
            String name = next.remove(0);
            for (String link : Page.read(name).links()) {
                Path target =
                        HOME.resolve(name).resolveSibling(link.split("#")[0]).normalize();
                String found = target.startsWith(HOME) ? HOME.relativize(target).toString() : "";
                if (found.endsWith(".md") && Files.exists(target) && reached.add(found)) {
                    next.add(found);
                }
            }
        }
        assertThat(pages().stream().map(Page::name))
                .allSatisfy(name -> assertThat(reached).contains(name));
    }

    @Test
    void everyTaskIsFoundInTwoClicks() {
        List<String> fromReadme = Page.read("README.md").links();
        List<String> missed = new ArrayList<>();
        TASKS.forEach((task, place) -> {
            String[] parts = place.split("#");
            boolean page = fromReadme.stream().anyMatch(link -> link.split("#")[0].equals(parts[0]));
            boolean section = parts.length == 1
                    || (Files.exists(HOME.resolve(parts[0]))
                            && Page.read(parts[0]).anchors().contains(parts[1]));
            if (!page || !section || !Files.exists(HOME.resolve(parts[0]))) {
                missed.add(task + ": " + place);
            }
        });
        assertThat(missed).isEmpty();
        assertThat(TASKS).hasSizeGreaterThanOrEqualTo(25);
    }

    @Test
    void readmeFitsOnAFewScreens() throws IOException {
        assertThat(Files.readAllLines(HOME.resolve("README.md"))).hasSizeLessThanOrEqualTo(150);
    }

    @Test
    void proseIsPlainAndNarrow() throws IOException {
        Map<String, String> problems = new TreeMap<>();
        for (Page page : pages()) {
            List<String> prose = page.prose;
            for (int i = 0; i < prose.size(); i++) {
                String line = prose.get(i);
                String place = page.name + ":" + String.format("%04d", i + 1);
                String whole = Files.readAllLines(HOME.resolve(page.name)).get(i);
                if (whole.length() > WIDTH
                        && !line.strip().startsWith("|")
                        && !line.contains("![")
                        && !line.isEmpty()) {
                    problems.put(place, "wider than " + WIDTH);
                }
                WORDS.forEach((pattern, better) -> {
                    Matcher found = Pattern.compile(pattern).matcher(line);
                    boolean lab = page.name.startsWith("docs/lab/") && better.startsWith("hashes");
                    if (!lab && found.find()) {
                        problems.put(place, '"' + found.group().strip() + "\": " + better);
                    }
                });
            }
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void everyMetricThatAPageNamesIsInTheReference() throws IOException {
        String reference = Files.readString(HOME.resolve("docs/reference/metrics.md"));
        Set<String> known = new TreeSet<>();
        METRIC.matcher(reference).results().forEach(found -> known.add(found.group()));
        assertThat(known).hasSizeGreaterThan(80);
        for (Page page : pages()) {
            Set<String> named = new TreeSet<>();
            METRIC.matcher(Files.readString(HOME.resolve(page.name)))
                    .results()
                    .forEach(found -> named.add(found.group()));
            named.removeIf(name -> name.equals("summarizer_id") || name.equals("summarizer_sd")); // of rsyslog
            assertThat(known).as(page.name).containsAll(named);
        }
    }

    @Test
    void parametersOfRsyslogAreThoseOfTheShippedFiles() throws IOException {
        StringBuilder shipped = new StringBuilder();
        try (Stream<Path> files = Files.list(HOME.resolve("config/rsyslog"))) {
            for (Path file : files.toList()) {
                shipped.append(Files.readString(file));
            }
        }
        Set<String> others = Set.of( // of omfwd over TLS, and of a second action
                "StreamDriver",
                "StreamDriverMode",
                "StreamDriverAuthMode",
                "StreamDriverPermittedPeers",
                "defaultNetstreamDriverCAFile",
                "defaultNetstreamDriverCertFile",
                "defaultNetstreamDriverKeyFile",
                "action.execOnlyWhenPreviousIsSuspended");
        Pattern parameter = Pattern.compile("([A-Za-z.]+)=\"");
        for (Page page : pages()) {
            page.blocks.stream()
                    .filter(block -> block.tag.equals("rsyslog"))
                    .forEach(block -> assertThat(parameter
                                    .matcher(block.text)
                                    .results()
                                    .map(found -> found.group(1))
                                    .filter(name -> !others.contains(name)))
                            .as(page.name + ":" + block.line)
                            .allSatisfy(name -> assertThat(shipped).contains(name + "=\"")));
        }
    }

    @TestFactory
    Stream<DynamicTest> everyBlockIsTrue() throws IOException {
        return pages().stream()
                .filter(page -> !page.name.startsWith("docs/lab/")) // measures, by bin/bench
                .filter(page -> !page.name.equals("docs/write/language.md")) // LanguageReferenceTest
                .filter(page -> !page.name.matches("docs/write/recipes/.*|docs/pull/(?!files)[a-z]+.md")) // RecipesTest
                .filter(page -> !page.blocks.isEmpty())
                .map(page -> DynamicTest.dynamicTest(page.name, () -> run(page)));
    }

    /** Comes last by its name: each entry of the lists is of use. */
    @TestFactory
    Stream<DynamicTest> zNothingIsOnAListForNothing() {
        return NOT_RUN.keySet().stream()
                .map(pattern -> DynamicTest.dynamicTest(
                        pattern, () -> assertThat(pagesHave(pattern)).isTrue()));
    }

    private static boolean pagesHave(String pattern) throws IOException {
        return pages().stream()
                .flatMap(page -> page.blocks.stream())
                .filter(block -> block.tag.equals("console"))
                .anyMatch(block -> isNotRun(block, pattern));
    }

    private static boolean isNotRun(Block block, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return block.text.lines().anyMatch(line -> compiled.matcher(line).find());
    }

    private static boolean asks(Block block) {
        return block.tag.equals("sh") && ASKS.matcher(block.text).find();
    }

    private static boolean serves(Block block) {
        return block.tag.equals("sh") && block.text.contains("summarizer serve");
    }

    private void run(Page page) throws Exception {
        Set<String> definitions = new TreeSet<>();
        for (Block block : page.blocks) {
            String place = page.name + ":" + block.line;
            Matcher file = FILE.matcher(block.text);
            if (block.tag.equals("console")) {
                assertThat(NOT_RUN.keySet())
                        .as(place + " is not run, for no reason")
                        .anyMatch(each -> isNotRun(block, each));
            } else if (block.tag.equals("yaml") && block.text.matches("(groups|scrape_configs):\n(?s).*")) {
                assertThat(page.name).isEqualTo("docs/operate/monitor.md"); // for Prometheus
            } else if (block.tag.equals("yaml")) {
                Path yaml = Files.writeString(Files.createTempFile(folder, "docs", ".yaml"), block.text);
                ConfigLoader.load(HOME, yaml, Map.of(), List.of());
            } else if (file.lookingAt()) {
                definitions.add(file.group(1));
            } else if (!block.tag.startsWith("sh")) {
                assertThat(OTHER_TAGS).as(place).containsKey(block.tag);
            }
        }
        boolean beside = page.blocks.stream()
                .filter(block -> asks(block) || serves(block))
                .findFirst()
                .filter(block -> !serves(block))
                .isPresent();
        Path work = Files.createDirectory(folder.resolve(page.name.replace('/', '.')));
        Walkthrough.of(beside ? SERVICE : "", HOME.resolve(page.name), work, Map.of(), Map.of());
        for (String each : definitions) {
            Commands.Outcome checked =
                    Commands.run("check", "--definitions", work.resolve(each).toString());
            assertThat(checked.exit()).as(page.name + ": " + checked.err()).isZero();
            assertThat(checked.err()).as(page.name).doesNotContain("warning:");
        }
    }
}
