package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpStreamTest {
    private static final EnvelopeParser ENVELOPE = new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME);

    /** Feeds a stream in pieces of so many bytes, until it is closed or ends. */
    private static MessageBatch feed(StreamFramer framer, String stream, int piece) {
        byte[] bytes = stream.getBytes(ISO_8859_1);
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        framer.begin(batch);
        for (int at = 0; at < bytes.length && !framer.closed(); at += piece) {
            int length = Math.min(piece, bytes.length - at);
            assertThat(framer.reserve(batch)).isTrue();
            System.arraycopy(bytes, at, batch.bytes(), batch.limit(), length);
            batch.limit(batch.limit() + length);
            framer.frame(batch);
        }
        if (!framer.closed()) {
            framer.end(batch);
        }
        return batch;
    }

    /** Lines that a page in a browser posts to this port would otherwise become messages. */
    @ParameterizedTest
    @EnumSource(Framing.class)
    void shouldRejectARequestWithAllThatFollows(Framing framing) {
        for (String request : new String[] {
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /x?y=z HTTP/1.1\r\nContent-Type: text/plain\r\n\r\n<13>1 - web03 adserver - ad.click - {}\n",
            "HEAD /healthz HTTP/1.0\n\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        }) {
            for (int piece : new int[] {1, 2, 5, 10_000}) {
                SyslogFramer framer = new SyslogFramer(framing, 8192, ENVELOPE);
                MessageBatch batch = feed(framer, request, piece);
                assertThat(framer.closeReason())
                        .as("%s in pieces of %d", request, piece)
                        .contains("HTTP", "http.bind");
                assertThat(batch.count()).isOne();
                assertThat(batch.message(0).rejectReason()).isEqualTo(RejectReason.FRAME);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET",
                "G",
                "GET /summaries",
                "GET / HTTP/",
                "GET / HTTP/1.",
                "PUT that HTTP/1.1 down",
                "POST mortem: HTTP/1.1 was to blame",
                "GETTING / HTTP/1.1"
            })
    void shouldTakeOtherLinesForMessages(String line) {
        for (String stream : new String[] {line, line + "\n", line + "\r\nGET / HTTP/1.1\r\n"}) {
            for (int piece : new int[] {1, 3, 10_000}) {
                SyslogFramer framer = new SyslogFramer(Framing.AUTO, 8192, ENVELOPE);
                MessageBatch batch = feed(framer, stream, piece);
                assertThat(framer.closeReason()).isNull();
                assertThat(batch.count()).isEqualTo(stream.contains("\nGET") ? 2 : 1);
                assertThat(batch.length(0, MessageBatch.FRAME)).isEqualTo(line.length());
                assertThat(batch.message(0).rejectReason()).isEqualTo(RejectReason.NONE);
            }
        }
    }

    /** No page posts to a file. A byte order mark is no part of a header; feed() takes a char for a byte. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 10_000})
    void shouldTakeEveryLineOfAFileAndNoByteOrderMark(int piece) {
        for (String mark : new String[] {"", "\u00ef\u00bb\u00bf"}) {
            for (String line :
                    new String[] {"GET / HTTP/1.1", "<13>1 - web03 adserver - ad.click - {}", "\u00ef\u00bbx"}) {
                SyslogFramer framer = new SyslogFramer(Framing.AUTO, 8192, ENVELOPE).ofFile();
                MessageBatch batch = feed(framer, mark + line + "\r\n" + line, piece);
                assertThat(framer.closeReason()).isNull();
                assertThat(batch.count()).isEqualTo(2);
                for (int i = 0; i < 2; i++) {
                    assertThat(batch.length(i, MessageBatch.FRAME))
                            .as("%s%s", mark, line)
                            .isEqualTo(line.length());
                    assertThat(batch.message(i).rejectReason()).isEqualTo(RejectReason.NONE);
                }
            }
        }
        for (String part : new String[] {"\u00ef", "\u00ef\u00bb"}) {
            MessageBatch batch = feed(new SyslogFramer(Framing.LF, 8192, ENVELOPE).ofFile(), part, piece);
            assertThat(batch.length(0, MessageBatch.FRAME)).isEqualTo(part.length());
        }
    }

    @Test
    void shouldRejectALineThatIsTooLongAsOneThatIsTooLong() {
        SyslogFramer framer = new SyslogFramer(Framing.AUTO, 480, ENVELOPE);
        MessageBatch batch = feed(framer, "GET /" + "a".repeat(1000) + " HTTP/1.1\r\nx\n", 7);
        assertThat(framer.closed()).isFalse();
        assertThat(batch.message(0).rejectReason()).isEqualTo(RejectReason.OVERSIZE);
        assertThat(batch.count()).isEqualTo(2);
    }

    @Test
    void shouldSayInASessionOfRelpThatThePeerSpeaksHttp() {
        RelpFramer framer = new RelpFramer(8192, ENVELOPE);
        assertThat(feed(framer, "GET / HTTP/1.1\r\n", 10_000).count()).isZero();
        assertThat(framer.closeReason()).contains("HTTP", "http.bind");
    }
}
