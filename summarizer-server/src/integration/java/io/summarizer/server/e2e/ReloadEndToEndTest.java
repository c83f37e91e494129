package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.Main;
import io.summarizer.server.replay.TcpTarget;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions replaced under a running service, through its sockets and signals only. */
class ReloadEndToEndTest {
    private static final int SECONDS = 3;
    private static final int DEADLINE_SECONDS = 180;

    private static final String PROTO = """
            syntax = "proto3";
            message Hit { int64 id = 1; int64 amount = 2; }
            """;
    private static final String EVENT = "import \"hit.proto\"; event Hit on \"hit\" as csv;\n";
    private static final String BEFORE = EVENT + """
            summary Hits { key { int64 id = 1; } value { count n = 1; sumint64 amount = 2; } }
            map Hit into Hits { key { id; } n += 1; amount += amount; }
            """;
    private static final String AFTER = EVENT + """
            summary Totals { key { int64 id = 1; } value { count n = 1; } }
            map Hit into Totals { key { id = 1; } n += 1; }
            summary Hits { key { int64 id = 1; } value { maxint64 most = 3; sumint64 sum = 2; count n = 1; } }
            map Hit into Hits { key { id; } n += 1; sum += amount; most += amount; }
            """;

    @TempDir
    Path folder;

    private Path definitions;

