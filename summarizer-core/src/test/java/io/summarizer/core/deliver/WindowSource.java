package io.summarizer.core.deliver;

import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowList;
import io.summarizer.core.pipeline.ClosedFiles;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The closed windows of a folder, and rows in memory.
 *
 * @param rows the rows of each cut, which has the id 77
 */
record WindowSource(SummaryLayout layout, Supplier<WindowFolder> folder, Cut rows)
        implements ExportSource, ClosedFiles {
    @Override
    public List<SummaryLayout> layouts() {
        return List.of(layout, layout.overflow());
    }

    @Override
    public Cut cut() {
        return new Cut(77, 5, rows.summaries());
    }

    @Override
    public ClosedFiles files() {
        return this;
    }

    @Override
    public long version() {
        return folder.get().current().version();
    }

    @Override
    public long boundary(String summary) {
        return ClosedWindows.NO_BOUNDARY;
    }

    @Override
    public @Nullable SummaryWindow calendar(String summary) {
        return null;
    }

    @Override
    public List<Long> condemned(String summary) {
        return folder.get().condemned();
    }

    @Override
    public Held hold(String summary) {
        WindowFolder folder = this.folder.get();
        WindowList list = folder.acquire();
        return new Held(list.windows(), list.overflow(), () -> folder.release(list));
    }
}
