package io.summarizer.server.service;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.disk.OwnerOnly;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.ReloadRefusedException;
import io.summarizer.core.pipeline.WindowProgress;
import io.summarizer.core.recovery.Checkpoints;
import io.summarizer.core.recovery.DurableControls;
import io.summarizer.core.recovery.PipelineRecovery;
import io.summarizer.core.recovery.RangeSource;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.recovery.WindowFolders;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.text.TimestampText;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.kafka.KafkaStart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Recovers the state that the last process left in the data folder: {@code checkpoints/}, {@code definitions/} and
 * {@code journal/}. Used by the thread that starts the service.
 */
final class StateRecovery {
    private static final System.Logger LOGGER = System.getLogger(StateRecovery.class.getName());

    private final LoadedPlan wanted;
    private final List<ZoneId> timezones;
    private final Path folder;
    private final DefinitionStore store;
    private final Checkpoints checkpoints;
    private final RecoveryProgress progress;
    private final PipelineRecovery recovery;
    private final WindowFolders windows;
    /** Whether the pipeline begins with state files. */
    private final boolean begins;

    /**
     * Loads the last checkpoint, and starts a pipeline with its state. If there is no checkpoint, the pipeline starts
     * with the content of state files.
     *
     * @param wanted the present definitions of the definitions folder
     * @param fromStates state files with which the pipeline begins
     * @param progress receiver of the progress
     * @throws IOException when state files are given although there is a checkpoint, or when a file cannot be loaded
     */
    StateRecovery(
            ServerConfig config,
            LoadedPlan wanted,
            List<Path> fromStates,
            Journal journal,
            RejectSink rejects,
            RecoveryProgress progress)
            throws IOException, InterruptedException {
        this.wanted = wanted;
        this.progress = progress;
        begins = !fromStates.isEmpty();
        timezones = config.timezones();
        folder = config.definitions();
        store = new DefinitionStore(config.data().resolve("definitions"));
        Path folderOfCheckpoints = config.data().resolve("checkpoints");
        Consumer<String> warnings = text -> LOGGER.log(System.Logger.Level.WARNING, text);
        int writers = Math.max(1, StateLoading.threads() / 4); // beside all other work
        OwnerOnly.createDirectories(folderOfCheckpoints); // made now, so that a failure shows at once
        checkpoints = Checkpoints.open(FileDisk.ofOwner(folderOfCheckpoints), writers, warnings);
        if (!fromStates.isEmpty() && !checkpoints.isEmpty()) {
            throw new IOException(
                    folderOfCheckpoints + " has a checkpoint, and the service goes on from that; a state file can be"
                            + " begun with in another data folder only (--set data=DIR), or when that one is deleted");
        }
        if (!fromStates.isEmpty()
                && (journal.firstSequence() < journal.endSequence()
                        || !journal.controls(0).isEmpty())) {
            throw new IOException(
                    config.data().resolve("journal") + " has messages or changes that no checkpoint covers, which a"
                            + " state file may have, too: they would apply twice. A copy of a checkpoint is to be put"
                            + " into " + folderOfCheckpoints
                            + "; any other state file can be begun with in another data folder (--set data=DIR), or when journal/ is"
                            + " deleted");
        }
        if (!fromStates.isEmpty()
                && config.kafka().isOn()
                && config.kafka().start().kind() == KafkaStart.Kind.EARLIEST) {
            throw new IOException(
                    "listen.kafka.start is earliest, so all records that Kafka still has would be read; those whose events"
                            + " are in a state file would apply twice. Set listen.kafka.start to latest, or to the time at which"
                            + " the state file was written");
        }
        windows = WindowData.open(config.data(), writers, warnings);
        recovery = PipelineRecovery.open(
                checkpoints,
                journal,
                this::plan,
                () -> new PipelineRecovery.Beginning(
                        store.keep(wanted.files()),
                        wanted.plan(),
                        StateLoading.load(
                                config,
                                wanted.plan(),
                                fromStates,
                                progress,
                                note -> warnings.accept("left out: " + note))),
                PipelineSetup.options(config),
                rejects,
                StateLoading.threads(),
                progress,
                warnings);
    }

