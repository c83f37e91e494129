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

/** State files into what a pipeline starts with. */
public final class StateLoading {
    private StateLoading() {}

    /**
     * The state that summaries of {@code plan} begin with: what is in the files, which together may be of several summarizers.
     *
     * @param progress hears how far it is
     * @param notes hears what was left out, in words
     * @throws io.summarizer.core.state.StateException when a file is damaged or does not go together with the definitions
     */
    public static Summaries load(
            ServerConfig config, Plan plan, List<Path> files, RecoveryProgress progress, Consumer<String> notes)
            throws IOException, InterruptedException {
        Summaries state = plan.newSummaries(PipelineSetup.options(config));
        addAll(files, state, progress, notes);
        return state;
    }

    /** Adds what is in the files, one after the other, on all processors. */
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

    /** Threads that work on a state file. */
    public static int threads() {
        return Runtime.getRuntime().availableProcessors();
    }
}
