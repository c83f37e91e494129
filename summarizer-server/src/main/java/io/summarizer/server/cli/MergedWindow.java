package io.summarizer.server.cli;

import io.summarizer.core.state.FileId;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The window that the rows of all merged files have. Not thread-safe. */
final class MergedWindow {
    private final List<Part> parts = new ArrayList<>();
    private boolean isCommon = true;

    private record Part(Path path, FileId id, FileWindow window, String summary) {
        boolean isOfSameWindow(Part other) {
            return window.start() == other.window.start()
                    && window.end() == other.window.end()
                    && summary.equals(other.summary);
        }

        boolean isMadeFrom(Part other) {
            return window.madeFrom().contains(other.id);
        }
    }

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
        Part part = new Part(path, file.id(), window, file.layouts().get(0).overflowOf());
        for (Part other : parts) {
            if (part.isMadeFrom(other) || other.isMadeFrom(part)) {
                throw CommandFailure.usage(other.path + " and " + path
                        + ": one was made from the other, and its numbers would count twice");
            }
            isCommon &= part.isOfSameWindow(other);
        }
        parts.add(part);
    }

    /** Whether several files are of closed windows, and not all files are of the same window. */
    boolean isMixed() {
        return parts.size() > 1 && !isCommon;
    }

    /** The window of all files; null when there is none. */
    @Nullable
    FileWindow common() {
        if (!isCommon || parts.isEmpty()) {
            return null;
        }
        FileWindow window = parts.get(0).window;
        return new FileWindow(
                window.start(),
                window.end(),
                parts.stream().map(Part::id).toList(),
                parts.stream()
                        .flatMap(part -> part.window.added().stream())
                        .distinct()
                        .toList());
    }

    /** The summary of the common window; empty when no file has a window. */
    String summary() {
        return parts.isEmpty() ? "" : parts.get(0).summary;
    }
}
