package io.summarizer.server.cli;

import io.summarizer.core.state.FileId;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateFile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The window that the rows of all merged files have. Not thread-safe. */
final class MergedWindow {
    private final Map<Path, FileId> files = new LinkedHashMap<>();
    private final Map<Path, FileWindow> windows = new LinkedHashMap<>();
    private final Set<Long> added = new LinkedHashSet<>();
    private @Nullable FileWindow first;
    private String summary = "";
    private boolean isCommon = true;

    /**
     * Adds a file.
     *
     * @throws CommandFailure when the file was made from another one, or another one from this file
     */
    void add(Path path, StateFile file) throws CommandFailure {
        FileWindow window = file.window().orElse(null);
        if (window == null) {
            isCommon = false;
            return;
        }
        for (Map.Entry<Path, FileWindow> other : windows.entrySet()) {
            FileId id = files.get(other.getKey());
            if (window.madeFrom().contains(id) || other.getValue().madeFrom().contains(file.id())) {
                throw CommandFailure.usage(other.getKey() + " and " + path
                        + ": one was made from the other, and its numbers would count twice");
            }
        }
        windows.put(path, window);
        String of = file.layouts().get(0).overflowOf();
        FileWindow first = this.first;
        if (first == null) {
            this.first = window;
            summary = of;
        } else {
            isCommon &= window.start() == first.start() && window.end() == first.end() && of.equals(summary);
        }
        files.put(path, file.id());
        added.addAll(window.added());
    }

    /** The window of all files; null when there is none. */
    @Nullable
    FileWindow common() {
        FileWindow window = first;
        return window == null || !isCommon
                ? null
                : new FileWindow(window.start(), window.end(), List.copyOf(files.values()), List.copyOf(added));
    }

    /** The summary of the common window. */
    String summary() {
        return summary;
    }
}
