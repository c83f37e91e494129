package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.server.Await;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.demo.Rsyslogd;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A real rsyslogd with a configuration of the test's own, which takes syslog over TCP on a free port. */
final class Rsyslog implements AutoCloseable {
    private static final int STOP_SECONDS = 10;

    private final Process process;
    private final Path log;
    private final InetSocketAddress address;

    private Rsyslog(Process process, Path log, InetSocketAddress address) {
        this.process = process;
        this.log = log;
        this.address = address;
    }

    /** Returns the configuration {@code config/rsyslog/summarizer-NAME.conf}. */
    static String shipped(String name) throws IOException {
        return Files.readString(ProjectHome.path().resolve("config/rsyslog/summarizer-" + name + ".conf"));
    }

    /** The same for tests that count all messages: its message of each second comes once a day. */
    static String shippedWithoutMarks(String name) throws IOException {
        String shipped = shipped(name);
        String rare = shipped.replace("interval=\"1\"", "interval=\"86400\"");
        assertThat(rare).isNotEqualTo(shipped);
        return rare;
    }

    /** Skips the calling test where rsyslogd cannot send over RELP. */
    static void assumeRelp() throws IOException {
        assumeModule("omrelp");
    }

    /** Skips the calling test where rsyslogd has no module of this name. */
    static void assumeModule(String name) throws IOException {
        program();
        assumeTrue(Rsyslogd.hasModule(name), "rsyslog has no " + name);
    }

    /** Returns the program; where there is none, the calling test is skipped. */
    static Path program() {
        Optional<Path> found = Rsyslogd.find();
        assumeTrue(found.isPresent(), "rsyslogd is not installed");
        return found.orElseThrow();
    }

    /**
     * Starts one.
     *
     * @param folder its own
     * @param forwarding what to do with messages, in rsyslog's language: part of its default rule set
     */
    static Rsyslog start(Path folder, String forwarding) throws IOException, InterruptedException {
        Path program = program();
        Files.createDirectories(folder);
        int port = FreePort.next();
        Path configuration = Files.writeString(folder.resolve("rsyslog.conf"), """
                global(workDirectory="%s" maxMessageSize="64k")
                module(load="imtcp")
                input(type="imtcp" address="127.0.0.1" port="%d")
                %s
                """.formatted(folder, port, forwarding));
        check(program, configuration, folder.resolve("check.log"));
        Path log = folder.resolve("rsyslogd.log");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "-n",
                        "-f",
                        configuration.toString(),
                        "-i",
                        folder.resolve("pid").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Rsyslog rsyslog = new Rsyslog(process, log, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        try {
            Await.until(() -> "rsyslogd not listening; it said: " + rsyslog.said(), rsyslog::isListening);
        } catch (AssertionError e) {
            rsyslog.close();
            throw e;
        }
        return rsyslog;
    }

    /** Lets rsyslogd check a configuration, without complaints. */
    private static void check(Path program, Path configuration, Path log) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program.toString(), "-N1", "-f", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
    }

    private boolean isListening() {
        try (Socket probe = new Socket()) {
            probe.connect(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The address for syslog. */
    InetSocketAddress address() {
        return address;
    }

    /** Its output: it prints only problems. */
    String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "nothing that can be read (" + e.getMessage() + ")";
        }
    }

    /** Ends it, after it has sent its messages. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
