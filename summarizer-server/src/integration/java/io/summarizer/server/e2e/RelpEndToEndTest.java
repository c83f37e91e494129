package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.replay.RelpTarget;
import io.summarizer.server.replay.TcpTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions that break and services that restart under senders of RELP, rsyslogd and the project's own: unacknowledged
 * messages come again, so that none is lost, and an id identifies second copies. Messages are numbered and of an
 * unknown topic, so that all of them are kept unchanged.
 */
class RelpEndToEndTest {
    private static final Pattern NUMBERED = Pattern.compile(" number (?:\\[ev@32473 id=\"([^\"]+)\"\\]|-) (\\d+)$");

    private static final long NUDGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path folder;

    @Test
    void rsyslogLosesNothingWhenItsSessionsBreak() throws Exception {
        Rsyslog.assumeRelp();
        long seed = ThreadLocalRandom.current().nextLong();
        int messages = 20_000;
        try (RunningService service = started(0);
                CuttingRelay relay = new CuttingRelay(service.relp(), 3, 1_000_000, seed);
                Rsyslog rsyslog = Rsyslog.start(folder.resolve("rsyslog"), forwarding(relay.port()))) {
            sendNumbers(rsyslog, 0, messages);
            int all = awaitAll(rsyslog, messages, () -> relay.cutsLeft() == 0);
            assertThat(kept().ids)
                    .as("seed %d: sent again, a message has the same id", seed)
                    .isEqualTo(all);
            assertThat(service.received()).as("seed %d", seed).isGreaterThanOrEqualTo(all);
            assertThat(service.metric("summarizer_connections_failed_total{listener=\"relp\"}"))
                    .isZero();
        }
    }

    @Test
    void rsyslogLosesNothingWhenTheServiceRestarts() throws Exception {
        Rsyslog.assumeRelp();
        int port = FreePort.next();
        int messages = 5_000;
        try (Rsyslog rsyslog = Rsyslog.start(folder.resolve("rsyslog"), forwarding(port))) {
            int sent = 0;
            for (int run = 0; run < 3; run++) {
                try (RunningService service = started(port)) {
                    sendNumbers(rsyslog, sent, sent + messages);
                    sent += messages;
                    service.awaitReceived(messages / 2);
                }
            }
            try (RunningService service = started(port)) {
                int all = awaitAll(rsyslog, sent, () -> true);
                assertThat(kept().ids).isEqualTo(all);
                assertThat(service.rejected()).isEmpty();
            }
        }
    }

    @Test
    void ourSenderLosesNothingEither() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        int messages = 50_000;
        try (RunningService service = started(0);
                CuttingRelay relay = new CuttingRelay(service.relp(), 5, 1_000_000, seed);
                RelpTarget target =
                        RelpTarget.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.port()))) {
            for (int i = 0; i < messages; i++) {
                byte[] message = number(i).getBytes(StandardCharsets.US_ASCII);
                target.send(message, 0, message.length);
            }
            target.finish();
            assertThat(target.resent()).as("seed %d", seed).isPositive();
            service.stop();
            assertThat(kept().numbers).as("seed %d", seed).isEqualTo(messages);
            assertThat(service.received()).as("seed %d", seed).isBetween((long) messages, messages + target.resent());
        }
    }

    private RunningService started(int port) throws Exception {
        return RunningService.withAds(folder.resolve("data"), "unmatched=keep", "listen.relp.bind=127.0.0.1:" + port);
    }

    private static String forwarding(int port) throws IOException {
        return Rsyslog.shippedWithoutMarks("omrelp").replace("port=\"2514\"", "port=\"" + port + "\"");
    }

    private static String number(int number) {
        return "<134>1 2026-11-20T00:00:00Z h a - number - " + number;
    }

    private static void sendNumbers(Rsyslog rsyslog, int from, int to) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append(number(i)).append('\n');
        }
        try (TcpTarget target = TcpTarget.connect(rsyslog.address())) {
            target.send(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.US_ASCII)));
            target.finish();
        }
    }

    /**
     * Waits until all messages are kept, and sends one more each second until then. rsyslog checks its session only
     * when it has a message to send, and then finds that it was closed: unacknowledged messages come again before the
     * next message, not earlier.
     *
     * @return their number in the end
     */
    private int awaitAll(Rsyslog rsyslog, int sent, BooleanSupplier otherwise) {
        AtomicInteger all = new AtomicInteger(sent);
        AtomicLong nextNanos = new AtomicLong(System.nanoTime() + NUDGE_NANOS);
        Await.until(() -> kept() + " of " + all, () -> {
            if (kept().numbers == all.get() && otherwise.getAsBoolean()) {
                return true;
            }
            if (System.nanoTime() - nextNanos.get() > 0) {
                nextNanos.set(System.nanoTime() + NUDGE_NANOS);
                try {
                    sendNumbers(rsyslog, all.getAndIncrement(), all.get());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
            return false;
        });
        return all.get();
    }

    /** Numbers of distinct messages and of distinct ids in the files of unmatched messages. */
    private record Kept(int numbers, int ids) {}

    private Kept kept() {
        try {
            List<String> frames = RejectFiles.frames(folder.resolve("data/rejects"), "unmatched");
            Set<String> numbers = new HashSet<>();
            Set<String> ids = new HashSet<>();
            for (String frame : frames) {
                Matcher matcher = NUMBERED.matcher(frame.strip());
                assertThat(matcher.find()).as(frame).isTrue();
                numbers.add(matcher.group(2));
                ids.add(matcher.group(1) + " " + matcher.group(2));
            }
            return new Kept(numbers.size(), ids.size());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
