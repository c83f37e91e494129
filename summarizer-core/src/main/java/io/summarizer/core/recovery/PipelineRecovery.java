package io.summarizer.core.recovery;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIdsView;
import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.Journal.NumberedControl;
import io.summarizer.core.journal.WindowBoundaries;
import io.summarizer.core.journal.WindowClose;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.PipelineTopics;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.ReloadRefusedException;
import io.summarizer.core.pipeline.ResetRefusedException;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.window.InputName;
import io.summarizer.core.window.WatermarkPart;
import io.summarizer.core.window.WindowInput;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A start that continues where the last process ended. A pipeline begins with the newest sound checkpoint, and then
 * gets the messages of the journal that are not in this checkpoint. In the end, each journalled message is in the rows
 * once, as processed by the definitions that were in force when it was processed first.
 *
 * <p>Call {@link #open}, then {@link #replay}, on one thread. Hand nothing else to the pipeline before {@link #replay}
 * returns. Memory: the state, and a few records of the journal.
 */
public final class PipelineRecovery {
    private final @Nullable Journal journal;
    private final Definitions definitions;
    private final Pipeline pipeline;
    private final RecoveryProgress progress;
    private final CheckpointInfo start;
    private final boolean first;
    private final long takenAtMicros;
    private String inForce;
    private PipelineTopics topics;
    private long controls;
    private final Map<Long, String> named = new HashMap<>();
    private final KafkaOffsets offsets;

    /** Finds plans by the names of their definitions. */
    @FunctionalInterface
    public interface Definitions {
        /**
         * The plan of definitions with this name. Throws, with a message for the log, when these definitions are no
         * longer available.
         */
        Plan plan(String name) throws IOException;
    }

    /**
     * The initial state when there is no checkpoint.
     *
     * @param definitions name of the definitions of {@code plan}
     */
    public record Beginning(String definitions, Plan plan, Summaries state) {}

    /** Makes the initial state. Called only when the initial state is needed. */
    @FunctionalInterface
    public interface BeginningSource {
        /** Makes the initial state, possibly from state files. */
        Beginning begin() throws IOException, InterruptedException;
    }

    private record Loaded(
            CheckpointInfo info,
            long takenAtMicros,
            Plan plan,
            Summaries state,
            LedgerCounts ledger,
            SavedIds ids,
            Map<String, Map<String, Long>> watermarks,
            KafkaOffsets offsets) {}

    private PipelineRecovery(
            @Nullable Journal journal,
            Definitions definitions,
            Pipeline pipeline,
            RecoveryProgress progress,
            CheckpointInfo start,
            boolean first,
            long takenAtMicros,
            KafkaOffsets offsets) {
        this.journal = journal;
        this.definitions = definitions;
        this.pipeline = pipeline;
        this.progress = progress;
        this.start = start;
        this.first = first;
        this.takenAtMicros = takenAtMicros;
        this.offsets = offsets;
        inForce = start.definitions();
        controls = start.controls();
        topics = start.topics();
    }

    /**
     * Loads the newest sound checkpoint, or the initial state when there are no checkpoints, and starts a pipeline with
     * it.
     *
     * @param journal the journal, or null; without a journal, the checkpoint is the whole state
     * @param threads number of threads that load
     * @param progress the progress, which is updated during the recovery
     * @param notes receives lines for the log
     * @throws IOException when there are checkpoints but all are damaged, or when the journal does not reach back to
     *     the loaded checkpoint
     */
    public static PipelineRecovery open(
            Checkpoints checkpoints,
            @Nullable Journal journal,
            Definitions definitions,
            BeginningSource beginning,
            PipelineOptions options,
            RejectSink rejects,
            int threads,
            RecoveryProgress progress,
            Consumer<String> notes)
            throws IOException, InterruptedException {
        Optional<Loaded> loaded =
                checkpoints.newest((file, info) -> load(file, info, definitions, options, threads, progress));
        Plan plan;
        Summaries state;
        String name;
        if (loaded.isPresent()) {
            plan = loaded.get().plan();
            state = loaded.get().state();
            name = loaded.get().info().definitions();
        } else {
            Beginning begun = beginning.begin();
            plan = begun.plan();
            state = begun.state();
            name = begun.definitions();
        }
        CheckpointInfo start;
        Pipeline pipeline = Pipeline.start(
                plan, options, rejects, state, loaded.map(Loaded::ids).orElseGet(SavedIds::none));
        try {
            long from = journal == null ? 0 : journal.firstSequence();
            start = loaded.map(Loaded::info)
                    .orElseGet(() -> new CheckpointInfo(
                            name,
                            pipeline.topics(),
                            Collections.nCopies(pipeline.topics().pipelines(), from),
                            0));
            if (loaded.isEmpty() && from > 0) {
                notes.accept(
                        "there is no checkpoint: the state begins with the messages still in the journal, from sequence "
                                + from + " on");
            }
            if (loaded.isEmpty() && journal != null) {
                requirePipelines(journal, pipeline.topics(), notes);
            }
            if (journal != null) {
                long end = journal.endSequence();
                if (from > start.from() && start.from() < end) {
                    throw new IOException("the newest checkpoint needs the journal from sequence " + start.from()
                            + " on, but the journal begins at " + from
                            + ": the messages between are lost. To go on without them, delete the checkpoints and the journal,"
                            + " and start with a state file");
                }
                journal.skipTo(start.end(), start.controls());
            }
            loaded.ifPresent(found -> pipeline.ledger().restore(found.ledger()));
            pipeline.handedOver(start.from());
            loaded.ifPresent(found -> restoreMarks(pipeline, found));
        } catch (IOException | RuntimeException | Error e) {
            pipeline.close();
            throw e;
        }
        return new PipelineRecovery(
                journal,
                definitions,
                pipeline,
                progress,
                start,
                loaded.isEmpty(),
                loaded.map(Loaded::takenAtMicros).orElse(0L),
                loaded.map(Loaded::offsets).orElseGet(KafkaOffsets::new));
    }

    /**
     * Checks that the controls in the journal fit the current pipelines. Called when there is no checkpoint. Ignores
     * controls after the first control that lists pipelines.
     */
    private static void requirePipelines(Journal journal, PipelineTopics topics, Consumer<String> notes)
            throws IOException {
        boolean any = false;
        for (NumberedControl numbered : journal.controls(0)) {
            Control control = numbered.control();
            if (control.kind() == Control.Kind.PIPELINES) {
                break;
            }
            any = true;
            int then = control.positions().size();
            if (then != topics.pipelines()) {
                throw new IOException(
                        "there is no checkpoint, and the journal has a "
                                + switch (control.kind()) {
                                    case RESET -> "reset";
                                    case CLOSE -> "close of windows";
                                    case PUT -> "put of a window";
                                    case DEFINITIONS, PIPELINES -> "change of definitions";
                                }
                                + " of a process with " + then + " pipelines, while now there are " + topics.pipelines()
                                + ": start the service once with that many pipelines; or, to go on without the messages in the journal, delete the journal, too");
            }
        }
        if (any && topics.pipelines() > 1) {
            notes.accept(
                    "there is no checkpoint: resets and changes of definitions in the journal are taken to refer to the"
                            + " pipelines that are configured now");
        }
    }

    private static Loaded load(
            StateFile file,
            CheckpointInfo info,
            Definitions definitions,
            PipelineOptions options,
            int threads,
            RecoveryProgress progress)
            throws IOException, InterruptedException {
        Plan plan = definitions.plan(info.definitions());
        Summaries state = plan.newSummaries(options);
        progress.loading("the last checkpoint", file.rows());
        var unused = file.addTo(state, threads, progress::loaded); // the same definitions, so all rows fit
        LedgerCounts ledger =
                part(file, LedgerCounts.PART, LedgerCounts.NONE, in -> LedgerCounts.read(in.readAllBytes()));
        SavedIds ids = part(file, SeenIdsView.PART, SavedIds.none(), SavedIds::readFrom);
        KafkaOffsets offsets = part(file, KafkaOffsets.PART, new KafkaOffsets(), KafkaOffsets::read);
        boolean fromKafka = !offsets.all().isEmpty();
        Map<String, Map<String, Long>> watermarks =
                part(file, WatermarkPart.NAME, Map.of(), in -> WatermarkPart.read(in, fromKafka));
        return new Loaded(info, file.takenAtMicros(), plan, state, ledger, ids, watermarks, offsets);
    }

    /**
     * Makes the current pipelines continue from saved marks. If the number of pipelines has changed, each pipeline
     * continues from the least mark of the saved pipelines, though it may never have events of the summary.
     */
    private static void restoreMarks(Pipeline pipeline, Loaded loaded) {
        long down = Math.max(0, pipeline.clock().lowerMicros() - loaded.takenAtMicros());
        int pipelines = pipeline.topics().pipelines();
        if (loaded.info().topics().pipelines() == pipelines) {
            pipeline.watermarks().restore(loaded.watermarks(), input -> false, down);
        } else {
            pipeline.watermarks().restore(marks(loaded.watermarks(), pipelines), InputName::isPipeline, down);
        }
    }

    private static Map<String, Map<String, Long>> marks(Map<String, Map<String, Long>> saved, int now) {
        Map<String, Map<String, Long>> all = new TreeMap<>();
        saved.forEach((summary, inputs) -> {
            Map<String, Long> marks = new TreeMap<>(inputs);
            marks.keySet().removeIf(InputName::isPipeline);
            inputs.entrySet().stream()
                    .filter(input -> InputName.isPipeline(input.getKey()) && input.getValue() != WindowInput.NONE)
                    .mapToLong(Map.Entry::getValue)
                    .min()
                    .ifPresent(least -> IntStream.range(0, now)
                            .forEach(pipeline -> marks.put(InputName.ofPipeline(pipeline), least)));
            all.put(summary, marks);
        });
        return all;
    }

    /** Makes a value from a part of a state file. */
    @FunctionalInterface
    private interface PartReader<T> {
        T read(InputStream in) throws IOException;
    }

    private static <T> T part(StateFile file, String name, T none, PartReader<T> reader) throws IOException {
        Optional<InputStream> part = file.part(name);
        if (part.isEmpty()) {
            return none;
        }
        try (InputStream in = new BufferedInputStream(part.get())) {
            return reader.read(in);
        }
    }

    /** The pipeline, which the caller closes. */
    public Pipeline pipeline() {
        return pipeline;
    }

    /** Whether there was no checkpoint. */
    public boolean isFirst() {
        return first;
    }

    /** Time of the cut of the loaded checkpoint, in µs since the epoch; 0 when there was none. */
    public long takenAtMicros() {
        return takenAtMicros;
    }

    /** Name of the definitions in force. */
    public String definitions() {
        return inForce;
    }

    /** The pipelines of the last process. */
    PipelineTopics topics() {
        return topics;
    }

    /** Number of the first control whose effect is not in the pipeline's state. */
    long controls() {
        return controls;
    }

    /** The offsets from which Kafka partitions have to be read. */
    public KafkaOffsets offsets() {
        return offsets;
    }

    /**
     * Hands durable batches to the pipeline, as the target of a journal's writer. First notes the Kafka offset at which
     * the batch ends, and then lets the messages of the batch change rows. Therefore, a checkpoint has no effects of
     * records that come after the offsets in the checkpoint.
     */
    public void take(MessageBatch batch, Runnable whileWaiting) throws InterruptedException {
        KafkaRange range = batch.range();
        if (range != null) {
            offsets.note(range);
        }
        if (batch.count() == 0) {
            pipeline.release(batch);
        } else {
            pipeline.put(batch, whileWaiting);
        }
    }

    /**
     * The names of the definitions that controls in the journal refer to, by the number of the control. Controls that
     * are in the checkpoint are left out.
     */
    Map<Long, String> named() {
        return named;
    }

    /**
     * Replays the part of the journal that is not in the checkpoint. On return, all messages of the journal are in the
     * rows, and the journal is ready for new messages.
     *
     * @param files the files of windows; null when there are none
     * @param ranges reads the Kafka records of ranges
     * @param last the definitions that will be in force after the replay
     * @param now time in µs since the epoch, by which windows need not be kept any longer
     */
    public void replay(@Nullable WindowFolders files, RangeSource ranges, Plan last, long now)
            throws IOException, InterruptedException {
        ReplayedWindows windows = new ReplayedWindows(pipeline, files, last, takenAtMicros, now);
        windows.dropUnneeded();
        if (journal == null) {
            pipeline.handedOver(start.end());
        } else {
            replay(journal, ranges, windows);
        }
        windows.end();
    }

    private void replay(Journal journal, RangeSource ranges, ReplayedWindows windows)
            throws IOException, InterruptedException {
        journal.ranges(start.from(), offsets::note);
        topics = new Replay(pipeline, journal, ranges, progress).run(start, (control, stamp) -> {
            windows.at(stamp);
            perform(control, windows);
        });
        progress.end();
        long end = journal.endSequence();
        pipeline.handedOver(end);
        controls = journal.endControl();
        for (NumberedControl numbered :
                journal.controls(0)) { // all controls, because an older checkpoint may have to be used
            if (numbered.control().kind() == Control.Kind.DEFINITIONS) {
                named.put(numbered.number(), numbered.control().name());
            }
        }
    }

    private void perform(NumberedControl numbered, ReplayedWindows windows) throws IOException, InterruptedException {
        Control control = numbered.control();
        switch (control.kind()) {
            case DEFINITIONS -> {
                Plan next = definitions.plan(control.name());
                windows.beforeReload(next);
                reload(next, windows);
                inForce = control.name();
                if (control.payload() instanceof WindowBoundaries closed) {
                    for (Map.Entry<String, Long> boundary : closed.bySummary().entrySet()) {
                        windows.close(boundary.getKey(), boundary.getValue());
                    }
                }
            }
            case RESET -> {
                try {
                    pipeline.reset(control.name()).ifPresent(Cut::release);
                } catch (ResetRefusedException e) {
                    throw new IOException(control.name() + " cannot be emptied again: " + e.getMessage(), e);
                }
            }
            case CLOSE -> {
                if (control.payload() instanceof WindowClose close) {
                    windows.close(control.name(), close.boundary());
                }
            }
            case PUT -> {
                if (control.payload() instanceof WindowPut put) {
                    windows.put(control.name(), put);
                }
            }
            case PIPELINES -> {
                // Applies to later controls.
            }
        }
    }

    private void reload(Plan next, ReplayedWindows windows) throws IOException, InterruptedException {
        try {
            try {
                var unused = pipeline.reload(next);
            } catch (ReloadRefusedException e) {
                if (e.match().refusals().isEmpty()) {
                    throw e; // for lack of memory, and not because of rows
                }
                windows.empty(next);
                var unused = pipeline.reload(next);
            }
        } catch (ReloadRefusedException | ResetRefusedException e) {
            throw new IOException("definitions that were in force cannot be used again: " + e.getMessage(), e);
        }
    }
}
