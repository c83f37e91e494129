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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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
        // The 51st is due 50 ms after the first; how much later it goes is the machine's business.
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

    private Replay.Sent sent = new Replay.Sent(0, 0, 0, 0);

    private String replay(String text, @Nullable FrameFormat framing, long rate) throws Exception {
        return replay(Files.writeString(folder.resolve("input"), text), framing, rate);
    }

    private String replay(Path file, @Nullable FrameFormat framing, long rate) throws Exception {
        try (TcpSink sink = new TcpSink();
                TcpTarget target = TcpTarget.connect(sink.address())) {
            sent = new Replay(file, framing, rate, bytes -> {}).to(target);
            return new String(sink.received(), StandardCharsets.UTF_8);
        }
    }
}
