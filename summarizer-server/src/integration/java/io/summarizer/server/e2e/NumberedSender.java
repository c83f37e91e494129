package io.summarizer.server.e2e;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages over RELP, each once and in order, until the last is acknowledged or the connection breaks; knows
 * which were acknowledged.
 */
final class NumberedSender extends Thread {
    private static final int WINDOW = 1_000;
    /** Timeout of an acknowledgement. */
    private static final int TIMEOUT_MS = 60_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final int first;
    private final int end;
    private final IntFunction<String> messages;

    private int next;
    private final AtomicInteger answered = new AtomicInteger();
    /** A fault other than a broken connection. */
    private @Nullable Throwable fault;

    /** Makes a sender of the messages of these numbers, in ASCII. */
    NumberedSender(InetSocketAddress address, int first, int end, IntFunction<String> messages) throws IOException {
        super("relp-sender");
        this.first = first;
        this.end = end;
        this.messages = messages;
        next = first;
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(TIMEOUT_MS);
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
    }

    /** Waits for the end; fails when an answer was no acknowledgement, or none came. */
    void awaitEnd() throws InterruptedException {
        join(TimeUnit.MINUTES.toMillis(5));
        if (isAlive() || fault != null) {
            throw new AssertionError("sent to " + next + ", answered to " + answeredTo(), fault);
        }
    }

    /** The first number that was not sent. Valid once this has ended. */
    int sentTo() {
        return next;
    }

    /** The first number that is not acknowledged yet. */
    int answeredTo() {
        return first + answered.get();
    }

    @Override
    public void run() {
        try (socket) {
            frame(1, "open", "relp_version=0\nrelp_software=test\ncommands=syslog");
            out.flush();
            answer();
            while (answeredTo() < end) {
                while (next < end && next - answeredTo() < WINDOW) {
                    frame(next - first + 2, "syslog", messages.apply(next));
                    next++;
                }
                out.flush();
                do {
                    int transaction = answer();
                    if (transaction != answered.get() + 2) {
                        throw new AssertionError(transaction + " was answered, not " + (answered.get() + 2));
                    }
                    answered.incrementAndGet();
                } while (in.available() > 0);
            }
        } catch (SocketTimeoutException | RuntimeException | Error e) {
            fault = e;
        } catch (IOException e) {
            // The service was killed.
        }
    }

    private void frame(int transaction, String command, String data) throws IOException {
        out.write((transaction + " " + command + " " + data.length() + " " + data + "\n")
                .getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads {@code T rsp LENGTH 200 OK...}; returns T. */
    private int answer() throws IOException {
        int transaction = Integer.parseInt(word());
        String command = word();
        if (command.equals("serverclose")) {
            throw new EOFException("the service closes the session");
        }
        if (!command.equals("rsp")) {
            throw new AssertionError("no answer, but " + transaction + " " + command);
        }
        int length = Integer.parseInt(word());
        String data = new String(in.readNBytes(length), StandardCharsets.US_ASCII);
        int end = in.read();
        if (end < 0) {
            throw new EOFException("the connection has ended");
        }
        if (!data.startsWith("200") || end != '\n') {
            throw new AssertionError("answered " + data);
        }
        return transaction;
    }

    private String word() throws IOException {
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
}
