package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.RejectReason;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random streams, good and bad, in random reads: exactly the messages that went in come out. */
class SyslogFramerModelTest {
    private static final int MAX = 400;

    private record Expected(RejectReason rejected, String frame) {}

    @Test
    void takesWhatWasSentHoweverItArrives() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 1_500; round++) {
            Framing framing = Framing.values()[random.nextInt(3)];
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            List<Expected> expected = new ArrayList<>();
            int frames = random.nextInt(40);
            for (int i = 0; i < frames; i++) {
                boolean counted = framing == Framing.OCTET || (framing == Framing.AUTO && random.nextBoolean());
                if (counted) {
                    sendCounted(random, stream, expected);
                } else {
                    sendLine(random, stream, expected);
                }
            }
            byte[] input = stream.toByteArray();
            int batchBytes = 1 + random.nextInt(1_000);
            Feed feed = new Feed(Feed.framer(framing, MAX), batchBytes, random.nextBoolean());
            for (int at = 0; at < input.length; ) {
                int n = Math.min(input.length - at, 1 + random.nextInt(1 + random.nextInt(300)));
                feed.read(input, at, n);
                at += n;
            }
            List<Expected> got = feed.end().stream()
                    .map(message -> new Expected(message.rejected(), message.frame()))
                    .toList();
            assertThat(got).as("seed %d, round %d", seed, round).isEqualTo(expected);
        }
    }

    private static void sendLine(SplittableRandom random, ByteArrayOutputStream stream, List<Expected> expected) {
        String text = text(random, random.nextInt(10) == 0 ? random.nextInt(4 * MAX) : random.nextInt(60), "<\r");
        // A first character that is no digit but 0 keeps a line from looking counted; the last one must not look like a
        // part of the line's end.
        String line = (random.nextInt(6) == 0 ? "0" + random.nextInt(50) + " <" : "<") + text + ".";
        stream.writeBytes(line.getBytes(ISO_8859_1));
        stream.writeBytes((random.nextBoolean() ? "\n" : "\r\n").getBytes(ISO_8859_1));
        if (random.nextInt(5) == 0) {
            stream.writeBytes("\n\r\n".getBytes(ISO_8859_1));
        }
        expected.add(
                line.length() <= MAX
                        ? new Expected(RejectReason.NONE, line)
                        : new Expected(RejectReason.OVERSIZE, line.substring(0, MAX + 1)));
    }

    private static void sendCounted(SplittableRandom random, ByteArrayOutputStream stream, List<Expected> expected) {
        String frame = "<" + text(random, random.nextInt(MAX), "<\r\n\0");
        byte[] sent = frame.getBytes(ISO_8859_1);
        RejectReason rejected = RejectReason.NONE;
        if (random.nextInt(3) == 0) {
            String content = random.nextInt(4) == 0 ? "x".repeat(MAX + 1 + random.nextInt(100_000)) : frame;
            sent = compress(content);
            if (content.length() > MAX) {
                rejected = RejectReason.OVERSIZE;
            }
            if (random.nextInt(4) == 0 && rejected == RejectReason.NONE) {
                sent = Arrays.copyOf(sent, 1 + random.nextInt(sent.length - 1));
                rejected = RejectReason.FRAME;
            }
            if (rejected != RejectReason.NONE) {
                frame = new String(sent, ISO_8859_1);
            }
        }
        if (sent.length > MAX) {
            return;
        }
        stream.writeBytes((sent.length + " ").getBytes(ISO_8859_1));
        stream.writeBytes(sent);
        if (random.nextInt(3) == 0) {
            stream.write('\n');
        }
        expected.add(new Expected(rejected, frame));
    }

    private static String text(SplittableRandom random, int length, String special) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(
                    random.nextInt(12) == 0
                            ? special.charAt(random.nextInt(special.length()))
                            : (char) ('0' + random.nextInt(150)));
        }
        return text.toString();
    }

    private static byte[] compress(String content) {
        Deflater deflater = new Deflater();
        deflater.setInput(content.getBytes(ISO_8859_1));
        deflater.finish();
        byte[] target = new byte[content.length() + 100];
        int n = deflater.deflate(target, 1, target.length - 1);
        deflater.end();
        target[0] = 'z';
        return Arrays.copyOf(target, n + 1);
    }

    @Test
    void survivesRandomBytes() {
        feedRandomBytes(4 << 20, System.nanoTime());
    }

    @Test
    @Tag("long")
    void survivesManyRandomBytes() {
        feedRandomBytes(64 << 20, System.nanoTime());
    }

    /** Every byte is in one message, skipped as an empty line or line end, or cut from an oversized one. */
    private static void feedRandomBytes(int total, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] read = new byte[16 * 1024];
        int max = 8 * 1024;
        Feed feed = new Feed(Feed.framer(Framing.AUTO, max), 64 * 1024, true);
        long messages = 0;
        for (int fed = 0; fed < total; fed += read.length) {
            random.nextBytes(read);
            if (random.nextBoolean()) {
                String bait = List.of("\n12 <13>1 ", "\n30 z", "\n<13>1 - - - - - [", "\n<13>Nov 20 00:00:00 ", "\n7 <")
                        .get(random.nextInt(5));
                byte[] bytes = bait.getBytes(ISO_8859_1);
                System.arraycopy(bytes, 0, read, random.nextInt(read.length - bytes.length), bytes.length);
            }
            feed.read(read, 0, 1 + random.nextInt(read.length));
            messages += feed.messages.size();
            feed.messages.clear();
            assertThat(feed.framer.parkedLength()).as("seed %d", seed).isLessThanOrEqualTo(max + 10);
            if (feed.framer.closed()) {
                feed.end();
                feed = new Feed(Feed.framer(Framing.AUTO, max), 64 * 1024, true);
            }
        }
        assertThat(feed.bytesMax).as("seed %d", seed).isLessThanOrEqualTo(256 * 1024);
        assertThat(messages + feed.end().size()).as("seed %d", seed).isGreaterThan(total / 2_000);
    }
}
