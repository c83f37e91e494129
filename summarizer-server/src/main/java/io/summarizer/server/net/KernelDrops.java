package io.summarizer.server.net;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
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
 * The number of datagrams that Linux dropped before this process could read them from a socket, usually because the
 * process read too slowly. The files {@code /proc/net/udp} and {@code udp6} have this number (proc(5)). Thread-safe.
 * Each call reads these files, which have a line for each UDP socket of the host.
 */
public final class KernelDrops {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));
    private static final Path OWN_FILES = Path.of("/proc/self/fd");

    // Columns of a line, since Linux 2.6.27. "tx_queue:rx_queue" is one column, and "tr:tm->when" is one column.
    private static final int LOCAL = 1;
    private static final int INODE = 9;
    private static final int DROPS = 12;

    /** The kernel's number has 32 bits. */
    private static final long RAW_MASK = 0xffff_ffffL;

    private final String inode;
    private long lastRaw;
    private long count;

    private KernelDrops(String inode) {
        this.inode = inode;
    }

    /**
     * Returns the drops of the socket that this process has bound to a port. Returns empty when the system does not
     * report drops.
     */
    public static Optional<KernelDrops> ofPort(int port) {
        try {
            return ofPort(port, ownSockets());
        } catch (IOException | DirectoryIteratorException e) {
            return Optional.empty(); // not Linux, or the files are hidden: the drops are unknown
        }
    }

    /** Does the same as {@link #ofPort(int)}, for a process whose sockets have these inodes. */
    static Optional<KernelDrops> ofPort(int port, Set<String> own) throws IOException {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        for (Path table : TABLES) {
            for (String[] line : lines(table)) {
                if (line[LOCAL].endsWith(suffix) && own.contains(line[INODE])) {
                    return Optional.of(new KernelDrops(line[INODE]));
                }
            }
        }
        return Optional.empty();
    }

    /** Number of drops so far. After the socket was closed, this is the number at the last call. */
    public synchronized long count() {
        try {
            for (Path table : TABLES) {
                for (String[] line : lines(table)) {
                    if (line[INODE].equals(inode)) {
                        grownTo(Long.parseLong(line[DROPS]));
                        return count;
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Keep the last known number.
        }
        return count;
    }

    /** Takes over the kernel's number, which wraps at 32 bits. */
    void grownTo(long raw) {
        count += raw - lastRaw & RAW_MASK;
        lastRaw = raw;
    }

    /** Returns the lines of sockets, split into columns. */
    private static List<String[]> lines(Path table) throws IOException {
        if (!Files.isReadable(table)) {
            return List.of(); // a host without IPv6 has only one of the files
        }
        return Files.readAllLines(table).stream()
                .skip(1)
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > DROPS)
                .toList();
    }

    static Set<String> ownSockets() throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(OWN_FILES)) {
            for (Path file : files) {
                try {
                    String target = Files.readSymbolicLink(file).toString();
                    if (target.startsWith("socket:[")) {
                        inodes.add(target.substring("socket:[".length(), target.length() - 1));
                    }
                } catch (NoSuchFileException e) {
                    // Closed meanwhile.
                }
            }
        }
        return inodes;
    }
}
