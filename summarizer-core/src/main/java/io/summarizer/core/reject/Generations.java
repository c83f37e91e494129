package io.summarizer.core.reject;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The generations, which are complete files of rejected messages, oldest first for each reason; and the bound on the
 * bytes of all these files. Thread-safe. A thread that needs the lock of this object and the lock of a {@link
 * RejectFile} takes the lock of the {@link RejectFile} first.
 */
final class Generations {
    private static final Pattern NAME = Pattern.compile("([^.]+)\\.(\\d{1,18})\\.(?:frames|log)");
    private static final long UNKNOWN = -1;

    private final Path folder;
    /** Bound on the bytes of all files. Guarded by this. */
    private long bytesMax;

    private final Map<String, Deque<Generation>> byReason = new TreeMap<>();
    private long bytes;
    private long droppedFrames;
    private long diskErrors;

    /**
     * A complete file and its index, or the index alone if somebody took only the file.
     *
     * @param frames number of frames, {@link #UNKNOWN} when another process wrote the file
     */
    private record Generation(long number, long bytes, long frames) {}

    /** Lists {@code folder}, and deletes files beyond the bound. */
    Generations(Path folder, long bytesMax) throws IOException {
        this.folder = folder;
        this.bytesMax = bytesMax;
        Map<String, TreeSet<Long>> numbers = new TreeMap<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, "*.{frames,log}")) {
            for (Path path : paths) {
                Matcher name = NAME.matcher(path.getFileName().toString());
                if (name.matches()) {
                    numbers.computeIfAbsent(name.group(1), reason -> new TreeSet<>())
                            .add(Long.parseLong(name.group(2)));
                }
            }
        }
        for (Map.Entry<String, TreeSet<Long>> found : numbers.entrySet()) {
            Deque<Generation> generations = new ArrayDeque<>();
            for (long number : found.getValue()) {
                Generation present = present(found.getKey(), number, UNKNOWN);
                if (present != null) {
                    generations.addLast(present);
                    bytes += present.bytes();
                }
            }
            byReason.put(found.getKey(), generations);
        }
        enforce(0);
    }

    /** Number of the next generation of {@code reason}, which no file has. */
    synchronized long next(String reason) {
        long number = last(reason) + 1;
        while (Files.exists(frames(reason, number)) || Files.exists(log(reason, number))) {
            number++; // somebody moved one of two files away
        }
        return number;
    }

    private long last(String reason) {
        Deque<Generation> generations = byReason.get(reason);
        return generations == null || generations.isEmpty()
                ? 0
                : generations.getLast().number();
    }

    Path frames(String reason, long number) {
        return folder.resolve(reason + "." + number + ".frames");
    }

    Path log(String reason, long number) {
        return folder.resolve(reason + "." + number + ".log");
    }

    /** Adds a full file, and deletes other files until all files together are within the bound. */
    synchronized void add(String reason, long number, long bytes, long frames) {
        byReason.computeIfAbsent(reason, key -> new ArrayDeque<>()).addLast(new Generation(number, bytes, frames));
        this.bytes += bytes;
        enforce(0);
    }

    /** Moves the index {@code log} to the last generation of {@code reason}, unless this generation has an index. */
    synchronized void completeLast(String reason, Path log) throws IOException {
        long number = last(reason);
        Deque<Generation> generations = byReason.get(reason);
        if (generations != null
                && Files.exists(log)
                && Files.exists(frames(reason, number))
                && !Files.exists(log(reason, number))) {
            Files.move(log, log(reason, number));
            Generation last = generations.removeLast();
            long size = sizeOf(frames(reason, number)) + sizeOf(log(reason, number));
            bytes += size - last.bytes();
            generations.addLast(new Generation(number, size, last.frames()));
            enforce(0);
        }
    }

    /** Sets the bound, and deletes files beyond it. */
    synchronized void bound(long bytesMax) {
        this.bytesMax = bytesMax;
        enforce(0);
    }

    /** Bytes of all files that are still there. Cost: a system call for each file. */
    synchronized long bytes() {
        forgetMoved();
        return bytes;
    }

    synchronized long droppedFrames() {
        return droppedFrames;
    }

    synchronized long diskErrors() {
        return diskErrors;
    }

    /** Deletes files until there is room for this many bytes. Returns false when they are more than the bound. */
    synchronized boolean makeRoom(long room) {
        boolean fits = room <= bytesMax;
        if (fits) {
            enforce(room);
        }
        return fits;
    }

    private void enforce(long room) {
        if (bytes + room > bytesMax) {
            forgetMoved();
        }
        while (bytes + room > bytesMax) {
            String reason = null;
            Deque<Generation> largest = null;
            long most = -1;
            for (Map.Entry<String, Deque<Generation>> entry : byReason.entrySet()) {
                long sum =
                        entry.getValue().stream().mapToLong(Generation::bytes).sum();
                if (!entry.getValue().isEmpty() && sum > most) {
                    most = sum;
                    reason = entry.getKey();
                    largest = entry.getValue();
                }
            }
            if (reason == null || largest == null) {
                return;
            }
            drop(reason, largest.removeFirst());
        }
    }

    /**
     * Forgets files that somebody moved away or deleted. Otherwise, their bytes would displace other files. An index
     * that was left counts on.
     */
    private void forgetMoved() {
        byReason.forEach((reason, generations) -> {
            for (int left = generations.size(); left > 0; left--) {
                Generation before = generations.removeFirst();
                Generation present = before;
                if (Files.notExists(frames(reason, before.number()))) {
                    try {
                        present = present(reason, before.number(), 0);
                    } catch (IOException e) {
                        diskErrors++;
                    }
                }
                bytes -= before.bytes();
                if (present != null) {
                    generations.addLast(present);
                    bytes += present.bytes();
                }
            }
        });
    }

    /** The present state of a generation; null when neither its file nor its index is there. */
    private @Nullable Generation present(String reason, long number, long frames) throws IOException {
        boolean hasFrames = Files.exists(frames(reason, number));
        Path log = log(reason, number);
        return hasFrames || Files.exists(log)
                ? new Generation(number, sizeOf(frames(reason, number)) + sizeOf(log), hasFrames ? frames : 0)
                : null;
    }

    private void drop(String reason, Generation generation) {
        bytes -= generation.bytes();
        Path frames = frames(reason, generation.number());
        try {
            droppedFrames +=
                    generation.frames() == UNKNOWN ? FrameFile.sound(frames).frames() : generation.frames();
            Files.deleteIfExists(frames);
            Files.deleteIfExists(log(reason, generation.number()));
        } catch (IOException e) {
            diskErrors++;
        }
    }

    private static long sizeOf(Path path) throws IOException {
        return Files.exists(path) ? Files.size(path) : 0;
    }
}
