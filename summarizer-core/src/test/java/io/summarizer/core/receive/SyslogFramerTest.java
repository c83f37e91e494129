package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.StreamFramer.Outcome;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyslogFramerTest {
    private static final int MAX = 64;

    /** {@code <reason>frame} for each message; the same for any reads and batches. */
    private static List<String> frames(Framing framing, int max, byte[] input) {
        List<String> whole = frames(framing, max, input, input.length, 1 << 16, true);
        for (boolean parks : new boolean[] {true, false}) {
            for (int first = 0; first < input.length; first++) {
                assertThat(frames(framing, max, input, first, 1 << 16, parks))
                        .as("split at %d", first)
                        .isEqualTo(whole);
            }
            for (int batchBytes : new int[] {1, 16, 100}) {
                assertThat(frames(framing, max, input, -1, batchBytes, parks)).isEqualTo(whole);
                assertThat(frames(framing, max, input, input.length, batchBytes, parks))
                        .isEqualTo(whole);
            }
        }
        return whole;
    }

    /** With {@code first} -1: byte by byte. */
    private static List<String> frames(
            Framing framing, int max, byte[] input, int first, int batchBytes, boolean parks) {
        SyslogFramer framer = Feed.framer(framing, max);
        Feed feed = new Feed(framer, batchBytes, parks);
        if (first < 0) {
            for (int i = 0; i < input.length; i++) {
                feed.read(input, i, 1);
            }
        } else {
            feed.read(input, 0, first);
            feed.read(input, first, input.length - first);
        }
        assertThat(framer.closed()).isEqualTo(framer.closeReason() != null);
        return feed.end().stream()
                // The number of bytes at hand after a broken count depends on the reads.
                .map(message -> describe(message, framer.closed()))
                .toList();
    }

    private static String describe(Received message, boolean closed) {
        return switch (message.rejected()) {
            case FRAME, OVERSIZE -> message.rejected().label() + ":" + (closed ? "closed" : message.frame());
            default -> message.frame();
        };
    }

    private static List<String> frames(Framing framing, String input) {
        return frames(framing, MAX, input.getBytes(ISO_8859_1));
    }

    @Test
    void tellsFramingsApartFrameByFrame() {
        assertThat(frames(Framing.AUTO, "5 <1>abline\n6 <1>abc\n12 no count\n123456789012 <\n5 <1>cd"))
                .containsExactly("<1>ab", "line", "<1>abc", "12 no count", "123456789012 <", "<1>cd");
    }

    @Test
    void takesOnlyLinesWhenToldSo() {
        assertThat(frames(Framing.LF, "5 <1>ab\n0 <x\n")).containsExactly("5 <1>ab", "0 <x");
    }

    @Test
    void skipsEmptyLinesAndStripsCr() {
        assertThat(frames(Framing.AUTO, "\n\r\n\na\r\nb\rc\n\r\r\nd\r")).containsExactly("a", "b\rc", "\r", "d\r");
    }

    @Test
    void skipsOneLfBehindACountedFrame() {
        assertThat(frames(Framing.OCTET, "2 ab\n2 cd3 ef\n")).containsExactly("ab", "cd", "ef\n");
        assertThat(frames(Framing.OCTET, "2 ab\n\n2 cd")).containsExactly("ab", "frame:closed");
        assertThat(frames(Framing.OCTET, "\n2 ab")).containsExactly("frame:closed");
        assertThat(frames(Framing.AUTO, "4 <1>a\n\n4 <1>b")).containsExactly("<1>a", "<1>b");
    }

    @Test
    void takesNoFrameForCompressedIfToldSo() {
        Feed feed = new Feed(Feed.framer(Framing.OCTET, MAX).withoutCompression(), 1 << 16, true);
        byte[] input = "4 zone2 cd".getBytes(ISO_8859_1);
        feed.read(input, 0, input.length);
        assertThat(feed.end().stream().map(message -> message.frame())).containsExactly("zone", "cd");
    }

    @Test
    void keepsALineEndInsideACountedFrameOutOfThePayload() {
        Feed feed = new Feed(Feed.framer(Framing.OCTET, MAX), 1 << 16, true);
        byte[] input = "9 <1>t: ab\n10 <1>t: ab\r\n\n9 <1>t: \n\n\n1 \n".getBytes(ISO_8859_1);
        feed.read(input, 0, input.length);
        assertThat(feed.end()).extracting(Received::payload).containsExactly("ab", "ab", "\n\n", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 <1>a", "0 <b>", "00 <1>a", "01 <1>a", "000000000 <1>a", "0 z", "0", "0 "})
    void takesACountThatStartsWith0ForALineWhereLinesMayCome(String input) {
        assertThat(frames(Framing.AUTO, "5 <1>ab" + input + "\n5 <1>cd")).containsExactly("<1>ab", input, "<1>cd");
        assertThat(frames(Framing.OCTET, "1 x" + input)).containsExactly("x", "frame:closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1 <1>a", "+4 <1>a", " 4 <1>a", "4<1>a", "x", "4\t<1>a"})
    void closesOnWhatIsNoCountWhereThereMustBeOne(String input) {
        assertThat(frames(Framing.OCTET, "1 x" + input)).containsExactly("x", "frame:closed");
        assertThat(frames(Framing.AUTO, input + "\n")).containsExactly(input);
    }

    @Test
    void closesOnACountAboveTheLimit() {
        assertThat(frames(Framing.AUTO, "65 <1>a")).containsExactly("oversize:closed");
        assertThat(frames(Framing.AUTO, "999999999 <1>a")).containsExactly("oversize:closed");
        assertThat(frames(Framing.OCTET, "65 a")).containsExactly("oversize:closed");
        assertThat(frames(Framing.OCTET, "2147483648 a")).containsExactly("oversize:closed");
        assertThat(frames(Framing.OCTET, "64 " + "a".repeat(64))).containsExactly("a".repeat(64));
    }

    @Test
    void saysWhyItClosedAndTakesNothingMore() {
        SyslogFramer framer = Feed.framer(Framing.AUTO, MAX);
        Feed feed = new Feed(framer, 1 << 16, true);
        byte[] input = ("99 <1>" + "a".repeat(200)).getBytes(ISO_8859_1);
        feed.read(input, 0, input.length);
        feed.read("line\n".getBytes(ISO_8859_1), 0, 5);
        assertThat(framer.closed()).isTrue();
        assertThat(framer.closeReason()).isEqualTo("octet count 99 is above the limit of 64");
        assertThat(feed.end())
                .singleElement()
                .satisfies(message -> assertThat(message.frame()).isEqualTo(new String(input, 0, MAX + 1, ISO_8859_1)));
    }

    @Test
    void rejectsTooLongALineOnceAndGoesOn() {
        String fits = "f".repeat(MAX);
        String tooLong = "x".repeat(MAX + 1);
        for (Framing framing : new Framing[] {Framing.LF, Framing.AUTO}) {
            assertThat(frames(framing, "a\n" + tooLong + "\n" + fits + "\n" + fits + "\r\n" + tooLong + "\r\nb\n"))
                    .containsExactly(
                            "a", "oversize:" + "x".repeat(MAX + 1), fits, fits, "oversize:" + "x".repeat(MAX + 1), "b");
            assertThat(frames(framing, tooLong.repeat(9) + "\nb"))
                    .containsExactly("oversize:" + "x".repeat(MAX + 1), "b");
            assertThat(frames(framing, tooLong)).containsExactly("oversize:" + "x".repeat(MAX + 1));
            assertThat(frames(framing, fits + "\r")).containsExactly("oversize:" + fits + "\r");
            assertThat(frames(framing, fits)).containsExactly(fits);
            assertThat(frames(framing, tooLong.repeat(3))).containsExactly("oversize:" + "x".repeat(MAX + 1));
        }
    }

    @Test
    void whatIsKeptOfTooLongALineIsStillTooLong() {
        String kept = frames(Framing.LF, "x".repeat(3 * MAX)).get(0);
        assertThat(frames(Framing.LF, kept.substring("oversize:".length()))).containsExactly(kept);
    }

    @ParameterizedTest
    @CsvSource({
        "AUTO, '5 <1>a', 'frame:5 <1>a'",
        "OCTET, '5 <1>a', 'frame:5 <1>a'",
        "AUTO, '5 ', '5 '",
        "AUTO, '5', '5'",
        "AUTO, '5 <', 'frame:5 <'",
        "OCTET, '5 ', 'frame:5 '",
        "OCTET, '5', 'frame:5'",
        "AUTO, 'abc', 'abc'",
        "LF, '5 <1>a', '5 <1>a'",
    })
    void endsWithALineOrADiscardedPart(Framing framing, String input, String expected) {
        assertThat(frames(framing, input)).containsExactly(expected);
    }

    @Test
    void startsAfreshBehindTheEndOfAStream() {
        Feed feed = new Feed(Feed.framer(Framing.AUTO, MAX), 1 << 16, true);
        for (String stream : new String[] {"5 <1>", "x".repeat(3 * MAX), "a", "b\n"}) {
            feed.read(stream.getBytes(ISO_8859_1), 0, stream.length());
            feed.end();
        }
        assertThat(feed.messages)
                .extracting(message -> describe(message, false))
                .containsExactly("frame:5 <1>", "oversize:" + "x".repeat(MAX + 1), "a", "b");
    }

    private static byte[] compressed(String message) {
        Deflater deflater = new Deflater();
        deflater.setInput(message.getBytes(ISO_8859_1));
        deflater.finish();
        byte[] target = new byte[message.length() + 100];
        int n = deflater.deflate(target);
        deflater.end();
        byte[] frame = new byte[n + 1];
        frame[0] = 'z';
        System.arraycopy(target, 0, frame, 1, n);
        return frame;
    }

    private static byte[] counted(byte[]... frames) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            out.writeBytes((frame.length + " ").getBytes(ISO_8859_1));
            out.writeBytes(frame);
        }
        return out.toByteArray();
    }

    @Test
    void inflatesCompressedFrames() {
        String message = "<13>t: " + "abc".repeat(300);
        byte[] damaged = compressed(message);
        damaged[damaged.length - 1] ^= 1;
        byte[] cut = Arrays.copyOf(compressed(message), 12);
        byte[] lfBehind = Arrays.copyOf(compressed("<13>t: x\n"), compressed("<13>t: x\n").length + 1);
        lfBehind[lfBehind.length - 1] = '\n';
        byte[] moreBehind = Arrays.copyOf(compressed(message), compressed(message).length + 2);
        byte[] input = counted(
                compressed(message),
                "<13>t: plain".getBytes(ISO_8859_1),
                compressed("<13>t: 1"),
                damaged,
                cut,
                "z".getBytes(ISO_8859_1),
                lfBehind,
                moreBehind,
                compressed("x".repeat(2000)),
                compressed("x".repeat(2001)),
                compressed("x".repeat(500_000)),
                compressed(""),
                "<13>t: last".getBytes(ISO_8859_1));
        for (Framing framing : new Framing[] {Framing.AUTO, Framing.OCTET}) {
            assertThat(frames(framing, 2000, input))
                    .containsExactly(
                            message,
                            "<13>t: plain",
                            "<13>t: 1",
                            "frame:" + new String(damaged, ISO_8859_1),
                            "frame:" + new String(cut, ISO_8859_1),
                            "frame:z",
                            "<13>t: x\n",
                            "frame:" + new String(moreBehind, ISO_8859_1),
                            "x".repeat(2000),
                            "oversize:" + new String(compressed("x".repeat(2001)), ISO_8859_1),
                            "oversize:" + new String(compressed("x".repeat(500_000)), ISO_8859_1),
                            "",
                            "<13>t: last");
        }
    }

    @Test
    void peelsWhatItInflated() {
        byte[] input = counted(compressed("<134>1 - host app - ad.click - 1,2\n"), compressed("<13>t: 3"));
        Feed feed = new Feed(Feed.framer(Framing.AUTO, 1000), 1 << 16, true);
        feed.read(input, 0, input.length);
        assertThat(feed.end()).extracting(Received::topic).containsExactly("ad.click", "t");
        assertThat(feed.messages).extracting(Received::payload).containsExactly("1,2", "3");
    }

    @Test
    void handsOverABatchThatInflatingFills() {
        int max = 1 << 16;
        byte[][] frames = new byte[200][];
        Arrays.fill(frames, compressed("x".repeat(max)));
        byte[] input = counted(frames);
        assertThat(input.length).isLessThan(MessageBatch.DEFAULT_BYTES);
        Feed feed = new Feed(Feed.framer(Framing.AUTO, max), MessageBatch.DEFAULT_BYTES, true);
        feed.read(input, 0, input.length);
        assertThat(feed.end())
                .hasSize(200)
                .allSatisfy(message -> assertThat(message.frame()).hasSize(max));
        assertThat(feed.bytesMax).isLessThanOrEqualTo(2 * (SyslogFramer.INFLATED_BYTES_MAX + 2 * max));
    }

    @Test
    void handsOverABatchThatInflatingMadeGrow() {
        int max = 1 << 13;
        Feed feed = new Feed(Feed.framer(Framing.AUTO, max), MessageBatch.DEFAULT_BYTES, true);
        byte[] line = ("x".repeat(99) + "\n").getBytes(ISO_8859_1);
        byte[] inflated = counted(compressed("y".repeat(max)));
        int filled = 0;
        // A frame is inflated wherever the end of the array would be if the batch had grown each time.
        for (int size = MessageBatch.DEFAULT_BYTES; size <= 4 * MessageBatch.DEFAULT_BYTES; size *= 2) {
            for (; filled < size - 1_000; filled += line.length) {
                feed.read(line, 0, line.length);
            }
            feed.read(inflated, 0, inflated.length);
            filled += max;
        }
        assertThat(feed.end()).hasSizeGreaterThan(2_000);
        assertThat(feed.bytesMax).isLessThanOrEqualTo(2 * MessageBatch.DEFAULT_BYTES);
    }

    @Test
    void handsOverABatchWithManyTinyMessages() {
        byte[] input = "a\n".repeat(3 * SyslogFramer.MESSAGES_MAX).getBytes(ISO_8859_1);
        SyslogFramer framer = Feed.framer(Framing.LF, MAX);
        MessageBatch batch = new MessageBatch(input.length);
        framer.begin(batch);
        System.arraycopy(input, 0, batch.bytes(), 0, input.length);
        batch.limit(input.length);
        assertThat(framer.frame(batch)).isEqualTo(Outcome.FULL);
        assertThat(batch.count()).isEqualTo(SyslogFramer.MESSAGES_MAX);
        assertThat(frames(Framing.LF, MAX, input, input.length, MessageBatch.DEFAULT_BYTES, true))
                .hasSize(3 * SyslogFramer.MESSAGES_MAX)
                .containsOnly("a");
    }

    @Test
    void parksATailInAnArrayOfItsSize() {
        SyslogFramer framer = Feed.framer(Framing.AUTO, 1 << 20);
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        framer.begin(batch);
        byte[] input = "a\n0123456789".getBytes(ISO_8859_1);
        System.arraycopy(input, 0, batch.bytes(), 0, input.length);
        batch.limit(input.length);
        assertThat(framer.frame(batch)).isEqualTo(Outcome.MORE);
        assertThat(framer.tailLength(batch)).isEqualTo(10);
        framer.park(batch);
        assertThat(framer.parkedLength()).isEqualTo(10);
        assertThat(batch.limit()).isEqualTo(2);
    }

    @Test
    void letsStreamsShareABatch() {
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        SyslogFramer[] framers = {Feed.framer(Framing.AUTO, MAX), Feed.framer(Framing.AUTO, MAX)};
        String[] streams = {"one\ntwo\nthree\n", "7 <1>four7 <1>five"};
        for (int at = 0; at < 18; at += 3) {
            for (int i = 0; i < 2; i++) {
                byte[] read = streams[i]
                        .substring(Math.min(at, streams[i].length()), Math.min(at + 3, streams[i].length()))
                        .getBytes(ISO_8859_1);
                framers[i].begin(batch);
                System.arraycopy(read, 0, batch.bytes(), batch.limit(), read.length);
                batch.limit(batch.limit() + read.length);
                framers[i].frame(batch);
                framers[i].park(batch);
            }
        }
        assertThat(Received.all(batch))
                .extracting(Received::frame)
                .containsExactly("one", "two", "<1>four", "three", "<1>five");
    }

    @Test
    void needsNoMoreMemoryThanTwiceTheLargestMessage() {
        int max = 300_000;
        for (String input : new String[] {"x".repeat(4 * max), max + " <" + "x".repeat(max - 1)}) {
            Feed feed = new Feed(Feed.framer(Framing.AUTO, max), MessageBatch.DEFAULT_BYTES, false);
            byte[] bytes = input.getBytes(ISO_8859_1);
            for (int at = 0; at < bytes.length; at += 1000) {
                feed.read(bytes, at, Math.min(1000, bytes.length - at));
            }
            assertThat(feed.end())
                    .singleElement()
                    .satisfies(message -> assertThat(message.frame()).hasSizeBetween(max, max + 1));
            assertThat(feed.bytesMax).isLessThanOrEqualTo(2 * max);
        }
    }

    @Test
    void refusesABoundThatMakesNoSense() {
        assertThatThrownBy(() -> Feed.framer(Framing.AUTO, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Feed.framer(Framing.AUTO, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void marksRejectedMessagesByReason() {
        Feed feed = new Feed(Feed.framer(Framing.AUTO, MAX), 1 << 16, true);
        byte[] input = "<13>1 - broken\n5 <1>a".getBytes(ISO_8859_1);
        feed.read(input, 0, input.length);
        assertThat(feed.end())
                .extracting(Received::rejected)
                .containsExactly(RejectReason.ENVELOPE, RejectReason.FRAME);
    }
}
