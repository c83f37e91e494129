package io.summarizer.server.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.core.text.TimestampText;
import io.summarizer.server.json.Json;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the late messages in the folder of late messages, by window. Only files in the folder count, so messages in
 * files that were moved away or deleted are not counted. Counted lines are not read again. Thread-safe. Cost of a call:
 * a listing of the folder, and reading the new lines of the index files.
 */
final class LateCounts {
    private static final int BLOCK_BYTES = 1 << 20; // many times the longest line
    /**
     * Number of bytes from the beginning of a file by which the file is recognized. These bytes contain a time that
     * differs in every file.
     */
    private static final int HEAD_BYTES = 36;

    private final Path folder;

    /** The counts by the identity of the file. A file keeps its identity when it is renamed. */
    private Map<Object, Counted> counted = new HashMap<>();

    /** The counts of the first {@code bytes} of an index file. */
    private static final class Counted {
        long bytes;
        /** The first bytes of the file. If they have changed, another file now has the identity of the former file. */
        String head = "";

        final Map<Long, Long> byWindow = new HashMap<>();
    }

    LateCounts(Path folder) {
        this.folder = folder;
    }

    /** The numbers of messages of a summary by the start of the window, in µs since the epoch. */
    synchronized Map<Long, Long> of(String summary) throws IOException {
        String name = DataFolder.lateNameOf(summary);
        Map<Long, Long> sum = new TreeMap<>();
        Map<Object, Counted> present = new HashMap<>();
        for (Path log : logs()) {
            Counted of = counted(log, present);
            if (of != null) {
                if (String.valueOf(log.getFileName()).startsWith(name + ".")) {
                    of.byWindow.forEach((window, count) -> sum.merge(window, count, Long::sum));
                }
            }
        }
        counted = present;
        return sum;
    }

    private List<Path> logs() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        }
    }

    /** Counts the new lines of a file, and puts the result into {@code present}. Returns null when the file is gone. */
    private @Nullable Counted counted(Path log, Map<Object, Counted> present) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            Object key = keyOf(log);
            Counted known = counted.get(key);
            byte[] block = new byte[BLOCK_BYTES];
            String head = new String(block, 0, Math.max(0, file.read(block, 0, HEAD_BYTES)), StandardCharsets.UTF_8);
            Counted of =
                    known != null && known.head.equals(head) && known.bytes <= file.length() ? known : new Counted();
            of.head = head;
            int read;
            do {
                file.seek(of.bytes);
                read = file.read(block);
                int line = 0;
                for (int i = 0; i < read; i++) {
                    if (block[i] == '\n') {
                        count(new String(block, line, i - line, StandardCharsets.UTF_8), of.byWindow);
                        line = i + 1;
                    }
                }
                of.bytes += line == 0 && read == block.length ? read : line; // no line is so long: the file is damaged
            } while (read == block.length);
            present.put(key, of);
            return of;
        } catch (FileNotFoundException | NoSuchFileException e) {
            return null; // renamed or deleted since it was listed
        }
    }

    private static Object keyOf(Path log) throws IOException {
        Object key = Files.readAttributes(log, BasicFileAttributes.class).fileKey();
        return key == null ? log : key;
    }

    private static void count(String line, Map<Long, Long> into) {
        try {
            JsonNode window = Json.MAPPER.readTree(line).get("window");
            if (window != null) {
                into.merge(TimestampText.parse(window.asText()), 1L, Long::sum);
            }
        } catch (JsonProcessingException e) {
            // a line of a damaged file
        }
    }
}