    private Plan plan(String name) throws IOException {
        if (name.equals(wanted.files().name())) {
            return wanted.plan();
        }
        DefinitionFiles files = store.files(name);
        try {
            return PlanLoader.load(files, timezones).plan();
        } catch (DefinitionsException e) {
            throw new IOException(
                    "the definitions that the state was made with are not taken any more:\n" + e.rendered(), e);
        }
    }

    /** The pipeline. It has its whole state once {@link #replay} has returned. */
    Pipeline pipeline() {
        return recovery.pipeline();
    }

    /** The progress of the recovery. */
    RecoveryProgress progress() {
        return progress;
    }

    PipelineRecovery recovery() {
        return recovery;
    }

    Checkpoints checkpoints() {
        return checkpoints;
    }

    /** The files of closed windows. */
    WindowFolders windows() {
        return windows;
    }

    DefinitionStore store() {
        return store;
    }

    /**
     * Replays the journal up to its last entry.
     *
     * @param ranges source of the Kafka records to which the journal refers
     */
    void replay(RangeSource ranges) throws IOException, InterruptedException {
        if (begins) {
            warnOfRowsInFiles();
        }
        recovery.replay(
                windows, ranges, wanted.plan(), recovery.pipeline().clock().lowerMicros());
        recovery.pipeline().useFiles(windows);
        if (begins) {
            warnOfMissingFiles();
        }
        if (progress.replayed() > 0) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    String.format(
                            Locale.ROOT,
                            "recovered: %,d messages from the journal in %.1f s",
                            progress.replayed(),
                            progress.seconds()));
        }
    }

    /** Warns of windows that are closed in the state files, and have no file in the new data folder. */
    private void warnOfMissingFiles() {
        for (WindowProgress closed : recovery.pipeline().windows()) {
            if (closed.boundary() != ClosedWindows.NO_BOUNDARY
                    && !closed.isClosing()
                    && windows.boundary(closed.summary()) == ClosedWindows.NO_BOUNDARY) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "windows of " + closed.summary() + " before " + TimestampText.toString(closed.boundary())
                                + " are closed, and the data folder has no files of them: pulls lack these windows,"
                                + " and events of their time are late. If there are files, stop the service, and copy"
                                + " the folder windows of the former data folder into this one");
            }
        }
    }

    /** Warns of rows of the state files that do not count, because their window has a file. */
    private void warnOfRowsInFiles() {
        for (WindowProgress inMemory : recovery.pipeline().windows()) {
            List<String> both = inMemory.inMemory().stream()
                    .filter(start -> windows.has(inMemory.summary(), start))
                    .map(TimestampText::toString)
                    .toList();
            if (!both.isEmpty()) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        inMemory.summary() + ": " + both.size() + " windows, the first of " + both.get(0)
                                + ", are in the state file and in the folder windows; the rows of the folder count,"
                                + " and those of the state file are left out");
            }
        }
    }

    /**
     * Switches the pipeline to the definitions in the definitions folder. Does nothing if these definitions are already
     * in force.
     */
    void adoptDefinitions(DurableControls durable) throws IOException, InterruptedException {
        if (durable.definitions().equals(wanted.files().name())) {
            return;
        }
        try {
            Pipeline.Reload reload = durable.reload(wanted.plan(), () -> store.keep(wanted.files()));
            new ChangeReport(reload.match())
                    .text()
                    .strip()
                    .lines()
                    .forEach(line -> LOGGER.log(System.Logger.Level.INFO, line));
        } catch (ReloadRefusedException e) {
            throw new IOException(
                    new ChangeReport(e.match()).text()
                            + "the definitions in " + folder + " do not go together with what the summaries hold: "
                            + e.getMessage()
                            + ". Give what changed a new name or number; or begin anew, with another data folder (--set data=DIR)",
                    e);
        }
    }
}
