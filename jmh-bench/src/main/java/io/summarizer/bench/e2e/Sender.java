package io.summarizer.bench.e2e;

import io.summarizer.server.replay.RelpTarget;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.tls.ClientTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The program of the sending process. It takes orders on standard input, one on each line, and answers each completed
 * order with a line. Because the sender is a separate process, its start is not measured, and its work is not counted
 * as work of the server. The sender ends when its input ends.
 * <pre>
 *   pass                                     the whole file over a connection of its own
 *   relp                                     the whole file over a RELP session, until all of it is acknowledged
 *   flood SECONDS CONNECTIONS                as fast as the receiver reads, for so long
 *   pace RATE PROBES_PER_S START_NANOS SECONDS LIMIT_SECONDS CONNECTIONS    on a schedule, see {@link Pace}
 * </pre>
 * The answer has the numbers of sent messages and probes.
 */
public final class Sender {
    private Sender() {}

    /**
     * Runs the sender. Arguments: a file of lines, a port on loopback and, for RELP over TLS, a certificate to trust.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        InetSocketAddress target =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
        ClientTls tls = arguments.length > 2 ? ClientTls.of(Path.of(arguments[2]), null, null) : null;
        try (MessageFile file = new MessageFile(Path.of(arguments[0]));
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Flood flood = new Flood(file, target);
            Pace pace = new Pace(file, target);
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                String[] order = line.split(" ");
                SenderProcess.Sent sent = switch (order[0]) {
                    case "pass" -> new SenderProcess.Sent(pass(file, target), 0);
                    case "relp" -> new SenderProcess.Sent(relp(file, target, tls), 0);
                    case "flood" ->
                        new SenderProcess.Sent(flood.run(Double.parseDouble(order[1]), Integer.parseInt(order[2])), 0);
                    case "pace" ->
                        pace.run(
                                new Pace.Schedule(
                                        Double.parseDouble(order[1]),
                                        Double.parseDouble(order[2]),
                                        Long.parseLong(order[3]),
                                        Double.parseDouble(order[4]),
                                        Double.parseDouble(order[5])),
                                Integer.parseInt(order[6]));
                    default -> throw new IllegalArgumentException("unknown order: " + line);
                };
                System.out.println(sent.messages() + " " + sent.probes());
            }
        }
    }

    private static long relp(MessageFile file, InetSocketAddress target, @Nullable ClientTls tls) throws IOException {
        byte[] message = new byte[1024];
        try (RelpTarget sink = RelpTarget.connect(target, tls)) {
            for (int i = 0; i < file.count(); i++) {
                int length = file.length(i) - 1; // without the line feed
                if (length > message.length) {
                    message = new byte[2 * length];
                }
                file.bytes().get(file.start(i), message, 0, length);
                sink.send(message, 0, length);
            }
            sink.finish();
        }
        return file.count();
    }

    private static long pass(MessageFile file, InetSocketAddress target) throws IOException {
        try (TcpTarget sink = TcpTarget.connect(target)) {
            long size = file.start(file.count());
            for (long sent = 0; sent < size; ) {
                sent += sink.transfer(file.channel(), sent, size - sent);
            }
        }
        return file.count();
    }
}
