package io.summarizer.core.pipeline;

import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of closed windows, for cuts. Any thread. */
public interface ClosedFiles {
    /** No files. */
    ClosedFiles NONE = new ClosedFiles() {
        @Override
        public Held hold(String summary) {
            return new Held(List.of(), List.of(), () -> {});
        }

        @Override
        public long version() {
            return 0;
        }

        @Override
        public long boundary(String summary) {
            return ClosedWindows.NO_BOUNDARY;
        }

        @Override
        public @Nullable SummaryWindow calendar(String summary) {
            return null;
        }
    };

    /** A number that grows whenever the set of files of a summary changes. */
    long version();

    /**
     * For one summary, the end of the latest window that has a file or is being written to a file, in µs since the
     * epoch; {@link ClosedWindows#NO_BOUNDARY} when there is no such window.
     */
    long boundary(String summary);

    /**
     * The window declaration with which the files of a summary were written; only its width and zone matter. Null when
     * there are no files, and none are being written.
     */
    @Nullable
    SummaryWindow calendar(String summary);

    /**
     * The starts of a summary's windows whose files wait for their deletion. If the process is killed before, the next
     * process has these windows again.
     */
    default List<Long> condemned(String summary) {
        return List.of();
    }

    /** The different layouts of a summary in its files; none without files. */
    default List<SummaryLayout> layouts(String summary) {
        return List.of();
    }

    /** The reason why a definition does not fit the files of its summary; empty when the definition fits. */
    default String problem(SummaryLayout layout) {
        SummaryWindow ofFiles = calendar(layout.overflowOf());
        SummaryWindow window = layout.window();
        return ofFiles == null || layout.isKeyless() || (window != null && window.isSameCalendar(ofFiles))
                ? ""
                : layout.name() + " has files of closed windows of " + ofFiles + ", and its definition has "
                        + (window == null ? "no window" : "windows of " + window)
                        + "; give it another name, or move the files in windows/ of the data folder away";
    }

    /** Protects the files of a summary from deletion until the result is released. */
    Held hold(String summary);

    /**
     * The files of a summary at one moment.
     *
     * @param files the files of the summary, by start of their windows
     * @param overflow the files of the overflow summary that belongs to the summary
     * @param release ends the protection from deletion; run it once
     */
    record Held(List<ClosedWindow> files, List<ClosedWindow> overflow, Runnable release) {
        public Held {
            files = List.copyOf(files);
            overflow = List.copyOf(overflow);
        }
    }
}
