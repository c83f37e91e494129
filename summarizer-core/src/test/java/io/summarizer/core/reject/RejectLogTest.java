package io.summarizer.core.reject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RejectLogTest {
    private static final long BOUND = RejectLog.BYTES_MAX_MIN;

    @TempDir
    Path folder;

    @Test
    void framesComeBackAsTheyWere() throws IOException {
        byte[] odd = {0, 10, 13, (byte) 0xff, '5', ' ', '<'};
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "first".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "no number");
            reject(log, odd, RejectReason.PAYLOAD, "odd");
            reject(log, "other".getBytes(StandardCharsets.UTF_8), RejectReason.ENVELOPE, "no date");
            assertThat(log.kept()).isEqualTo(3);
        }
        assertThat(frames(folder.resolve("payload.frames")))
                .containsExactly("first".getBytes(StandardCharsets.UTF_8), odd);
        assertThat(Files.readString(folder.resolve("envelope.frames"))).isEqualTo("5 other");
    }

    @Test
    void theIndexLeadsToEachFrame() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "first".getBytes(StandardCharsets.UTF_8), RejectReason.LIMIT, "full");
            reject(log, "second".getBytes(StandardCharsets.UTF_8), RejectReason.LIMIT, "a \"quote\"\n\u0001 é 😀");
        }
        byte[] bytes = Files.readAllBytes(folder.resolve("limit.frames"));
        List<String> lines = Files.readAllLines(folder.resolve("limit.log"));
        assertThat(lines).hasSize(2);
        JsonNode entry = new ObjectMapper().readTree(lines.get(1));
        int offset = entry.get("offset").asInt();
        assertThat(new String(bytes, offset, bytes.length - offset, StandardCharsets.UTF_8))
                .isEqualTo("6 second");
        assertThat(entry.get("length").asInt()).isEqualTo(6);
        assertThat(entry.get("detail").asText()).isEqualTo("a \"quote\"\n\u0001 é 😀");
        assertThat(entry.get("time").asText()).isEqualTo("2026-11-20T00:00:00.000001Z");
        assertThat(entry.get("topic").asText()).isEqualTo("se");
    }

    @Test
    void whatIsForcedIsInTheFilesAtOnce() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "first".getBytes(StandardCharsets.UTF_8), RejectReason.ENVELOPE, "one");
            log.force();
            assertThat(Files.readString(folder.resolve("envelope.frames"))).isEqualTo("5 first");
            assertThat(Files.readAllLines(folder.resolve("envelope.log"))).hasSize(1);
            log.force(); // with no news
            assertThat(log.diskErrors()).isZero();
        }
    }

    @Test
    void filesThatAreMovedOrDeletedAreBegunAnewAndNothingOfTheBufferIsLost() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "<1>first".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "one");
            log.flush();
            reject(log, "<1>second".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "two, \"offset\":7");
            reject(log, "<1>third".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "three");
            Files.move(folder.resolve("payload.frames"), folder.resolve("payload.frames.1"));
            Files.move(folder.resolve("payload.log"), folder.resolve("payload.log.1"));
            log.flush();
            assertThat(folder.resolve("payload.frames.1")).hasContent("8 <1>first");
            assertThat(folder.resolve("payload.frames")).hasContent("9 <1>second8 <1>third");
            assertThat(offsets()).containsExactly(0L, 11L);

            Files.delete(folder.resolve("payload.frames"));
            Files.delete(folder.resolve("payload.log"));
            reject(log, "<1>fourth".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "four");
            log.flush();
            assertThat(folder.resolve("payload.frames")).hasContent("9 <1>fourth");

            Files.delete(folder.resolve("payload.frames"));
            Files.delete(folder.resolve("payload.log"));
            Files.delete(folder.resolve("payload.frames.1"));
            Files.delete(folder.resolve("payload.log.1"));
            Files.delete(folder);
            reject(log, "<1>fifth".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "five");
            log.flush();
            assertThat(folder.resolve("payload.frames")).hasContent("8 <1>fifth");
            assertThat(log.kept()).isEqualTo(5);
            assertThat(log.lost()).isZero();
            assertThat(log.diskErrors()).isZero();
        }
    }

    /** Commands such as mv move one file after the other, and move whatever has the name then. */
    @ParameterizedTest
    @ValueSource(strings = {"frames", "log"})
    void filesThatAreMovedOneAfterTheOtherStayTogether(String first) throws IOException {
        Path moved = Files.createDirectory(folder.resolve("moved"));
        String second = first.equals("log") ? "frames" : "log";
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "<1>first".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "one");
            log.flush();
            reject(log, "<1>second".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "two");
            Files.move(folder.resolve("payload." + first), moved.resolve("payload." + first));
            log.flush();
            reject(log, "<1>third".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "three");
            log.flush();
            Files.move(folder.resolve("payload." + second), moved.resolve("payload." + second));
            reject(log, "<1>fourth".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "four");
            log.flush();
            assertThat(moved.resolve("payload.frames")).hasContent("8 <1>first");
            assertThat(Files.readAllLines(moved.resolve("payload.log")))
                    .singleElement()
                    .asString()
                    .contains("\"one\"");
            assertThat(folder.resolve("payload.1.frames")).hasContent("9 <1>second8 <1>third");
            assertThat(Files.readAllLines(folder.resolve("payload.1.log"))).hasSize(2);
            assertThat(folder.resolve("payload.frames")).hasContent("9 <1>fourth");
            assertThat(offsets()).containsExactly(0L);
            assertThat(log.lost()).isZero();
        }
    }

    /** The other file does not stay in the way for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"frames", "log"})
    void onlyOneOfTheFilesMayBeDeleted(String deleted) throws IOException {
        long[] nanos = {0};
        Generations generations = new Generations(folder, BOUND);
        RejectFile file = new RejectFile(folder, "payload", BOUND, generations, () -> nanos[0]);
        append(file, "first");
        Files.delete(folder.resolve("payload." + deleted));
        append(file, "second");
        Files.move(folder.resolve("payload.1.frames"), folder.resolve("moved.frames"));
        append(file, "third");
        assertThat(Files.readString(folder.resolve("payload.1.log")))
                .as("nobody writes to a file whose other file was moved")
                .contains("\"second\"");
        nanos[0] = TimeUnit.MINUTES.toNanos(2);
        append(file, "fourth");
        append(file, "fifth");
        file.close();
        assertThat(folder.resolve("payload.frames")).hasContent("6 fourth5 fifth");
        assertThat(offsets()).containsExactly(0L, 8L);
        assertThat(folder.resolve("payload.2.frames")).hasContent("5 third");
        assertThat(folder.resolve("payload.3.frames").toFile().exists()).isEqualTo(deleted.equals("log"));
        assertThat(file.lost()).isZero();
        assertThat(generations.bytes()).isPositive();
    }

    /** Somebody moved only the frames, and the process ended. The index is not of the new frames. */
    @Test
    void anIndexWithoutItsFramesIsLeftAlone() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "<1>first".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "one");
        }
        Files.delete(folder.resolve("payload.frames"));
        String index = Files.readString(folder.resolve("payload.log"));
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "<1>second".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "two");
        }
        assertThat(folder.resolve("payload.1.frames")).hasContent("9 <1>second");
        assertThat(folder.resolve("payload.log")).hasContent(index);
    }

    private static void append(RejectFile file, String text) {
        file.append(batch(text.getBytes(StandardCharsets.UTF_8)).message(0), "detail", text);
        file.flush();
    }

    @Test
    void aFrameLargerThanTheBufferKeepsItsLineWhenItIsMoved() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, new byte[20_000], RejectReason.PAYLOAD, "large");
            Files.move(folder.resolve("payload.frames"), folder.resolve("payload.frames.1"));
            Files.move(folder.resolve("payload.log"), folder.resolve("payload.log.1"));
            reject(log, "next".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "small");
            log.flush();
            assertThat(folder.resolve("payload.frames.1")).hasSize(20_006);
            assertThat(Files.readAllLines(folder.resolve("payload.log.1"))).hasSize(1);
            assertThat(folder.resolve("payload.frames")).hasContent("4 next");
            assertThat(offsets()).containsExactly(0L);
        }
    }

    @Test
    void anIndexThatAKillLeftBehindFollowsItsFrames() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "<1>first".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "one");
        }
        Files.move(folder.resolve("payload.frames"), folder.resolve("payload.1.frames"));
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "<1>second".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "two");
        }
        assertThat(folder.resolve("payload.frames")).hasContent("9 <1>second");
        assertThat(offsets()).containsExactly(0L);
        assertThat(Files.readString(folder.resolve("payload.1.log"))).contains("\"detail\":\"one\"");
        assertThat(Files.readString(folder.resolve("payload.log"))).contains("\"detail\":\"two\"");
    }

    private List<Long> offsets() throws IOException {
        List<Long> offsets = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("payload.log"))) {
            offsets.add(new ObjectMapper().readTree(line).get("offset").asLong());
        }
        return offsets;
    }

    @Test
    void nobodyButTheOwnerMayReadTheFiles() throws IOException {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
        Path rejects = folder.resolve("rejects");
        try (RejectLog log = new RejectLog(rejects, BOUND, false)) {
            reject(log, "<1>a".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "one");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rejects)))
                .isEqualTo("rwx------");
        for (String name : List.of("payload.frames", "payload.log")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(rejects.resolve(name))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void unmatchedMessagesAreKeptOnlyWhenAskedFor() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            log.unmatched(batch("stray".getBytes(StandardCharsets.UTF_8)).message(0));
        }
        assertThat(folder.resolve("unmatched.frames")).doesNotExist();
        try (RejectLog log = new RejectLog(folder, BOUND, true)) {
            log.unmatched(batch("stray".getBytes(StandardCharsets.UTF_8)).message(0));
        }
        assertThat(folder.resolve("unmatched.frames")).hasContent("5 stray");
    }

    @Test
    void stayWithinTheBoundByDroppingTheOldestAndCountThem() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long kept;
        long dropped;
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "precious".getBytes(StandardCharsets.UTF_8), RejectReason.FRAME, "rare");
            for (int i = 0; i < 20_000; i++) {
                byte[] message = new byte[1 + random.nextInt(300)];
                random.nextBytes(message);
                reject(log, message, RejectReason.PAYLOAD, "message " + i);
                if (i % 1000 == 0) {
                    assertThat(log.bytesUsed()).as("seed %d", seed).isLessThanOrEqualTo(BOUND);
                }
            }
            log.flush();
            kept = log.kept();
            dropped = log.dropped();
            assertThat(kept).as("seed %d", seed).isEqualTo(20_001);
            assertThat(log.lost()).as("seed %d", seed).isZero();
        }
        assertThat(dropped).as("seed %d", seed).isPositive();
        long bytes = 0;
        long frames = 0;
        long lines = 0;
        try (Stream<Path> paths = Files.list(folder)) {
            for (Path path : paths.toList()) {
                bytes += Files.size(path);
                if (path.toString().endsWith(".frames")) {
                    frames += frames(path).size();
                } else {
                    lines += Files.readAllLines(path).size();
                }
            }
        }
        assertThat(bytes).as("seed %d", seed).isLessThanOrEqualTo(BOUND);
        assertThat(frames).as("seed %d", seed).isEqualTo(kept - dropped).isEqualTo(lines);
        assertThat(folder.resolve("frame.frames")).hasContent("8 precious");
    }

    @Test
    void anotherProcessGoesOnWhereOneDiedInTheMiddleOfAFrame() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "whole".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "one");
        }
        Files.writeString(folder.resolve("payload.frames"), "120 half of", StandardOpenOption.APPEND);
        Files.writeString(folder.resolve("payload.log"), "{\"time\":\"20", StandardOpenOption.APPEND);
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "next".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "two");
        }
        assertThat(folder.resolve("payload.frames")).hasContent("5 whole4 next");
        List<String> lines = Files.readAllLines(folder.resolve("payload.log"));
        assertThat(lines).hasSize(2);
        assertThat(new ObjectMapper().readTree(lines.get(1)).get("offset").asInt())
                .isEqualTo(7);
    }

    @Test
    void generationsOfAnEarlierProcessAreWithinTheBoundToo() throws IOException {
        byte[] message = new byte[1000];
        try (RejectLog log = new RejectLog(folder, 4 * BOUND, false)) {
            for (int i = 0; i < 3000; i++) {
                reject(log, message, RejectReason.PAYLOAD, "x");
            }
        }
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            assertThat(log.bytesUsed()).isLessThanOrEqualTo(BOUND);
            assertThat(log.dropped()).isPositive();
        }
    }

    @Test
    void aFrameLargerThanAFileShouldBeIsAGenerationOfItsOwn() throws IOException {
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "small".getBytes(StandardCharsets.UTF_8), RejectReason.OVERSIZE, "small");
            for (int i = 0; i < 8; i++) {
                reject(log, new byte[(int) BOUND / 8], RejectReason.OVERSIZE, "huge");
                assertThat(log.bytesUsed()).isLessThanOrEqualTo(BOUND);
            }
            assertThat(log.kept()).isEqualTo(9);
            reject(log, new byte[(int) BOUND], RejectReason.OVERSIZE, "too huge for all files together");
            assertThat(log.lost()).isEqualTo(1);
            assertThat(log.kept() - log.dropped()).isBetween(2L, 7L);
        }
        assertThat(folder.resolve("oversize.9.frames")).hasSize(BOUND / 8 + 7);
        assertThat(folder.resolve("oversize.frames")).isEmptyFile();
    }

    /** Moved files displaced others as long as the process lived. */
    @Test
    void filesThatWereMovedAwayDisplaceNoOthers() throws IOException {
        byte[] message = new byte[(int) BOUND / 20];
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            for (int i = 0; i < 6; i++) {
                reject(log, message, RejectReason.PAYLOAD, "moved");
            }
            assertThat(log.dropped()).isZero();
            log.flush();
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(
                                file -> file.getFileName().toString().startsWith("payload."))
                        .toList()) {
                    Files.delete(file);
                }
            }
            for (int i = 0; i < 6; i++) {
                reject(log, message, RejectReason.ENVELOPE, "kept");
            }
            log.flush();
            assertThat(log.dropped()).isZero();
            assertThat(log.bytesUsed()).isLessThan(BOUND * 4 / 10);
        }
    }

    @Test
    void aDiskErrorIsCountedAndStopsNobody() throws IOException {
        Files.createSymbolicLink(folder.resolve("payload.log"), folder.resolve("missing/payload.log"));
        try (RejectLog log = new RejectLog(folder, BOUND, false)) {
            reject(log, "lost".getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "one");
            reject(log, "fine".getBytes(StandardCharsets.UTF_8), RejectReason.ENVELOPE, "two");
            assertThat(log.diskErrors()).isEqualTo(1);
            assertThat(log.lost()).isEqualTo(1);
        }
        assertThat(folder.resolve("envelope.frames")).hasContent("4 fine");
    }

    @Test
    void manyThreadsLoseNothing() throws Exception {
        int threads = 4;
        int each = 2000;
        try (RejectLog log = new RejectLog(folder, 16 * BOUND, false)) {
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        reject(log, ("message " + i).getBytes(StandardCharsets.UTF_8), RejectReason.PAYLOAD, "x");
                    }
                });
                thread.start();
                running.add(thread);
            }
            for (Thread thread : running) {
                thread.join();
            }
        }
        assertThat(frames(folder.resolve("payload.frames")))
                .hasSize(threads * each)
                .allMatch(frame -> new String(frame, StandardCharsets.UTF_8).startsWith("message "));
    }

    @Test
    void aBoundTooSmallForItsFilesIsRefused() {
        assertThatThrownBy(() -> new RejectLog(folder, BOUND - 1, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("" + BOUND);
    }

    @Test
    void aFolderThatCannotBeUsedIsNamedWithTheReason() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> new RejectLog(file, BOUND, false))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot keep rejected messages: " + file + ": is there already, and not a folder");
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamedWithTheReason() throws IOException {
        Path closed = Files.createDirectory(
                folder.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        assumeFalse(Files.isWritable(closed), "root writes wherever it wants");
        assertThatThrownBy(() -> new RejectLog(closed, BOUND, false))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot keep rejected messages: " + closed + ": permission denied");
    }

    private static void reject(RejectLog log, byte[] message, RejectReason reason, String detail) {
        log.reject(batch(message).message(0), reason, detail);
    }

    private static MessageBatch batch(byte[] message) {
        MessageBatch batch = new MessageBatch(message.length + 3);
        System.arraycopy(message, 0, batch.bytes(), 3, message.length);
        batch.limit(message.length + 3);
        batch.append(3, message.length);
        if (message.length > 5) {
            batch.slice(0, MessageBatch.TOPIC, 3, 2);
        }
        batch.firstStamp(1_795_132_800_000_001L);
        return batch;
    }

    private static List<byte[]> frames(Path path) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        List<byte[]> frames = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            int space = at;
            while (bytes[space] != ' ') {
                space++;
            }
            int length = Integer.parseInt(new String(bytes, at, space - at, StandardCharsets.US_ASCII));
            byte[] frame = new byte[length];
            System.arraycopy(bytes, space + 1, frame, 0, length);
            frames.add(frame);
            at = space + 1 + length;
        }
        return frames;
    }
}
