package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
            deflater.write(text.getBytes(US_ASCII));
            deflater.flush(); // as rsyslog does with each batch
        }
        return out.toByteArray();
    }

    /** Messages that come of a stream in pieces of so many bytes: their reasons, and the frames of those that are good. */
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "x^",
                "x^\n",
                "xyz\n",
                "x^2 + y^2 = 1\nnext\n",
                "x\u00da\u009c text\n",
                "x\u0001\n",
                "x\u009c"
            })
    void shouldTakeLinesThatBeginLikeOne(String text) {
        for (int piece : new int[] {1, 2, 100}) {
            SyslogFramer framer = framer(Framing.AUTO);
            assertThat(framed(framer, text.getBytes(ISO_8859_1), piece))
                    .containsExactlyElementsOf(text.lines().toList());
            assertThat(framer.closed()).isFalse();
        }
    }

    @Test
    void shouldLookAtTheFirstBytesOnly() throws Exception {
        SyslogFramer framer = framer(Framing.LF);
        String later = new String(stream(6, "<13>x\n"), ISO_8859_1).replace("\n", "");
        List<String> framed = framed(framer, (MESSAGE + "\n" + later + "\n").getBytes(ISO_8859_1), 1000);
        assertThat(framed).hasSize(2).first().isEqualTo(MESSAGE);
        assertThat(framer.closed()).isFalse();
    }

    /** An inflater takes 40 KB and some µs; a sender chooses how many pieces its bytes come in. */
    @Test
    void shouldInflateAFewTimesHoweverSmallThePiecesAre() throws Exception {
        byte[] stored = stream(0, MESSAGE.repeat(100)); // tells with its eighth byte
        byte[] silent = new byte[3000];
        silent[0] = 0x78;
        silent[1] = (byte) 0x9c;
        for (int i = 2; i + 5 <= silent.length; i += 5) { // stored blocks without a byte
            silent[i + 3] = (byte) 0xff;
            silent[i + 4] = (byte) 0xff;
        }
        for (byte[] bytes : List.of(stored, silent)) {
            ZlibStream zlib = new ZlibStream();
            ZlibStream.Answer answer = ZlibStream.Answer.MORE;
            int length = 0;
            while (answer == ZlibStream.Answer.MORE) {
                answer = zlib.look(bytes, 0, ++length);
            }
            assertThat(answer).isEqualTo(bytes == stored ? ZlibStream.Answer.YES : ZlibStream.Answer.NO);
            assertThat(length).isLessThan(2100);
            assertThat(zlib.inflations()).isBetween(1, 12);
        }
    }
}
