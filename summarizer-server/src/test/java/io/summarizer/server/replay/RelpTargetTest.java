package io.summarizer.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.server.replay.RelpSink.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelpTargetTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int TXNR_LAST = 990_000_000;

    @TempDir
    Path folder;

    private static RelpTarget connect(RelpSink sink) throws IOException {
        return RelpTarget.connect(sink.address(), PATIENCE, TXNR_LAST);
    }

    private static void send(RelpTarget target, String text) throws IOException {
        byte[] bytes = ("x" + text).getBytes(StandardCharsets.ISO_8859_1);
        target.send(bytes, 1, text.length());
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    @Test
    void messagesArriveOnceAndInOrderAndTheSessionIsClosed() throws Exception {
        List<String> messages = numbers(10_000);
        try (RelpSink sink = new RelpSink(Session.GOOD)) {
            try (RelpTarget target = connect(sink)) {
                for (String message : messages) {
                    send(target, message);
                }
                target.finish();
                assertThat(target.resent()).isZero();
            }
            assertThat(sink.received()).isEqualTo(messages);
            assertThat(sink.sessions()).isEqualTo(1);
            assertThat(sink.closedBySender()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 500})
    void whatWasNotAnsweredIsSentAgain(int answered) throws Exception {
        List<String> messages = numbers(2_000);
        try (RelpSink sink =
                new RelpSink(Session.breaksBehind(answered), Session.breaksBehind(answered + 7), Session.GOOD)) {
            try (RelpTarget target = connect(sink)) {
                for (String message : messages) {
                    send(target, message);
                }
                target.finish();
                assertThat(target.resent()).isPositive();
            }
            // The sink reads one more than it acknowledges, twice; each of these comes again.
            assertThat(sink.received()).hasSizeGreaterThanOrEqualTo(messages.size() + 2);
            assertThat(new LinkedHashSet<>(sink.received())).containsExactlyElementsOf(messages);
            assertThat(sink.sessions()).isEqualTo(3);
        }
    }

    @Test
    void timeWithoutMessagesIsNoSilenceOfTheReceiver() throws Exception {
        Duration patience = Duration.ofSeconds(2);
        try (RelpSink sink = new RelpSink(Session.GOOD);
                RelpTarget target = RelpTarget.connect(sink.address(), patience, TXNR_LAST)) {
            send(target, "one");
            Thread.sleep(patience.toMillis() + 100); // the caller waits for its input
            send(target, "two");
            target.finish();
            assertThat(sink.received()).containsExactly("one", "two");
            assertThat(target.resent()).isZero();
        }
    }

    @Test
    void anythingGoesInAMessage() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder noise = new StringBuilder();
        for (int i = 0; i < 3_000_000; i++) {
            noise.append((char) random.nextInt(256));
        }
        List<String> messages = List.of("\n", "2 syslog 1 x\n", noise.toString(), "", " ", noise.substring(1000));
        try (RelpSink sink = new RelpSink(Session.GOOD)) {
            try (RelpTarget target = connect(sink)) {
                for (String message : messages) {
                    send(target, message);
                }
                target.finish();
            }
            assertThat(sink.received()).isEqualTo(messages);
        }
    }

    @Test
    void aSessionWhoseNumbersAreUsedUpIsFollowedByAnother() throws Exception {
        List<String> messages = numbers(95);
        try (RelpSink sink = new RelpSink(Session.GOOD)) {
            try (RelpTarget target = RelpTarget.connect(sink.address(), PATIENCE, 11)) {
                for (String message : messages) {
                    send(target, message);
                }
                target.finish();
                assertThat(target.resent()).isZero();
            }
            assertThat(sink.received()).isEqualTo(messages);
            assertThat(sink.sessions()).isEqualTo(10);
        }
    }

    @Test
    void aMessageThatIsRefusedIsAnError() throws Exception {
        try (RelpSink sink = new RelpSink(Session.GOOD.withAnswer("500 no\nmore"));
                RelpTarget target = connect(sink)) {
            send(target, "x");
            assertThatThrownBy(target::finish)
                    .isInstanceOf(RelpTarget.RefusedException.class)
                    .hasMessage("the receiver refuses: 500 no");
        }
    }

    @Test
    void anAnswerOutOfTurnIsAnError() throws Exception {
        try (RelpSink sink = new RelpSink(Session.GOOD.withShift(1));
                RelpTarget target = connect(sink)) {
            send(target, "x");
            assertThatThrownBy(target::finish)
                    .isInstanceOf(RelpTarget.RefusedException.class)
                    .hasMessage("the receiver answers out of turn: 3 rsp");
        }
    }

    @Test
    void aSessionThatIsRefusedIsAnError() throws Exception {
        try (RelpSink sink = new RelpSink(Session.GOOD.withOffers("500 not here"))) {
            assertThatThrownBy(() -> connect(sink))
                    .isInstanceOf(RelpTarget.RefusedException.class)
                    .hasMessage("the receiver refuses: 500 not here");
        }
    }

    @Test
    void nobodyThereIsAnErrorAtOnce() throws Exception {
        InetSocketAddress address;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = (InetSocketAddress) free.getLocalSocketAddress();
        }
        assertThatThrownBy(() -> RelpTarget.connect(address))
                .isInstanceOf(TcpTarget.UnreachableException.class)
                .hasMessageContaining("cannot connect to");
    }

    @Test
    void aReceiverThatGoesAwayForGoodIsGivenUp() throws Exception {
        try (RelpSink sink = new RelpSink(Session.breaksBehind(0));
                RelpTarget target = RelpTarget.connect(sink.address(), Duration.ofMillis(500), TXNR_LAST)) {
            send(target, "x");
            assertThatThrownBy(target::finish)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("gave up: ")
                    .hasMessageEndingWith("; messages acknowledged until then: 0");
        }
    }

    @Test
    void aFileIsReplayedMessageByMessage() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "3 one4 t\nwo9 9 <2>\nb z");
        try (RelpSink sink = new RelpSink(Session.GOOD);
                RelpTarget target = connect(sink)) {
            Replay.Sent sent = new Replay(file, null, null, 0, bytes -> {}).to(target);
            assertThat(sink.received()).containsExactly("one", "t\nwo", "9 <2>\nb z");
            assertThat(sent.messages()).isEqualTo(3);
            assertThat(sent.bytes()).isEqualTo(16);
            assertThat(sent.skipped()).isZero();
        }
    }

    @Test
    void linesWrittenInAnyPiecesAreMessages() throws Exception {
        byte[] lines = "one\ntwo\n\nthree\nlast".getBytes(StandardCharsets.US_ASCII);
        for (int piece : new int[] {1, 3, 5, lines.length}) {
            try (RelpSink sink = new RelpSink(Session.GOOD);
                    RelpTarget target = connect(sink);
                    LineSender sender = new LineSender(target)) {
                for (int at = 0; at < lines.length; at += piece) {
                    sender.write(lines, at, Math.min(piece, lines.length - at));
                }
                sender.finish();
                assertThat(sink.received()).containsExactly("one", "two", "three", "last");
            }
        }
    }
}
