package io.summarizer.bench.chaos;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;

/**
 * Ways in which a hostile client tries to bring the service down, lock other clients out or damage the service's data.
 * Stateless.
 */
public enum Attack {
    /** Small frames that inflate to keys of 260 kB, over TCP. */
    COMPRESSED_KEYS,
    /** Keys of 260 kB over RELP, so that the service acknowledges and journals all of them. */
    LARGE_KEYS_RELP,
    /** New keys without end; each key is short enough for the service to take. */
    MANY_KEYS,
    /** Text values that are longer than the service keeps, in a few rows. */
    LONG_TEXTS,
    /** A new topic, host and application in each message, so that the service has to evict cached names. */
    MANY_NAMES,
    /** Connections that each send most of a frame and never the rest, over TCP. */
    UNFINISHED_FRAMES,
    /** RELP sessions that each send most of a message and never the rest. */
    UNFINISHED_RELP,
    /** Silent connections to every port. */
    SILENCE,
    /** HTTP requests whose headers never end. */
    UNFINISHED_REQUESTS,
    /** Pulls whose conditions contain regular expressions on which a backtracking engine would run forever. */
    REGEX_QUERIES,
    /** Pulls with very large conditions. */
    LARGE_QUERIES,
    /** Pulls by clients that do not read. */
    SLOW_READERS,
    /**
     * Reset requests with unknown parameters, and forged reset requests. A browser would send a forged request because
     * of a page of another site.
     */
    RESETS,
    /** Concurrent pulls of state files, of new cuts or of a kept cut, some by clients that do not read. */
    STATE_FILES,
    /** Random bytes, and a zlib stream where another protocol is expected. */
    NOISE;

    private static final long HOLD_MS = 4_000;
    private static final byte[] NOTHING = {};
    private static final Pattern CUT_ID = Pattern.compile("(?i)X-Summarizer-Cut: (\\d+)");
    private static final int KEY_BYTES = 260_000;
    private static final String RELP_OPEN = "1 open 46 relp_version=0\nrelp_software=x\ncommands=syslog\n";

    /** The ports of the service on the loopback. */
    record Ports(int syslog, int relp, int http) {}

    /** Makes one attack of this kind. */
    Assault prepare(Ports ports, SplittableRandom random) {
        return switch (this) {
            case COMPRESSED_KEYS ->
                new Assault(
                        ports.syslog,
                        3,
                        i -> frames(300, n -> counted(compressed(largeKey(random)), 0)),
                        true,
                        HOLD_MS);
            case LARGE_KEYS_RELP -> acknowledgedKeys(ports, random, 300, HOLD_MS);
            case MANY_KEYS ->
                new Assault(ports.syslog, 2, i -> lines(20_000, n -> text(key(random, 900), "x")), false, HOLD_MS);
            case LONG_TEXTS ->
                new Assault(
                        ports.syslog,
                        2,
                        i -> lines(100, n -> text("k" + random.nextInt(10), "v".repeat(200_000))),
                        false,
                        HOLD_MS);
            case MANY_NAMES ->
                new Assault(
                        ports.syslog,
                        2,
                        i -> lines(
                                30_000,
                                n -> "<134>1 - " + key(random, 200) + " " + key(random, 40) + " - noise."
                                        + key(random, 200) + " - x"),
                        false,
                        HOLD_MS);
            case UNFINISHED_FRAMES -> {
                byte[] most = counted(message("x".repeat(255 * 1024)).getBytes(StandardCharsets.US_ASCII), 1_000);
                yield new Assault(ports.syslog, 600, i -> most, true, 2 * HOLD_MS);
            }
            case UNFINISHED_RELP -> {
                byte[] most = (RELP_OPEN + "2 syslog 262000 " + message("x".repeat(255 * 1024)))
                        .getBytes(StandardCharsets.US_ASCII);
                yield new Assault(ports.relp, 600, i -> most, true, 2 * HOLD_MS);
            }
            case SILENCE -> {
                int port = new int[] {ports.http, ports.relp, ports.syslog}[random.nextInt(3)];
                yield new Assault(port, 800, i -> NOTHING, true, 2 * HOLD_MS);
            }
            case UNFINISHED_REQUESTS -> {
                byte[] part =
                        "GET /summaries HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII);
                yield new Assault(ports.http, 600, i -> part, true, 2 * HOLD_MS);
            }
            case REGEX_QUERIES -> {
                byte[] get = get("/summaries/Texts.csv?where=" + encoded("extract(k,\"((a*)*)*b\",0)==\"zz\""));
                yield new Assault(ports.http, 64, i -> get, true, HOLD_MS);
            }
            case LARGE_QUERIES -> {
                String list = IntStream.range(0, 1_000)
                        .mapToObj(n -> String.valueOf(random.nextInt()))
                        .collect(Collectors.joining(","));
                byte[] in = get("/summaries/Texts.csv?where=" + encoded("events in (" + list + ")"));
                byte[] deep = get("/summaries/Texts.csv?where=" + "(".repeat(4_000) + "1" + ")".repeat(4_000));
                yield new Assault(ports.http, 32, i -> i % 2 == 0 ? in : deep, true, HOLD_MS);
            }
            case SLOW_READERS -> {
                byte[] get = get("/summaries/Texts.csv");
                yield new Assault(ports.http, 64, i -> get, false, 4 * HOLD_MS);
            }
            case RESETS -> {
                byte[][] posts = {
                    post("/summaries/OnceTotals/reset", "evil.example.com", ""),
                    post("/summaries/OnceTotals/reset", "localhost", "Sec-Fetch-Site: cross-site\r\n"),
                    post("/summaries/OnceTotals/reset?where=k==1", "localhost", ""),
                    post("/summaries/PlainTotals/reset?dry_run=true", "localhost", ""),
                    post("/summaries/PlainTotals/reset?limit=1", "localhost", "")
                };
                yield new Assault(ports.http, 50, i -> posts[i % posts.length], true, HOLD_MS);
            }
            case STATE_FILES -> {
                byte[] get = get(random.nextBoolean() ? "/state" : "/state?cut=" + keptCut(ports.http));
                yield new Assault(ports.http, 8, i -> get, random.nextBoolean(), HOLD_MS);
            }
            case NOISE -> {
                int port = new int[] {ports.http, ports.relp, ports.syslog}[random.nextInt(3)];
                byte[] noise = new byte[50_000];
                random.nextBytes(noise);
                byte[] stream = deflated("<134>1 - - - - noise - of a stream\n".repeat(1_000));
                yield new Assault(port, 60, i -> i % 2 == 0 ? noise : stream, true, HOLD_MS);
            }
        };
    }

