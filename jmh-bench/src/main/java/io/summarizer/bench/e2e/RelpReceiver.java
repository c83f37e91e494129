package io.summarizer.bench.e2e;

import io.summarizer.server.demo.Rsyslogd;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Something on loopback that takes syslog over RELP and can say how many messages it has. Used by one thread. */
public interface RelpReceiver extends AutoCloseable {
    /** For people and results. */
    String name();

    /** Where it listens. */
    int port();

    /** Messages that it has taken since it was started. */
    long received() throws IOException, InterruptedException;

    @Override
    void close();

    /**
     * A server of ours, which answers what is on its disk.
     *
     * @param data an empty folder, on a disk
     */
    static RelpReceiver summarizer(Path home, Path data, List<String> settings)
            throws IOException, InterruptedException {
        ServerProcess server = ServerProcess.start(home, data, settings);
        return new RelpReceiver() {
            @Override
            public String name() {
                return "summarizer";
            }

            @Override
            public int port() {
                return server.relpPort();
            }

            @Override
            public long received() throws IOException, InterruptedException {
                return (long) server.metric("summarizer_received_total");
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    /**
     * Debian's own: rsyslogd with imrelp and a queue in memory, which does nothing with a message but write a byte for it to a file.
     *
     * @param folder its own, in memory
     */
    static RelpReceiver imrelp(Path program, Path folder) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path count = folder.resolve("count");
        Rsyslogd rsyslogd = Rsyslogd.start(program, folder, String.format(Locale.ROOT, """
                module(load="imrelp")
                template(name="byte" type="string" string="\\n")
                ruleset(name="count" queue.type="FixedArray" queue.size="100000" queue.dequeueBatchSize="1024") {
                    action(type="omfile" file="%s" template="byte")
                }
                input(type="imrelp" address="127.0.0.1" port="%d" ruleset="count")
                """, count, port));
        return new RelpReceiver() {
            @Override
            public String name() {
                return "imrelp";
            }

            @Override
            public int port() {
                return port;
            }

            @Override
            public long received() throws IOException {
                return Files.exists(count) ? Files.size(count) : 0;
            }

            @Override
            public void close() {
                rsyslogd.close();
            }
        };
    }
}
