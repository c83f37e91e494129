package io.summarizer.server.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.core.text.TimestampText;
import io.summarizer.server.json.Json;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads files of late messages: {@code NAME.frames}, with the index {@code NAME.log} beside it. Takes each message
 * once, even if several files have it. Used by one thread.
 */
public final class LateMessages {
    private static final String FRAMES = ".frames";

    private final long window;
    /** The messages that the file of the window has already. */
    private final Set<Long> before;
    /** The messages that were read, and those of {@link #before}. */
    private final TreeSet<Long> stamps;

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
     * @param before arrival stamps of the messages to leave out, because the file of the window has them already
     */
    public LateMessages(long window, Collection<Long> before) {
        this.window = window;
        this.before = Set.copyOf(before);
        stamps = new TreeSet<>(before);
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
                if (stamps.contains(stamp)) {
                    again += before.contains(stamp) ? 1 : 0;
                } else {
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
                    stamps.add(stamp);
                    to.take(frame, stamp);
                }
            }
        }
    }

    private static long micros(JsonNode entry, String name) {
        return TimestampText.parse(entry.path(name).asText());
    }

    /** Arrival stamps of all messages that the window has now, ascending. */
    public List<Long> stamps() {
        return List.copyOf(stamps);
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
