package io.summarizer.server.net;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Datagrams that Linux dropped because a socket of this process was not read fast enough, as {@code /proc/net/udp} and {@code udp6}
 * count them (proc(5)). Thread-safe. Each question reads these files, a line for each UDP socket of the host.
 */
public final class KernelDrops {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));
    private static final Path OWN_FILES = Path.of("/proc/self/fd");

    // Columns of a line, since Linux 2.6.27: "tx_queue:rx_queue" is one, "tr:tm->when" is one.
    private static final int LOCAL = 1;
    private static final int INODE = 9;
    private static final int DROPS = 12;

    private final String inode;
    private long last;

    private KernelDrops(String inode) {
        this.inode = inode;
    }

    /** Those of the socket that this process has bound to a port; empty where the system does not tell. */
    public static Optional<KernelDrops> ofPort(int port) {
        try {
            Set<String> own = ownSockets();
            String suffix = String.format(Locale.ROOT, ":%04X", port);
            for (Path table : TABLES) {
                for (String[] line : lines(table)) {
                    if (line[LOCAL].endsWith(suffix) && own.contains(line[INODE])) {
                        return Optional.of(new KernelDrops(line[INODE]));
                    }
                }
            }
        } catch (IOException e) {
            // No Linux, or one that hides it: then nobody can know.
        }
        return Optional.empty();
    }

    /** How many so far; after the socket was closed, how many there were when last asked. */
    public synchronized long count() {
        try {
            for (Path table : TABLES) {
                for (String[] line : lines(table)) {
                    if (line[INODE].equals(inode)) {
                        last = Long.parseLong(line[DROPS]);
                        return last;
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            // what was known last is the best there is
        }
        return last;
    }

    /** Lines of sockets, as their columns. */
    private static List<String[]> lines(Path table) throws IOException {
        if (!Files.isReadable(table)) {
            return List.of(); // a host without IPv6 has one of them
        }
        return Files.readAllLines(table).stream()
                .skip(1)
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > DROPS)
                .toList();
    }

    private static Set<String> ownSockets() throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(OWN_FILES)) {
            for (Path file : files) {
                try {
                    String target = Files.readSymbolicLink(file).toString();
                    if (target.startsWith("socket:[")) {
                        inodes.add(target.substring("socket:[".length(), target.length() - 1));
                    }
                } catch (NoSuchFileException e) {
                    // closed meanwhile
                }
            }
        }
        return inodes;
    }
}
