package io.summarizer.server.service;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.Summaries;
import io.summarizer.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Loads state files for the start of a pipeline. */
public final class StateLoading {
    private StateLoading() {}

    /**
     * Loads the content of the files as the first state of the summaries of {@code plan}. The files may come from
     * several summarizers.
     *
     * @param progress receiver of the progress
     * @param notes receiver of descriptions of data that was left out
     * @throws io.summarizer.core.state.StateException when a file is damaged or does not fit the definitions
     */
    public static Summaries load(
            ServerConfig config, Plan plan, List<Path> files, RecoveryProgress progress, Consumer<String> notes)
            throws IOException, InterruptedException {
        Summaries state = plan.newSummaries(PipelineSetup.options(config));
        addAll(files, state, progress, notes);
        return state;
    }

    /** Adds the content of the files, one file after the other, on all processors. */
    public static void addAll(List<Path> files, Summaries state, RecoveryProgress progress, Consumer<String> notes)
            throws IOException, InterruptedException {
        for (Path file : files) {
            try (StateFile from = StateFile.open(file)) {
                progress.loading(String.valueOf(file.getFileName()), from.rows());
                for (String note : from.addTo(state, threads(), progress::loaded)) {
                    notes.accept(file + ": " + note);
                }
            }
        }
    }

    /** Number of threads that load a state file. */
    public static int threads() {
        return Runtime.getRuntime().availableProcessors();
    }
}
