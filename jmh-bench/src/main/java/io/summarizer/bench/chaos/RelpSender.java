package io.summarizer.bench.chaos;

import io.summarizer.core.queue.Threads;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A RELP sender that works like librelp, and knows which messages were acknowledged. The sender has a window of
 * unacknowledged messages. When a session breaks, the sender opens another session and repeats all messages in the
 * window. Acknowledgements come in the order of the messages. So one number is enough to tell which messages were
 * acknowledged.
 *
 * <p>One thread writes. For each session, a further thread reads the answers.
 */
final class RelpSender extends Sender {
    private static final int WINDOW = 10_000;
    private static final int RETRY_MS = 20;
    private static final int IDLE_MS = 2;
    private static final int OUT_BYTES = 1 << 15;

    /** Messages that were written again because a session broke: {@code from} (inclusive) to {@code to} (exclusive). */
    private record Again(long from, long to) {
        boolean has(long number) {
            return from <= number && number < to;
        }
    }

    private static final Again NOTHING = new Again(0, 0);
    private static final byte[] OPEN = open("relp_version=0\nrelp_software=chaos\ncommands=syslog");

    private final int port;
    private final List<Again> again = new CopyOnWriteArrayList<>();
    private volatile Again current = NOTHING;
    private volatile long acknowledged;
    private volatile @Nullable Socket session;
    private volatile @Nullable String refused;

    /**
     * Starts a sender.
     *
     * @param port the service's port, on the loopback
     * @param ratePerSecond maximum number of events per second, on average
     * @param messages the message of each event, by its number
     */
    RelpSender(int port, long ratePerSecond, LongFunction<byte[]> messages) {
        super(ratePerSecond, messages);
        this.port = port;
        var unused = start("chaos-sender");
    }

    @Override
    long acknowledged() {
        String refused = this.refused;
        if (refused != null) {
            throw new ChaosException("an answer that omrelp takes for the end of a message: " + refused);
        }
        return acknowledged;
    }

    @Override
    int transmissions(long number) {
        // Reads the present session first. If this session ends before the earlier sessions are read, the result
        // includes its repeats twice. In the other order, they might not count at all.
        int present = current.has(number) ? 1 : 0;
        return 1
                + present
                + (int) again.stream().filter(range -> range.has(number)).count();
    }

    @Override
    long resent() {
        return again.stream().mapToLong(range -> range.to - range.from).sum() + current.to - current.from;
    }

    @Override
    void run() {
        while (!closed) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                session = socket;
                write(socket);
            } catch (IOException e) {
                sleep(RETRY_MS); // the session broke, or no service listens
            } catch (ChaosException e) {
                refused = e.getMessage();
                return;
            }
        }
    }

    private void write(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        OutputStream out = new BufferedOutputStream(socket.getOutputStream(), OUT_BYTES);
        InputStream in = new BufferedInputStream(socket.getInputStream());
        out.write(OPEN);
        out.flush();
        if (answer(in) != 1) {
            throw new EOFException("no session");
        }
        long first = acknowledged;
        Thread reader = Threads.start("chaos-answers", () -> read(socket, in, first));
        try {
            long next = first;
            while (!closed && reader.isAlive()) {
                long known = sent;
                if (next - acknowledged >= WINDOW || next >= limit || (next >= known && next >= due())) {
                    out.flush();
                    sleep(IDLE_MS);
                    continue;
                }
                byte[] message = messages.apply(next);
                // Published before the write, because the message may arrive before the write returns.
                if (next < known) {
                    current = new Again(first, next + 1);
                } else if (!begin(next)) {
                    continue;
                }
                out.write(ascii((next - first + 2) + " syslog " + message.length + " "));
                out.write(message);
                out.write('\n');
                next++;
            }
            out.flush();
        } finally {
            socket.close();
            try {
                reader.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Again broken = current;
            if (broken.to > broken.from) {
                again.add(broken);
            }
            current = NOTHING;
        }
    }

    private void read(Socket socket, InputStream in, long first) {
        try {
            for (int expected = 2; ; expected++) {
                int transaction = answer(in);
                if (transaction != expected) {
                    throw new ChaosException("answered " + transaction + " instead of " + expected);
                }
                acknowledged = first + expected - 1;
            }
        } catch (IOException e) {
            // The session has ended.
        } catch (ChaosException e) {
            refused = e.getMessage();
        } finally {
            try {
                socket.close();
            } catch (IOException e) {
                // It has ended.
            }
        }
    }

    /** Reads an answer, {@code T rsp LENGTH 200 OK...}, and returns its transaction number T. */
    private static int answer(InputStream in) throws IOException {
        int transaction = Integer.parseInt(word(in));
        String command = word(in);
        if (command.equals("serverclose")) {
            throw new EOFException("closed");
        }
        int length = Integer.parseInt(word(in));
        String data = new String(in.readNBytes(length), StandardCharsets.US_ASCII);
        int end = in.read();
        if (end < 0) {
            throw new EOFException("the connection has ended within an answer"); // a kill may cut it off anywhere
        }
        if (!command.equals("rsp") || !data.startsWith("200") || end != '\n') {
            throw new ChaosException(transaction + " " + command + " " + data);
        }
        return transaction;
    }

    private static String word(InputStream in) throws IOException {
        StringBuilder word = new StringBuilder();
        int b;
        while ((b = in.read()) != ' ') {
            if (b < 0) {
                throw new EOFException("the connection has ended");
            }
            word.append((char) b);
        }
        return word.toString();
    }

    private static byte[] open(String offers) {
        return ascii("1 open " + offers.length() + " " + offers + "\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void sleep(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        Socket socket = session;
        if (socket != null) {
            socket.close();
        }
    }
}
