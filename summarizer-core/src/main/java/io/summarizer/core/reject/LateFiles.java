package io.summarizer.core.reject;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.disk.OwnerOnly;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.text.TimestampText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps late messages on disk: messages with events of closed windows. For each summary, {@code NAME.frames} has the
 * frames and {@code NAME.log} the index, in the formats of {@link RejectLog}. There are two differences in a line of
 * the index. In place of the error, the line has the start of the closed window. The time in the line is the arrival
 * stamp of the message in µs; it identifies the message. A message with events of several closed windows has one frame
 * and one line for each window.
 *
 * <p>When all files together reach the bound, the summary that has the most bytes loses its oldest file. Messages that
 * cannot be kept within the bound, or that cannot be written, are counted as lost. So are messages of further summaries
 * when as many files are being written as the bound allows. Thread-safe. {@link RejectLog} flushes, forces and closes
 * the files.
 */
public final class LateFiles {
    /** Default of the bound on all files together. */
    public static final long DEFAULT_BYTES_MAX = 64L << 20;
    /** Smallest bound on all files together. */
    public static final long BYTES_MAX_MIN = 1L << 20;

    /** Maximum number of files being written. Their buffers take 24 KiB each. */
    private static final int FILES_MAX = 1024;

    /** Smallest number of shares. */
    private static final int SHARES_MIN = 32;

    /** Smallest size of a share. With smaller shares, nearly each message would be a file of its own. */
    private static final int SHARE_BYTES_MIN = 16 * 1024;

    /** Number of recent messages that are remembered, a power of two. */
    private static final int RECENT = 1 << 16;

    /**
     * Maximum number of messages of an earlier process that are remembered, so that a replay recognizes these messages.
     * At this maximum, the hashes of the messages take about 50 MB of heap.
     */
    private static final int BEFORE_MAX = 1_000_000;

    private static final Pattern CURRENT = Pattern.compile("([^.]+)\\.frames");
    /** A line of the index is {@code {"time":"TIME",...,"window":"TIME"}}. */
    private static final String TIME = "{\"time\":\"";

    private static final String WINDOW = ",\"window\":\"";
    private static final String END = "\"}";

    private final Path folder;
    private final UnaryOperator<String> fileNames;
    private final long bytesMax;
    private final Generations generations;
    private final Map<String, RejectFile> bySummary = new ConcurrentHashMap<>();
    /** The files being written, by name without ending. Only {@link #open} changes the map. */
    private final Map<String, RejectFile> byName = new ConcurrentHashMap<>();

    /**
     * Number of equal shares of the bound. A file being written has at most one share, and full files have at least
     * half of all shares. Guarded by this.
     */
    private int shares = SHARES_MIN;

    private final AtomicLong refused = new AtomicLong();

    /**
     * Hashes of the messages that an earlier process kept; null after the replay. A replay does not keep these messages
     * again.
     */
    private volatile @Nullable Set<Long> before;

    /**
     * Hashes of the messages that were written last. A message with several updates for a window comes several times
     * within a short time, but should be written once. Its hash shows that the message is written already, until
     * another hash takes the same place.
     */
    private final AtomicLongArray recent = new AtomicLongArray(RECENT);

    /**
     * Opens the files of an earlier process.
     *
     * @param folder the folder, which need not exist
     * @param bytesMax bound on all files together, in bytes, at least {@link #BYTES_MAX_MIN}
     * @param fileNames the file name of a summary, without ending and without dots
     * @param replays whether messages that an earlier process kept may come again before {@link #replayed} is called
     */
    public LateFiles(Path folder, long bytesMax, UnaryOperator<String> fileNames, boolean replays) throws IOException {
        this(folder, bytesMax, fileNames, replays ? BEFORE_MAX : 0);
    }

    /**
     * Opens the files of an earlier process.
     *
     * @param beforeMax number of messages that this process recognizes when they come again
     */
    LateFiles(Path folder, long bytesMax, UnaryOperator<String> fileNames, int beforeMax) throws IOException {
        if (bytesMax < BYTES_MAX_MIN) {
            throw new IllegalArgumentException("bytesMax must be at least " + BYTES_MAX_MIN + ", was " + bytesMax);
        }
        this.folder = folder;
        this.fileNames = fileNames;
        this.bytesMax = bytesMax;
        OwnerOnly.createDirectories(folder);
        generations = new Generations(folder, bytesMax);
        List<String> current = names().stream()
                .map(CURRENT::matcher)
                .filter(Matcher::matches)
                .map(name -> name.group(1))
                .toList();
        share(current.size()); // at once, because a smaller bound for full files in between would delete some
        for (String name : current) {
            var unused = open(name); // cuts off what a loss of power left unfinished
        }
        before = newest(beforeMax);
    }

