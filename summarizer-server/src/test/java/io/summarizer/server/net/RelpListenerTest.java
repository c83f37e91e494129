package io.summarizer.server.net;

import static io.summarizer.server.net.RelpScript.OFFERS;
import static io.summarizer.server.net.RelpScript.OPENED;
import static io.summarizer.server.net.RelpScript.SERVER_CLOSE;
import static io.summarizer.server.net.RelpScript.frame;
import static io.summarizer.server.net.RelpScript.message;
import static io.summarizer.server.net.RelpScript.taken;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.RelpFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.server.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelpListenerTest {
    private static final int MESSAGE_BYTES_MAX = 1000;

    private final AtomicBoolean room = new AtomicBoolean(true);
    private final FakeSink sink = new FakeSink(room::get);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        room.set(true);
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    static Stream<Boolean> transports() {
        return Epoll.isAvailable() ? Stream.of(false, true) : Stream.of(false);
    }

    private RelpListener start(FakeSink sink, Ack ack, boolean epoll, Duration idle) throws IOException {
        NettyWorkers workers = new NettyWorkers("test-netty", 2, epoll);
        opened.add(workers);
        RelpListener listener = new RelpListener(
                TestSettings.of("relp", TestSettings.ANY, new ConnectionLimits(100, 100, Duration.ZERO, idle), null),
                workers,
                sink,
                () -> new RelpFramer(MESSAGE_BYTES_MAX, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME)),
                ack);
        listener.start();
        opened.add(() -> listener.close(Duration.ofMillis(200)));
        return listener;
    }

    private RelpListener start(Ack ack) throws IOException {
        return start(sink, ack, Epoll.isAvailable(), Duration.ZERO);
    }

    private RelpScript connect(RelpListener listener) throws IOException {
        RelpScript script = new RelpScript(listener.address());
        opened.add(script);
        return script;
    }

    private void awaitTaken(int count) {
        Await.until(() -> sink.takenCount() + " of " + count, () -> sink.takenCount() >= count);
    }

    private static void awaitOpen(RelpListener listener, int count) {
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == count);
    }

    private Receipt receipt(int batch) {
        return sink.receipts().get(batch);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void aSessionIsOpenedItsMessagesAreAnsweredWhenTheyAreDurableAndItIsClosed(boolean epoll) throws Exception {
        RelpListener listener = start(sink, Ack.DURABLE, epoll, Duration.ZERO);
        RelpScript sender = connect(listener).open();
        sender.send(message(2, "one") + message(3, "two"));
        awaitTaken(2);
        sender.expectNothing();
        receipt(0).durable();
        sender.expect(taken(2) + taken(3));
        receipt(0).applied(); // comes later, and is no second acknowledgement
        sender.send(frame(4, "close", "")).expect("4 rsp 0\n" + SERVER_CLOSE).expectEnd();
        awaitOpen(listener, 0);

        assertThat(sink.taken()).containsExactly("one", "two");
        assertThat(listener.counters().messagesAnswered.sum()).isEqualTo(2);
        assertThat(listener.counters().framingCloses.sum()).isZero();
        assertThat(sink.heldBatches()).isZero();
    }

    @Test
    void messagesAreAnsweredInTheirOrderThoughTheyAreAppliedInAnother() throws Exception {
        RelpScript sender = connect(start(Ack.APPLIED)).open();
        for (int i = 0; i < 3; i++) {
            sender.send(message(2 + i, "" + i));
            awaitTaken(1 + i); // a batch for each
        }
        receipt(2).applied();
        receipt(0).durable();
        receipt(0).applied();
        sender.expect(taken(2)).expectNothing();
        receipt(1).applied();
        sender.expect(taken(3) + taken(4));
    }

    @Test
    void theCloseIsAnsweredBehindAllMessages() throws Exception {
        RelpScript sender = connect(start(Ack.DURABLE)).open();
        sender.send(message(2, "one") + frame(3, "close", "") + message(4, "behind the close"));
        awaitTaken(1);
        sender.expectNothing();
        receipt(0).durable();
        sender.expect(taken(2) + "3 rsp 0\n" + SERVER_CLOSE).expectEnd();
        assertThat(sink.taken()).containsExactly("one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2 syslog 1 x\n", "4 syslog 1 x\n", "3 rsp 6 200 OK\n", "3 syslog 1 xy\n", "rubbish\n"})
    void aBrokenRuleEndsTheSessionBehindTheAnswersAndIsNeverAnsweredItself(String breach) throws Exception {
        RelpListener listener = start(Ack.DURABLE);
        RelpScript sender = connect(listener).open();
        sender.send(message(2, "one") + breach);
        awaitTaken(1);
        receipt(0).durable();
        sender.expect(taken(2) + SERVER_CLOSE).expectEnd();

        assertThat(listener.counters().framingCloses.sum()).isEqualTo(1);
        assertThat(listener.counters().bytesDiscarded.sum()).isEqualTo(breach.length());
        assertThat(sink.taken()).containsExactly("one");
        assertThat(sink.rejected()).isEmpty();
    }

    @Test
    void whatCannotBeOpenedIsToldSo() throws Exception {
        RelpListener listener = start(Ack.DURABLE);
        connect(listener)
                .send(frame(1, "open", "relp_version=0\ncommands=eventlog"))
                .expect(frame(1, "rsp", "500 the command syslog is required") + SERVER_CLOSE)
                .expectEnd();
        connect(listener).send(message(1, "unopened")).expect(SERVER_CLOSE).expectEnd();
        connect(listener)
                .send(frame(1, "close", ""))
                .expect("1 rsp 0\n" + SERVER_CLOSE)
                .expectEnd();
        assertThat(sink.taken()).isEmpty();
    }

    @Test
    void whatCanNeverBeTakenIsAnsweredLikeAllElse() throws Exception {
        RelpScript sender = connect(start(Ack.DURABLE)).open();
        String large = "x".repeat(MESSAGE_BYTES_MAX + 1);
        sender.send(frame(2, "syslog", large + "more") + frame(3, "syslog", "<134>1 malformed") + message(4, "good"));
        awaitTaken(1);
        sink.receipts().forEach(Receipt::durable);
        sender.expect(taken(2) + taken(3) + taken(4));
        assertThat(sink.rejected()).containsExactly("OVERSIZE " + large, "ENVELOPE <134>1 malformed");
        assertThat(sink.taken()).containsExactly("good");
    }

    @Test
    void aByteAtATimeIsASessionInTheEnd() throws Exception {
        RelpScript sender = connect(start(Ack.APPLIED));
        String session = frame(1, "open", OFFERS) + message(2, "slow");
        for (int i = 0; i < session.length(); i++) {
            sender.send(session.substring(i, i + 1));
        }
        sender.expect(OPENED);
        awaitTaken(1);
        receipt(0).applied();
        sender.expect(taken(2));
    }

    @Test
    void whatASessionThatBreaksDidNotHandOverIsForgotten() throws Exception {
        RelpListener listener = start(Ack.DURABLE);
        RelpScript sender = connect(listener).open();
        sender.send(message(2, "handed over"));
        awaitTaken(1);
        room.set(false);
        sender.send(message(3, "waits") + message(4, "waits, too") + "5 syslog 100 unfinished");
        Await.until(() -> sink.waitingCount() + " waiting", () -> sink.waitingCount() == 1);
        sender.reset();
        awaitOpen(listener, 0);
        assertThat(sink.waitingCount()).isZero();
        room.set(true);
        sink.resume();
        receipt(0).durable(); // too late for an acknowledgement

        assertThat(sink.taken()).containsExactly("handed over");
        assertThat(listener.counters().messagesForgotten.sum()).isEqualTo(2);
        assertThat(listener.counters().messagesLost.sum()).isZero();
        assertThat(sink.heldBatches()).isZero();
    }

    @Test
    void aStopAnswersWhatWasHandedOverAndLeavesTheRestToTheSender() throws Exception {
        RelpListener listener = start(Ack.DURABLE);
        RelpScript sender = connect(listener).open();
        RelpScript silent = connect(listener);
        sender.send(message(2, "one") + "3 syslog 100 unfinished");
        awaitTaken(1);
        Thread stop = new Thread(() -> listener.close(Duration.ofSeconds(20)));
        stop.start();
        silent.expect(SERVER_CLOSE).expectEnd();
        sender.expectNothing();
        receipt(0).durable();
        sender.expect(taken(2) + SERVER_CLOSE).expectEnd();
        sender.close();
        silent.close();
        stop.join();

        assertThat(sink.taken()).containsExactly("one");
        assertThat(sink.rejected()).isEmpty();
        assertThat(listener.counters().messagesLost.sum()).isZero();
    }

    @Test
    void aStopWaitsForAnswersNoLongerThanItMay() throws Exception {
        RelpListener listener = start(Ack.DURABLE);
        RelpScript sender = connect(listener).open();
        sender.send(message(2, "never durable"));
        awaitTaken(1);
        listener.close(Duration.ofMillis(100));
        sender.expectEnd();
        assertThat(listener.counters().open()).isZero();
        assertThat(listener.counters().messagesAnswered.sum()).isZero();
        receipt(0).durable(); // finds no session
    }

    @Test
    void sessionsBrokenOffAreNotAnswered() throws Exception {
        RelpListener listener = start(Ack.DURABLE);
        RelpScript sender = connect(listener).open();
        sender.send(message(2, "one"));
        awaitTaken(1);
        listener.breakSessions();
        sender.expectEnd();
        connect(listener).open();
    }

    @Test
    void aSenderThatTakesNoAnswersIsNotRead() throws Exception {
        FakeSink prompt = new FakeSink(() -> true);
        RelpListener listener = start(prompt, Ack.APPLIED, Epoll.isAvailable(), Duration.ZERO);
        AtomicBoolean done = new AtomicBoolean();
        Thread applier = new Thread(() -> {
            while (!done.get()) {
                prompt.takeReceipts().forEach(Receipt::applied);
                Thread.onSpinWait();
            }
        });
        applier.start();
        long sent = 0;
        int txnr = 1;
        try (SocketChannel socket = SocketChannel.open(listener.address())) {
            socket.configureBlocking(false);
            ByteBuffer bytes = ByteBuffer.wrap(frame(1, "open", OFFERS).getBytes(US_ASCII));
            // Writes until the kernel's buffers are full both ways and no byte goes in, which would not happen if
            // anybody read.
            int idleRounds = 0;
            while (idleRounds < 200) {
                if (!bytes.hasRemaining()) {
                    StringBuilder frames = new StringBuilder();
                    for (int i = 0; i < 2000; i++) {
                        frames.append(++txnr).append(" syslog 0\n");
                    }
                    bytes = ByteBuffer.wrap(frames.toString().getBytes(US_ASCII));
                }
                int n = socket.write(bytes);
                sent += n;
                idleRounds = n == 0 ? idleRounds + 1 : 0;
                if (n == 0) {
                    Thread.sleep(2);
                }
            }
            assertThat(listener.counters().bytesRead.sum()).isLessThan(sent);
            long answered = listener.counters().messagesAnswered.sum();
            assertThat(answered).isPositive();
            // Now the sender reads, and traffic continues.
            ByteBuffer answers = ByteBuffer.allocate(64 * 1024);
            while (listener.counters().messagesAnswered.sum() <= answered || bytes.hasRemaining()) {
                answers.clear();
                socket.read(answers);
                socket.write(bytes);
            }
        } finally {
            done.set(true);
            applier.join();
        }
    }

    @Test
    void noiseIsNotReadOnAndHarmsNobody() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        RelpListener listener = start(Ack.APPLIED);
        RelpScript good = connect(listener).open();
        for (int i = 0; i < 32; i++) {
            try (RelpScript noisy = new RelpScript(listener.address())) {
                StringBuilder noise = new StringBuilder(random.nextBoolean() ? frame(1, "open", OFFERS) : "");
                for (int j = 1 + random.nextInt(100_000); j > 0; j--) {
                    noise.append((char) random.nextInt(128));
                }
                noisy.send(noise.toString());
                noisy.answers().readAllBytes();
            } catch (IOException e) {
                assertThat(listener.counters().framingCloses.sum())
                        .as("seed %d: %s", seed, e)
                        .isPositive();
            }
            good.send(message(2 + i, "unharmed " + i));
            int messages = i + 1;
            Await.until(() -> "seed " + seed + " took " + sink.takenCount(), () -> sink.takenCount() == messages);
            sink.takeReceipts().forEach(Receipt::applied);
            good.expect(taken(2 + i));
        }
        awaitOpen(listener, 1);
        assertThat(sink.rejected()).as("seed %d", seed).isEmpty();
        assertThat(listener.heldBytes()).as("seed %d", seed).isZero();
        assertThat(listener.counters().failures.sum()).as("seed %d", seed).isZero();
    }

    @Test
    void aSilentSenderIsCutOffUnlessItWaitsForUs() throws Exception {
        // Long enough for a busy machine to get from the opening to the message.
        RelpListener listener = start(sink, Ack.DURABLE, Epoll.isAvailable(), Duration.ofSeconds(1));
        RelpScript waits = connect(listener).open();
        waits.send(message(2, "one"));
        awaitTaken(1);
        connect(listener).open().expectEnd();
        assertThat(listener.counters().idleCloses.sum()).isEqualTo(1);
        waits.expectNothing();
        receipt(0).durable();
        waits.expect(taken(2)).expectEnd();
        assertThat(listener.counters().idleCloses.sum()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void everyMessageIsTakenOnceAndAnsweredOnceWhateverTheSinkDoes(boolean epoll) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        FakeSink moody = new FakeSink(() -> random.nextInt(3) == 0); // called within the sink's lock
        RelpListener listener = start(moody, Ack.APPLIED, epoll, Duration.ZERO);
        int connections = 4;
        int messages = 3000;
        AtomicBoolean done = new AtomicBoolean();
        Thread worker = new Thread(() -> {
            Random own = new Random(seed);
            List<Receipt> late = new ArrayList<>();
            while (!done.get()) {
                moody.resume();
                late.addAll(moody.takeReceipts());
                Collections.shuffle(late, own);
                List<Receipt> now = late.subList(own.nextInt(late.size() + 1), late.size());
                now.forEach(Receipt::applied);
                now.clear();
            }
        });
        worker.start();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> senders = new ArrayList<>();
        for (int c = 0; c < connections; c++) {
            int connection = c;
            Thread sender = new Thread(() -> {
                try (RelpScript script = new RelpScript(listener.address())) {
                    script.open();
                    converse(script, connection, messages, new Random(seed + connection));
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            sender.start();
            senders.add(sender);
        }
        for (Thread sender : senders) {
            sender.join();
        }
        awaitOpen(listener, 0);
        done.set(true);
        worker.join();

        assertThat(failure.get()).as("seed %d", seed).isNull();
        assertThat(moody.rejected()).as("seed %d", seed).isEmpty();
        int[] next = new int[connections];
        for (String payload : moody.taken()) {
            String[] parts = payload.split(":", -1);
            assertThat(Integer.parseInt(parts[1]))
                    .as("seed %d, connection %s", seed, parts[0])
                    .isEqualTo(next[Integer.parseInt(parts[0])]++);
        }
        assertThat(next).containsOnly(messages);
        assertThat(listener.counters().messagesAnswered.sum()).isEqualTo((long) connections * messages);
        assertThat(moody.heldBatches()).isZero();
    }

    /** Sends all messages in pieces, and checks each acknowledgement; then closes the session. */
    private static void converse(RelpScript script, int connection, int messages, Random random) throws Exception {
        StringBuilder expected = new StringBuilder();
        StringBuilder stream = new StringBuilder();
        for (int i = 0; i < messages; i++) {
            stream.append(message(2 + i, connection + ":" + i + ":" + "x".repeat(random.nextInt(100))));
            expected.append(taken(2 + i));
        }
        stream.append(frame(2 + messages, "close", ""));
        expected.append(2 + messages).append(" rsp 0\n").append(SERVER_CLOSE);
        AtomicReference<byte[]> answers = new AtomicReference<>();
        InputStream in = script.answers();
        Thread reader = new Thread(() -> {
            try {
                answers.set(in.readAllBytes());
            } catch (IOException e) {
                answers.set(e.toString().getBytes(US_ASCII));
            }
        });
        reader.start();
        for (int at = 0; at < stream.length(); ) {
            int end = Math.min(stream.length(), at + 1 + random.nextInt(random.nextBoolean() ? 300 : 100_000));
            script.send(stream.substring(at, end));
            at = end;
        }
        reader.join();
        assertThat(new String(answers.get(), US_ASCII)).isEqualTo(expected.toString());
    }
}
