package io.summarizer.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;

/** A sender of RELP that does what a test says, right or wrong, and checks every byte that comes back. */
final class RelpScript implements AutoCloseable {
    static final String OFFERS = "relp_version=0\nrelp_software=test\ncommands=syslog";
    static final String OFFERED = "200 OK\nrelp_version=0\nrelp_software=summarizer\ncommands=syslog";
    static final String OPENED = frame(1, "rsp", OFFERED);
    static final String SERVER_CLOSE = "0 serverclose 0\n";

    private static final String HEADER = "<134>1 2026-11-20T00:00:00.000000Z web03 adserver 4711 ad.click - ";
    private static final int PATIENCE_MS = 30_000;

    private final Socket socket;

    RelpScript(InetSocketAddress address) throws IOException {
        this(new Socket(address.getAddress(), address.getPort()));
    }

    /** Makes a script over an open connection. */
    RelpScript(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
    }

    static String frame(int txnr, String command, String data) {
        return txnr + " " + command + " " + data.length() + (data.isEmpty() ? "" : " " + data) + "\n";
    }

    /** Makes a message with this payload. */
    static String message(int txnr, String payload) {
        return frame(txnr, "syslog", HEADER + payload);
    }

    static String taken(int txnr) {
        return txnr + " rsp 6 200 OK\n";
    }

    RelpScript send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        return this;
    }

    /** Opens the session. */
    RelpScript open() throws IOException {
        return send(frame(1, "open", OFFERS)).expect(OPENED);
    }

    /** Requires that the next bytes are these. */
    RelpScript expect(String text) throws IOException {
        byte[] bytes = socket.getInputStream().readNBytes(text.length());
        assertThat(new String(bytes, US_ASCII)).isEqualTo(text);
        return this;
    }

    /** Requires that no byte has come since the last expectation; it cannot see later ones. */
    RelpScript expectNothing() throws IOException {
        assertThat(socket.getInputStream().available()).isZero();
        return this;
    }

    /** Requires that the connection ends without another byte. */
    void expectEnd() throws IOException {
        assertThat(new String(rest(), US_ASCII)).isEmpty();
    }

    private byte[] rest() throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            return new byte[0]; // a reset ends it, too: bytes of this side were in flight
        }
    }

    InputStream answers() throws IOException {
        return socket.getInputStream();
    }

    /** Ends the connection by a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
