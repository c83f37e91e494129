package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.message.RejectReason;
import io.summarizer.server.Await;
import io.summarizer.server.tls.ClientTls;
import io.summarizer.server.tls.TestPki;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Connections that end anywhere, in twelve ways: lines, counted frames, compressed frames, RELP, lines over TLS and
 * RELP over TLS, each by an orderly end of TCP and by a reset. The messages that arrived complete count, once each; a
 * part of one is counted as rejected or, with RELP, left to its sender, which sends all unacknowledged messages again.
 */
@Timeout(600)
class ConnectionCutsTest {
    private static final int MESSAGES = 3;
    private static final int CUTS_OF_A_SHORT_RUN = 24;
    private static final int PATIENCE_MS = 30_000;
    /** Bytes that TLS 1.3 adds to a record: its header, the type within and the tag. */
    private static final int RECORD_OVERHEAD = 5 + 1 + 16;

    private static final String EVENTS = "syntax = \"proto3\"; message E { int64 id = 1; }";
    private static final String DEFINITIONS = """
            import "e.proto";
            event E on "e" as json DEDUP;
            summary S { key { int64 id = 1; } value { count n = 1; } }
            map E into S { key { id; } n += 1; }
            """;
    private static final String RELP_OPEN = "relp_version=0\nrelp_software=test\ncommands=syslog";

    /** The protocol that carries the messages. */
    private enum Wire {
        LINES,
        COUNTED,
        COMPRESSED,
        RELP,
        LINES_OVER_TLS,
        RELP_OVER_TLS;

        boolean isRelp() {
            return this == RELP || this == RELP_OVER_TLS;
        }

        boolean isTls() {
            return this == LINES_OVER_TLS || this == RELP_OVER_TLS;
        }

        String listener() {
            return isRelp() ? "relp" : "syslog-tcp";
        }
    }

    /** The end of a connection. */
    private enum End {
        ORDERLY,
        RESET
    }

    /** A connection that loses bytes written after some number. The test ends it, not the layers above it. */
    private static final class CutSocket extends Socket {
        private long offered;
        private long lostFrom = Long.MAX_VALUE;

        /** Loses all but so many of the bytes still to be written. */
        void cutAfter(long bytes) {
            lostFrom = offered + bytes;
        }

