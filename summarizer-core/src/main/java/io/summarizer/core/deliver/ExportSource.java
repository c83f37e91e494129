package io.summarizer.core.deliver;

import io.summarizer.core.pipeline.ClosedFiles;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import java.util.List;

/** The summaries that are exported. Any thread. */
public interface ExportSource {
    /** The summaries as defined now. */
    List<SummaryLayout> layouts();

    /** Takes a cut, which the caller then holds. */
    Cut cut() throws InterruptedException;

    /** The closed windows. */
    ClosedFiles files();
}
