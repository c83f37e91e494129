package io.summarizer.bench.e2e;

import io.summarizer.bench.report.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Sender} process. It takes an order, and then returns its answer. Used by one thread. Closing this object
 * ends the process.
 */
public final class SenderProcess implements AutoCloseable {
    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;

    /** Numbers of messages and probes that an order sent. */
    public record Sent(long messages, long probes) {}

    private SenderProcess(Process process) {
        this.process = process;
        orders = process.outputWriter(StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a sender that sends the lines of {@code file} to a port on loopback, and needs little computing. */
    public static SenderProcess start(Path file, int port) throws IOException {
        // The optimizing compiler would compete with the server for the processors.
        return start(file, port, null, List.of("-XX:TieredStopAtLevel=1"));
    }

    /**
     * Starts a sender that has about as much to compute as the server. Like the server, the sender needs some passes
     * until its JVM has compiled all its code.
     *
     * @param ca certificate that signed the server's certificate; null: no TLS
     */
    public static SenderProcess startComputing(Path file, int port, @Nullable Path ca) throws IOException {
        return start(file, port, ca, List.of());
    }

    private static SenderProcess start(Path file, int port, @Nullable Path ca, List<String> jvmOptions)
            throws IOException {
        List<String> options = new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC"));
        options.addAll(jvmOptions);
        List<String> arguments = new ArrayList<>(List.of(file.toString(), Integer.toString(port)));
        if (ca != null) {
            arguments.add(ca.toString());
        }
        return new SenderProcess(new ProcessBuilder(Processes.java(options, Sender.class, arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Orders the sender to send the whole file over a new connection. */
    public void pass() throws IOException {
        order("pass");
    }

    /**
     * Orders the sender to send the whole file over a new RELP session. The answer comes when every message is
     * acknowledged.
     */
    public void relp() throws IOException {
        order("relp");
    }

    /** Orders the sender to send as many messages as the server takes, for some seconds. */
    public void flood(double seconds, int connections) throws IOException {
        order(String.format(Locale.ROOT, "flood %.3f %d", seconds, connections));
    }

    /**
     * Orders the sender to send messages on a schedule.
     *
     * @param rate messages per second
     * @param probeRate probes per second
     * @param startNanos time at which the first message is due, by {@link System#nanoTime}, a clock that all processes
     *     of a machine share
     * @param seconds time in which messages become due
     * @param limitSeconds time after which no more messages are sent
     */
    public void pace(
            double rate, double probeRate, long startNanos, double seconds, double limitSeconds, int connections)
            throws IOException {
        order(String.format(
                Locale.ROOT,
                "pace %.3f %.3f %d %.3f %.3f %d",
                rate,
                probeRate,
                startNanos,
                seconds,
                limitSeconds,
                connections));
    }

    private void order(String line) throws IOException {
        orders.write(line);
        orders.write('\n');
        orders.flush();
    }

    /** Whether {@link #answer} would return at once. */
    public boolean answered() throws IOException {
        return answers.ready();
    }

    /** Waits until the order is done; returns the answer. */
    public Sent answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the sender ended");
        }
        String[] counts = line.split(" ");
        return new Sent(Long.parseLong(counts[0]), Long.parseLong(counts[1]));
    }

    /** Ends the process at once. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