    /** Hashes of the newest kept messages. A replay brings only messages that came after the last checkpoint. */
    private Set<Long> newest(int max) throws IOException {
        if (max == 0) {
            return Set.of();
        }
        Map<Path, FileTime> logs = new HashMap<>();
        for (String name : names()) {
            if (name.endsWith(".log")) {
                Path log = folder.resolve(name);
                try {
                    logs.put(log, Files.getLastModifiedTime(log));
                } catch (NoSuchFileException e) {
                    // Somebody moved the file away since it was listed.
                }
            }
        }
        List<Path> newestFirst = logs.entrySet().stream()
                .sorted(Map.Entry.<Path, FileTime>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
        Set<Long> kept = new HashSet<>();
        for (Path log : newestFirst) {
            String name = String.valueOf(log.getFileName());
            kept.addAll(last(max - kept.size(), log, name.substring(0, name.indexOf('.'))));
        }
        return kept;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** Makes the shares so small that this many files have half of them. Returns whether they can be so small. */
    private boolean share(int files) {
        while (2 * files > shares) {
            if (shares == 2 * FILES_MAX || bytesMax / shares < 2 * SHARE_BYTES_MIN) {
                return false;
            }
            shares *= 2;
            byName.values().forEach(file -> file.limit(bytesMax / shares));
        }
        return true;
    }

    /** Hashes of the last messages of an index, at most {@code max}. */
    private static Collection<Long> last(int max, Path log, String name) throws IOException {
        Deque<Long> last = new ArrayDeque<>();
        if (max == 0) {
            return last;
        }
        try (InputStream in = Files.newInputStream(log);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            in.skipNBytes(Math.max(0, Files.size(log) - (long) max * RejectIndex.LINE_BYTES_MAX));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int timeEnd = line.indexOf('"', TIME.length());
                int window = line.lastIndexOf(WINDOW) + WINDOW.length();
                if (line.startsWith(TIME) && line.endsWith(END) && window > timeEnd && timeEnd > 0) {
                    if (last.size() == max) {
                        last.removeFirst();
                    }
                    last.addLast(mixed(
                            name,
                            TimestampText.parse(line.substring(TIME.length(), timeEnd)),
                            TimestampText.parse(line.substring(window, line.length() - END.length()))));
                }
            }
        } catch (NoSuchFileException e) {
            // Somebody moved the file away since it was listed.
        }
        return last;
    }

    /** A hash of 64 bits of a kept message. */
    private static long mixed(String name, long stamp, long window) {
        // The first word is only combined with the seed, so neither of the two times may be the seed.
        long hash = Bytes.hashWord(Bytes.hashWord(Bytes.hashStart(0, 3 * Long.BYTES), window), stamp);
        return Bytes.hashEnd(Bytes.hashWord(hash, name.hashCode()));
    }

    private synchronized @Nullable RejectFile open(String name) {
        RejectFile present = byName.get(name);
        int files = byName.size() + 1;
        if (present != null || !share(files)) {
            return present;
        }
        try {
            RejectFile opened = new RejectFile(folder, name, bytesMax / shares, generations);
            byName.put(name, opened);
            generations.bound(bytesMax - files * (bytesMax / shares));
            return opened;
        } catch (IOException e) {
            return null;
        }
    }

    /** Keeps a message; see {@link RejectSink#late}. */
    void keep(String summary, long window, IMessage message) {
        RejectFile file = bySummary.get(summary);
        if (file == null) {
            file = open(fileNames.apply(summary));
            if (file == null) {
                refused.incrementAndGet();
                return;
            }
            bySummary.put(summary, file);
        }
        Set<Long> before = this.before;
        long mixed = mixed(file.name(), message.arrivalStamp(), window);
        if (recent.getAndSet((int) mixed & (RECENT - 1), mixed) != mixed
                && (before == null || !before.contains(mixed))) {
            file.append(message, "window", TimestampText.toString(window));
        }
    }

    /** Ends the time during which messages of an earlier process may come again. */
    public void replayed() {
        before = null;
    }

    /** The files being written. */
    Collection<RejectFile> files() {
        return byName.values();
    }

    /** Number of messages that were kept by this process. */
    public long kept() {
        return files().stream().mapToLong(RejectFile::kept).sum();
    }

    /** Number of messages that were kept and later deleted, because the files had reached their bound. */
    public long dropped() {
        return generations.droppedFrames();
    }

    /** Number of messages that could not be kept. */
    public long lost() {
        return refused.get() + files().stream().mapToLong(RejectFile::lost).sum();
    }

    /** Bytes of all files, buffers included. */
    public long bytesUsed() {
        return generations.bytes()
                + files().stream().mapToLong(RejectFile::bytes).sum();
    }

    /** Writes out the buffers and closes the files. */
    void close() {
        files().forEach(RejectFile::close);
    }
}
