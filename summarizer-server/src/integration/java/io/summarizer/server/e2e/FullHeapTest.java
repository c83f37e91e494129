package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.cli.Main;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.replay.RelpTarget;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data folder whose rows do not fit into the heap of the next start: the start fails, names the settings to raise,
 * and leaves the folder unchanged. The service is that of {@code bin/summarizer serve}, with the flags of the script.
 */
@Timeout(300)
class FullHeapTest {
    private static final int MESSAGES = 300;
    private static final int KEY_BYTES = 250_000;
    private static final int SEGMENT_HEADER_BYTES = 64;
    private static final String LARGE = "-Xmx512m";
    private static final String SMALL = "-Xmx64m";
    /** Bounds of the small heap, which leave a tenth of it for everything but state. */
    private static final List<String> NO_ROOM =
            List.of("limits.state=87%", "cuts.memory=1MiB", "limits.receive-buffers=1MiB", "limits.queues=1MiB");

    private static final List<String> ROOM = List.of("limits.state=60%");

    @TempDir
    Path folder;

    private Path data;
    private Path script;

    /** Makes definitions, and an installed tree whose only jar refers to the classes under test. */
    @BeforeEach
    void install() throws IOException {
        data = folder.resolve("data");
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("hit.proto"), "syntax = \"proto3\"; message Hit { string name = 1; }");
        Files.writeString(definitions.resolve("hits.summ"), """
                import "hit.proto";
                event Hit on "hit" as csv;
                summary Hits { key { string name = 1; } value { count n = 1; } }
                map Hit into Hits { key { name; } n += 1; }
                """);
        Path bin = Files.createDirectories(folder.resolve("tree/bin"));
        for (String name : List.of("summarizer", "lib.sh")) {
            Files.copy(ProjectHome.path().resolve("bin").resolve(name), bin.resolve(name));
        }
        script = bin.resolve("summarizer");
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
        attributes.put(
                Attributes.Name.CLASS_PATH,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toUri().toString())
                        .collect(Collectors.joining(" ")));
        Path jar = Files.createDirectory(folder.resolve("tree/lib")).resolve("summarizer-server-0.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
    }

    /** {@code bin/summarizer serve} on free ports. */
    private final class Serve implements AutoCloseable {
        private final Process process;
        private final Path said;
        private final Path complained;

        Serve(String log, String heap, List<String> settings) throws IOException {
            said = folder.resolve(log + ".out");
            complained = folder.resolve(log + ".err");
            ProcessBuilder builder = new ProcessBuilder("bash", script.toString(), "serve");
            List.of(
                            "listen.syslog-tcp.bind=off",
                            "listen.relp.bind=127.0.0.1:0",
                            "http.bind=127.0.0.1:0",
                            "definitions=" + folder.resolve("definitions"),
                            "data=" + data,
                            "limits.key-bytes=1MiB",
                            "checkpoint.interval=0s")
                    .forEach(setting -> builder.command().addAll(List.of("--set", setting)));
            settings.forEach(setting -> builder.command().addAll(List.of("--set", setting)));
            builder.environment().keySet().removeIf(name -> name.startsWith("SUMMARIZER_"));
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment()
                    .put("SUMMARIZER_CACHE", folder.resolve("cache").toString());
            builder.environment().put("SUMMARIZER_SERVE_JAVA_OPTS", heap + " -XX:TieredStopAtLevel=1");
            process = builder.redirectOutput(said.toFile())
                    .redirectError(complained.toFile())
                    .start();
        }

        Serve ready() {
            Await.until(this::log, () -> !process.isAlive() || log().contains("http listening on "));
            assertThat(process.isAlive()).as(log()).isTrue();
            return this;
        }

        String log() {
            try {
                return Files.readString(said) + Files.readString(complained);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private String address(String listener) {
            String start = listener + " listening on ";
            return log().lines()
                    .filter(line -> line.startsWith(start))
                    .map(line -> line.substring(start.length()))
                    .findFirst()
                    .orElseThrow();
        }

        InetSocketAddress relp() {
            String[] address = address("relp").split(":");
            return new InetSocketAddress(address[0], Integer.parseInt(address[1]));
        }

        /** The rows, sorted. */
        List<String> rows() throws IOException, InterruptedException {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(address("http") + "/summaries/Hits.csv"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body().lines().skip(1).sorted().toList();
        }

        List<String> rowsNow() {
            try {
                return rows();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        int end() throws InterruptedException {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(log()).isTrue();
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    /** Sends messages; returns when all are acknowledged as durable. */
    private static void send(InetSocketAddress relp) throws Exception {
        byte[] head = "<14>1 2026-11-20T00:00:00Z h a - hit - ".getBytes(UTF_8);
        byte[] message = Arrays.copyOf(head, head.length + KEY_BYTES);
        Arrays.fill(message, head.length, message.length, (byte) 'k');
        try (RelpTarget target = RelpTarget.connect(relp)) {
            for (int i = 0; i < MESSAGES; i++) {
                byte[] number = Integer.toString(1_000_000 + i).getBytes(UTF_8);
                System.arraycopy(number, 0, message, head.length, number.length);
                target.send(message, 0, message.length);
            }
            target.finish();
        }
    }

    @Test
    void aJournalThatDoesNotFitStaysAndTheMessageSaysWhatToRaise() throws Exception {
        List<String> rows;
        try (Serve serve = new Serve("first", LARGE, ROOM).ready()) {
            rows = fill(serve);
        } // The service was killed.
        Path before = copy();
        assertThat(names(before)).anyMatch(name -> name.startsWith("journal/"));
        for (int start = 0; start < 2; start++) {
            assertIsFull("full-" + start);
            assertStays(before);
        }
        try (Serve serve = new Serve("enough", LARGE, ROOM).ready()) {
            assertThat(serve.rows()).isEqualTo(rows);
        }
    }

    @Test
    @Tag("long")
    void aCheckpointThatDoesNotFitStaysAndTheMessageSaysWhatToRaise() throws Exception {
        List<String> rows;
        try (Serve serve = new Serve("first", LARGE, ROOM).ready()) {
            rows = fill(serve);
            serve.process.destroy(); // by SIGTERM, which makes a checkpoint
            assertThat(serve.end()).as(serve.log()).isZero();
        }
        Path before = copy();
        assertThat(names(before)).anyMatch(name -> name.startsWith("checkpoints/"));
        assertIsFull("full");
        assertStays(before);
        try (Serve serve = new Serve("enough", LARGE, ROOM).ready()) {
            assertThat(serve.rows()).isEqualTo(rows);
        }
    }

    private static List<String> fill(Serve serve) throws Exception {
        send(serve.relp());
        Await.until(serve::log, () -> serve.rowsNow().size() == MESSAGES);
        return serve.rows();
    }

    private void assertIsFull(String log) throws Exception {
        try (Serve serve = new Serve(log, SMALL, NO_ROOM)) {
            assertThat(serve.end()).as(serve.log()).isEqualTo(3);
            assertThat(serve.log())
                    .containsPattern(
                            "(?m)^summarizer: the heap is full. What was acknowledged is kept in the data folder: raise"
                                    + " the heap \\(-Xmx in SUMMARIZER_SERVE_JAVA_OPTS\\), or lower limits.state and cuts.memory");
        }
    }

    private Path copy() throws IOException {
        Path copy = folder.resolve("before");
        for (String name : names(data)) {
            Path to = copy.resolve(name);
            Files.createDirectories(to.getParent());
            Files.copy(data.resolve(name), to);
        }
        return copy;
    }

    /**
     * Requires that all files have their bytes; a segment of the journal may lack the space after its last record,
     * whose size its header has.
     */
    private void assertStays(Path before) throws IOException {
        assertThat(names(data)).isEqualTo(names(before));
        for (String name : names(before)) {
            byte[] was = Files.readAllBytes(before.resolve(name));
            byte[] is = Files.readAllBytes(data.resolve(name));
            int header = name.endsWith(".journal") ? SEGMENT_HEADER_BYTES : 0;
            int same = Arrays.mismatch(was, header, was.length, is, header, is.length);
            assertThat(same < 0 || (header > 0 && header + same == is.length && isZero(was, is.length)))
                    .as("%s, of %d bytes, has %d, and is the same up to %d", name, was.length, is.length, header + same)
                    .isTrue();
        }
    }

    private static boolean isZero(byte[] bytes, int from) {
        for (int at = from; at < bytes.length; at++) {
            if (bytes[at] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Paths of all files, except the lock, which every start takes. */
    private static List<String> names(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .filter(name -> !name.equals("lock"))
                    .sorted()
                    .toList();
        }
    }
}
