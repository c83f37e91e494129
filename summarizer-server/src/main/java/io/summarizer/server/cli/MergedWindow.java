package io.summarizer.server.cli;

import io.summarizer.core.state.FileId;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateFile;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The window that the rows of all merged files have. Not thread-safe. */
final class MergedWindow {
    private final List<FileId> files = new ArrayList<>();
    private final TreeSet<Long> added = new TreeSet<>();
    private @Nullable FileWindow first;
    private String summary = "";
    private boolean isCommon = true;

    /** Adds a file. */
    void add(StateFile file) {
        FileWindow window = file.window().orElse(null);
        if (window == null) {
            isCommon = false;
            return;
        }
        String of = file.layouts().get(0).overflowOf();
        FileWindow first = this.first;
        if (first == null) {
            this.first = window;
            summary = of;
        } else {
            isCommon &= window.start() == first.start() && window.end() == first.end() && of.equals(summary);
        }
        files.add(file.id());
        added.addAll(window.added());
    }

    /** The window of all files; null when there is none. */
    @Nullable
    FileWindow common() {
        FileWindow window = first;
        return window == null || !isCommon
                ? null
                : new FileWindow(window.start(), window.end(), files, List.copyOf(added));
    }

    /** The summary of the common window. */
    String summary() {
        return summary;
    }
}
