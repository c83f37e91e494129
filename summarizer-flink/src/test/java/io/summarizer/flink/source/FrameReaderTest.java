package io.summarizer.flink.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.StreamFramer.Outcome;
import io.summarizer.core.receive.SyslogFramer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FrameReaderTest {
    private static final int MAX = 500;

    @TempDir
    Path folder;

    /** A record as a value. */
    private record Seen(String text, RejectReason reason) {}

    /** A record with its places. */
    private record Placed(Seen seen, long position, CheckpointedPosition next) {}

    @ParameterizedTest
    @EnumSource(Framing.class)
    void aReaderFindsTheFramesOfTheStreamAndResumesAfterEachOfThem(Framing framing) throws IOException {
        int seeds = Seeds.count(6);
        long first = Seeds.first();
        for (long seed = first; seed < first + seeds; seed++) {
            Random random = new Random(seed);
            byte[] bytes = stream(random, framing);
            List<Seen> expected = model(bytes, framing);
            FileSourceSplit split = split(bytes, bytes.length);
            List<Placed> all = read(split, framing, new CheckpointedPosition(0, 0));
            assertThat(seen(all)).as(Seeds.replay(seed)).isEqualTo(expected);
            for (int i = 1; i < all.size(); i++) {
                assertThat(all.get(i).position())
                        .as(Seeds.replay(seed))
                        .isGreaterThan(all.get(i - 1).position());
            }
            for (int i = 0; i < 20 && !all.isEmpty(); i++) {
                int at = random.nextInt(all.size());
                List<Placed> rest = read(split, framing, all.get(at).next());
                assertThat(seen(rest))
                        .as("after record %s, %s", at, Seeds.replay(seed))
                        .isEqualTo(expected.subList(at + 1, expected.size()));
                if (!rest.isEmpty()) {
                    assertThat(rest.get(0).position()).isGreaterThan(all.get(at).position());
                }
            }
        }
    }

    @Test
    void aFileIsReadToTheLengthThatItHadAtTheStart() throws IOException {
        byte[] bytes = "<13>one\n<13>two\n<13>three\n".getBytes(StandardCharsets.UTF_8);
        List<Placed> all = read(split(bytes, 16), Framing.AUTO, new CheckpointedPosition(0, 0));
        assertThat(all).extracting(placed -> placed.seen().text()).containsExactly("<13>one", "<13>two");
    }

    @Test
    void aFileWithoutBytesHasNoRecords() throws IOException {
        assertThat(read(split(new byte[0], 0), Framing.AUTO, new CheckpointedPosition(0, 0)))
                .isEmpty();
    }

    @Test
    void aLineLongerThanBlocksIsCutAndCountedOnceAlsoAfterARecoveryBehindIt() throws IOException {
        String tooLong = "x".repeat(3 * MessageBatch.DEFAULT_BYTES);
        byte[] bytes = ("<13>before\n" + tooLong + "\n<13>after\n").getBytes(StandardCharsets.UTF_8);
        FileSourceSplit split = split(bytes, bytes.length);
        List<Placed> all = read(split, Framing.LF, new CheckpointedPosition(0, 0));
        assertThat(all)
                .extracting(placed -> placed.seen().reason())
                .containsExactly(RejectReason.NONE, RejectReason.OVERSIZE, RejectReason.NONE);
        List<Placed> rest = read(split, Framing.LF, all.get(1).next());
        assertThat(rest).extracting(placed -> placed.seen().text()).containsExactly("<13>after");
    }

    private static List<Seen> seen(List<Placed> placed) {
        return placed.stream().map(Placed::seen).toList();
    }

    private FileSourceSplit split(byte[] bytes, long length) throws IOException {
        Path file = folder.resolve("frames");
        Files.write(file, bytes);
        return new FileSourceSplit("0", new org.apache.flink.core.fs.Path(file.toUri()), 0, length, 0, bytes.length);
    }

    private static List<Placed> read(FileSourceSplit split, Framing framing, CheckpointedPosition position)
            throws IOException {
        List<Placed> all = new ArrayList<>();
        try (FrameReader reader = new FrameReader(split, framing, MAX, position)) {
            BulkFormat.RecordIterator<SourceRecord> batch;
            while ((batch = reader.readBatch()) != null) {
                RecordAndPosition<SourceRecord> next;
                while ((next = batch.next()) != null) {
                    SourceRecord record = next.getRecord();
                    assertThat(record.topic()).isNull();
                    assertThat(record.partition()).isZero();
                    all.add(new Placed(
                            seen(record.bytes(), record.offset(), record.length(), record.rejectReason()),
                            record.position(),
                            new CheckpointedPosition(next.getOffset(), next.getRecordSkipCount())));
                }
                batch.releaseBatch();
            }
        }
        return all;
    }

    private static Seen seen(byte[] bytes, int offset, int length, RejectReason reason) {
        return new Seen(new String(bytes, offset, length, StandardCharsets.ISO_8859_1), reason);
    }

    /** The frames when all bytes are there at once. */
    private static List<Seen> model(byte[] bytes, Framing framing) {
        List<Seen> all = new ArrayList<>();
        SyslogFramer framer = new SyslogFramer(framing, MAX, null).ofFile();
        MessageBatch batch = new MessageBatch(bytes.length + 1);
        framer.begin(batch);
        System.arraycopy(bytes, 0, batch.bytes(), 0, bytes.length);
        batch.limit(bytes.length);
        Outcome outcome;
        while ((outcome = framer.frame(batch)) == Outcome.FULL) {
            add(batch, all);
            batch = framer.carryOver(batch, new MessageBatch(bytes.length + 1));
        }
        if (outcome == Outcome.MORE) {
            framer.end(batch);
        }
        add(batch, all);
        return all;
    }

    private static void add(MessageBatch batch, List<Seen> all) {
        for (int i = 0; i < batch.count(); i++) {
            all.add(seen(
                    batch.bytes(),
                    batch.offset(i, MessageBatch.FRAME),
                    batch.length(i, MessageBatch.FRAME),
                    batch.message(i).rejectReason()));
        }
    }

    /** A stream of some blocks, with frames of all kinds, whole or cut off. */
    private static byte[] stream(Random random, Framing framing) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (framing != Framing.OCTET) {
            List<String> beginnings = List.of("", "\u00ef\u00bb\u00bf", "GET / HTTP/1.1\r\n", "\u00ef\u00bb");
            out.write(beginnings.get(random.nextInt(beginnings.size())).getBytes(StandardCharsets.ISO_8859_1));
        }
        int frames = 200 + random.nextInt(3000);
        for (int i = 0; i < frames; i++) {
            int size = random.nextInt(50) == 0 ? random.nextInt(3 * MAX) : 1 + random.nextInt(80);
            if (random.nextInt(400) == 0) {
                size = MessageBatch.DEFAULT_BYTES + random.nextInt(MessageBatch.DEFAULT_BYTES);
            }
            byte[] text = text(random, i, size);
            boolean counted = framing == Framing.OCTET || (framing == Framing.AUTO && random.nextBoolean());
            if (counted) {
                byte[] sent = random.nextInt(10) == 0 ? compressed(text) : text;
                sent = sent.length <= MAX ? sent : text(random, i, 20);
                out.write((sent.length + " ").getBytes(StandardCharsets.US_ASCII));
                out.write(sent);
                if (random.nextInt(3) == 0) {
                    out.write('\n');
                }
            } else {
                out.write(text);
                out.write(random.nextInt(5) == 0 ? "\r\n".getBytes(StandardCharsets.US_ASCII) : new byte[] {'\n'});
            }
        }
        byte[] all = out.toByteArray();
        return random.nextBoolean() ? all : Arrays.copyOf(all, all.length - random.nextInt(20));
    }

    private static byte[] text(Random random, int number, int size) {
        StringBuilder text = new StringBuilder("<13>" + number + " ");
        while (text.length() < size) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] compressed(byte[] text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write('z');
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(out, new Deflater(1))) {
            deflated.write(text);
        }
        return out.toByteArray();
    }
}