        /** Bytes written so far, lost or not. */
        long offered() {
            return offered;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    int passed = (int) Math.max(0, Math.min(length, lostFrom - offered));
                    offered += length;
                    out.write(bytes, offset, passed);
                }
            };
        }

        @Override
        public void close() {
            // TLS would close it at a fault.
        }

        /** Ends the connection; an orderly end waits for that of the other side. */
        void end(End end) throws IOException {
            if (end == End.RESET) {
                setSoLinger(true, 0);
            } else {
                shutdownOutput();
                try {
                    while (super.getInputStream().read() >= 0) {
                        // Nobody reads the rest.
                    }
                } catch (SocketException e) {
                    // The other side sent bytes when it closed: that is an end, too.
                }
            }
            super.close();
        }
    }

    /** The expected numbers of the connections so far. */
    private static final class Expected {
        private final List<String> rows = new ArrayList<>();
        private int resets;
        /** Parts of messages that are rejected for their frame. */
        private int frames;
        /** Parts of which it is not specified whether they are rejected. */
        private int parts;

        void row(long id) {
            rows.add(id + ",1");
        }
    }

    @TempDir
    private Path folder;

    private final TestPki pki = new TestPki("test");

    static Stream<Arguments> ways() {
        return Arrays.stream(Wire.values())
                .flatMap(wire -> Arrays.stream(End.values()).map(end -> Arguments.of(wire, end)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void exactlyWhatArrivedWholeCounts(Wire wire, End end) throws Exception {
        cut(wire, end, CUTS_OF_A_SHORT_RUN);
    }

    @ParameterizedTest
    @MethodSource("ways")
    @Tag("long")
    void exactlyWhatArrivedWholeCountsWhereverItIsCut(Wire wire, End end) throws Exception {
        cut(wire, end, Integer.MAX_VALUE);
    }

    /** Makes connections that are cut at so many different bytes at most. */
    private void cut(Wire wire, End end, int cutsMax) throws Exception {
        long seed = Seeds.first();
        try (RunningService service = start(wire)) {
            List<Integer> cuts = new ArrayList<>(IntStream.rangeClosed(1, wireLength(wire, frames(wire, 1_000_000)))
                    .boxed()
                    .toList());
            Collections.shuffle(cuts, new Random(seed));
            cuts = cuts.subList(0, Math.min(cutsMax, cuts.size()));
            Expected expected = new Expected();
            for (int i = 0; i < cuts.size(); i++) {
                send(service, wire, end, cuts.get(i), 1_000_000 + (long) i * MESSAGES, i % 2 == 0, expected);
            }
            String context = "seed " + seed + ", " + wire + ", " + end + ", " + cuts.size() + " connections";
            check(service, wire, end, expected, context);
        }
    }

    private RunningService start(Wire wire) throws Exception {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("e.proto"), EVENTS);
        // Only RELP sends again: with the others, dedup must not hide a message that counts twice.
        Files.writeString(
                definitions.resolve("s.summ"),
                DEFINITIONS.replace("DEDUP", wire.isRelp() ? "dedup by id within 1h" : ""));
        List<String> settings = new ArrayList<>();
        if (wire.isTls()) {
            TestPki.Pair pair = pki.server().write(folder, "server");
            settings.add("listen." + wire.listener() + ".tls.certificate=" + pair.certificate());
            settings.add("listen." + wire.listener() + ".tls.key=" + pair.key());
        }
        return RunningService.start(definitions, folder.resolve("data"), settings.toArray(String[]::new));
    }

    private static String message(long id) {
        return "<134>1 - - - - e - {\"id\":" + id + "}";
    }

    /** Returns the frames of a connection's messages, after the one that opens a session of RELP. */
    private static List<byte[]> frames(Wire wire, long firstId) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        if (wire.isRelp()) {
            frames.add(relpFrame(1, "open", RELP_OPEN));
        }
        for (int i = 0; i < MESSAGES; i++) {
            String message = message(firstId + i);
            frames.add(
                    switch (wire) {
                        case LINES, LINES_OVER_TLS -> (message + "\n").getBytes(US_ASCII);
                        case COUNTED -> (message.length() + " " + message).getBytes(US_ASCII);
                        case COMPRESSED -> compressed(message);
                        case RELP, RELP_OVER_TLS -> relpFrame(2 + i, "syslog", message);
                    });
        }
        return frames;
    }

    private static byte[] relpFrame(int number, String command, String data) {
        return (number + " " + command + " " + data.length() + " " + data + "\n").getBytes(US_ASCII);
    }

    private static byte[] compressed(String message) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
            out.write(message.getBytes(US_ASCII));
        }
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes((packed.size() + 1 + " z").getBytes(US_ASCII));
        packed.writeTo(frame);
        return frame.toByteArray();
    }

    private static byte[] joined(List<byte[]> frames) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        frames.forEach(stream::writeBytes);
        return stream.toByteArray();
    }

    /** Number of bytes of all frames on the wire. */
    private static int wireLength(Wire wire, List<byte[]> frames) {
        int length = 0;
        for (byte[] part : records(wire, frames)) {
            length += part.length + (wire.isTls() ? RECORD_OVERHEAD : 0);
        }
        return length;
    }

    /** Returns the writes of the stream: one, or over TLS records that end anywhere in a message. */
    private static List<byte[]> records(Wire wire, List<byte[]> frames) {
        byte[] stream = joined(frames);
        int size = wire.isTls() ? 17 : stream.length;
        List<byte[]> records = new ArrayList<>();
        // The opening is answered before anything else is sent.
        int opening = wire.isRelp() ? frames.get(0).length : 0;
        for (int at = 0; at < stream.length; ) {
            int end = Math.min(at < opening ? opening : stream.length, at + size);
            records.add(Arrays.copyOfRange(stream, at, end));
            at = end;
        }
        return records;
    }

    /**
     * Makes a connection, cuts it and adds to the expected numbers.
     *
     * @param cut bytes of the wire that arrive
     * @param patient for RELP: whether all answers are read before the end
     */
    private void send(
            RunningService service, Wire wire, End end, int cut, long firstId, boolean patient, Expected expected)
            throws Exception {
        long readBefore = read(service, wire);
        List<byte[]> frames = frames(wire, firstId);
        CutSocket raw = new CutSocket();
        InetSocketAddress address = wire.isRelp() ? service.relp() : service.syslog();
        raw.connect(address);
        raw.setTcpNoDelay(true);
        raw.setSoTimeout(PATIENCE_MS);
        Socket socket = wire.isTls() ? tls(raw) : raw;
        raw.cutAfter(cut);
        long lostFrom = raw.offered() + cut;
        int arrived = 0;
        boolean opened = !wire.isRelp();
        for (byte[] record : records(wire, frames)) {
            long before = raw.offered();
            socket.getOutputStream().write(record);
            if (raw.offered() <= lostFrom) {
                arrived += record.length;
            } else if (!wire.isTls()) {
                arrived += (int) Math.max(0, lostFrom - before); // TLS delivers no part of an incomplete record
            }
            if (!opened && arrived == frames.get(0).length) {
                opened = true;
                assertThat(readAnswer(socket.getInputStream())).startsWith("1 rsp 200 OK");
            }
        }
        int whole = 0;
        int rest = arrived;
        while (whole < frames.size() && rest >= frames.get(whole).length) {
            rest -= frames.get(whole++).length;
        }
        int messages = wire.isRelp() ? Math.max(0, whole - 1) : whole;
        if (wire.isRelp()) {
            int acknowledged = 0;
            if (patient) {
                while (acknowledged < messages) {
                    assertThat(readAnswer(socket.getInputStream())).isEqualTo((2 + acknowledged++) + " rsp 200 OK");
                }
            }
            raw.end(end);
            sendAgain(service, wire, firstId + acknowledged, MESSAGES - acknowledged);
            messages = MESSAGES;
        } else {
            if (end == End.RESET) {
                // A reset overtakes unread bytes, which are then lost.
                long arrivedInAll = readBefore + arrived;
                Await.until(() -> "read " + read(service, wire), () -> read(service, wire) >= arrivedInAll);
                expected.resets++;
            }
            raw.end(end);
            boolean lineEnds = wire == Wire.LINES && end == End.ORDERLY;
            if (lineEnds && whole < frames.size() && rest == frames.get(whole).length - 1) {
                messages++; // only its LF is missing
            } else if (rest > 0) {
                // A counted frame counts as one as soon as it differs from a line.
                boolean counted = wire == Wire.COUNTED || wire == Wire.COMPRESSED;
                boolean told = counted && rest > indexOfSpace(frames.get(whole)) + 1;
                expected.frames += end == End.RESET || wire.isTls() || told ? 1 : 0;
                expected.parts += end == End.ORDERLY && !wire.isTls() && !told ? 1 : 0;
            }
        }
        for (int i = 0; i < messages; i++) {
            expected.row(firstId + i);
        }
    }

    private static int indexOfSpace(byte[] frame) {
        int at = 0;
        while (frame[at] != ' ') {
            at++;
        }
        return at;
    }

    private SSLSocket tls(CutSocket raw) throws IOException {
        SSLSocket socket = (SSLSocket) ClientTls.of(pki.write(folder), null, null)
                .context()
                .getSocketFactory()
                .createSocket(raw, "localhost", raw.getPort(), true);
        socket.setEnabledProtocols(new String[] {"TLSv1.3"});
        socket.startHandshake();
        return socket;
    }

    /**
     * Opens another session, as a sender of RELP does when one broke, and sends the messages that were not
     * acknowledged.
     */
    private void sendAgain(RunningService service, Wire wire, long firstId, int messages) throws IOException {
        CutSocket raw = new CutSocket();
        raw.connect(service.relp());
        raw.setSoTimeout(PATIENCE_MS);
        Socket socket = wire.isTls() ? tls(raw) : raw;
        socket.getOutputStream().write(relpFrame(1, "open", RELP_OPEN));
        assertThat(readAnswer(socket.getInputStream())).startsWith("1 rsp 200 OK");
        for (int i = 0; i < messages; i++) {
            socket.getOutputStream().write(relpFrame(2 + i, "syslog", message(firstId + i)));
            assertThat(readAnswer(socket.getInputStream())).isEqualTo((2 + i) + " rsp 200 OK");
        }
        raw.end(End.ORDERLY);
    }

    /** Reads an answer of RELP without its length. */
    private static String readAnswer(InputStream in) throws IOException {
        String number = readWord(in);
        String command = readWord(in);
        int length = Integer.parseInt(readWord(in));
        String data = new String(in.readNBytes(length), US_ASCII);
        assertThat(in.read()).isEqualTo('\n');
        return number + " " + command + " " + data;
    }

    private static String readWord(InputStream in) throws IOException {
        StringBuilder word = new StringBuilder();
        int next;
        while ((next = in.read()) != ' ') {
            assertThat(next).as("a byte after '%s'", word).isPositive();
            word.append((char) next);
        }
        return word.toString();
    }

    private static long read(RunningService service, Wire wire) {
        return metric(service, "summarizer_listener_read_bytes_total{listener=\"" + wire.listener() + "\"}");
    }

    private static long metric(RunningService service, String series) {
        try {
            return service.metric(series);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void check(RunningService service, Wire wire, End end, Expected expected, String context)
            throws Exception {
        String listener = "{listener=\"" + wire.listener() + "\"}";
        Await.until(
                () -> context + ": connections open",
                () -> metric(service, "summarizer_connections_open" + listener) == 0);
        int parts = expected.frames + expected.parts;
        if (!wire.isRelp()) {
            service.awaitReceived((long) expected.rows.size() + parts);
            assertThat(service.received()).as(context).isEqualTo((long) expected.rows.size() + parts);
        }
        Await.until(
                () -> context + ": updates " + metric(service, "summarizer_updates_total{summary=\"S\"}"),
                () -> metric(service, "summarizer_updates_total{summary=\"S\"}") >= expected.rows.size());
        assertThat(service.pull("S", null).csv().lines().skip(1))
                .as(context)
                .containsExactlyInAnyOrderElementsOf(expected.rows);
        Map<RejectReason, Long> rejected = service.rejected();
        long unmatched = metric(service, "summarizer_unmatched_total");
        assertThat(unmatched
                        + rejected.values().stream().mapToLong(Long::longValue).sum())
                .as("%s: %s", context, rejected)
                .isEqualTo(parts);
        assertThat(rejected.getOrDefault(RejectReason.FRAME, 0L))
                .as("%s: %s", context, rejected)
                .isBetween((long) expected.frames, wire == Wire.LINES ? expected.frames : (long) parts);
        if (end == End.RESET && !wire.isRelp() && !wire.isTls()) { // TLS may still be in its handshake
            assertThat(metric(service, "summarizer_connections_broken_total" + listener))
                    .as(context)
                    .isEqualTo(expected.resets);
        }
        assertThat(metric(service, "summarizer_failures_total")).as(context).isZero();
        assertThat(metric(service, "summarizer_connections_failed_total" + listener))
                .as(context)
                .isZero();
        assertThat(service.get("/readyz").statusCode()).as(context).isEqualTo(200);
    }
}
