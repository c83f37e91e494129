package io.summarizer.server.cli;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import io.summarizer.server.service.StateLoading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** State files of one window of a summary. Stateless. */
final class WindowStates {
    private WindowStates() {}

    /**
     * The rows of a summary and of its overflow.
     *
     * @param window the only window whose rows are taken; null for all rows
     */
    static Cut select(Cut all, String summary, @Nullable FileWindow window) {
        List<SummaryView> views = new ArrayList<>();
        for (SummaryView view : all.summaries()) {
            List<StoreView> rows = view.partitions().stream()
                    .filter(part -> window == null || part.window() == window.start())
                    .toList();
            boolean isEmptyOverflow = view.layout().isKeyless() && rows.stream().allMatch(part -> part.rows() == 0);
            if (view.layout().overflowOf().equals(summary) && (window == null || !isEmptyOverflow)) {
                views.add(new SummaryView(
                        view.layout(), rows, view.updates(), window == null ? view.closed() : ClosedWindows.NONE));
            }
        }
        return new Cut(all.id(), all.takenAtMicros(), views);
    }

    /**
     * Writes a state file, and returns its number of bytes.
     *
     * @param window the window of all rows of the cut; null when they have no common window
     */
    static long write(Cut selected, @Nullable FileWindow window, Path state) throws IOException, InterruptedException {
        if (window == null) {
            return StateWriter.write(selected, state, StateLoading.threads());
        }
        Path target = state.toAbsolutePath();
        Path folder = Objects.requireNonNull(target.getParent(), "a file has a folder");
        StateWriter.sweep(target);
        return StateWriter.write(
                selected, window, new FileDisk(folder), String.valueOf(target.getFileName()), StateLoading.threads());
    }
}
