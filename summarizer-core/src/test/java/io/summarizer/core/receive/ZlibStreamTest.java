package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZlibStreamTest {
    private static final String MESSAGE = "<134>1 2026-11-20T00:00:00Z web03 adserver - ad.click - payload";

    private static byte[] stream(int level, String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out, new Deflater(level), true)) {
            deflater.write(text.getBytes(ISO_8859_1));
            deflater.flush(); // as rsyslog does with each batch
        }
        return out.toByteArray();
    }

    /**
     * Messages from a stream in pieces of so many bytes: the reasons of rejected ones, and the frames of the others.
     */
    private static List<String> framed(SyslogFramer framer, byte[] stream, int piece) {
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        framer.begin(batch);
        for (int at = 0; at < stream.length && !framer.closed(); at += piece) {
            int length = Math.min(piece, stream.length - at);
            assertThat(framer.reserve(batch)).isTrue();
            System.arraycopy(stream, at, batch.bytes(), batch.limit(), length);
            batch.limit(batch.limit() + length);
            framer.frame(batch);
        }
        if (!framer.closed()) {
            framer.end(batch);
        }
        List<String> framed = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            RejectReason reason = batch.message(i).rejectReason();
            framed.add(
                    reason == RejectReason.NONE
                            ? new String(
                                    batch.bytes(),
                                    batch.offset(i, MessageBatch.FRAME),
                                    batch.length(i, MessageBatch.FRAME),
                                    ISO_8859_1)
                            : reason.name());
        }
        return framed;
    }

    private static SyslogFramer framer(Framing framing) {
        return new SyslogFramer(framing, 8192, new EnvelopeParser(TopicRule.MSGID));
    }

    @ParameterizedTest
    @EnumSource(
            value = Framing.class,
            names = {"AUTO", "LF", "OCTET"})
    void shouldRejectACompressedStreamOnceAndSayWhy(Framing framing) throws Exception {
        for (int level : new int[] {0, 1, 5, 6, 9}) {
            for (String text : List.of(
                    (MESSAGE + "\n").repeat(100), (MESSAGE.length() + " " + MESSAGE).repeat(100), MESSAGE + "\n")) {
                for (int piece : new int[] {1, 2, 3, 7, 50_000}) {
                    SyslogFramer framer = framer(framing);
                    assertThat(framed(framer, stream(level, text), piece))
                            .as("level %d, pieces of %d", level, piece)
                            .containsExactly("FRAME");
                    assertThat(framer.closeReason()).contains("zlib", "compression.mode=\"single\"");
                }
            }
        }
    }

    /** Neither the compressed contents matter, nor the end of the connection after a byte that is no text. */
    @Test
    void shouldRejectAStreamOfAnythingOnceWhereverItIsCut() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            byte[] content = new byte[1 + random.nextInt(300)];
            random.nextBytes(content);
            if (random.nextBoolean()) {
                for (int at = 0; at < content.length; at++) {
                    content[at] = (byte) (' ' + (content[at] & 63));
                }
            }
            byte[] stream = stream(random.nextInt(10), new String(content, ISO_8859_1));
            int told = 2;
            while (ZlibStream.look(stream, 0, told) == ZlibStream.Answer.MORE && told < stream.length) {
                told++;
            }
            for (int length = told; length <= stream.length; length++) {
                SyslogFramer framer = framer(Framing.AUTO);
                byte[] cut = Arrays.copyOf(stream, length);
                assertThat(framed(framer, cut, 1 + random.nextInt(length)))
                        .as("seed %d, stream %d, the first %d bytes", seed, i, length)
                        .containsExactly("FRAME");
                assertThat(framer.closeReason()).isEqualTo(ZlibStream.HINT);
            }
            boolean printable = stream[1] == 0x5e || stream[1] == (byte) 0xda;
            assertThat(told)
                    .as("seed %d, stream %d: bytes that tell", seed, i)
                    .isBetween(2, printable ? ZlibStream.TEXT_BYTES : 2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "x^",
                "x^\n",
                "xyz\n",
                "x y\n",
                "x? y\n",
                "x}\n",
                "x^2 + y^2 = 1\nnext\n",
                "x^\u00e4\u20ac\ud83d\ude00\n",
                "x\u0680 is a letter\n",
                "x\u06bf \u20ac and more than sixty-four bytes of text, of which the last letter is long \ud83d\ude00\n"
            })
    void shouldTakeLinesThatBeginLikeOne(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        for (int piece = 1; piece <= bytes.length; piece++) {
            SyslogFramer framer = framer(Framing.AUTO);
            assertThat(framed(framer, bytes, piece))
                    .as("pieces of %d", piece)
                    .containsExactly(new String(bytes, ISO_8859_1).split("\n"));
            assertThat(framer.closed()).isFalse();
        }
    }

    /** A line that begins no compressed stream is a message as soon as it is whole. */
    @ParameterizedTest
    @ValueSource(strings = {"x y\n", "x? y\n", "x}\n", "xyz\n"})
    void shouldNotWaitForMoreThanALine(String text) {
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        SyslogFramer framer = framer(Framing.AUTO);
        framer.begin(batch);
        assertThat(framer.reserve(batch)).isTrue();
        byte[] bytes = text.getBytes(US_ASCII);
        System.arraycopy(bytes, 0, batch.bytes(), batch.limit(), bytes.length);
        batch.limit(batch.limit() + bytes.length);
        framer.frame(batch);
        assertThat(batch.count()).isEqualTo(1);
    }

    @Test
    void shouldLookAtTheFirstBytesOnly() throws Exception {
        SyslogFramer framer = framer(Framing.LF);
        String later = new String(stream(6, "<13>x\n"), ISO_8859_1).replace("\n", "");
        List<String> framed = framed(framer, (MESSAGE + "\n" + later + "\n").getBytes(ISO_8859_1), 1000);
        assertThat(framed).hasSize(2).first().isEqualTo(MESSAGE);
        assertThat(framer.closed()).isFalse();
    }
}
