package io.summarizer.server.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;

/**
 * The body of an answer, whose reads end: a read fails if no byte comes for a long time, as when the other host has
 * vanished. The JDK's HTTP client has a time limit only for the head of an answer. All exceptions have a message for
 * the user. Used by one thread; a timer watches this thread.
 */
final class WatchedBody extends FilterInputStream {
    /** Stands for the beginning of a read when nobody reads. */
    private static final long NONE = Long.MIN_VALUE;

    private final String brokenOff;
    private final Duration silenceMax;
    private final Timer timer = new Timer("body", true);
    private volatile long since = NONE;
    private volatile boolean silent;

    /**
     * Watches a body.
     *
     * @param brokenOff message for the user if the body ends too early
     * @param silenceMax longest time for which a read waits
     */
    WatchedBody(InputStream body, String brokenOff, Duration silenceMax) {
        super(body);
        this.brokenOff = brokenOff;
        this.silenceMax = silenceMax;
        long period = Math.max(1, silenceMax.toMillis() / 10);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        look();
                    }
                },
                period,
                period);
    }

    private void look() {
        long since = this.since;
        if (since != NONE && System.nanoTime() - since > silenceMax.toNanos()) {
            silent = true;
            try {
                in.close(); // the read fails now
            } catch (IOException e) {
                timer.cancel(); // nothing else can end the read
            }
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        since = System.nanoTime();
        try {
            return super.read(to, offset, length);
        } catch (IOException e) {
            throw new IOException(
                    silent ? "no further rows came for " + silenceMax.toMinutes() + " minutes" : brokenOff, e);
        } finally {
            since = NONE;
        }
    }

    @Override
    public void close() throws IOException {
        timer.cancel();
        super.close();
    }
}
