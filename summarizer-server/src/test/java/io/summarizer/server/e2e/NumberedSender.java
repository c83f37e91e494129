package io.summarizer.server.e2e;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/** Sends messages over RELP, each once and in order, until the last is answered or the connection breaks; knows which were answered. */
final class NumberedSender extends Thread {
    private static final int WINDOW = 1_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final int first;
    private final int end;
    private final IntFunction<String> messages;

    private int next;
    private int answered;

    /** Sends the messages of these numbers, in ASCII. */
    NumberedSender(InetSocketAddress address, int first, int end, IntFunction<String> messages) throws IOException {
        super("relp-sender");
        this.first = first;
        this.end = end;
        this.messages = messages;
        next = first;
        socket = new Socket(address.getAddress(), address.getPort());
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
    }

    /** The first number that was not sent. When this has ended. */
    int sentTo() {
        return next;
    }

    /** The first number that was not answered. When this has ended. */
    int answeredTo() {
        return first + answered;
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
                    if (transaction != answered + 2) {
                        throw new AssertionError(transaction + " was answered, not " + (answered + 2));
                    }
                    answered++;
                } while (in.available() > 0);
            }
        } catch (IOException e) {
            // killed
        }
    }

    private void frame(int transaction, String command, String data) throws IOException {
        out.write((transaction + " " + command + " " + data.length() + " " + data + "\n")
                .getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads {@code T rsp LENGTH 200 OK...}; returns T. */
    private int answer() throws IOException {
        int transaction = Integer.parseInt(word());
        if (!word().equals("rsp")) {
            throw new IOException("no answer");
        }
        String data = new String(in.readNBytes(Integer.parseInt(word())), StandardCharsets.US_ASCII);
        if (!data.startsWith("200") || in.read() != '\n') {
            throw new IOException("answered " + data);
        }
        return transaction;
    }

    private String word() throws IOException {
        StringBuilder word = new StringBuilder();
        int b;
        while ((b = in.read()) != ' ') {
            if (b < 0) {
                throw new IOException("the connection has ended");
            }
            word.append((char) b);
        }
        return word.toString();
    }
}
