package io.summarizer.server.cli;

import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.text.TimestampText;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Sentences about closed windows, whose rows a state file does not have. Stateless. */
final class ClosedWindowNotes {
    private ClosedWindowNotes() {}

    /** A sentence for each summary whose windows were closed when the file was written. */
    static List<String> of(StateFile state) {
        return IntStream.range(0, state.layouts().size())
                .mapToObj(summary -> of(state, summary))
                .flatMap(Optional::stream)
                .toList();
    }

    /** A sentence for one summary, if its windows were closed when the file was written. */
    static Optional<String> of(StateFile state, int summary) {
        SummaryLayout layout = state.layouts().get(summary);
        long boundary = state.boundary(summary);
        return boundary == ClosedWindows.NO_BOUNDARY || layout.isKeyless()
                ? Optional.empty()
                : Optional.of("windows of " + layout.name() + " before " + TimestampText.toString(boundary)
                        + " are closed; their rows are not here, but in files of their own, below windows/"
                        + layout.name());
    }
}
