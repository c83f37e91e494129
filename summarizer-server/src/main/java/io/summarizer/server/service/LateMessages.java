package io.summarizer.server.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.core.bytes.Sha256;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.text.TimestampText;
import io.summarizer.server.json.Json;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads files of late messages: {@code NAME.frames}, with the index {@code NAME.log} beside it. Takes each message
 * once, even if several files have it. Used by one thread.
 */
public final class LateMessages {
    private static final String FRAMES = ".frames";

    private final long window;
    /** The names of the messages that the file of the window has already. */
    private final Set<Long> before;
    /** The names of all messages of the window, in the order in which they were added. */
    private final Set<Long> added;

    private int unreadable;
    private int again;

    /** Receives the messages. */
    @FunctionalInterface
    public interface Receiver {
        /**
         * Takes a message.
         *
         * @param frame the message as an octet-counted frame
         * @param stamp the arrival stamp of the message, in µs since the epoch
         */
        void take(byte[] frame, long stamp) throws InterruptedException;
    }

    /**
     * Reads only the messages of one window.
     *
     * @param window start of the window, in µs since the epoch
     * @param before names of the messages to leave out, because the file of the window has them already; see {@link
     *     FileWindow#added}
     */
    public LateMessages(long window, Collection<Long> before) {
        this.window = window;
        this.before = Set.copyOf(before);
        added = new LinkedHashSet<>(before);
    }

    /**
     * The index of a file of frames; empty when the name is not the name of a file of frames. The file may be
     * compressed with gzip.
     */
    public static Optional<Path> index(Path file) {
        String name = String.valueOf(file.getFileName());
        int end = name.lastIndexOf(FRAMES);
        return end < 0 ? Optional.empty() : Optional.of(file.resolveSibling(name.substring(0, end) + ".log"));
    }

    /**
     * Hands over the messages of the window that neither its file nor an earlier file of messages has.
     */
    public void read(Path frames, Path index, Receiver to) throws IOException, InterruptedException {
        try (BufferedReader lines = reader(index);
                RandomAccessFile file = new RandomAccessFile(frames.toFile(), "r")) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode entry;
                try {
                    entry = Json.MAPPER.readTree(line);
                } catch (JsonProcessingException e) {
                    unreadable++;
                    continue;
                }
                long stamp = micros(entry, "time");
                if (micros(entry, "window") != window) {
                    continue;
                }
                byte[] prefix = (entry.path("length").asInt() + " ").getBytes(StandardCharsets.US_ASCII);
                byte[] frame = new byte[prefix.length + entry.path("length").asInt()];
                file.seek(entry.path("offset").asLong());
                try {
                    file.readFully(frame);
                } catch (EOFException e) {
                    unreadable++;
                    continue;
                }
                if (!new String(frame, 0, prefix.length, StandardCharsets.US_ASCII)
                        .equals(new String(prefix, StandardCharsets.US_ASCII))) {
                    throw new IOException(frames + ": is not the file that " + index + " describes");
                }
                long name = name(frame, stamp);
                if (added.add(name)) {
                    to.take(frame, stamp);
                } else if (before.contains(name)) {
                    again++;
                }
            }
        }
    }

    /** The name of a message: the stamp is unique only among the messages of one service. */
    private static long name(byte[] frame, long stamp) {
        MessageDigest digest = Sha256.newDigest();
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(stamp).array());
        return ByteBuffer.wrap(digest.digest(frame)).getLong();
    }

    private static long micros(JsonNode entry, String name) {
        return TimestampText.parse(entry.path(name).asText());
    }

    /** The names of all messages that were added to the window, in their order. */
    public List<Long> added() {
        return List.copyOf(added);
    }

    /** Number of messages that were left out, because the file of the window has them already. */
    public int again() {
        return again;
    }

    /** Number of index lines without a message, because the file of messages is damaged or still being written. */
    public int unreadable() {
        return unreadable;
    }

    /** Whether an index is that of late messages. */
    public static boolean isLate(Path index) throws IOException {
        if (!Files.isReadable(index)) {
            return false;
        }
        try (BufferedReader lines = reader(index)) {
            String line = lines.readLine();
            return line != null && line.contains(",\"window\":\"");
        }
    }

    /**
     * The other files of the same summary in the folder of {@code file}. A full file has a number in its name. Empty if
     * the folder cannot be listed.
     */
    public static List<Path> others(Path file) {
        String name = String.valueOf(file.getFileName());
        Pattern same =
                Pattern.compile(Pattern.quote(name.substring(0, name.indexOf('.'))) + "(\\.\\d+)?\\.frames(\\.gz)?");
        Path folder = file.toAbsolutePath().normalize().getParent();
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(other ->
                            same.matcher(String.valueOf(other.getFileName())).matches())
                    .filter(other -> !other.getFileName().equals(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static BufferedReader reader(Path index) throws IOException {
        return new BufferedReader(new InputStreamReader(Files.newInputStream(index), StandardCharsets.UTF_8));
    }
}
