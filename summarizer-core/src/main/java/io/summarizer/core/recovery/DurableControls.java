package io.summarizer.core.recovery;

import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Control.Kind;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalWriter;
import io.summarizer.core.journal.JournalWriter.State;
import io.summarizer.core.journal.WindowBoundaries;
import io.summarizer.core.journal.WindowClose;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineTopics;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.ReloadRefusedException;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import io.summarizer.core.time.Windows;
import io.summarizer.core.window.Backlog;
import io.summarizer.core.window.WatermarkPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reloads, the resets and the checkpoints of a pipeline whose state outlives the process. A control is in the
 * journal before it is acknowledged, and each checkpoint names the controls that it covers.
 *
 * <p>A control first changes the rows; this step determines the positions of the control in the journal. Then the
 * control is journalled. A process that dies between these two steps has not acknowledged the control, and the next
 * process begins without the control. If there is no journal, or if the journal takes nothing, a control is
 * acknowledged when all kept checkpoints cover the control. If it is unknown whether the journal has a control, no more
 * checkpoints are written, and the process should end ({@link #failure}). The next process then performs the control
 * only if the journal has it.
 *
 * <p>Any thread that may block. Reloads, resets and the cuts of checkpoints take turns.
 *
 * <p>This class has more than 500 lines, because all controls share one order: rows, then journal, then checkpoints.
 */
public final class DurableControls implements WindowCloser.Controls {
    private static final Logger LOG = System.getLogger(DurableControls.class.getName());
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Pipeline pipeline;
    private final Checkpoints checkpoints;
    private final @Nullable Journal journal;
    private final @Nullable JournalWriter writer;
    private final Retention retention;
    private final Runnable besides;
    private final Runnable checkpointWanted;
    private final KafkaOffsets offsets;
    private final boolean isFirst;
    private final PipelineTopics topicsBefore;

    /** Held during a change, so that each checkpoint comes either before or after the change. */
    private final ReentrantLock order = new ReentrantLock();
    /** Signals a change of the fields that {@link #order} guards. */
    private final Condition changed = order.newCondition();
    /** Held while a checkpoint is written, because only one checkpoint is written at a time. */
    private final ReentrantLock writing = new ReentrantLock();

    /** Name of the definitions in force. This field and the next three fields are guarded by {@link #order}. */
    private String definitions;

    private long controls;
    /** Names of definitions in controls, by the number of the control. */
    private final TreeMap<Long, String> named = new TreeMap<>();

    /** Number of checkpoints that have to be written before the last control is durable. */
    private int pending;
    /** Completes, under {@link #order}, when nothing becomes durable any more; see {@link #failure}. */
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    /** Whether changes are refused. */
    private volatile boolean stopping;

    /** The version of the rows when the last checkpoint was taken. Guarded by {@link #writing}. */
    private long writtenVersion = -1;
    /** Message of the last failure to release definitions; empty when there was none. Guarded by {@link #writing}. */
    private String untidy = "";

    private volatile Written last;

    /** Keeps definitions, so that they outlive the process. */
    @FunctionalInterface
    public interface Keeping {
        /** Keeps definitions; returns the name by which they can be found from now on. */
        String keep() throws IOException;
    }

    /** Releases definitions. */
    @FunctionalInterface
    public interface Retention {
        /**
         * Releases all definitions except the definitions with these names. Not called while definitions are being
         * kept.
         */
        void retain(Set<String> names) throws IOException;
    }

    /**
     * A checkpoint that was written.
     *
     * @param takenAtMicros time of the checkpoint's cut, in µs since the epoch
     * @param bytes size of the checkpoint; 0 if another process wrote it
     * @param nanos time taken to write the checkpoint and to read it back; 0 if another process wrote the checkpoint
     * @param number number of checkpoints that this process wrote, including this one
     */
    public record Written(long takenAtMicros, long bytes, long nanos, long number) {}

    /**
     * Controls of a recovered pipeline.
     *
     * @param journal the journal; null when there is none
     * @param writer the writer that appends to the journal; null when there is none
     * @param recovered the recovery of the pipeline
     * @param retention releases definitions that are no longer needed
     * @param besides a task that makes the bytes of rejected messages durable. The task runs before a checkpoint is
     *     written, because the next start does not read the messages of this checkpoint from the journal again
     * @param checkpointWanted requests a checkpoint, as {@link Checkpointer#request} does; must not write the
     *     checkpoint
     */
    public DurableControls(
            PipelineRecovery recovered,
            Checkpoints checkpoints,
            @Nullable Journal journal,
            @Nullable JournalWriter writer,
            Retention retention,
            Runnable besides,
            Runnable checkpointWanted) {
        pipeline = recovered.pipeline();
        this.checkpoints = checkpoints;
        this.journal = journal;
        this.writer = writer;
        this.retention = retention;
        this.besides = besides;
        this.checkpointWanted = checkpointWanted;
        definitions = recovered.definitions();
        controls = recovered.controls();
        offsets = recovered.offsets();
        isFirst = recovered.isFirst();
        topicsBefore = recovered.topics();
        named.putAll(recovered.named());
        last = new Written(recovered.takenAtMicros(), 0, 0, 0);
    }

    /** The pipeline. Reloads and resets that a caller makes directly on the pipeline are not durable. */
    public Pipeline pipeline() {
        return pipeline;
    }

    /** Name of the definitions in force. */
    public String definitions() {
        order.lock();
        try {
            return definitions;
        } finally {
            order.unlock();
        }
    }

    /**
     * The last checkpoint. Until this process writes a checkpoint, the result has the time of the recovered checkpoint,
     * and all other values are 0. If there is no recovered checkpoint, the time is 0, too.
     */
    public Written last() {
        return last;
    }

    /**
     * A future that completes when nothing becomes durable any more, because a control changed rows and may be missing
     * in the journal. The process should then end.
     */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    /**
     * Refuses changes, such as reloads and resets, from now on, and waits for the change in progress. If the change in
     * progress has taken effect and waits for checkpoints, this method ends the wait with an exception. So the stop
     * need not wait for the last checkpoint. The caller of the change gets no acknowledgement, although the next
     * checkpoint includes the change.
     *
     * @param limit longest wait
     * @return false when a change is still in progress
     */
    public boolean stopChanges(Duration limit) throws InterruptedException {
        stopping = true;
        if (!order.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        try {
            changed.signalAll();
            while (pending > 0) {
                changed.await();
            }
            return true;
        } finally {
            order.unlock();
        }
    }

    /**
     * Performs {@link Pipeline#reload}; the reload is durable when this method returns.
     *
     * @param keeping keeps the definitions of {@code next}
     * @throws IOException when the journal cannot be written, or when the process is stopping. If the failure happened
     *     before the reload, nothing has changed. Otherwise the next process may begin with the new definitions or with
     *     the old ones
     */
    public Pipeline.Reload reload(Plan next, Keeping keeping)
            throws ReloadRefusedException, InterruptedException, IOException {
        order.lockInterruptibly();
        try {
            awaitTurn();
            String name = keeping.keep();
            Pipeline.Reload reload = pipeline.reload(next);
            definitions = name;
            long number = controls;
            WindowBoundaries closed = reload.closed().isEmpty() ? null : new WindowBoundaries(reload.closed());
            makeDurable(new Control(Kind.DEFINITIONS, name, reload.positions(), closed));
            named.put(number, name);
            return reload;
        } finally {
            order.unlock();
        }
    }

    /**
     * Performs {@link Pipeline#reset}; the reset is durable when this method returns.
     *
     * @throws IOException in the same cases as {@link #reload}
     */
    public Optional<Cut> reset(String summary) throws InterruptedException, IOException {
        order.lockInterruptibly();
        try {
            awaitTurn();
            Optional<Cut> cut = pipeline.reset(summary);
            if (cut.isPresent()) {
                try {
                    makeDurable(new Control(Kind.RESET, summary, cut.get().positions()));
                } catch (IOException | InterruptedException | RuntimeException e) {
                    cut.get().release();
                    throw e;
                }
                LOG.log(
                        Level.INFO,
                        () -> summary + " was emptied at cut " + cut.get().id());
            }
            return cut;
        } finally {
            order.unlock();
        }
    }

    /**
     * Performs {@link Pipeline#closeWindows}; the close is durable when this method returns.
     *
     * @return whether windows were closed
     * @throws IOException in the same cases as {@link #reload}
     */
    @Override
    public boolean closeWindows(String summary, long before) throws InterruptedException, IOException {
        order.lockInterruptibly();
        try {
            awaitTurn();
            Optional<Pipeline.Closed> closed = pipeline.closeWindows(summary, before);
            if (closed.isPresent()) {
                makeDurable(control(summary, before, closed.get()));
            }
            return closed.isPresent();
        } finally {
            order.unlock();
        }
    }

    /** The two steps that make a file a closed window. No other control takes effect between them. */
    public interface Put {
        /** Checks the file, and makes it durable under another name. */
        WindowPut prepare() throws IOException;

        /** Gives the prepared file its name. */
        ClosedWindow rename(WindowPut prepared) throws IOException;
    }

    /**
     * Puts a window's file in place: prepares the file, appends a control to the journal, and then gives the file its
     * name. No checkpoint covers the control before the file has its name. Therefore, if the process dies between the
     * last two steps, the next process performs the control. If the journal certainly does not have the control, the
     * file gets its name nevertheless. This makes the change durable, because a file with its name is a closed window.
     *
     * @throws IOException in the same cases as {@link #reload}, and when the file cannot be prepared or renamed
     */
    @Override
    public ClosedWindow put(String summary, Put put) throws InterruptedException, IOException {
        order.lockInterruptibly();
        try {
            awaitTurn();
            WindowPut prepared = put.prepare();
            Cut cut = pipeline.cut();
            cut.release();
            var unused = journal(new Control(Kind.PUT, summary, cut.positions(), prepared));
            return put.rename(prepared);
        } finally {
            order.unlock();
        }
    }

    private static Control control(String summary, long before, Pipeline.Closed closed) {
        Windows windows = closed.window().windows();
        List<WindowClose.Span> spans = closed.starts().stream()
                .map(start -> new WindowClose.Span(start, windows.end(start)))
                .toList();
        return new Control(
                Kind.CLOSE, summary, closed.positions(), new WindowClose(closed.boundaryBefore(), before, spans));
    }

    /**
     * Makes a control durable after it has taken effect. Appends the control to the journal. If there is no journal, or
     * if the journal is full or its disk fails, waits until all kept checkpoints cover the control. No other control
     * takes effect during this wait.
     */
    private void makeDurable(Control control) throws IOException, InterruptedException {
        boolean known = false;
        try {
            if (!journal(control)) {
                awaitCheckpoints(control);
            }
            known = true;
        } catch (StoppingException e) {
            known = true;
            throw e;
        } finally {
            if (!known) {
                failure.complete(new IOException(
                        "the rows have a change that the journal may lack: " + control.kind() + " " + control.name()));
            }
        }
    }

    /**
     * Appends a control; returns false when the control is certainly not in the journal.
     *
     * @throws IOException when it is unknown whether the journal has the control
     */
    private boolean journal(Control control) throws IOException, InterruptedException {
        JournalWriter writer = this.writer;
        if (writer == null) {
            return false;
        }
        try {
            controls = writer.append(control) + 1;
            return true;
        } catch (IOException e) {
            if (writer.state() == State.CLOSED || writer.state() == State.DEAD) {
                throw e;
            }
            LOG.log(
                    Level.WARNING,
                    "a change cannot be journalled, and becomes durable without the journal: " + e.getMessage());
            return false;
        }
    }

    /** Thrown when the process ends before a control is durable. */
    private static final class StoppingException extends IOException {
        private static final long serialVersionUID = 1;

        StoppingException(Control control) {
            super(switch (control.kind()) {
                        case RESET -> control.name() + " was emptied, and its rows can no longer be pulled: ";
                        case CLOSE -> "windows of " + control.name() + " were closed: ";
                        case PUT -> "a window was put into " + control.name() + ": ";
                        case DEFINITIONS, PIPELINES -> "the definitions were changed: ";
                    }
                    + "the service is stopping; its last checkpoint will have this change, if it can be written");
        }
    }

    /**
     * Waits for the checkpoints that cover a control. The wait releases {@link #order}, so that the cuts of these
     * checkpoints can be taken meanwhile.
     */
    private void awaitCheckpoints(Control control) throws IOException, InterruptedException {
        pending = Checkpoints.KEPT;
        try {
            while (pending > 0) {
                if (stopping) {
                    throw new StoppingException(control);
                }
                checkpointWanted.run();
                long unused = changed.awaitNanos(RETRY_NANOS);
            }
        } finally {
            pending = 0;
            changed.signalAll();
        }
    }

    /**
     * Looks at the batches that wait for the journal. They wait longer than usual when the journal is full or its disk
     * fails.
     *
     * @param clock time of a clock that never goes back, in µs
     */
    @Override
    public void lookAtJournal(Backlog backlog, long clock) {
        JournalWriter writer = this.writer;
        if (writer != null) {
            long handedOver = writer.batchesHandedOver(); // read first, so that it is hardly ever greater
            backlog.look(writer.batchesOffered(), handedOver, clock);
        }
    }

    /**
     * Waits until all controls so far are durable.
     *
     * @throws IOException when it is unknown whether a control is durable, or when the process is stopping
     */
    @Override
    public void awaitDurable() throws IOException, InterruptedException {
        order.lockInterruptibly();
        try {
            while (pending > 0) {
                changed.await();
            }
            if (stopping || failure.isDone()) {
                throw new IOException("the close of a window may not be durable, so its file was not written");
            }
        } finally {
            order.unlock();
        }
    }

    /** Waits until earlier controls are durable. Throws when another control cannot be made durable now. */
    private void awaitTurn() throws IOException, InterruptedException {
        while (pending > 0) {
            changed.await();
        }
        if (stopping) {
            throw new IOException("the service is stopping, so nothing was changed");
        }
        if (failure.isDone()) {
            throw new IOException("the journal may lack an earlier change, so nothing was changed");
        }
        JournalWriter writer = this.writer;
        if (writer != null && writer.state() != State.RUNNING && writer.state() != State.FULL) {
            throw new IOException((writer.trouble().isEmpty() ? "the journal takes no entries" : writer.trouble())
                    + "; nothing was changed");
        }
    }

    /** The folder of the checkpoints, as a text for the log. */
    String folderOfCheckpoints() {
        return checkpoints.folder();
    }

    /**
     * Writes a checkpoint and verifies it. Then releases older checkpoints, segments of the journal, and definitions,
     * if they are no longer needed.
     *
     * @param anyway whether to write a checkpoint even if nothing has changed since the last one
     * @return empty when nothing has changed
     * @throws IOException when the checkpoint cannot be written or read back; the earlier checkpoints still exist
     */
    @Override
    public Optional<Written> checkpoint(boolean anyway) throws IOException, InterruptedException {
        writing.lockInterruptibly();
        try {
            long start = System.nanoTime();
            long version;
            Cut cut;
            CheckpointInfo info;
            CutPart marks;
            CutPart read;
            boolean counts;
            order.lockInterruptibly();
            try {
                if (failure.isDone()) {
                    throw new IOException("the rows have changes that could not be journalled");
                }
                version = pipeline.gauges().version();
                if (version == writtenVersion && !anyway) {
                    return Optional.empty();
                }
                cut = pipeline.cut(CutLease.Kind.CHECKPOINT);
                info = new CheckpointInfo(definitions, pipeline.topics(), cut.positions(), controls);
                marks = WatermarkPart.of(pipeline.marks());
                read = offsets.part(); // after the cut, so it includes the offsets of its rows; all of them are synced
                counts = pending > 0;
            } finally {
                order.unlock();
            }
            long bytes;
            try {
                requireSynced(info);
                besides.run();
                bytes = checkpoints.write(cut, info, marks, read);
            } finally {
                cut.release();
            }
            writtenVersion = version;
            if (counts) {
                written();
            }
            release();
            Written written = new Written(cut.takenAtMicros(), bytes, System.nanoTime() - start, last.number() + 1);
            last = written;
            LOG.log(
                    Level.DEBUG,
                    () -> "a checkpoint of " + written.bytes() + " bytes was written in " + written.nanos() / 1_000_000
                            + " ms");
            return Optional.of(written);
        } finally {
            writing.unlock();
        }
    }

    /** Counts one more checkpoint that covers a control that is not in the journal. */
    private void written() {
        order.lock();
        try {
            pending = Math.max(0, pending - 1);
            changed.signalAll();
        } finally {
            order.unlock();
        }
    }

    /**
     * Records the current pipelines in the journal if an earlier process had other pipelines, because the positions of
     * later controls refer to the current pipelines. If the journal cannot take the record, writes checkpoints instead.
     * If this is the first process of the folder, writes a checkpoint. Call this method once, before anything is handed
     * over.
     */
    public void begin() throws IOException, InterruptedException {
        JournalWriter writer = this.writer;
        if (isFirst) {
            var unused = checkpoint(true); // the initial state, and the beginning of the journal
        } else if (writer != null && !topicsBefore.equals(pipeline.topics())) {
            Cut cut = pipeline.cut();
            cut.release();
            boolean journalled;
            order.lockInterruptibly();
            try {
                journalled =
                        journal(new Control(Kind.PIPELINES, pipeline.topics().text(), cut.positions()));
            } finally {
                order.unlock();
            }
            for (int i = journalled ? Checkpoints.KEPT : 0; i < Checkpoints.KEPT; i++) {
                var unused = checkpoint(true);
            }
        }
    }

    /**
     * Checks that all journalled messages of a checkpoint were synced. Otherwise, messages after a crash could get
     * sequences that the checkpoint already covers.
     */
    private void requireSynced(CheckpointInfo info) {
        Journal journal = this.journal;
        if (journal != null && info.end() > journal.syncedSequence()) {
            throw new IllegalStateException(
                    "the rows have messages up to " + info.end() + ", the journal up to " + journal.syncedSequence());
        }
    }

    /**
     * Releases everything that is not needed any more after a checkpoint was written. After a failure, the next
     * checkpoint tries the release again.
     */
    private void release() {
        if (journal != null) {
            journal.release(checkpoints.neededFrom(), checkpoints.controlsFrom());
        }
        order.lock();
        try {
            Set<String> names = new HashSet<>(checkpoints.definitions());
            names.add(definitions);
            named.headMap(checkpoints.controlsFrom()).clear();
            names.addAll(named.values());
            retention.retain(names);
            untidy = "";
        } catch (IOException | UncheckedIOException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(untidy)) {
                LOG.log(Level.WARNING, "definitions that are no longer needed could not be deleted: " + why);
            }
            untidy = why;
        } finally {
            order.unlock();
        }
    }
}
