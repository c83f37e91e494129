package io.summarizer.bench.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that sends {@code GET /healthz} like a load balancer: ten times a second, each time over a new connection.
 * The probe runs on its own thread. Any thread may read the figures.
 */
final class HealthProbe {
    private static final int PAUSE_MS = 100;
    private static final int GIVE_UP_MS = 20_000;
    private static final int LINE_BYTES = 12;
    private static final byte[] REQUEST =
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final InetSocketAddress target;
    private final long limitMillis;
    private final Thread thread = new Thread(this::run, "chaos-health");
    private volatile boolean closed;
    private final AtomicLong probes = new AtomicLong();
    private final AtomicLong late = new AtomicLong();
    private volatile long slowestMillis;

    /**
     * Starts a probe.
     *
     * @param port the service's HTTP port, on the loopback
     * @param limitMillis an answer counts as late if it takes longer than this, or if its status is not 200
     */
    HealthProbe(int port, long limitMillis) {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.limitMillis = limitMillis;
        thread.setDaemon(true);
        thread.start();
    }

    /** Number of requests. */
    long probes() {
        return probes.get();
    }

    /** Number of late answers. */
    long late() {
        return late.get();
    }

    /** The longest time from connecting to an answer. */
    long slowestMillis() {
        return slowestMillis;
    }

    private void run() {
        while (!closed) {
            long begun = System.nanoTime();
            boolean fine = ask();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            slowestMillis = Math.max(slowestMillis, millis);
            if (!fine || millis > limitMillis) {
                late.incrementAndGet();
            }
            probes.incrementAndGet();
            try {
                Thread.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private boolean ask() {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(GIVE_UP_MS);
            socket.connect(target, GIVE_UP_MS);
            socket.getOutputStream().write(REQUEST);
            byte[] line = socket.getInputStream().readNBytes(LINE_BYTES);
            return new String(line, StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends the probe after its current request. */
    void end() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
