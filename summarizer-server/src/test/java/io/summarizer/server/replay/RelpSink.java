package io.summarizer.server.replay;

import io.summarizer.server.Await;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** A receiver of RELP that keeps every message it reads and treats each session as the test says. */
final class RelpSink implements AutoCloseable {
    private final ServerSocket server;
    private final List<Session> plans;
    private final List<String> received = new ArrayList<>();
    private final Thread thread;
    private int sessions;
    private int closedBySender;

    /**
     * Behaviour in one session.
     *
     * @param offers the answer to its opening
     * @param answers whether the message with a number, from 2 on, is acknowledged; the session breaks at the first
     *     that is not
     * @param answer the text of the acknowledgement
     * @param shift added to the numbers of acknowledgements
     */
    record Session(String offers, IntPredicate answers, String answer, int shift) {
        static final Session GOOD = new Session("200 OK\nrelp_version=0\ncommands=syslog", txnr -> true, "200 OK", 0);

        /** Breaks after so many acknowledgements. */
        static Session breaksBehind(int messages) {
            return new Session(GOOD.offers, txnr -> txnr < messages + 2, GOOD.answer, 0);
        }

        Session withOffers(String offers) {
            return new Session(offers, answers, answer, shift);
        }

        Session withAnswer(String answer) {
            return new Session(offers, answers, answer, shift);
        }

        Session withShift(int shift) {
            return new Session(offers, answers, answer, shift);
        }
    }

    /** Makes a receiver whose sessions behave like these, and all further ones like the last. */
    RelpSink(Session... plans) throws IOException {
        this.plans = List.of(plans);
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        thread = new Thread(this::serve, "relp-sink");
        thread.start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** All messages in order of arrival, repeated ones included. */
    synchronized List<String> received() {
        return List.copyOf(received);
    }

    /** Number of sessions. */
    synchronized int sessions() {
        return sessions;
    }

    /** Number of sessions that the sender closed. */
    synchronized int closedBySender() {
        return closedBySender;
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                Session plan;
                synchronized (this) {
                    plan = plans.get(Math.min(sessions++, plans.size() - 1));
                }
                converse(socket, plan);
            } catch (IOException e) {
                // The end of a session, or of the test.
            }
        }
    }

    private void converse(Socket socket, Session plan) throws IOException {
        socket.setTcpNoDelay(true);
        InputStream in = new BufferedInputStream(socket.getInputStream());
        int expected = 1;
        while (true) {
            int txnr = Integer.parseInt(word(in));
            String command = word(in);
            int length = Integer.parseInt(word(in));
            byte[] data = in.readNBytes(length);
            if (length > 0 && in.read() != '\n') {
                throw new AssertionError("no line feed behind the data");
            }
            if (txnr != expected++) {
                throw new AssertionError("frame " + txnr + " where " + (expected - 1) + " should be");
            }
            switch (command) {
                case "open" -> answer(socket, txnr, plan.offers);
                case "close" -> {
                    synchronized (this) {
                        closedBySender++; // before the sender hears of it, and a test checks
                    }
                    socket.getOutputStream()
                            .write((txnr + " rsp 0\n0 serverclose 0\n").getBytes(StandardCharsets.US_ASCII));
                    return;
                }
                default -> {
                    synchronized (this) {
                        received.add(new String(data, StandardCharsets.ISO_8859_1));
                    }
                    if (!plan.answers.test(txnr)) {
                        return;
                    }
                    answer(socket, txnr + plan.shift, plan.answer);
                }
            }
        }
    }

    private static void answer(Socket socket, int txnr, String text) throws IOException {
        socket.getOutputStream()
                .write((txnr + " rsp " + text.length() + " " + text + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads up to a space or line feed, and past it. */
    private static String word(InputStream in) throws IOException {
        StringBuilder word = new StringBuilder();
        int b;
        while ((b = in.read()) != ' ' && b != '\n') {
            if (b < 0) {
                throw new EOFException();
            }
            word.append((char) b);
        }
        return word.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        Await.until(() -> thread + " runs", () -> !thread.isAlive());
    }
}
