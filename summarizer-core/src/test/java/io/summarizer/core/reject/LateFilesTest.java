package io.summarizer.core.reject;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LateFilesTest {
    private static final long MINUTE = 60_000_000;
    private static final long NOW = 1_763_640_000_000_000L; // 2025-11-20T12:00:00Z

    @TempDir
    Path folder;

    private LateFiles files() throws IOException {
        return new LateFiles(folder, LateFiles.BYTES_MAX_MIN, UnaryOperator.identity(), true);
    }

    private static IMessage message(String text, long stamp) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MessageBatch batch = new MessageBatch(bytes.length);
        System.arraycopy(bytes, 0, batch.bytes(), 0, bytes.length);
        batch.limit(bytes.length);
        batch.append(0, bytes.length);
        batch.firstStamp(stamp);
        return batch.message(0);
    }

    private List<String> log(String summary) throws IOException {
        return Files.readAllLines(folder.resolve(summary + ".log"));
    }

    @Test
    void shouldKeepAMessageOnceForEachWindow() throws IOException {
        LateFiles late = files();
        for (int update = 0; update < 3; update++) {
            late.keep("A", MINUTE, message("first", NOW));
            late.keep("A", 2 * MINUTE, message("first", NOW));
            late.keep("A", MINUTE, message("second", NOW + 1));
        }
        late.keep("B", MINUTE, message("first", NOW));
        late.close();
        assertThat(Files.readString(folder.resolve("A.frames"))).isEqualTo("5 first5 first6 second");
        assertThat(log("A"))
                .containsExactly(
                        "{\"time\":\"2025-11-20T12:00:00.000000Z\",\"offset\":0,\"length\":5,"
                                + "\"window\":\"1970-01-01T00:01:00.000000Z\"}",
                        "{\"time\":\"2025-11-20T12:00:00.000000Z\",\"offset\":7,\"length\":5,"
                                + "\"window\":\"1970-01-01T00:02:00.000000Z\"}",
                        "{\"time\":\"2025-11-20T12:00:00.000001Z\",\"offset\":14,\"length\":6,"
                                + "\"window\":\"1970-01-01T00:01:00.000000Z\"}");
        assertThat(late.kept()).isEqualTo(4);
    }

    /** The replay of a journal brings messages again that an earlier process kept. */
    @Test
    void shouldNotKeepMessagesOfAReplayAgain() throws IOException {
        LateFiles before = files();
        before.keep("A", MINUTE, message("first", NOW));
        before.keep("A", MINUTE, message("second", NOW + 1));
        before.close();
        LateFiles after = files();
        after.keep("A", MINUTE, message("first", NOW));
        after.keep("A", MINUTE, message("not forced", NOW + 2));
        after.keep("A", MINUTE, message("second", NOW + 1));
        after.keep("A", 2 * MINUTE, message("second", NOW + 1));
        after.replayed();
        after.close();
        assertThat(Files.readString(folder.resolve("A.frames"))).isEqualTo("5 first6 second10 not forced6 second");
        assertThat(after.kept()).isEqualTo(2);
    }

    @Test
    void shouldKeepDifferentMessagesWhoseTimesAndWindowsCancelOut() throws IOException {
        LateFiles late = files();
        late.keep("A", 2 * MINUTE, message("first", NOW));
        late.keep("A", 3 * MINUTE, message("second", NOW ^ 2 * MINUTE ^ 3 * MINUTE));
        late.close();
        assertThat(log("A")).hasSize(2);
    }

    /** A replay brings only the messages that came last. */
    @Test
    void shouldRecognizeTheNewestMessages() throws IOException {
        LateFiles before = files();
        keepFifty(before, "B");
        keepFifty(before, "A");
        before.close();
        Files.setLastModifiedTime(folder.resolve("B.log"), FileTime.fromMillis(0));
        LateFiles after = new LateFiles(folder, LateFiles.BYTES_MAX_MIN, UnaryOperator.identity(), 60);
        keepFifty(after, "B");
        assertThat(after.kept()).as("the last ten are known").isEqualTo(40);
        keepFifty(after, "A");
        assertThat(after.kept()).isEqualTo(40);
        after.close();
        assertThat(log("A")).hasSize(50);
        assertThat(log("B")).hasSize(90);
    }

    private static void keepFifty(LateFiles late, String summary) {
        for (int i = 0; i < 50; i++) {
            late.keep(summary, MINUTE, message("late", NOW + i));
        }
    }

    /** After a loss of power, the index may have lines without frames. */
    @Test
    void shouldForgetLinesWithoutFrames() throws IOException {
        LateFiles before = files();
        before.keep("A", MINUTE, message("first", NOW));
        before.keep("A", MINUTE, message("second", NOW + 1));
        before.close();
        Files.writeString(folder.resolve("A.frames"), "5 first6 sec");
        Files.writeString(folder.resolve("A.log"), "{\"time\":\"2025-11-", StandardOpenOption.APPEND);
        LateFiles after = files();
        after.keep("A", MINUTE, message("first", NOW));
        after.keep("A", MINUTE, message("second", NOW + 1));
        after.close();
        assertThat(Files.readString(folder.resolve("A.frames"))).isEqualTo("5 first6 second");
        assertThat(log("A")).hasSize(2).allMatch(line -> line.endsWith("\"1970-01-01T00:01:00.000000Z\"}"));
        Files.write(folder.resolve("A.log"), new byte[] {(byte) 0xff, '\n'});
        files().close();
        assertThat(log("A")).isEmpty();
    }

    @Test
    void shouldStayWithinItsBound() throws IOException {
        LateFiles late = files();
        String text = "x".repeat(1_000);
        int messages = 4_000;
        for (int i = 0; i < messages; i++) {
            late.keep(i % 32 == 0 ? "rare" : "frequent", MINUTE, message(text, NOW + i));
            if (i % 100 == 0) {
                late.files().forEach(RejectFile::flush);
                assertThat(sizeOfAll()).isLessThanOrEqualTo(LateFiles.BYTES_MAX_MIN);
            }
        }
        late.close();
        assertThat(late.kept()).isEqualTo(messages);
        assertThat(late.bytesUsed()).isEqualTo(sizeOfAll());
        assertThat(late.dropped()).isPositive().isLessThan(messages);
        assertThat(Files.readString(folder.resolve("rare.log")))
                .as("the rare ones are not displaced")
                .isNotEmpty();
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all.filter(file -> file.getFileName().toString().startsWith("rare.")))
                    .as("the oldest of the rare ones")
                    .anyMatch(file -> file.endsWith("rare.1.frames"));
        }
    }

    @Test
    void shouldCountMessagesForWhichThereIsNoRoom() throws IOException {
        LateFiles late = files();
        late.keep("A", MINUTE, message("x".repeat((int) LateFiles.BYTES_MAX_MIN), NOW));
        for (int summary = 0; summary < 40; summary++) {
            late.keep("S" + summary, MINUTE, message("small", NOW + 1 + summary));
        }
        late.close();
        assertThat(late.lost()).as("there is room for 32 files").isEqualTo(1 + 9);
        assertThat(late.kept()).isEqualTo(31);
    }

    /** A restart opens the files again, and must not take them for more than they are. */
    @Test
    void shouldStayWithinItsBoundWithManySummaries() throws IOException {
        long bound = 2 * LateFiles.BYTES_MAX_MIN;
        LateFiles late = new LateFiles(folder, bound, UnaryOperator.identity(), true);
        String text = "x".repeat(10_000);
        for (int i = 0; i < 400; i++) {
            late.keep("S" + i % (1 + i / 8), MINUTE, message(text, NOW + i));
            if (i % 100 == 0) {
                late.files().forEach(RejectFile::flush);
                assertThat(sizeOfAll()).isLessThanOrEqualTo(bound);
            }
        }
        late.close();
        assertThat(late.lost()).isZero();
        assertThat(late.kept()).isEqualTo(400);
        assertThat(late.dropped()).isPositive();
        assertThat(late.bytesUsed()).isEqualTo(sizeOfAll()).isGreaterThan(bound / 2);
        long before = sizeOfAll();
        LateFiles again = new LateFiles(folder, bound, UnaryOperator.identity(), true);
        again.close();
        assertThat(again.dropped()).isZero();
        assertThat(sizeOfAll()).isEqualTo(before);
    }

    private long sizeOfAll() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
