package io.summarizer.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.summarizer.core.deliver.Export;
import io.summarizer.core.deliver.Export.Schedule;
import io.summarizer.core.deliver.FilePattern;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.config.ServerConfig.Exported;
import io.summarizer.server.config.ServerConfig.Unmatched;
import io.summarizer.server.net.Ack;
import io.summarizer.server.tls.ClientCertificates;
import io.summarizer.server.tls.TestPki;
import io.summarizer.server.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    private static final Path HOME = Path.of("/opt/summarizer");

    @TempDir
    Path folder;

    @Test
    void nothingSetGivesTheDefaults() throws ConfigException {
        ServerConfig config = load(null);
        assertThat(config.syslogTcp().bind().orElseThrow()).hasToString("127.0.0.1/<unresolved>:5514");
        assertThat(config.framing()).isEqualTo(Framing.AUTO);
        assertThat(config.syslogTcp().messageBytesMax()).isEqualTo(256 * 1024);
        assertThat(config.http().bind()).hasToString("127.0.0.1/<unresolved>:8080");
        assertThat(config.definitions()).isEqualTo(HOME.resolve("schemas"));
        assertThat(config.data()).isEqualTo(HOME.resolve("data"));
        assertThat(config.pipeline().summarize().queue()).isEqualTo(QueueKind.LBQ);
        assertThat(config.pipeline().summarize().waitPolicy()).isEqualTo(WaitPolicy.BLOCKING);
        assertThat(config.refused().unmatched()).isEqualTo(Unmatched.COUNT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"36500d", "1500ms", "123456789012us"})
    void settingsOfMessagesCanBeReadAgain(String ahead) throws ConfigException {
        Map<String, String> settings = load(null, "limits.ahead=" + ahead).messageSettings();
        String[] again = settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
        assertThat(load(null, again).messageSettings()).isEqualTo(settings);
    }

    @Test
    void namedPipelinesAreLikeTheDefaultOneButForWhatTheySet() throws Exception {
        Path file = folder.resolve("pipelines.yaml");
        Files.writeString(file, """
                pipeline.summarize.queue: disruptor
                pipeline.summarize.wait: sleeping
                pipeline.parse.capacity: 64
                pipelines:
                  v2:
                    topics: [ad.auction.#, "ad.bid.*"]
                    parse: {workers: 3, capacity: 32}
                  bulk:
                    topics: bulk.#
                    summarize.queue: lbq
                """);
        ServerConfig config = load(file, "pipelines.v2.summarize.workers=2", "pipelines.last.topics=z");
        List<PipelineOptions.Named> pipelines = config.pipeline().pipelines();
        assertThat(pipelines).extracting(PipelineOptions.Named::name).containsExactly("default", "v2", "bulk", "last");
        PipelineOptions.Named v2 = pipelines.get(1);
        assertThat(v2.topics()).extracting(TopicPattern::toString).containsExactly("ad.auction.#", "ad.bid.*");
        assertThat(v2.parse()).isEqualTo(new PipelineOptions.Stage(QueueKind.LBQ, 32, 3, WaitPolicy.BLOCKING));
        assertThat(v2.summarize())
                .isEqualTo(new PipelineOptions.Stage(QueueKind.DISRUPTOR, 256, 2, WaitPolicy.SLEEPING));
        assertThat(pipelines.get(2).parse()).isEqualTo(config.pipeline().parse());
        assertThat(pipelines.get(2).summarize().queue()).isEqualTo(QueueKind.LBQ);
        assertThat(pipelines.get(2).summarize().waitPolicy())
                .as("the other queue's wait is nothing for this one")
                .isEqualTo(WaitPolicy.BLOCKING);
    }

    @Test
    void eventLoopsThatDoAllTheWorkAreAsManyAsProcessors() throws ConfigException {
        int processors = Math.min(64, Runtime.getRuntime().availableProcessors());
        assertThat(load(null, "pipeline.mode=inline").pipeline().nettyWorkers()).isEqualTo(processors);
        assertThat(load(null, "pipeline.mode=locked", "pipeline.netty-workers=7")
                        .pipeline()
                        .nettyWorkers())
                .isEqualTo(7);
        assertThat(load(null).pipeline().nettyWorkers()).isEqualTo(Math.max(1, Math.min(8, processors / 3)));
    }

    @Test
    void namedPipelinesAreCheckedAsAllElse() {
        assertThat(faults("pipelines.v2.parse.workers=2"))
                .singleElement()
                .asString()
                .contains("pipelines.v2.topics: not set");
        assertThat(faults("pipelines.v2.topics=a..b c"))
                .singleElement()
                .asString()
                .contains("\"a..b c\" is not allowed");
        assertThat(faults("pipelines.V-2.topics=a"))
                .singleElement()
                .asString()
                .contains("no such key")
                .contains("a pipeline's name is");
        assertThat(faults("pipelines.default.topics=a"))
                .singleElement()
                .asString()
                .contains("set under pipeline");
        assertThat(faults("pipelines.v2.topics=a", "pipelines.v2.parse.worker=2"))
                .singleElement()
                .asString()
                .contains("did you mean pipelines.v2.parse.workers?");
        assertThat(faults("pipelines.v2.topics=a", "pipeline.mode=inline"))
                .singleElement()
                .asString()
                .contains("with pipeline.mode inline there are no queues");
    }

    @Test
    void theFileOfTheProjectSaysWhatTheDefaultsAre() throws ConfigException {
        assertThat(load(projectFile())).isEqualTo(load(null));
    }

    @Test
    void theFileOfTheProjectDocumentsEveryKey() throws IOException {
        TreeSet<String> documented = new TreeSet<>();
        // "key: value" at any depth, commented out or not; prose has no colon right after its first word
        Pattern line = Pattern.compile("^( *)(?:# )?([a-z-]+):(?: (\\S+))?$");
        List<String> path = new ArrayList<>();
        for (String text : Files.readAllLines(projectFile())) {
            Matcher matcher = line.matcher(text);
            if (matcher.matches()) {
                int depth = matcher.group(1).length() / 2;
                path.subList(depth, path.size()).clear();
                path.add(matcher.group(2));
                if (matcher.group(3) != null) {
                    documented.add(String.join(".", path));
                }
            }
        }
        assertThat(documented)
                .containsExactlyElementsOf(new TreeSet<>(ConfigKeys.all().keySet()));
    }

    @Test
    void tlsNeedsACertificateAndItsKey() throws ConfigException {
        assertThat(load(null).relp().transport().tls()).isEmpty();
        assertThat(faults("listen.relp.tls.key=k.pem")).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo("listen.relp.tls.certificate");
            assertThat(problem.toString()).contains("not set, and listen.relp.tls.key is");
        });
        assertThat(faults("http.tls.client-ca=/ca.pem"))
                .extracting(ConfigProblem::key)
                .containsExactly("http.tls.certificate", "http.tls.key");
        TlsFiles files = load(null, "listen.relp.tls.certificate=c.pem", "listen.relp.tls.key=/k.pem")
                .relp()
                .transport()
                .tls()
                .orElseThrow();
        assertThat(files).isEqualTo(new TestPki.Pair(Path.of("c.pem").toAbsolutePath(), Path.of("/k.pem")).files());
    }

    @Test
    void aClientCaAsksForCertificatesAndNamesAreTheirs() throws Exception {
        String[] pair = {"listen.syslog-tcp.tls.certificate=/c.pem", "listen.syslog-tcp.tls.key=/k.pem"};
        Path file = file("listen.syslog-tcp.tls: {client-ca: /ca.pem, allowed-names: [web1.example.com, '*.eu']}\n");
        assertThat(load(file, pair).syslogTcp().transport().tls())
                .contains(TestPki.withClients(
                        new TestPki.Pair(Path.of("/c.pem"), Path.of("/k.pem")).files(),
                        Path.of("/ca.pem"),
                        ClientCertificates.REQUIRED,
                        "web1.example.com",
                        "*.eu"));
        assertThat(faults(pair[0], pair[1], "listen.syslog-tcp.tls.client-auth=optional"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.key()).isEqualTo("listen.syslog-tcp.tls.client-ca"));
        assertThat(faults(pair[0], pair[1], "listen.syslog-tcp.tls.allowed-names=web1"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.key()).isEqualTo("listen.syslog-tcp.tls.allowed-names"));
        assertThat(faults(pair[0], pair[1], "listen.syslog-tcp.tls.allowed-names=web*.example.com"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("is not allowed"));
    }

    @Test
    void nestedKeysAndDottedKeysAreTheSame() throws ConfigException, IOException {
        ServerConfig nested = load(file("pipeline:\n  parse:\n    queue: abq\n    capacity: 7\n"));
        assertThat(nested.pipeline().parse().queue()).isEqualTo(QueueKind.ABQ);
        assertThat(load(file("pipeline.parse.queue: abq\npipeline.parse.capacity: 7\n")))
                .isEqualTo(nested);
        assertThat(load(file("pipeline:\n  parse.queue: abq\n  parse: {capacity: 7}\n")))
                .isEqualTo(nested);
    }

    @Test
    void theCommandLineOverridesTheEnvironmentOverridesTheFile() throws ConfigException, IOException {
        Path file = file("pipeline.netty-workers: 2\npipeline.parse.workers: 2\npipeline.summarize.workers: 2\n");
        ServerConfig config = ConfigLoader.load(
                HOME,
                file,
                Map.of("SUMMARIZER_PIPELINE_PARSE_WORKERS", "3", "SUMMARIZER_PIPELINE_SUMMARIZE_WORKERS", "3"),
                List.of("pipeline.summarize.workers=4", "pipeline.summarize.workers=5"));
        assertThat(config.pipeline().nettyWorkers()).isEqualTo(2);
        assertThat(config.pipeline().parse().workers()).isEqualTo(3);
        assertThat(config.pipeline().summarize().workers()).isEqualTo(5);
    }

    @Test
    void everyKeyCanBeSetByItsVariableAndOnTheCommandLine() throws ConfigException {
        for (ConfigKey<?> key : ConfigKeys.all().values()) {
            if (!key.fallback().isEmpty()) {
                ConfigLoader.load(HOME, null, Map.of(key.variable(), key.fallback()), List.of());
                ConfigLoader.load(HOME, null, Map.of(), List.of(key.name() + "=" + key.fallback()));
            }
            assertThat(problems(null, key.variable(), "", "").get(0).key()).isEqualTo(key.name());
        }
    }

    @Test
    void valuesAreTyped() throws ConfigException {
        ServerConfig config = load(
                null,
                "listen.syslog-tcp.bind=[::1]:0",
                "listen.syslog-tcp.max-message-size=1 MiB",
                "listen.syslog-tcp.idle-timeout=5m",
                "listen.syslog-tcp.timezone=Europe/Berlin",
                "limits.rows=1_000_000",
                "limits.dedup-ids=50000",
                "cuts.memory=512MiB",
                "pipeline.parse.queue=mpmc",
                "pipeline.parse.wait=sleeping",
                "pipeline.summarize.queue=disruptor",
                "pipeline.summarize.wait=busy-spin",
                "data=here");
        assertThat(config.syslogTcp().bind().orElseThrow().getHostString()).isEqualTo("::1");
        assertThat(config.syslogTcp().messageBytesMax()).isEqualTo(1 << 20);
        assertThat(config.syslogTcp().connections().idleTimeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(config.syslogTcp().timezone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(config.limits().rows()).isEqualTo(1_000_000);
        assertThat(config.limits().dedupIds()).isEqualTo(50_000);
        assertThat(config.limits().cutBytes()).isEqualTo(512L << 20);
        assertThat(load(null, "cuts.memory=50%").limits().cutBytes())
                .isEqualTo(Runtime.getRuntime().maxMemory() / 100 * 50);
        assertThat(problems(null, "", "", "cuts.memory=76%")).hasSize(1);
        assertThat(config.pipeline().parse().queue()).isEqualTo(QueueKind.MPMC);
        assertThat(config.pipeline().parse().waitPolicy()).isEqualTo(WaitPolicy.SLEEPING);
        assertThat(config.pipeline().summarize().waitPolicy()).isEqualTo(WaitPolicy.BUSY_SPIN);
        assertThat(config.data()).isEqualTo(Path.of("here").toAbsolutePath());
        assertThat(load(null, "data=src/../here").data()).isEqualTo(config.data());
    }

    @Test
    void aJournalHasRoomForFourSegmentsAtLeast() throws Exception {
        assertThat(load(null).journal())
                .isEqualTo(new JournalOptions(64L << 20, 8L << 30, Compression.ZSTD, JournalOptions.DEFAULT_LEVEL));
        ServerConfig config =
                load(null, "journal.segment-size=1048577", "journal.max-size=64MiB", "journal.compression=none");
        assertThat(config.journal()).isEqualTo(new JournalOptions(1L << 20, 64L << 20, Compression.NONE));
        assertThat(problems(null, "", "", "journal.max-size=64MiB"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.key()).isEqualTo("journal.max-size");
                    assertThat(problem.toString()).contains("less than 4 segments", "4 times journal.segment-size");
                });
    }

    @Test
    void allProblemsComeAtOnceWithLineKeyValueAndWhatIsAllowed() throws IOException {
        Path file = file("""
                listen:
                  syslog-tcp:
                    bind: 5514
                    framing: octett
                  relp:
                    bind: nowhere
                htpp:
                  bind: 127.0.0.1:8080
                pipeline:
                  mode: inlined
                  parse:
                    queue: clq
                    capacity: 1
                    capacity: 2
                    wait: yielding
                  summarize: [lbq]
                unmatched:
                queue: lbq
                """);
        List<ConfigProblem> problems = catchThrowableOfType(
                        ConfigException.class,
                        () -> ConfigLoader.load(
                                HOME,
                                file,
                                Map.of(
                                        "SUMMARIZER_PIPELINE_PARSE_WORKER",
                                        "2",
                                        "SUMMARIZER_PIPELINES_V2_TOPIC",
                                        "a.#",
                                        "SUMMARIZER_JAVA_OPTS",
                                        "-Xmx1g"),
                                List.of(
                                        "pipeline.sumarize.queue=lbq",
                                        "listen.http.bind=off",
                                        "data",
                                        "rejects.max-size=1KiB",
                                        "pipeline=x")))
                .problems();
        assertThat(String.join(
                                "\n",
                                problems.stream().map(ConfigProblem::toString).toList())
                        .replace(file.toString(), "FILE"))
                .isEqualTo("""
                        FILE:3: error: listen.syslog-tcp.bind: "5514" is not allowed; allowed: HOST:PORT, as in \
                        127.0.0.1:5514 or [::1]:5514, with a port from 0 to 65535; or off
                        FILE:4: error: listen.syslog-tcp.framing: "octett" is not allowed; allowed: auto, lf, octet
                          help: did you mean octet?
                        FILE:6: error: listen.relp.bind: "nowhere" is not allowed; allowed: HOST:PORT, as in \
                        127.0.0.1:5514 or [::1]:5514, with a port from 0 to 65535; or off
                        FILE:8: error: htpp.bind: no such key
                          help: did you mean http.bind?
                        FILE:10: error: pipeline.mode: "inlined" is not allowed; allowed: queued, inline, locked
                          help: did you mean inline?
                        FILE:12: error: pipeline.parse.queue: "clq" is not allowed; allowed: abq, lbq, mpmc, \
                        disruptor
                        FILE:13: error: pipeline.parse.capacity: "1" is not allowed; allowed: a whole number from 2 to \
                        1048576
                        FILE:14: error: pipeline.parse.capacity: set twice; first in line 13
                        FILE:15: error: pipeline.parse.wait: the queue lbq has no use for a wait of yielding
                          help: leave it out, or set pipeline.parse.queue to mpmc or disruptor
                        FILE:16: error: pipeline.summarize: a single value expected, not a list
                        FILE:17: error: unmatched: an empty value is not allowed; allowed: count, keep
                        FILE:18: error: queue: no such key
                          help: did you mean pipeline.parse.queue or pipeline.summarize.queue?
                        SUMMARIZER_PIPELINES_V2_TOPIC: error: no key has this variable
                          help: did you mean SUMMARIZER_PIPELINES_V2_TOPICS?
                        SUMMARIZER_PIPELINE_PARSE_WORKER: error: no key has this variable
                          help: did you mean SUMMARIZER_PIPELINE_PARSE_WORKERS?
                        --set: error: pipeline.sumarize.queue: no such key
                          help: did you mean pipeline.summarize.queue?
                        --set: error: listen.http.bind: no such key
                          help: did you mean http.bind?
                        --set data: error: key=value expected
                        --set: error: rejects.max-size: "1KiB" is not allowed; allowed: a size from 1MiB to 1024GiB, \
                        in B, KiB, MiB or GiB
                        --set: error: pipeline: no such key
                          help: it is a section; its keys: pipeline.mode, pipeline.netty-workers, \
                        pipeline.batch.messages, pipeline.batch.linger, pipeline.parse.queue, pipeline.parse.capacity, pipeline.parse.workers, pipeline.parse.wait, \
                        pipeline.summarize.queue, pipeline.summarize.capacity, pipeline.summarize.workers, \
                        pipeline.summarize.wait""");
    }

    @Test
    void aWaitThatTheQueueHasNoUseForIsAnErrorWherever() {
        assertThat(problems(null, "", "", "pipeline.summarize.wait=blocking"))
                .extracting(ConfigProblem::toString)
                .containsExactly("""
                        --set: error: pipeline.summarize.wait: the queue lbq has no use for a wait of blocking
                          help: leave it out, or set pipeline.summarize.queue to mpsc or disruptor""");
    }

    @Test
    void relpIsOnUnlessItIsSwitchedOff() throws ConfigException {
        assertThat(load(null).relp().bind().orElseThrow()).hasToString("127.0.0.1/<unresolved>:2514");
        assertThat(load(null).ack()).isEqualTo(Ack.DURABLE);
        assertThat(load(null, "listen.relp.bind=off").relp().bind()).isEmpty();
        assertThat(load(null, "listen.relp.ack=applied").ack()).isEqualTo(Ack.APPLIED);
    }

    @Test
    void shouldReadTheNamesOfHttpAsAListOrWithCommas() throws ConfigException, IOException {
        assertThat(load(null).http().names()).isEmpty();
        assertThat(load(null, "http.names=events.example.com, *.eu.example.com,192.0.2.7,2001:db8::7")
                        .http()
                        .names())
                .containsExactly("events.example.com", "*.eu.example.com", "192.0.2.7", "2001:db8::7");
        assertThat(load(file("http:\n  names:\n    - a.example.com\n    - b.example.com\n"))
                        .http()
                        .names())
                .containsExactly("a.example.com", "b.example.com");
        assertThat(faults("http.names=http://events.example.com/")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [1", "- a", "text", "a: *b", "\t x: 1", "? {a: b}\n: c", "a: {b: {c: [x]}}", "%"})
    void whatIsNoConfigurationIsAProblemNotAnException(String text) throws IOException {
        assertThat(problems(file(text), "", "", "")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [", "{a: ", "? ", "- "})
    void aFileThatIsNestedTooDeepIsAProblem(String level) throws IOException {
        assertThat(problems(file(level.repeat(100_000)), "", "", ""))
                .extracting(ConfigProblem::text)
                .containsExactly("nested more than 16 deep: not a configuration");
    }

    @Test
    void aFileThatIsNotThereIsAProblem() {
        assertThat(problems(folder.resolve("absent.yaml"), "", "", ""))
                .extracting(ConfigProblem::text)
                .containsExactly("no such file");
    }

    @Test
    void anEmptyFileAndEmptySectionsSetNothing() throws ConfigException, IOException {
        assertThat(load(file(""))).isEqualTo(load(null));
        assertThat(load(file("listen:\npipeline:\n  parse:\n"))).isEqualTo(load(null));
    }

    @Test
    void exportsAreAListOfSections() throws Exception {
        ServerConfig config = load(
                file("""
                exports:
                  - summary: Traffic/pages
                    on: close
                    to: /srv/{summary}-{window}.csv
                  - summary: Totals
                    at: 00:05
                    format: csv.zst
                    to: out/{date}.csv.zst
                    by: [host, "`a b`"]
                    where: n > 1
                """),
                "exports.3.summary=T",
                "exports.3.every=90m",
                "exports.3.to=/srv/t.csv",
                "exports.1.format=ndjson");
        assertThat(config.exports()).extracting(Exported::key).containsExactly("exports.1", "exports.2", "exports.3");
        assertThat(config.exports().get(0).origin()).endsWith("test.yaml:2");
        assertThat(config.exports())
                .extracting(Exported::export)
                .containsExactly(
                        new Export(
                                new CsvName("Traffic", List.of("pages")),
                                Schedule.CLOSE,
                                Export.Format.NDJSON,
                                FilePattern.of(Path.of("/srv/{summary}-{window}.csv")),
                                null,
                                ""),
                        new Export(
                                new CsvName("Totals", List.of()),
                                new Schedule(86_400_000_000L, 300_000_000),
                                Export.Format.CSV_ZST,
                                FilePattern.of(Path.of("out/{date}.csv.zst").toAbsolutePath()),
                                List.of("host", "a b"),
                                "n > 1"),
                        new Export(
                                new CsvName("T", List.of()),
                                new Schedule(5_400_000_000L, 0),
                                Export.Format.CSV,
                                FilePattern.of(Path.of("/srv/t.csv")),
                                null,
                                ""));
        assertThat(load(file("exports: []"))).isEqualTo(load(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SUMMARIZER_HEALTH", "SUMMARIZER_PORT", "SUMMARIZER_SERVICE_PORT_HTTP"})
    void variablesThatAreNoKeysDoNotStopAStart(String variable) throws ConfigException {
        assertThat(ConfigLoader.load(HOME, null, Map.of(variable, "tcp://10.0.0.1:8080"), List.of()))
                .isEqualTo(ConfigLoader.load(HOME, null, Map.of(), List.of()));
    }

    @Test
    void variablesSetExports() throws ConfigException {
        ServerConfig config = ConfigLoader.load(
                HOME,
                null,
                Map.of(
                        "SUMMARIZER_EXPORTS_1_SUMMARY", "T",
                        "SUMMARIZER_EXPORTS_1_ON", "close",
                        "SUMMARIZER_EXPORTS_1_TO", "/srv/{window}.csv"),
                List.of());
        assertThat(config.exports()).singleElement().extracting(Exported::key).isEqualTo("exports.1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    exports.1.summary=T                         | exports.1.to: not set
                    exports.1.to=/srv/x.csv                     | exports.1.summary: not set
                    exports.1.on=close                          | exports.1.summary: not set
                    summary to                                  | exports.1.on: neither this key nor every nor at is set
                    summary to on every                         | exports.1.every: set together with exports.1.on
                    summary on exports.1.to=/srv/x.csv          | exports.1.to: all windows would have the same file
                    summary every exports.1.to=/srv/{window}    | exports.1.to: {window} goes with on: close only
                    summary on exports.1.to=/srv/{windw}.csv    | "/srv/{windw}.csv" is not allowed
                    summary on exports.1.to=/srv/               | "/srv/" is not allowed
                    summary to exports.1.at=24:00               | "24:00" is not allowed
                    summary to exports.1.every=0s               | "0s" is not allowed
                    summary to every exports.1.at=24:00         | --set: error: exports.1.at: set together with
                    summary to exports.1.on=clos                | did you mean close?
                    summary every exports.1.to=/x.manifest.json | exports.1.to: the manifests of exports have such names
                    summary to on exports.1.format=zst          | "zst" is not allowed
                    summary to on exports.1.formt=csv           | did you mean exports.1.format?
                    summary to on exports.0.to=x                | exports is a list
                    summary to on exports.65.to=x               | exports is a list
                    to on exports.1.summary=/x                  | "/x" is not allowed
                    to on exports.1.summary=T/x state           | exports.1.summary: a state file has nested summaries
                    summary to on state exports.1.where=n       | exports.1.where: a state file has all rows
                    summary to on state exports.1.by=n          | exports.1.by: a state file has all rows
                    summary to on two exports.2.to=/srv/T-{window} | exports.2.to: its files have the names of those of exports.1
                    summary to on two exports.2.to=/srv/x/../T-{window} | exports.2.to: its files have the names of those of exports.1
                    """)
    void exportsAreCheckedAsAllElse(String sets, String problem) {
        Map<String, List<String>> usual = Map.of(
                "summary", List.of("exports.1.summary=T"),
                "to", List.of("exports.1.to=/srv/{summary}-{window}"),
                "on", List.of("exports.1.on=close"),
                "every", List.of("exports.1.every=1h"),
                "state", List.of("exports.1.format=state"),
                "two", List.of("exports.2.summary=U", "exports.2.on=close"));
        String[] all = Stream.of(sets.split(" "))
                .flatMap(set -> usual.getOrDefault(set, List.of(set)).stream())
                .toArray(String[]::new);
        assertThat(faults(all))
                .map(ConfigProblem::toString)
                .anySatisfy(text -> assertThat(text).contains(problem));
    }

    private ServerConfig load(@Nullable Path file, String... sets) throws ConfigException {
        return ConfigLoader.load(HOME, file, Map.of(), List.of(sets));
    }

    private List<ConfigProblem> problems(@Nullable Path file, String variable, String value, String set) {
        return catchThrowableOfType(
                        ConfigException.class,
                        () -> ConfigLoader.load(
                                HOME,
                                file,
                                variable.isEmpty() ? Map.of() : Map.of(variable, value),
                                set.isEmpty() ? List.of() : List.of(set)))
                .problems();
    }

    private static List<ConfigProblem> faults(String... sets) {
        return catchThrowableOfType(ConfigException.class, () -> ConfigLoader.load(HOME, null, Map.of(), List.of(sets)))
                .problems();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("test.yaml"), text);
    }

    private static Path projectFile() {
        return ProjectHome.path().resolve("config/summarizer.yaml");
    }
}