    /** The name that commands and reports use. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns an assault over RELP. Its messages have keys of 260 kB. */
    static Assault acknowledgedKeys(Ports ports, SplittableRandom random, int messages, long holdMillis) {
        return new Assault(
                ports.relp,
                1,
                i -> {
                    byte[] open = RELP_OPEN.getBytes(StandardCharsets.US_ASCII);
                    return frames(messages + 1, n -> n == 0 ? open : relp(n + 1, largeKey(random)));
                },
                true,
                holdMillis);
    }

    private static byte[] relp(int transaction, String message) {
        return (transaction + " syslog " + message.length() + " " + message + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static String largeKey(SplittableRandom random) {
        return text(random.nextLong() + "k".repeat(KEY_BYTES), "x");
    }

    private static byte[] frames(int count, IntFunction<byte[]> frame) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int n = 0; n < count; n++) {
            out.writeBytes(frame.apply(n));
        }
        return out.toByteArray();
    }

    /** Returns a counted frame without its last {@code missing} bytes. */
    private static byte[] counted(byte[] frame, int missing) {
        return frames(2, n -> n == 0 ? (frame.length + missing + " ").getBytes(StandardCharsets.US_ASCII) : frame);
    }

    private static byte[] lines(int count, IntFunction<String> line) {
        return (IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n")) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(String key, String value) {
        return message(key + "," + value + "," + key.hashCode());
    }

    private static String message(String payload) {
        return "<134>1 - - - - hostile.text - " + payload;
    }

    private static String key(SplittableRandom random, int length) {
        byte[] letters = new byte[length];
        for (int i = 0; i < length; i++) {
            letters[i] = (byte) random.nextInt('a', 'z' + 1);
        }
        return new String(letters, StandardCharsets.US_ASCII);
    }

    /** Returns a compressed frame as rsyslog's omfwd makes it: the letter z and a zlib stream. */
    private static byte[] compressed(String text) {
        return frames(2, n -> n == 0 ? new byte[] {'z'} : deflated(text));
    }

    private static byte[] deflated(String text) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(text.getBytes(StandardCharsets.US_ASCII));
        deflater.finish();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[8 * 1024];
        while (!deflater.finished()) {
            out.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        return out.toByteArray();
    }

    /** Returns the id of a cut that the service keeps, or 0 when the service does not answer. */
    private static String keptCut(int http) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), http)) {
            socket.setSoTimeout((int) HOLD_MS);
            socket.getOutputStream()
                    .write("GET /summaries HTTP/1.0\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Matcher cut = CUT_ID.matcher(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            return cut.find() ? cut.group(1) : "0";
        } catch (IOException e) {
            return "0";
        }
    }

    private static String encoded(String condition) {
        return URLEncoder.encode(condition, StandardCharsets.UTF_8);
    }

    private static byte[] get(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] post(String path, String host, String headers) {
        return ("POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers + "Content-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
