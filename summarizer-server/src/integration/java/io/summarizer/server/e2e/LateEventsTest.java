package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that come after their window closed: they are kept, and windows are corrected with them. */
class LateEventsTest {
    private static final long SEED = Long.getLong("summarizer.seed", System.nanoTime());
    private static final int MINUTES = 6;
    private static final int CLOSED = 4;

    /** A visit has hits, each with its own time, so that a message may have several windows. */
    private static final String SUMM = """
            import "visit.proto";
            event Visit on "#" as json;
            summary Minutes {
                window minute every 1m close after 1h;
                key { timestamp minute = 1; string host = 2; }
                value {
                    count hits = 1;
                    sumint64 bytes = 2;
                    multiset64 users = 3;
                    laststring last = 4;
                    summary Page { key { int64 page = 1; } value { sumint64 bytes = 1; } }
                    repeated Page pages = 5;
                }
            }
            map Visit into Minutes {
                for h in hits {
                    key { minute = h.time; host = host; }
                    hits += 1;
                    bytes += h.bytes;
                    users += user;
                    last += id;
                    pages[page = h.page] { bytes += h.bytes; }
                }
            }
            summary Hosts { key { string host = 1; } value { count visits = 1; } }
            map Visit into Hosts { key { host; } visits += 1; }
            """;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);
    private Path definitions;
    private Path data;
    private Path out;
    private int visits;

    /** The values that a row must have. */
    private static final class Row {
        long hits;
        long bytes;
        String last = "";
        final Set<String> users = new HashSet<>();
        final Map<Long, Long> pages = new TreeMap<>();
    }

    /** The rows of all windows by {@code minute host}, from all messages. */
    private final Map<String, Row> model = new TreeMap<>();

    /** The number of late messages of each minute. */
    private final Map<Integer, Long> late = new TreeMap<>();

    @BeforeEach
    void define() throws IOException {
        System.out.println("LateEventsTest -Dsummarizer.seed=" + SEED);
        definitions = Files.createDirectory(folder.resolve("definitions"));
        data = folder.resolve("data");
        out = Files.createDirectory(folder.resolve("out"));
        Files.writeString(definitions.resolve("visit.proto"), """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Hit { google.protobuf.Timestamp time = 1; int64 page = 2; int64 bytes = 3; }
                message Visit { string id = 1; string host = 2; string user = 3; repeated Hit hits = 4; }
                """);
        Files.writeString(definitions.resolve("visit.summ"), SUMM);
    }

    private RunningService start() throws Exception {
        return RunningService.start(
                definitions,
                data,
                "exports.1.summary=Minutes",
                "exports.1.on=close",
                "exports.1.to=" + out + "/{summary}-{window}.csv");
    }

    private static String time(int minute, int second) {
        return "2025-11-20T12:%02d:%02dZ".formatted(minute, second);
    }

    /** Makes visits and adds them to the model; windows before {@code closed} are closed. */
    private String visits(int count, int closed, int firstMinute, int minutes) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String id = "v%05d".formatted(visits++);
            String host = "web" + random.nextInt(4);
            String user = "u" + random.nextInt(50);
            Set<Integer> lateMinutes = new HashSet<>();
            List<String> hits = new ArrayList<>();
            for (int hit = 1 + random.nextInt(3); hit > 0; hit--) {
                int minute = firstMinute + random.nextInt(minutes);
                long page = random.nextInt(3);
                long bytes = random.nextInt(1_000);
                hits.add("{\"time\":\"%s\",\"page\":%d,\"bytes\":%d}"
                        .formatted(time(minute, random.nextInt(60)), page, bytes));
                Row row = model.computeIfAbsent("2025-11-20T12:%02d %s".formatted(minute, host), key -> new Row());
                row.hits++;
                row.bytes += bytes;
                row.users.add(user);
                row.last = id;
                row.pages.merge(page, bytes, Long::sum);
                if (minute < closed) {
                    lateMinutes.add(minute);
                }
            }
            lateMinutes.forEach(minute -> late.merge(minute, 1L, Long::sum));
            // Some have no header. As lines, they begin with the payload.
            lines.append(random.nextBoolean() ? "" : "<134>1 2026-01-01T00:00:00Z h a - visit - ");
            lines.append("{\"id\":\"%s\",\"host\":\"%s\",\"user\":\"%s\",\"hits\":[%s]}\n"
                    .formatted(id, host, user, String.join(",", hits)));
        }
        return lines.toString();
    }

    private static void send(RunningService service, String lines) throws IOException {
        long before = service.received();
        service.send(lines.getBytes(US_ASCII));
        service.awaitReceived(before + lines.lines().count());
    }

    private static JsonNode windows(RunningService service) {
        try {
            return JSON.readTree(service.get("/summaries/Minutes/windows").body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void close(RunningService service, int before) throws Exception {
        assertThat(service.post("/summaries/Minutes/windows/close?before=" + time(before, 0))
                        .body())
                .contains("\"closed\":true");
        Await.until(
                () -> windows(service).toString(),
                () -> !windows(service).toString().contains("closing"));
    }

    private static Map<Integer, Long> late(RunningService service) {
        Map<Integer, Long> counts = new TreeMap<>();
        windows(service).forEach(window -> {
            long count = window.path("late").asLong();
            if (count > 0) {
                counts.put(Integer.parseInt(window.path("start").asText().substring(14, 16)), count);
            }
        });
        return counts;
    }

    private String expected() {
        return model.entrySet().stream()
                .map(entry -> {
                    Row row = entry.getValue();
                    return entry.getKey().replace(" ", ":00.000000Z,") + "," + row.hits + "," + row.bytes + ","
                            + row.users.size() + "," + row.last;
                })
                .collect(Collectors.joining("\n"));
    }

    private String expectedPages() {
        return model.entrySet().stream()
                .flatMap(entry -> entry.getValue().pages.entrySet().stream()
                        .map(page -> entry.getKey().replace(" ", ":00.000000Z,") + "," + page.getKey() + ","
                                + page.getValue()))
                .collect(Collectors.joining("\n"));
    }

    private static String pull(RunningService service, String table) throws Exception {
        HttpResponse<String> answer = service.get("/summaries/" + table + ".csv");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body().lines().skip(1).sorted().collect(Collectors.joining("\n"));
    }

    private static Commands.Outcome put(RunningService service, Path file) {
        return Commands.run("windows", "put", file.toString(), "--server", service.url());
    }

    /** Corrects the window of a minute with the late messages. */
    private Path corrected(int minute) {
        return corrected(minute, windowFile(minute));
    }

    private Path corrected(int minute, Path base) {
        Path state = folder.resolve("corrected-" + minute + ".state");
        Commands.Outcome outcome = Commands.run(
                "run",
                "--definitions",
                definitions.toString(),
                "--only",
                "Minutes",
                "--from-state",
                base.toString(),
                "--overwrite",
                "--state",
                state.toString(),
                data.resolve("late/Minutes.frames").toString(),
                data.resolve("late/Minutes.frames").toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return state;
    }

    /** The present file of a window. An old file stays as long as a cut needs it. */
    private Path windowFile(int minute) {
        String start = String.format(Locale.ROOT, "20251120T12%02d00Z", minute);
        try (Stream<Path> files = Files.list(data.resolve("windows/Minutes"))) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(start))
                    .max(Comparator.comparing((Path file) -> file.toString().length())
                            .thenComparing(Comparator.naturalOrder()))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The correction of each window gives what all messages would have given in time, also in exports. */
    @Test
    void lateMessagesCorrectTheirWindows() throws Exception {
        try (RunningService service = start()) {
            send(service, visits(400, 0, 0, MINUTES));
            close(service, CLOSED);
            send(service, visits(300, CLOSED, 0, MINUTES));
            assertThat(pull(service, "Minutes")).isNotEqualTo(expected());
            Await.until(() -> late(service) + " of " + late, () -> late(service).equals(late));
            assertThat(service.metric("summarizer_late_kept_total"))
                    .isEqualTo(late.values().stream().mapToLong(Long::longValue).sum());
        }
        try (RunningService service = start()) {
            assertThat(late(service)).as("after a restart").isEqualTo(late);
            for (int minute = 0; minute < CLOSED; minute++) {
                Commands.Outcome outcome = put(service, corrected(minute));
                assertThat(outcome.exit()).as(outcome.err()).isZero();
                assertThat(outcome.err()).contains("Minutes from " + "2025-11-20T12:0" + minute);
            }
            assertThat(pull(service, "Minutes")).isEqualTo(expected());
            assertThat(pull(service, "Minutes/pages")).isEqualTo(expectedPages());
            Await.until(
                    () -> exported(),
                    () -> exported()
                            .equals(expected()
                                    .lines()
                                    .filter(row -> Integer.parseInt(row.substring(14, 16)) < CLOSED)
                                    .collect(Collectors.joining("\n"))));
        }
        try (RunningService service = start()) {
            assertThat(pull(service, "Minutes")).as("after a restart").isEqualTo(expected());
        }
    }

    /** The files have messages again that a correction added, as after a restart that replays them. */
    @Test
    void aCorrectionLeavesOutTheMessagesOfTheCorrectionBefore() throws Exception {
        try (RunningService service = start()) {
            send(service, visits(100, 0, 0, 2));
            close(service, 1);
            for (int correction = 1; correction <= 3; correction++) {
                send(service, visits(50, 1, 0, 1));
                Await.until(
                        () -> late(service) + " of " + late, () -> late(service).equals(late));
                assertThat(put(service, corrected(0, windowFile(0))).exit()).isZero();
                assertThat(pull(service, "Minutes"))
                        .as("correction %d", correction)
                        .isEqualTo(expected());
            }
        }
    }

    /** A second correction has to begin with the result of the first one. */
    @Test
    void aCorrectionThatWouldUndoAnotherIsRefused() throws Exception {
        try (RunningService service = start()) {
            send(service, visits(100, 0, 0, 2));
            close(service, 1);
            Path before = folder.resolve("before.state");
            Files.copy(windowFile(0), before);
            send(service, visits(50, 1, 0, 1));
            Await.until(() -> late(service) + " of " + late, () -> late(service).equals(late));
            Path once = folder.resolve("once.state");
            Files.move(corrected(0), once);
            assertThat(put(service, once).exit()).isZero();
            assertThat(pull(service, "Minutes")).isEqualTo(expected());
            Files.move(data.resolve("late/Minutes.frames"), folder.resolve("first.frames"));
            Files.move(data.resolve("late/Minutes.log"), folder.resolve("first.log"));
            send(service, visits(20, 1, 0, 1));
            Await.until(() -> String.valueOf(late(service)), () -> late(service).getOrDefault(0, 0L) == 20);
            Commands.Outcome refused = put(service, corrected(0, before));
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err()).contains("may lack a correction; make it from ", "20251120T120000Z-2.state");
            assertThat(pull(service, "Minutes")).isNotEqualTo(expected());
            Path state = corrected(0, before);
            Commands.Outcome undone =
                    Commands.run("windows", "put", state.toString(), "--overwrite", "--server", service.url());
            assertThat(undone.exit()).as(undone.err()).isZero();
            assertThat(put(service, folder.resolve("once.state")).exit())
                    .as("made from a file that is not there any more")
                    .isEqualTo(1);
            Commands.Outcome again = Commands.run(
                    "windows",
                    "put",
                    folder.resolve("once.state").toString(),
                    "--overwrite",
                    "--server",
                    service.url());
            assertThat(again.exit()).as(again.err()).isZero();
            Commands.Outcome put = put(service, corrected(0, data.resolve("windows/Minutes/20251120T120000Z-4.state")));
            assertThat(put.exit()).as(put.err()).isZero();
            assertThat(pull(service, "Minutes")).isEqualTo(expected());
        }
    }

    /** The rows of all exported files that have manifests. */
    private String exported() {
        try (Stream<Path> files = Files.list(out)) {
            List<String> rows = new ArrayList<>();
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".csv")).toList()) {
                rows.addAll(Files.readAllLines(file).stream().skip(1).toList());
            }
            return rows.stream().sorted().collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void commandsSayThatAStateFileHasNoRowsOfClosedWindows() throws Exception {
        try (RunningService service = start()) {
            send(service, visits(100, 0, 0, 3));
            close(service, 2);
        }
        Path checkpoint;
        try (Stream<Path> files = Files.list(data.resolve("checkpoints"))) {
            checkpoint = files.filter(file -> file.toString().endsWith(".state"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
        String note = "windows of Minutes before 2025-11-20T12:02:00.000000Z are closed; their rows are not here";
        assertThat(Commands.run("state", checkpoint.toString()).out()).contains(note);
        Path merged = folder.resolve("merged.state");
        Commands.Outcome merge = Commands.run(
                "merge", merged.toString(), checkpoint.toString(), windowFile(0).toString());
        assertThat(merge.exit()).as(merge.err()).isZero();
        assertThat(merge.err()).containsOnlyOnce(note).contains(checkpoint + ": " + note);
    }

    /** A backfill: windows before the boundary that never had a row. */
    @Test
    void aMissingWindowIsAdded() throws Exception {
        try (RunningService service = start()) {
            send(service, visits(100, 0, 30, 2));
            close(service, 31);
            Path log = folder.resolve("early.log");
            Files.writeString(log, visits(200, 0, 10, 3));
            for (int minute = 10; minute < 13; minute++) {
                Path state = folder.resolve("added.state");
                Commands.Outcome run = Commands.run(
                        "run",
                        "--definitions",
                        definitions.toString(),
                        "--only",
                        "Minutes",
                        "--window",
                        time(minute, 30),
                        "--out",
                        folder.resolve("csv").toString(),
                        "--overwrite",
                        "--state",
                        state.toString(),
                        log.toString());
                assertThat(run.exit()).as(run.err()).isZero();
                assertThat(put(service, state).exit()).isZero();
            }
            assertThat(pull(service, "Minutes")).isEqualTo(expected());
        }
    }

    /** Also where no listener has a journal. */
    @Test
    void closesAndPutsAreJournalled() throws Exception {
        try (RunningService service =
                RunningService.start(definitions, data, "listen.relp.bind=off", "checkpoint.interval=0s")) {
            send(service, visits(100, 0, 0, 3));
            close(service, 2);
            Path file = windowFile(1);
            String sha256 = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
            assertThat(put(service, file).exit()).isZero();
            List<Control> controls = new ArrayList<>();
            long messages = 0;
            try (JournalReader reader = Journal.inspect(new FileDisk(data.resolve("journal")), 0, false)) {
                for (JournalReader.Entry entry = reader.next();
                        entry != JournalReader.Entry.END;
                        entry = reader.next()) {
                    if (entry == JournalReader.Entry.CONTROL) {
                        controls.add(reader.control());
                    } else if (entry == JournalReader.Entry.MESSAGES) {
                        messages += reader.count();
                    }
                }
            }
            assertThat(messages).isZero();
            assertThat(controls).extracting(Control::kind).containsExactly(Control.Kind.CLOSE, Control.Kind.PUT);
            assertThat(controls).extracting(Control::name).containsOnly("Minutes");
            long minute = 60_000_000;
            long start = Instant.parse(time(1, 0)).getEpochSecond() * 1_000_000;
            assertThat(controls.get(1).payload()).isEqualTo(new WindowPut(start, start + minute, sha256));
        }
    }

    @Test
    void filesThatAreNoClosedWindowAreRefused() throws Exception {
        try (RunningService service = start()) {
            send(service, visits(200, 0, 0, 3));
            close(service, 2);
            String before = pull(service, "Minutes");
            Path closed = windowFile(1);
            byte[] good = Files.readAllBytes(closed);
            byte[] damaged = good.clone();
            damaged[damaged.length / 2] ^= 1;
            assertThat(post(service, "Minutes", damaged)).startsWith("409").contains("damaged");
            assertThat(post(service, "Minutes", new byte[0])).startsWith("409");
            assertThat(post(service, "Minutes", java.util.Arrays.copyOf(good, good.length - 10)))
                    .startsWith("409");
            assertThat(post(service, "Hosts", good)).startsWith("404").contains("Hosts has no time windows");
            assertThat(post(service, "Nothing", good)).startsWith("404");
            byte[] large = new byte[20_000_000];
            random.nextBytes(large);
            assertThat(post(service, "Minutes", large)).startsWith("409");

            Path open = folder.resolve("open.state");
            Path log = folder.resolve("visits.log");
            Files.writeString(log, visits(10, 0, 2, 1));
            assertThat(Commands.run(
                                    "run",
                                    "--definitions",
                                    definitions.toString(),
                                    "--only",
                                    "Minutes",
                                    "--window",
                                    time(2, 0),
                                    "--out",
                                    folder.resolve("csv").toString(),
                                    "--state",
                                    open.toString(),
                                    log.toString())
                            .exit())
                    .isZero();
            Commands.Outcome outcome = put(service, open);
            assertThat(outcome.exit()).isEqualTo(1);
            assertThat(outcome.err())
                    .contains("is not closed; close it first (windows close Minutes --before 2025-11-20T12:03");
            assertThat(Commands.run("windows", "put", log.toString(), "--server", service.url())
                            .exit())
                    .isNotZero();

            assertThat(pull(service, "Minutes")).isEqualTo(before);
            assertThat(post(service, "Minutes", good)).as("the same file again").startsWith("200");
            assertThat(pull(service, "Minutes")).isEqualTo(before);
            try (Stream<Path> files = Files.list(data.resolve("windows/Minutes"))) {
                assertThat(files.map(file -> String.valueOf(file.getFileName())))
                        .as("windows, and no uploads")
                        .allMatch(name -> name.matches("20251120T120[01]00Z(-2)?\\.state"));
            }
        }
    }

    /** A window of another summary, several windows at once, and late messages without a window are no corrections. */
    @Test
    void correctionsOfOtherWindowsAreRefused() throws Exception {
        Files.writeString(definitions.resolve("visit.summ"), SUMM + """
                summary Others {
                    window minute every 1m close after 1h;
                    key { timestamp minute = 1; string host = 2; }
                    value { count hits = 1; }
                }
                map Visit into Others { for h in hits { key { minute = h.time; host = host; } hits += 1; } }
                """);
        try (RunningService service = start()) {
            send(service, visits(100, 0, 0, 3));
            close(service, 2);
            send(service, visits(50, 2, 0, 3));
            Await.until(() -> late(service) + " of " + late, () -> late(service).equals(late));
        }
        String first = windowFile(0).toString();
        String second = windowFile(1).toString();
        String frames = data.resolve("late/Minutes.frames").toString();
        assertThat(run("--only", "Others", "--from-state", first, frames))
                .contains("has a window of Minutes, not of Others");
        assertThat(run("--only", "Minutes", "--from-state", first, "--from-state", second, frames))
                .contains("name one window, not 2025-11-20T12:00:00.000000Z and 2025-11-20T12:01:00.000000Z");
        assertThat(run("--only", "Minutes", frames)).contains("has late messages of several windows");
        assertThat(run(frames)).contains("has late messages of several windows");
        assertThat(run("--only", "Minutes", "--from-state", first, "--framing", "lf", frames))
                .contains("not with --framing lf");
        assertThat(run("--only", "Nothing", frames))
                .contains("there is no summary Nothing; there are Minutes, Hosts, Others");
        assertThat(run("--window", time(0, 0), frames)).contains("it needs --only SUMMARY");
        assertThat(run("--only", "Hosts", "--window", time(0, 0), frames)).contains("Hosts has no time windows");
        Path full = Files.createFile(data.resolve("late/Minutes.7.frames"));
        Commands.Outcome partly = Commands.run(
                "run",
                "--definitions",
                definitions.toString(),
                "--only",
                "Minutes",
                "--from-state",
                first,
                "--state",
                folder.resolve("partly.state").toString(),
                frames);
        assertThat(partly.exit()).as(partly.err()).isZero();
        assertThat(partly.err()).contains("not read: " + full.toAbsolutePath() + ", which has late messages, too");
    }

    /** Runs a command that is refused for its options; returns what it says. */
    private String run(String... options) {
        List<String> all = new ArrayList<>(List.of(
                "run",
                "--definitions",
                definitions.toString(),
                "--state",
                folder.resolve("never.state").toString()));
        all.addAll(List.of(options));
        Commands.Outcome outcome = Commands.run(all.toArray(String[]::new));
        assertThat(outcome.exit()).as(outcome.err()).isEqualTo(2);
        assertThat(folder.resolve("never.state")).doesNotExist();
        return outcome.err();
    }

    /** Each of two puts in one packet gets its own body, and a client that leaves keeps nobody out. */
    @Test
    void putsOfOneConnectionAreApart() throws Exception {
        try (RunningService service = start()) {
            send(service, visits(200, 0, 0, 3));
            close(service, 2);
            byte[] first = Files.readAllBytes(windowFile(0));
            byte[] second = Files.readAllBytes(windowFile(1));
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            for (byte[] body : List.of(first, second, new byte[] {1, 2, 3}, first)) {
                both.write(head(body.length, "").getBytes(US_ASCII));
                both.write(body);
            }
            try (Socket client = new Socket(
                    InetAddress.getLoopbackAddress(), URI.create(service.url()).getPort())) {
                client.getOutputStream().write(both.toByteArray());
                InputStream in = client.getInputStream();
                assertThat(answer(in)).contains(" 200 ", "2025-11-20T12:00:00.000000Z\",\"end\"");
                assertThat(answer(in)).contains(" 200 ", "2025-11-20T12:01:00.000000Z\",\"end\"");
                assertThat(answer(in)).contains(" 409 ");
                assertThat(answer(in)).contains(" 200 ", "2025-11-20T12:00:00.000000Z\",\"end\"");
            }
            String pulled = pull(service, "Minutes");
            for (int i = 0; i < 100; i++) {
                try (Socket client = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(service.url()).getPort())) {
                    client.getOutputStream().write(head(first.length, "").getBytes(US_ASCII));
                    client.getOutputStream().write(first, 0, random.nextInt(first.length));
                }
            }
            // Uploads whose clients left may take their turn first.
            Await.until(() -> "a 100", () -> {
                try (Socket client = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(service.url()).getPort())) {
                    client.getOutputStream()
                            .write(head(first.length, "Expect: 100-continue\r\n")
                                    .getBytes(US_ASCII));
                    String status = new String(client.getInputStream().readNBytes(12), US_ASCII);
                    assertThat(status).isIn("HTTP/1.1 100", "HTTP/1.1 409");
                    return status.endsWith("100");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Await.until(() -> "a put", () -> {
                try {
                    return post(service, "Minutes", first).startsWith("200");
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(pull(service, "Minutes")).isEqualTo(pulled);
            Await.until(() -> "no uploads", () -> {
                try (Stream<Path> files = Files.list(data.resolve("windows/Minutes"))) {
                    return files.allMatch(file -> file.toString().endsWith(".state"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static String head(int length, String more) {
        return "POST /summaries/Minutes/windows HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + length + "\r\n"
                + more + "\r\n";
    }

    /** Reads one answer. */
    private static String answer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                throw new AssertionError("the connection ended after: " + head);
            }
            head.append((char) c);
        }
        int length = Integer.parseInt(head.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1"));
        return head + new String(in.readNBytes(length), US_ASCII);
    }

    private static String post(RunningService service, String summary, byte[] body) throws Exception {
        HttpResponse<String> answer = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create(service.url() + "/summaries/" + summary + "/windows"))
                                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
