package io.summarizer.server.demo;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real rsyslogd that takes syslog on a free port of the loopback, and forwards it to a listener of the Summarizer or
 * to Kafka. The rsyslogd runs in a folder of its own, with a configuration of its own, and needs no privileges.
 */
public final class Rsyslogd implements AutoCloseable {
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/usr/local/sbin", "/sbin");
    private static final int START_ATTEMPTS = 100;
    private static final int ATTEMPT_MS = 50;
    private static final int STOP_SECONDS = 10;

    private final Process process;
    private final Path log;
    private final InetSocketAddress address;

    private Rsyslogd(Process process, Path log, InetSocketAddress address) {
        this.process = process;
        this.log = log;
        this.address = address;
    }

    /** Finds the program, on the PATH or where distributions install it. */
    public static Optional<Path> find() {
        List<String> folders =
                new ArrayList<>(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
        folders.addAll(FOLDERS);
        return folders.stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "rsyslogd"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Whether a module, such as {@code omkafka}, is installed where distributions put modules. */
    public static boolean hasModule(String name) throws IOException {
        Path file = Path.of("rsyslog", name + ".so");
        try (Stream<Path> modules = Files.find(Path.of("/usr/lib"), 3, (path, attributes) -> path.endsWith(file))) {
            return modules.findAny().isPresent();
        }
    }

    /**
     * Returns the shipped configuration for Kafka, with other brokers and a queue large enough to keep all messages of
     * the demo in memory.
     *
     * @param shipped {@code config/rsyslog/summarizer-omkafka.conf}
     * @param folder folder for what cannot be sent
     */
    public static String toKafka(String shipped, String brokers, Path folder) {
        return shipped.replace("127.0.0.1:9092", brokers)
                .replace("/var/spool/rsyslog", folder.toString())
                .replace("queue.size=\"100000\"", "queue.size=\"250000\"")
                .replace("queue.highWatermark=\"80000\"", "queue.highWatermark=\"240000\"");
    }

    /**
     * Starts an rsyslogd and waits until it takes connections.
     *
     * @param folder the rsyslogd's own folder, created when absent
     * @param forwarding statements for rsyslog's default rule set, which say what to do with messages
     * @throws IOException when the rsyslogd does not start; the message has its output
     */
    public static Rsyslogd start(Path program, Path folder, String forwarding)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        int port = FreePort.next();
        Path configuration = folder.resolve("rsyslog.conf");
        Files.writeString(configuration, configuration(folder, port, forwarding));
        Path log = folder.resolve("rsyslogd.log");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "-n", // stay in the foreground, as a child of this process
                        "-f",
                        configuration.toString(),
                        "-i",
                        folder.resolve("rsyslogd.pid").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Rsyslogd rsyslogd = new Rsyslogd(process, log, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        for (int attempt = 0; attempt < START_ATTEMPTS && process.isAlive(); attempt++) {
            try (Socket probe = new Socket()) {
                probe.connect(rsyslogd.address, ATTEMPT_MS);
                return rsyslogd;
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(ATTEMPT_MS);
            }
        }
        rsyslogd.close();
        throw new IOException("rsyslogd did not start: " + rsyslogd.said());
    }

    private static String configuration(Path folder, int port, String forwarding) {
        return String.format(Locale.ROOT, """
                global(workDirectory="%s" maxMessageSize="64k")
                module(load="imtcp")
                input(type="imtcp" address="127.0.0.1" port="%d")
                %s
                """, folder, port, forwarding);
    }

    /**
     * Configuration in the form of a file in {@code /etc/rsyslog.d/}. The queue can go to disk while the receiver is
     * away, keeps its messages over a restart, and retries forever, so that no message is lost. But rsyslogd 8.2302
     * sometimes leaves the last messages of a queue on disk unsent. So the queue is large enough to keep all messages
     * of the demo in memory.
     *
     * @param target address to which the rsyslogd forwards
     */
    public static String forwarding(InetSocketAddress target) {
        return String.format(Locale.ROOT, """
                action(
                    type="omfwd" target="%s" port="%d" protocol="tcp"
                    template="RSYSLOG_SyslogProtocol23Format" TCP_Framing="octet-counted"
                    queue.type="LinkedList" queue.filename="summarizer" queue.size="250000"
                    queue.dequeueBatchSize="1024" queue.maxDiskSpace="1g" queue.saveOnShutdown="on"
                    action.resumeRetryCount="-1" action.resumeInterval="1"
                )
                """, target.getAddress().getHostAddress(), target.getPort());
    }

    /** The address at which the rsyslogd takes syslog over TCP, LF-framed or octet-counted. */
    public InetSocketAddress address() {
        return address;
    }

    /** The first line of the rsyslogd's output. An rsyslogd prints only problems. */
    public String said() {
        try {
            return Files.readAllLines(log).stream().findFirst().orElse("nothing");
        } catch (IOException e) {
            return "nothing that can be read (" + e.getMessage() + ")";
        }
    }

    /** Ends the rsyslogd after it has sent its messages. */
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
