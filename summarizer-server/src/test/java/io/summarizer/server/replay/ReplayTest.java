package io.summarizer.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.reject.RejectLog;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    @TempDir
    Path folder;

    @Test
    void aFileGoesOutAsItIs() throws Exception {
        String text = "one\ntwo\n\nthree";
        assertThat(replay(text, null, 0)).isEqualTo(text);
        assertThat(sent.messages()).isEqualTo(3);
        assertThat(sent.bytes()).isEqualTo(text.length());
        String counted = "3 one4 t\nwo";
        assertThat(replay(counted, FrameFormat.OCTET, 0)).isEqualTo(counted);
        assertThat(sent.messages()).isEqualTo(2);
    }

    @Test
    void countedMessagesGoOutAsAListenerKnowsThemBy() throws Exception {
        assertThat(replay("4 <1>a3 one5 <2>\nb3 2 x3 c\nd2 e\r2 f\n", null, 0))
                .isEqualTo("4 <1>aone\n5 <2>\nb2 x\ne\r\r\nf\n");
        assertThat(sent.messages()).isEqualTo(6);
        assertThat(sent.skipped()).isEqualTo(1);
    }

    @Test
    void whatIsTooLongForACountGoesOutAsALine() throws Exception {
        String large = "<1>" + "x".repeat(Passage.COUNTED_BYTES_MAX);
        assertThat(replay(large.length() + " " + large + "4 <1>a", null, 0)).isEqualTo(large + "\n4 <1>a");
        Path refused = Files.writeString(folder.resolve("oversize.3.frames"), "4 <1>a");
        assertThat(replay(refused, null, 0)).isEqualTo("<1>a\n");
    }

    @Test
    void linesBecomeFramesAndFramesBecomeLines() throws Exception {
        assertThat(replay("one\r\ntwo\n", FrameFormat.OCTET, 0)).isEqualTo("3 one3 two");
        assertThat(replay("3 one4 two\n", FrameFormat.LF, 0)).isEqualTo("one\ntwo\n");
    }

    @Test
    void aMessageWithLineFeedsIsNotTornIntoLines() throws Exception {
        assertThat(replay("5 a\nb\nc3 two", FrameFormat.LF, 0)).isEqualTo("two\n");
        assertThat(sent.messages()).isEqualTo(1);
        assertThat(sent.skipped()).isEqualTo(1);
    }

    @Test
    void aMessageLargerThanTheBufferGoesOutWhole() throws Exception {
        String large = "x".repeat(300_000);
        assertThat(replay("a\n" + large + "\nb\n", FrameFormat.OCTET, 0)).isEqualTo("1 a300000 " + large + "1 b");
    }

    @Test
    void gzipIsUnpacked() throws Exception {
        Path file = folder.resolve("packed.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(replay(file, null, 0)).isEqualTo("one\ntwo\n");
    }

    @Test
    void aRateIsAnUpperBound() throws Exception {
        replay("x\n".repeat(51), null, 1000);
        assertThat(sent.messages()).isEqualTo(51);
        // The 51st is due 50 ms after the first; a busy machine may send it later.
        assertThat(sent.nanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
    }

    @Test
    void whatWasRejectedCanBeSentAgain() throws Exception {
        byte[] message = "<13>1 - - - - - - bad\nthing".getBytes(StandardCharsets.UTF_8);
        try (RejectLog log = new RejectLog(folder.resolve("rejects"), RejectLog.BYTES_MAX_MIN, false)) {
            MessageBatch batch = new MessageBatch(1024);
            System.arraycopy(message, 0, batch.bytes(), 0, message.length);
            batch.append(0, message.length);
            log.reject(batch.message(0), RejectReason.PAYLOAD, "bad");
            log.reject(batch.message(0), RejectReason.PAYLOAD, "bad");
        }
        String frame = message.length + " " + new String(message, StandardCharsets.UTF_8);
        assertThat(replay(folder.resolve("rejects/payload.frames"), null, 0)).isEqualTo(frame + frame);
        assertThat(sent.messages()).isEqualTo(2);
    }

    @Test
    void objectsOfJsonHaveTheMessageOrWhatOneIsMadeOf() throws Exception {
        Path file = Files.writeString(folder.resolve("mended"), """
                {"reason":"payload","detail":"x","message":"<13>1 - - - - - - a\\nb","topic":"no","payload":"no"}
                {"base64":"PDE+/wo="}
                {"topic":"ad.click","payload":"1,x","host":"web1","time":"2026-11-20T00:00:00Z"}
                {"topic":"t","payload":"\\ufeff x\\n"}

                {"topic":"ad.auction.v2","payload":{"a":[1,"é"]}}
                """);
        String expected = "<13>1 - - - - - - a\nb|<1>\ufffd\n|<134>1 2026-11-20T00:00:00Z web1 - - ad.click -  1,x"
                + "|<134>1 - - - - t -  \ufeff\ufeff x\n\n"
                + "|<134>1 - - - - ad.auction.v2 -  {\"a\":[1,\"é\"]}";
        assertThat(replay(file, InputFormat.JSONL, null, 0).replaceAll("\\d+ <1", "|<1"))
                .isEqualTo("|" + expected);
        assertThat(sent.messages()).isEqualTo(5);
        assertThat(sent.notes()).isEmpty();
    }

    @Test
    void aPayloadOfJsonStaysAsItIs() throws Exception {
        List<String> payloads = List.of(
                "{\"t\":1.10, \"d\": 9007199254.740993,\"e\":1e400}",
                "[0.1234567890123456789,\"\\ud800é\",{\"payload\":1}]",
                "-1.50",
                "12345678901234567890123",
                "true",
                "null",
                "{}");
        Path file = folder.resolve("mended");
        Files.write(
                file,
                payloads.stream()
                        .map(payload -> "{\"payload\":\"no\",\"é\":{\"payload\":2},\"payload\": " + payload
                                + " ,\"topic\":\"a\"}")
                        .toList());
        assertThat(replay(file, InputFormat.JSONL, FrameFormat.LF, 0))
                .isEqualTo(payloads.stream()
                        .map(payload -> "<134>1 - - - - a -  " + payload + "\n")
                        .collect(Collectors.joining()));
        assertThat(sent.notes()).isEmpty();
    }

    @Test
    void aMessageThatWasTooLargeGoesAsALineWhateverTheFileIsCalled() throws Exception {
        Path file = Files.writeString(folder.resolve("mended"), """
                {"reason":"oversize","message":"<1>large"}
                {"reason":"payload","message":"<1>bad"}
                """);
        assertThat(replay(file, InputFormat.JSONL, null, 0)).isEqualTo("<1>large\n6 <1>bad");
    }

    /** A listener that detects the framing would take the line, and lines after it, for a counted frame. */
    @Test
    void saysWhenALineBeginsLikeACountedFrame() throws Exception {
        Path file = Files.writeString(folder.resolve("lines.log"), "<1>one\n60 <1>two\n<1>three\n");
        assertThat(replay(file, InputFormat.LINES, null, 0)).isEqualTo("<1>one\n60 <1>two\n<1>three\n");
        assertThat(sent.notes()).singleElement().asString().startsWith("message 2 begins like a counted frame");
        assertThat(replay(file, InputFormat.LINES, FrameFormat.LF, 0)).isEqualTo("<1>one\n60 <1>two\n<1>three\n");
        assertThat(sent.notes()).isEmpty();
    }

    @Test
    void saysOfEachMessageWhyItWasNotSent() throws Exception {
        Path file = Files.writeString(folder.resolve("mended"), """
                {"message":"<1>good"}
                {"message":
                [1]
                {"payload":"x"}
                {"message":7}
                {"message":""}
                {"base64":"?"}
                {"topic":"a b","payload":"x"}
                {"message":"<1>first"}{"message":"<1>second"}
                {"topic":"a","payload":"x","time":"nope"}
                {"message":"<1>also good"}
                """);
        assertThat(replay(file, InputFormat.JSONL, null, 0)).isEqualTo("7 <1>good12 <1>also good");
        assertThat(sent.messages()).isEqualTo(2);
        assertThat(sent.skipped()).isEqualTo(9);
        assertThat(sent.notes())
                .hasSize(9)
                .contains("message 10 was not sent: TIMESTAMP \"nope\" is not as RFC 5424 has it (byte 7)");
        assertThat(sent.notes().get(0)).startsWith("message 2 was not sent: not JSON: ");
        assertThat(sent.notes().subList(1, 5))
                .containsExactly(
                        "message 3 was not sent: no JSON object",
                        "message 4 was not sent: it has no \"message\", no \"base64\", and not both \"topic\" and \"payload\"",
                        "message 5 was not sent: \"message\" is no text",
                        "message 6 was not sent: an empty message");
        replay("5 a\nb\nc".repeat(20) + "3 end", FrameFormat.LF, 0);
        assertThat(sent.skipped()).isEqualTo(20);
        assertThat(sent.notes()).hasSize(10).element(0).asString().contains("message 1 ", "as a line it would be torn");
    }

    @Test
    void aFileThatBreaksOffIsSentUpToThere() throws Exception {
        assertThat(replay("4 <1>a9 <1>b", FrameFormat.OCTET, 10)).isEqualTo("4 <1>a");
        assertThat(sent.messages()).isEqualTo(1);
        assertThat(sent.notes()).isNotEmpty();
        assertThat(sent.notes())
                .containsExactly(
                        "after message 1 nothing more can be read: ends within a frame: 9 bytes announced, 4 there");
    }

    @Test
    void aFormatThatIsGivenIsNotGuessed() throws Exception {
        Path file = Files.writeString(folder.resolve("lines"), "1 x\n1 y\n");
        assertThat(replay(file, InputFormat.LINES, FrameFormat.OCTET, 0)).isEqualTo("3 1 x3 1 y");
        assertThat(replay(file, InputFormat.FRAMES, FrameFormat.LF, 0)).isEqualTo("x\ny\n");
    }

    @Test
    void nobodyListeningIsSaidClearly() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertThatThrownBy(() -> TcpTarget.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
                .hasMessageContaining("cannot connect to ")
                .hasMessageContaining(":" + port)
                .hasMessageContaining("is the service running?");
    }

    @Test
    void aReceiverThatAnswersIsNoListenerForSyslog() throws Exception {
        Path file = Files.writeString(folder.resolve("input"), "a\n");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpTarget target = TcpTarget.connect((InetSocketAddress) server.getLocalSocketAddress());
                Socket accepted = server.accept()) {
            accepted.getOutputStream().write(21); // as a TLS alert begins
            assertThatThrownBy(() -> new Replay(file, null, null, 0, bytes -> {}).to(target))
                    .hasMessageContaining("is it one with TLS (tls://) or for RELP (relp://)?");
        }
    }

    @Test
    void aBrokenConnectionIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("input"), "a message\n".repeat(1_000_000));
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpTarget target = TcpTarget.connect((InetSocketAddress) server.getLocalSocketAddress())) {
            Socket accepted = server.accept();
            accepted.setSoLinger(true, 0); // closes with a reset
            accepted.close();
            assertThatThrownBy(() -> new Replay(file, null, null, 0, bytes -> {}).to(target))
                    .hasMessageMatching("sending to .*:" + server.getLocalPort()
                            + " broke off after \\d+ bytes \\(.+\\); TCP does not tell .*");
        }
    }

    private Replay.Sent sent = new Replay.Sent(0, 0, List.of(), 0, 0, 0);

    private String replay(String text, @Nullable FrameFormat framing, long rate) throws Exception {
        return replay(Files.writeString(folder.resolve("input"), text), framing, rate);
    }

    private String replay(Path file, @Nullable FrameFormat framing, long rate) throws Exception {
        return replay(file, null, framing, rate);
    }

    private String replay(Path file, @Nullable InputFormat format, @Nullable FrameFormat framing, long rate)
            throws Exception {
        try (TcpSink sink = new TcpSink();
                TcpTarget target = TcpTarget.connect(sink.address())) {
            sent = new Replay(file, format, framing, rate, bytes -> {}).to(target);
            return new String(sink.received(), StandardCharsets.UTF_8);
        }
    }
}
