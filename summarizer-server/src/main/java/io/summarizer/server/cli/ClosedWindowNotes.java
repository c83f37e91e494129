package io.summarizer.server.cli;

import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.text.TimestampText;
import java.util.ArrayList;
import java.util.List;

/** Sentences about closed windows, whose rows a state file does not have. Stateless. */
final class ClosedWindowNotes {
    private ClosedWindowNotes() {}

    /** A sentence for each summary whose windows were closed when the file was written. */
    static List<String> of(StateFile state) {
        List<String> notes = new ArrayList<>();
        for (int summary = 0; summary < state.layouts().size(); summary++) {
            SummaryLayout layout = state.layouts().get(summary);
            long boundary = state.boundary(summary);
            if (boundary != ClosedWindows.NO_BOUNDARY && !layout.isKeyless()) {
                notes.add("windows of " + layout.name() + " before " + TimestampText.toString(boundary)
                        + " are closed; their rows are not here, but in files of their own, below windows/"
                        + layout.name());
            }
        }
        return notes;
    }
}
