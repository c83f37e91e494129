package io.summarizer.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Feeds arbitrary bytes: as a segment, as the body of a record and as a control, where no checksum protects. Runs the
 * recorded inputs; {@code junit-platform.properties} says how to look for new ones.
 */
class JournalFuzzTest {
    private static final String FILE = new SegmentName(0, 0, 1).file();

    @FuzzTest(maxDuration = "10m")
    void readsAnySegment(byte[] input) throws IOException {
        SimulatedDisk disk = new SimulatedDisk(new Random(1));
        disk.put(FILE, input);
        try {
            readAll(disk);
            JournalOptions options = new JournalOptions(16 * 1024, 1 << 20, Compression.NONE);
            try (Journal journal = Journal.open(disk, options, note -> {}, new Random(2)::nextInt, Runnable::run)) {
                journal.append(Messages.batch("next"), TopicRule.MSGID);
            }
            assertThat(readAll(disk)).isEqualTo("next");
        } catch (JournalException expected) {
            // of a newer version, or unknown
        }
    }

    private static String readAll(SimulatedDisk disk) throws IOException {
        String last = "";
        MessageBatch batch = new MessageBatch(64);
        try (JournalReader reader = Journal.inspect(disk, 0, true)) {
            for (JournalReader.Entry entry = reader.next(); entry != JournalReader.Entry.END; entry = reader.next()) {
                if (entry == JournalReader.Entry.MESSAGES) {
                    reader.fill(batch);
                    List<String> messages = Messages.of(batch);
                    last = messages.isEmpty() ? last : messages.get(messages.size() - 1);
                } else if (entry == JournalReader.Entry.CONTROL) {
                    var unused = reader.control();
                }
            }
        }
        return last;
    }

    /** The first two bytes give the number of messages, the third their compression. */
    @FuzzTest(maxDuration = "10m")
    void readsAnyBodyOrSaysWhyNot(byte[] input) {
        if (input.length < 3) {
            return;
        }
        int count = (input[0] & 0xff) << 8 | (input[1] & 0xff);
        int form = input[2] & 1;
        int length = input.length - 3;
        int plainBytes = form == JournalFormat.STORED_PLAIN ? length : 4 * length;
        byte[] plain = new byte[plainBytes];
        try (ZstdDecompressCtx decompressor = new ZstdDecompressCtx()) {
            JournalReader.unpack(decompressor, input, 3, length, form, plain, plainBytes);
            MessageBatch batch = new MessageBatch(16);
            MessageBody.get(plain, plainBytes, count, batch);
            assertThat(batch.count()).isEqualTo(count);
        } catch (JournalException expected) {
            // expected
        }
    }

    @FuzzTest(maxDuration = "10m")
    void readsAnyControlOrSaysWhyNot(byte[] input) {
        try {
            Control control = Control.decode(input, 0, input.length);
            // Text that is no UTF-8 comes back as other bytes; everything else is the same.
            byte[] encoded = control.encode();
            assertThat(Control.decode(encoded, 0, encoded.length)).isEqualTo(control);
        } catch (JournalException | IllegalArgumentException expected) {
            // expected
        }
    }

    /** Nearly correct bytes get further than random ones: real bodies with some bytes changed. */
    @Test
    void readsDamagedBodiesOrSaysWhyNot() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try {
            for (int i = 0; i < 3_000; i++) {
                List<String> texts = Messages.random(random, 20, 300);
                MessageBatch batch = Messages.batch(texts);
                ByteBuffer body = ByteBuffer.allocate((int) MessageBody.bytesMax(batch));
                int length = new MessageBody().put(batch, body, 0);
                byte[] bytes = Arrays.copyOf(body.array(), length);
                MessageBatch read = new MessageBatch(16);
                MessageBody.get(bytes, length, texts.size(), read);
                assertThat(Messages.of(read)).isEqualTo(texts);
                for (int change = random.nextInt(4); change >= 0; change--) {
                    bytes[random.nextInt(Math.min(length, 2 * texts.size()))] = (byte) random.nextInt();
                }
                try {
                    MessageBatch damaged = new MessageBatch(16);
                    MessageBody.get(bytes, random.nextInt(length + 1), texts.size() + random.nextInt(3) - 1, damaged);
                    var unused = Messages.of(damaged);
                } catch (JournalException expected) {
                    // expected
                }
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed, e);
        }
    }
}
