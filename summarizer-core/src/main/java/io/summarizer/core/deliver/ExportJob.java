package io.summarizer.core.deliver;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.summarizer.core.bytes.Sha256;
import io.summarizer.core.deliver.DeliveryMarks.Mark;
import io.summarizer.core.deliver.ExportFile.Origin;
import io.summarizer.core.deliver.ExportFile.Window;
import io.summarizer.core.deliver.ExportFile.Written;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.disk.RepeatedFailures;
import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.CsvExport;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.ExportMemory;
import io.summarizer.core.pipeline.ClosedFiles;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.text.TimestampText;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The deliveries of one export: due deliveries, and completed deliveries.
 *
 * <p>A delivery has three steps: it writes the file, the manifest, and a durable mark. A process that dies between two
 * steps leaves no mark. The next process then repeats all three steps, under the same name. When an export is new,
 * windows that are already closed get marks without files.
 *
 * <p>One thread calls {@link #begin} and {@link #step}; any thread reads the counts.
 */
public final class ExportJob {
    private static final Logger LOG = System.getLogger(ExportJob.class.getName());

    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);
    /**
     * Number of marks of an export by time. The last mark alone says what is due. The earlier marks are needed only
     * when the clock is set back: a file whose mark is left is not made again.
     */
    private static final int TIMED_MARKS = 1_000;

    private static final int ZSTD_LEVEL = 3;

    private final Export export;
    private final ExportSource source;
    private final ExportTargets targets;
    private final CsvCompiler compiler;
    private final ExportMemory sorting;
    private final ExportMemory groups;
    private final BooleanSupplier stopping;
    private final String id;
    private final DeliveryMarks marks;
    private final RepeatedFailures failures;

    /** The deliveries that are due and not made. */
    private final TreeMap<Long, Mark> due = new TreeMap<>();

    private long seenVersion = Long.MIN_VALUE;
    /** The last delivery that was tried. After its failure, later deliveries are tried first. */
    private long triedLast = Long.MIN_VALUE;

    private long pauseNanos;
    private long retryAt;
    private boolean waits;

    private final AtomicLong made = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile int pending;
    private volatile double lastSeconds;

    /** The means that all exports share. */
    record Means(
            ExportSource source,
            ExportTargets targets,
            CsvCompiler compiler,
            ExportMemory sorting,
            ExportMemory groups,
            BooleanSupplier stopping) {}

    /** Thrown when the service stops while a file is written. */
    private static final class StoppingException extends IOException {
        private static final long serialVersionUID = 1;

        StoppingException() {
            super("the service is stopping");
        }
    }

    private ExportJob(Export export, Means means, String id, DeliveryMarks marks) {
        this.export = export;
        source = means.source;
        targets = means.targets;
        compiler = means.compiler;
        sorting = means.sorting;
        groups = means.groups;
        stopping = means.stopping;
        this.id = id;
        this.marks = marks;
        failures = new RepeatedFailures(LOG, export.toString());
    }

    /** Reads the marks of an export. */
    static ExportJob open(Export export, Means means, Disk marks) throws IOException {
        String id = id(export);
        return new ExportJob(export, means, id, DeliveryMarks.open(marks, id));
    }

    /** The name of this export. Exports of the same table to the same files have the same name in all processes. */
    private static String id(Export export) {
        byte[] hash = Sha256.of(export.table().path() + '\n' + export.to());
        String table = FilePattern.encoded(export.table().summary());
        return table.substring(0, Math.min(60, table.length())) + "-"
                + HexFormat.of().formatHex(hash, 0, 8);
    }

    /** The export. */
    public Export export() {
        return export;
    }

    /** Files delivered since the start. */
    public long made() {
        return made.get();
    }

    /** Deliveries that are due. */
    public long pending() {
        return pending;
    }

    /** Attempts that failed since the start. */
    public long failures() {
        return failures.count();
    }

    /** Number of deliveries, since the start, that can no longer be made. */
    public long lost() {
        return lost.get();
    }

    /** Time of the last delivery in seconds since the epoch; 0 if there was none since the start. */
    public double lastSeconds() {
        return lastSeconds;
    }

    /**
     * Finds the deliveries that an earlier process left. If no earlier process had this export, the export is new. A
     * new export delivers no window that is already closed, and no file whose time has passed.
     */
    void begin(long now) throws IOException {
        try {
            var unused = targets.folder(export.to().base());
        } catch (IOException e) {
            LOG.log(Level.WARNING, export + " waits for its folder: " + DiskErrors.describe(e));
        }
        look(now);
        if (marks.isNew()) {
            if (export.schedule().isClose()) {
                LOG.log(Level.INFO, export + " is new; windows that are closed get no file: " + due.size());
            }
            marks.add(due.values());
            marks.force();
            due.clear();
            pending = 0;
        } else if (!due.isEmpty()) {
            LOG.log(Level.INFO, export + " goes on; files that are due: " + due.size());
        }
    }

    /**
     * Looks for due deliveries and makes one of them. Does nothing during the pause after a failure.
     *
     * @param clock time of a clock that never goes back, in ns
     * @param now time in µs since the epoch
     * @return whether the next delivery can be made now
     */
    boolean step(long clock, long now) throws InterruptedException {
        try {
            look(now);
            if ((waits && clock - retryAt < 0) || (due.isEmpty() && marks.areDurable())) {
                return false;
            }
            marks.force();
            if (!due.isEmpty()) {
                Map.Entry<Long, Mark> after = due.higherEntry(triedLast);
                Mark next = (after == null ? due.firstEntry() : after).getValue();
                triedLast = next.time();
                if (!deliver(next)) {
                    return true;
                }
                due.remove(next.time());
                made.incrementAndGet();
                lastSeconds = now / 1e6;
                if (!export.schedule().isClose()) {
                    marks.trim(TIMED_MARKS);
                }
                marks.add(next);
            }
            if (due.isEmpty()) {
                failures.succeed(); // the file that could not be written is there, too
            }
            pauseNanos = 0;
            waits = false;
        } catch (StoppingException e) {
            return false;
        } catch (IOException | CsvQueryException | RuntimeException e) {
            pauseNanos = Math.min(PAUSE_MAX.toNanos(), Math.max(PAUSE_MIN.toNanos(), 2 * pauseNanos));
            retryAt = clock + pauseNanos;
            waits = true;
            failures.fail(e);
        } finally {
            pending = due.size();
        }
        return !due.isEmpty() && !waits;
    }

    private void look(long now) {
        if (export.schedule().isClose()) {
            lookForWindows();
        } else {
            lookForTime(now);
        }
        pending = due.size();
    }

    private void lookForTime(long now) {
        long time = export.schedule().due(now);
        Mark last = marks.last();
        if (last != null && last.time() > time + export.schedule().period()) {
            String latest = TimestampText.toString(last.time());
            LOG.log(
                    Level.WARNING,
                    () -> export + " has a file of " + latest + ", so the clock was set back; files go on from now");
            marks.retain(Set.of(time));
            due.keySet().removeIf(later -> later > time);
            last = marks.last();
        }
        if ((last == null || last.time() < time) && !due.containsKey(time)) {
            due.keySet().forEach(this::lose);
            due.clear();
            due.put(time, new Mark(time, 0, 0));
            waits = false;
        }
    }

    private void lookForWindows() {
        long version = source.files().version();
        if (version == seenVersion) {
            return;
        }
        seenVersion = version;
        Map<Long, Mark> closed = new HashMap<>();
        try (Windows windows = windows()) {
            windows.files.forEach(file -> closed.put(file.start(), mark(file)));
        }
        due.keySet().stream().filter(start -> !closed.containsKey(start)).forEach(this::lose);
        due.keySet().retainAll(closed.keySet());
        // A process that starts after a kill may find files that were to be deleted. It must not deliver them again.
        Set<Long> onDisk = new HashSet<>(source.files().condemned(layout().overflowOf()));
        onDisk.addAll(closed.keySet());
        marks.retain(onDisk);
        closed.forEach((start, mark) -> {
            if (!marks.has(mark) && !mark.equals(due.put(start, mark))) {
                waits = false;
            }
        });
    }

    private static Mark mark(ClosedWindow file) {
        return new Mark(file.start(), file.number(), file.cut());
    }

    private void lose(long time) {
        lost.incrementAndGet();
        LOG.log(
                Level.WARNING,
                export + " lost the file of " + TimestampText.toString(time)
                        + (export.schedule().isClose()
                                ? ": keep has deleted the window"
                                : ": the next file is due before it could be written"));
    }

    /** Files of closed windows. No file is deleted before this object is closed. */
    private record Windows(List<ClosedWindow> files, Runnable release) implements AutoCloseable {
        @Override
        public void close() {
            release.run();
        }
    }

    /**
     * The windows that this export delivers. A window whose overflow has no rows any more, because the window was
     * replaced, has an empty file in place of the file that was delivered before.
     */
    private Windows windows() {
        SummaryLayout layout = layout();
        ClosedFiles.Held held = source.files().hold(layout.overflowOf());
        if (!layout.isKeyless()) {
            return new Windows(held.files(), held.release());
        }
        Map<Long, ClosedWindow> files = new TreeMap<>();
        held.files().stream()
                .filter(file -> marks.has(file.start()) || due.containsKey(file.start()))
                .forEach(file -> files.put(file.start(), file));
        held.overflow().forEach(file -> files.put(file.start(), file));
        return new Windows(List.copyOf(files.values()), held.release());
    }

    private SummaryLayout layout() {
        return source.layouts().stream()
                .filter(layout -> layout.name().equals(export.table().summary()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "there is no summary " + export.table().summary()));
    }

    /** Makes a delivery. Returns false when the window's file was replaced or removed in the meantime. */
    private boolean deliver(Mark next) throws IOException, CsvQueryException, InterruptedException {
        if (!export.schedule().isClose()) {
            Cut cut = source.cut();
            try {
                table(next.time(), cut);
            } finally {
                cut.release();
            }
            return true;
        }
        try (Windows windows = windows()) {
            for (ClosedWindow file : windows.files) {
                if (mark(file).equals(next)) {
                    window(file);
                    return true;
                }
            }
        }
        seenVersion = Long.MIN_VALUE;
        return false;
    }

    private void window(ClosedWindow file) throws IOException, CsvQueryException, InterruptedException {
        SummaryLayout layout = layout();
        List<ClosedWindow> files = layout.name().equals(file.layout().name()) ? List.of(file) : List.of();
        SummaryView view = new SummaryView(layout, List.of(), 0, new ClosedWindows(file.end(), files));
        Origin origin = new Origin(export.table().path(), file.cut(), new Window(file.start(), file.end()));
        CsvExporter rows = exporter(view);
        write(file.start(), origin, out -> {
            if (export.format() == Export.Format.STATE) {
                file.copyTo(out);
                return new Written(rows.columns(), files.isEmpty() ? 0 : file.rows());
            }
            return write(rows, out);
        });
    }

    private void table(long time, Cut cut) throws IOException, CsvQueryException, InterruptedException {
        List<SummaryView> views = cut.summaries().stream()
                .filter(each -> each.layout().overflowOf().equals(export.table().summary()))
                .toList();
        SummaryView view = cut.summary(export.table().summary()).orElseThrow();
        Origin origin = new Origin(export.table().path(), cut.id(), null);
        CsvExporter rows = exporter(view);
        write(time, origin, out -> {
            if (export.format() == Export.Format.STATE) {
                var unused = StateWriter.write(new Cut(cut.id(), cut.takenAtMicros(), views), out, 1);
                return new Written(rows.columns(), view.rows(List.of()));
            }
            return write(rows, out);
        });
    }

    private CsvExporter exporter(SummaryView view) throws CsvQueryException {
        return CsvExporter.of(view, export.table().fields(), export.query(view.layout()), compiler, sorting, groups);
    }

    private void write(long time, Origin origin, ExportFile.Content content)
            throws IOException, CsvQueryException, InterruptedException {
        FilePattern.File file = export.to().file(export.table().path(), time, origin.cut());
        Disk folder = targets.folder(export.to().base());
        for (String name : file.folders()) {
            folder = folder.folder(name);
        }
        ExportFile.write(folder, file.name(), "." + id + ".tmp", origin, out -> content.writeTo(stopped(out)));
    }

    /** A stream that throws when the service stops. */
    private OutputStream stopped(OutputStream out) {
        return new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (stopping.getAsBoolean()) {
                    throw new StoppingException();
                }
                out.write(bytes, offset, length);
            }
        };
    }

    private Written write(CsvExporter exporter, OutputStream out) throws IOException, CsvQueryException {
        try (OutputStream packed = export.format() == Export.Format.CSV_ZST
                        ? new ZstdOutputStreamNoFinalizer(out, ZSTD_LEVEL)
                        : out;
                CsvExport rows = exporter.start(packed::write)) {
            if (!rows.step(stopping)) {
                throw new StoppingException();
            }
            return new Written(exporter.columns(), rows.rows());
        }
    }
}
