package io.summarizer.bench.chaos;

import static io.summarizer.bench.chaos.ChaosException.require;

import io.summarizer.core.text.TimestampText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of a summary's windows in a {@link WindowsRun}. Once a file was seen, its bytes must not change. The file
 * must stay until the time to keep its window is over, or until a put replaces the file. A deleted or replaced file
 * must not come back. A hard link to each file keeps the bytes of the file after it is deleted. One thread.
 */
final class WindowFiles {
    private static final Pattern NAME = Pattern.compile("(\\d{8}T\\d{6}Z)(?:-(\\d+))?\\.state");

    private final Path folder;
    private final Path links;
    private final long widthMicros;
    private final long keepMicros;
    private final SeenFiles bytes = new SeenFiles();
    /** SHA-256 of the files that were there at the last look, by name. */
    private Map<String, String> present = new TreeMap<>();

    private final Set<String> gone = new HashSet<>();
    /** SHA-256 of the files that were put, by start of the window. */
    private final Map<Long, String> puts = new HashMap<>();

    /**
     * @param folder folder of the files; need not exist
     * @param links folder for links to all files; on the same disk
     * @param keepMicros time for which files are kept; {@link Long#MAX_VALUE} for ever
     */
    WindowFiles(Path folder, Path links, long widthMicros, long keepMicros) throws IOException {
        this.folder = folder;
        this.links = Files.createDirectories(links);
        this.widthMicros = widthMicros;
        this.keepMicros = keepMicros;
    }

    /** The folder of the files. */
    Path folder() {
        return folder;
    }

    /** Number of files that were there at the last look. */
    int windows() {
        return present.size();
    }

    /** Number of files that were replaced, or that were deleted because the time to keep their windows was over. */
    int gone() {
        return gone.size();
    }

    /** Announces that a window may get this file. */
    void putting(long start, Path file) throws IOException {
        puts.put(start, SeenFiles.sha256(Files.readAllBytes(file)));
    }

    /** Whether a window now has the file that was put. Valid only after {@link #look}. */
    boolean hasPut(long start) {
        String put = puts.get(start);
        return put != null && present.containsValue(put);
    }

    /** The files for which no put was tried, by the start of their windows. */
    SortedMap<Long, Path> replaceable() {
        SortedMap<Long, Path> files = new TreeMap<>();
        for (String name : present.keySet()) {
            long start = start(name);
            if (!puts.containsKey(start)) {
                files.put(start, folder.resolve(name));
            }
        }
        return files;
    }

    /** Names of all entries of the folder, temporary files included. */
    Set<String> names() {
        String[] all = folder.toFile().list();
        return all == null ? Set.of() : Set.of(all);
    }

    /** Looks at all files. The service may be running. */
    void look() throws IOException {
        Map<String, String> now = new TreeMap<>();
        for (String name : names()) {
            if (NAME.matcher(name).matches()) {
                require(!gone.contains(name), folder + "/" + name + " was deleted and is there again");
                try {
                    now.put(name, bytes.look(folder.resolve(name)));
                    link(name);
                } catch (NoSuchFileException e) {
                    // The file was deleted since the names were read. The next look checks whether this was allowed.
                }
            }
        }
        long nowMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        for (String name : now.keySet()) {
            require(
                    number(name) == 1 || now.get(name).equals(puts.get(start(name))),
                    folder + "/" + name + " replaces a window, and was not put");
        }
        for (String name : present.keySet()) {
            if (!now.containsKey(name)) {
                long start = start(name);
                boolean replaced =
                        now.keySet().stream().anyMatch(other -> start(other) == start && number(other) > number(name));
                boolean kept = keepMicros == Long.MAX_VALUE || start + widthMicros + keepMicros > nowMicros;
                require(!kept || replaced, folder + "/" + name + " is gone, and should be kept");
                gone.add(name);
            }
        }
        present = now;
    }

    private void link(String name) throws IOException {
        Path link = links.resolve(name);
        if (!Files.exists(link)) {
            Files.createLink(link, folder.resolve(name));
        }
    }

    /** Links all files that were deleted into their folder again. */
    void bringBack() throws IOException {
        for (String name : gone) {
            Files.createLink(folder.resolve(name), links.resolve(name));
        }
    }

    private static long start(String name) {
        return TimestampText.parse(matcher(name).group(1));
    }

    private static int number(String name) {
        String number = matcher(name).group(2);
        return number == null ? 1 : Integer.parseInt(number);
    }

    private static Matcher matcher(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(name);
        }
        return matcher;
    }
}