    @BeforeEach
    void writeDefinitions() throws Exception {
        definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("hit.proto"), PROTO);
        define(BEFORE);
    }

    /** Replaces the file by a rename, so that no reload reads half a file. */
    private void define(String summ) throws Exception {
        Path next = definitions.resolve("hits.next");
        Files.writeString(next, summ);
        Files.move(
                next,
                definitions.resolve("hits.summ"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] hits(int first, int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = first; i < first + count; i++) {
            lines.append("<14>1 - - - - hit - ")
                    .append(i % 1_000)
                    .append(',')
                    .append(i % 7)
                    .append('\n');
        }
        return lines.toString().getBytes(UTF_8);
    }

    @Test
    void shouldWarnOfALimitBelowTheRowsOfANestedSummary() throws Exception {
        String limited = EVENT + """
            summary Amounts {
                key { int64 amount = 1; }
                value {
                    summary Id { limit keys = %d; key { int64 id = 1; } value { count n = 1; } }
                    repeated Id ids = 2;
                }
            }
            map Hit into Amounts { key { amount; } ids[id = id] { n += 1; } }
            """;
        define(String.format(limited, 10_000));
        try (RunningService service = RunningService.start(definitions, folder.resolve("data"))) {
            service.send(hits(0, 1_000));
            service.awaitReceived(1_000);
            Path saved = folder.resolve("saved.state");
            try (InputStream state =
                    URI.create(service.url() + "/state").toURL().openStream()) {
                Files.copy(state, saved);
            }
            define(String.format(limited, 999));
            String expected = """
                    Amounts stays with its 7 rows
                      ids: limit keys = 999 is below its 1,000 rows: these stay, and further keys are refused
                    """;
            assertThat(service.post("/definitions/plan").body()).startsWith(expected);
            List<String> plan = List.of("plan", "--definitions", definitions.toString());
            assertThat(Commands.run(and(plan, "--server", service.url())).out()).startsWith(expected);
            assertThat(Commands.run(and(plan, "--from-state", saved.toString())).out())
                    .isEqualTo(expected);
            assertThat(service.post("/definitions/reload").body()).startsWith(expected);
            define(String.format(limited, 1_000));
            assertThat(service.post("/definitions/plan").body()).doesNotContain("is below");
        }
    }

    @Test
    void shouldHaveTheMetricsOfTheDefinitionsInForce() throws Exception {
        String days = EVENT + """
            summary Days {
                %s
                key { timestamp %s = 1; }
                value { count n = 1; }
            }
            map Hit into Days { key { %2$s = timestamp(id * 86400000000); } n += 1; }
            """;
        define(days.formatted("limit bytes = 10M;", "day"));
        try (RunningService service = RunningService.start(definitions, folder.resolve("data"))) {
            assertThat(service.get("/metrics").body())
                    .contains("refused_keys{column=\"day\",summary=\"Days\"}", "summary_bytes{summary=\"Days\"}")
                    .doesNotContain("windows_open{");
            define(days.formatted("window date every 1d close after 1h;", "date"));
            assertThat(service.post("/definitions/reload").statusCode()).isEqualTo(200);
            assertThat(service.get("/metrics").body())
                    .contains("refused_keys{column=\"date\",summary=\"Days\"}", "windows_open{summary=\"Days\"}")
                    .doesNotContain("refused_keys{column=\"day\",", "summary_bytes{");
        }
    }

    @Test
    void shouldPlanWhatFilesOfClosedWindowsDoNotFit() throws Exception {
        String days = """
            import "hit.proto";
            event Hit on "hit" as csv;
            summary Days {
                window day every 1d close after 1h;
                key { timestamp day = 1; }
                value { count n = 1; %s }
            }
            map Hit into Days { key { day = timestamp(id * 86400000000); } n += 1; %s }
            """;
        define(days.formatted("sumint64 ids = 2;", "ids += id;"));
        try (RunningService service = RunningService.start(definitions, folder.resolve("data"))) {
            service.send(hits(0, 3));
            service.awaitReceived(3);
            service.post("/summaries/Days/windows/close");
            awaitWindows(service, "closed", 3);
            assertThat(service.get("/definitions").body()).doesNotContain("\"files\"");
            define(days.formatted("", ""));
            assertThat(service.post("/definitions/reload").statusCode()).isEqualTo(200);
            assertThat(service.get("/definitions").body()).contains("\"files\"");
            String[] plan = {"plan", "--definitions", definitions.toString(), "--server", service.url()};
            for (String field : List.of("maxint64 ids = 2;", "sumint64 sum = 2;")) {
                define(days.formatted(field, field.split(" ")[1] + " += id;"));
                HttpResponse<String> refused = service.post("/definitions/reload");
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
                Commands.Outcome outcome = Commands.run(plan);
                assertThat(outcome.exit()).as(outcome.out()).isEqualTo(1);
                String why = outcome.out()
                        .lines()
                        .filter(line -> line.contains("files of closed windows"))
                        .findFirst()
                        .orElseThrow();
                assertThat(refused.body()).contains(why.replaceFirst("^refused: ", ""));
            }
            define(days.formatted("sumint64 ids = 2;", "ids += id;"));
            assertThat(Commands.run(plan).exit()).isZero();
            assertThat(service.post("/definitions/reload").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldSayHowManyFilesAShorterKeepDeletes() throws Exception {
        String kept = """
            import "hit.proto";
            event Hit on "hit" as csv;
            summary Days {
                window day every 1d close after 1h%s;
                key { timestamp day = 1; }
                value { count n = 1; }
            }
            map Hit into Days { key { day = timestamp(id * 86400000000); } n += 1; }
            """;
        define(String.format(kept, ""));
        try (RunningService service = RunningService.start(definitions, folder.resolve("data"))) {
            service.send(hits(0, 20)); // each a thousand days after the one before, from 1970 on
            service.awaitReceived(20);
            service.post("/summaries/Days/windows/close");
            awaitWindows(service, "closed", 20);
            define(String.format(kept, " keep 15000d"));
            String expected = """
                    Days stays with its 0 rows
                      keep deletes 6 of its 20 files of closed windows
                    """;
            assertThat(service.post("/definitions/plan").body()).startsWith(expected);
            List<String> plan = List.of("plan", "--definitions", definitions.toString(), "--server", service.url());
            assertThat(Commands.run(and(plan)).out()).startsWith(expected);
            assertThat(Commands.run(and(plan, "--json")).out())
                    .contains("Days: keep deletes 6 of its 20 files of closed windows");
            assertThat(service.post("/definitions/reload").body()).startsWith(expected);
            awaitWindows(service, "closed", 14);
            assertThat(service.post("/definitions/plan").body()).doesNotContain("deletes");
        }
    }

    private static void awaitWindows(RunningService service, String state, int count) throws Exception {
        int found = -1;
        for (int i = 0; i < 1_200 && found != count; i++) {
            Thread.sleep(50);
            found = service.get("/summaries/Days/windows").body().split("\"" + state + "\"", -1).length - 1;
        }
        assertThat(found).as("windows that are " + state).isEqualTo(count);
    }

    private static String[] and(List<String> words, String... more) {
        return Stream.concat(words.stream(), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void shouldGoOverToNewDefinitionsAndSayWhatBecameOfEachSummary() throws Exception {
        try (RunningService service = RunningService.start(definitions, folder.resolve("data"))) {
            service.send(hits(0, 2_000));
            service.awaitReceived(2_000);
            String before = service.pull("Hits", null).cut();
            define(AFTER);
            String expected = """
                    Totals is new and starts empty
                    Hits stays; its 1,000 rows are laid out anew
                      field 2 is renamed from amount to sum and keeps its data
                      field 3 (most) is new and starts empty
                    """;
            String rules = """
                    mapping Hit->Totals is new
                    mapping Hit->Hits changes
                      - amount += amount;
                      + sum += amount;
                      + most += amount;
                    """;
            HttpResponse<String> plan = service.post("/definitions/plan");
            assertThat(plan.body()).isEqualTo(expected + rules);
            assertThat(plan.statusCode()).isEqualTo(200);
            Commands.Outcome planned =
                    Commands.run("plan", "--definitions", definitions.toString(), "--server", service.url());
            assertThat(planned.out()).isEqualTo(expected + rules);

            Path saved = folder.resolve("saved.state");
            try (InputStream state =
                    URI.create(service.url() + "/state").toURL().openStream()) {
                Files.copy(state, saved);
            }
            Commands.Outcome ofFile =
                    Commands.run("plan", "--definitions", definitions.toString(), "--from-state", saved.toString());
            assertThat(ofFile.out()).isEqualTo(expected);
            assertThat(ofFile.exit()).isZero();

            HttpResponse<String> reload = service.post("/definitions/reload");
            assertThat(reload.statusCode()).isEqualTo(200);
            assertThat(reload.body()).startsWith(expected + rules + "reloaded " + definitions + " in ");

            assertThat(service.pull("Hits", null).csv())
                    .startsWith("id,most,sum,n\n")
                    .contains("\n999,,9,2\n");
            assertThat(service.pull("Hits", before).csv()).startsWith("id,n,amount\n");
            assertThat(service.metric("summarizer_reloads_total{outcome=\"done\"}"))
                    .isEqualTo(1);
            assertThat(service.metric("summarizer_rows{summary=\"Totals\"}")).isZero();
            assertThat(service.get("/topics?topic=hit").body()).contains("Totals");
            assertThat(service.metric("summarizer_updates_total{summary=\"Hits\"}"))
                    .isEqualTo(2_000);
            service.send(hits(999, 1));
            service.awaitReceived(2_001);
            assertThat(service.pull("Hits", null).csv()).contains("\n999,5,14,3\n");
            assertThat(service.metric("summarizer_updates_total{summary=\"Totals\"}"))
                    .isEqualTo(1);

            define(EVENT + "summary Totals { key { int64 id = 1; } value { count n = 1; } }");
            assertThat(service.post("/definitions/reload").body())
                    .startsWith("Totals stays with its 1 row\nHits is not defined any more; its 1,000 rows go\n");
            assertThat(service.get("/metrics").body()).doesNotContain("summary=\"Hits\"");
        }
    }

    @Test
    void shouldChangeNothingWhenDefinitionsAreWrongOrDoNotFit() throws Exception {
        try (RunningService service = RunningService.start(definitions, folder.resolve("data"))) {
            service.send(hits(0, 100));
            service.awaitReceived(100);
            String before = service.pull("Hits", null).csv();

            define(BEFORE + "summary Broken { key { int65 id = 1; } }");
            for (String path : List.of("/definitions/plan", "/definitions/reload")) {
                HttpResponse<String> wrong = service.post(path);
                assertThat(wrong.statusCode()).isEqualTo(422);
                assertThat(wrong.body())
                        .contains("hits.summ:4:24: error: ")
                        .contains("summary Broken { key { int65 id = 1; } }\n")
                        .contains("nothing has changed");
            }
            define(BEFORE.replace("int64 id = 1", "string id = 1").replace("key { id; }", "key { id = string(id); }"));
            for (String path : List.of("/definitions/plan", "/definitions/reload")) {
                HttpResponse<String> refused = service.post(path);
                assertThat(refused.statusCode()).isEqualTo(409);
                assertThat(refused.body()).startsWith("""
                        Hits is refused; it has 100 rows
                          key column 1 (id) is int64 in the service and string in the definitions; keys of the one cannot become keys of the other
                        """);
            }
            assertThat(Commands.run("plan", "--definitions", definitions.toString(), "--server", service.url())
                            .exit())
                    .isEqualTo(1);
            Commands.Outcome reload = Commands.run("reload", "--server", service.url());
            assertThat(reload.exit()).isEqualTo(1);
            assertThat(reload.err()).contains("Hits is refused");

            assertThat(service.pull("Hits", null).csv()).isEqualTo(before);
            assertThat(service.metric("summarizer_reloads_total{outcome=\"invalid\"}"))
                    .isEqualTo(1);
            assertThat(service.metric("summarizer_reloads_total{outcome=\"refused\"}"))
                    .isEqualTo(2);
            assertThat(service.metric("summarizer_reloads_total{outcome=\"done\"}"))
                    .isZero();
        }
    }

    /** The short form of {@code bin/bench reload}. */
    @Test
    void shouldCountAsIfThereHadBeenNoReloadWhileReloadingTenTimesASecond() throws Exception {
        try (RunningService service = RunningService.start(
                definitions, folder.resolve("data"), "pipeline.parse.workers=2", "pipeline.summarize.workers=2")) {
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<Integer> sender = CompletableFuture.supplyAsync(() -> sendUntil(done, service.syslog()));
            int reloads = 0;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (System.nanoTime() < end) {
                define(reloads++ % 2 == 0 ? AFTER : BEFORE);
                assertThat(service.post("/definitions/reload").statusCode()).isEqualTo(200);
                Thread.sleep(100);
            }
            done.set(true);
            int sent = sender.get();
            service.awaitReceived(sent);
            define(BEFORE);
            assertThat(service.post("/definitions/reload").statusCode()).isEqualTo(200);
            RunningService.Pulled last = service.pull("Hits", null);
            assertThat(service.updates("Hits", last.cut())).isEqualTo(sent);
            long[] counts = new long[1_000];
            long[] amounts = new long[1_000];
            for (int i = 0; i < sent; i++) {
                counts[i % 1_000]++;
                amounts[i % 1_000] += i % 7;
            }
            List<String> expected = new ArrayList<>(List.of("id,n,amount"));
            for (int id = 0; id < 1_000; id++) {
                expected.add(id + "," + counts[id] + "," + amounts[id]);
            }
            assertThat(last.csv().lines())
                    .as("%s sent, %s reloads", sent, reloads)
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(service.metric("summarizer_reloads_total{outcome=\"done\"}"))
                    .isEqualTo(reloads + 1L);
        }
    }

    private static int sendUntil(AtomicBoolean done, InetSocketAddress to) {
        int sent = 0;
        try (TcpTarget target = TcpTarget.connect(to)) {
            while (!done.get() || sent == 0) {
                target.send(ByteBuffer.wrap(hits(sent, 1_000)));
                sent += 1_000;
            }
            target.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sent;
    }

    @Test
    void shouldReloadAtSighup() throws Exception {
        assumeThat(System.getProperty("os.name")).as("there is no SIGHUP").doesNotContain("Windows");
        Path said = folder.resolve("said");
        Path complained = folder.resolve("complained");
        ProcessBuilder serve = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--set",
                "listen.syslog-tcp.bind=127.0.0.1:0",
                "--set",
                "listen.relp.bind=127.0.0.1:0",
                "--set",
                "http.bind=127.0.0.1:0",
                "--set",
                "definitions=" + definitions,
                "--set",
                "data=" + folder.resolve("data"));
        // Settings of these tests, or of their user, are no configuration of the service.
        serve.environment().keySet().removeIf(name -> name.startsWith("SUMMARIZER_"));
        Process process = serve.redirectOutput(said.toFile())
                .redirectError(complained.toFile())
                .start();
        try {
            Await.until(
                    () -> text(said) + text(complained),
                    () -> text(said).lines().count() == 3);
            hangUp(process, complained, AFTER, "reloaded " + definitions);
            hangUp(process, complained, "summary {", "hits.summ:1:");
            process.destroy();
            assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private void hangUp(Process process, Path complained, String summ, String answer) throws Exception {
        define(summ);
        Process kill = new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
        Await.until(() -> text(complained), () -> text(complained).contains(answer));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
