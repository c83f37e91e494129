package io.summarizer.server.cli;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.state.FileId;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.text.TimestampText;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.service.FileRun;
import io.summarizer.server.service.LateMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options {@code --only} and {@code --window} of {@code run}, which select a summary and one of its windows. With a
 * window, the command makes the state file of this window, for {@code windows put}.
 */
final class OnlyOption {
    @Option(
            names = "--only",
            paramLabel = "SUMMARY",
            description = {
                "Apply only the mappings into this summary, and write only its rows.",
                "With the file of a closed window in --from-state, or with --window, only the rows of this window are written. A FILE of late messages (data/late/NAME.frames, with its index NAME.log beside it) then adds the messages of the window, each message once."
            })
    private @Nullable String only;

    @Option(
            names = "--window",
            paramLabel = "T",
            description = "With --only: write only the window that has this time, in ISO 8601.")
    private @Nullable String time;

    private @Nullable LateMessages late;

    /**
     * The definitions with only the mappings into the selected summary. Without {@code --only}, these are all
     * definitions.
     */
    Definitions select(Definitions all) throws CommandFailure {
        if (only == null) {
            if (time != null) {
                throw CommandFailure.usage("--window: is of one summary, so it needs --only SUMMARY");
            }
            return all;
        }
        int summary = IntStream.range(0, all.summaries().size())
                .filter(each -> isSelected(all.summaries().get(each))
                        && !all.summaries().get(each).isKeyless())
                .findFirst()
                .orElseThrow(() -> CommandFailure.usage("--only: there is no summary " + only + "; there are "
                        + String.join(
                                ", ",
                                all.summaries().stream()
                                        .filter(layout -> !layout.isKeyless())
                                        .map(SummaryLayout::name)
                                        .toList())));
        return all.only(summary);
    }

    private boolean isSelected(SummaryLayout layout) {
        return only == null || layout.overflowOf().equals(only);
    }

    /**
     * The selected window; empty when all rows are selected.
     *
     * @param fromStates the state files with which the command starts
     */
    Optional<FileWindow> window(Plan plan, List<Path> fromStates) throws IOException, CommandFailure {
        SummaryWindow width = plan.summaries().stream()
                .filter(layout -> only != null && layout.name().equals(only))
                .findFirst()
                .map(SummaryLayout::window)
                .orElse(null);
        if (width == null) {
            if (time != null) {
                throw CommandFailure.usage("--window: " + only + " has no time windows");
            }
            return Optional.empty();
        }
        List<FileWindow> asked = new ArrayList<>();
        List<FileId> bases = new ArrayList<>();
        Set<Long> added = new LinkedHashSet<>();
        if (time != null) {
            long at = TimestampText.parse(time.strip());
            if (at == TimestampText.INVALID) {
                throw CommandFailure.usage(
                        "--window: \"" + time + "\" is no time in ISO 8601, as 2026-11-20T00:00:00Z");
            }
            long start = width.windows().start(at);
            asked.add(new FileWindow(start, width.windows().end(start)));
        }
        for (Path file : fromStates) {
            try (StateFile state = StateFile.open(file)) {
                FileWindow window = state.window().orElse(null);
                if (window == null) {
                    continue;
                }
                if (state.layouts().stream().noneMatch(layout -> layout.name().equals(only))) {
                    throw CommandFailure.usage(
                            file + ": has a window of " + state.layouts().get(0).name() + ", not of " + only);
                }
                long start = width.windows().start(window.start());
                if (start != window.start() || width.windows().end(start) != window.end()) {
                    throw CommandFailure.usage(file + ": has a window from " + TimestampText.toString(window.start())
                            + " to " + TimestampText.toString(window.end()) + ", and " + only
                            + " has other windows in these definitions");
                }
                asked.add(new FileWindow(window.start(), window.end()));
                bases.add(state.id());
                added.addAll(window.added());
            }
        }
        if (asked.stream().distinct().count() > 1) {
            throw CommandFailure.usage("--from-state and --window: name one window, not "
                    + String.join(
                            " and ",
                            asked.stream()
                                    .distinct()
                                    .map(window -> TimestampText.toString(window.start()))
                                    .toList()));
        }
        Optional<FileWindow> window =
                asked.stream().findFirst().map(of -> new FileWindow(of.start(), of.end(), bases, List.copyOf(added)));
        window.ifPresent(of -> late = new LateMessages(of.start(), of.added()));
        return window;
    }

    /** The selected window, with the late messages that {@link #read} has added since. */
    @Nullable
    FileWindow corrected(@Nullable FileWindow window) {
        LateMessages read = late;
        return window == null || read == null
                ? window
                : new FileWindow(window.start(), window.end(), window.madeFrom(), read.added());
    }

    /**
     * Whether a file has late messages. If so, {@link #read} reads the file.
     *
     * @param areFrames whether the other options allow files of frames with headers
     */
    boolean isLate(Path file, boolean areFrames) throws IOException, CommandFailure {
        Path index = LateMessages.index(file).orElse(null);
        if (index == null || !LateMessages.isLate(index)) {
            return false;
        }
        if (late == null) {
            throw CommandFailure.usage(file + ": has late messages of several windows; name one window with --only"
                    + " SUMMARY and --from-state WINDOW, or --window");
        }
        if (!file.toString().endsWith(".frames")) {
            throw CommandFailure.usage(file + ": late messages are read by their places in the file; unpack it first");
        }
        if (!areFrames) {
            throw CommandFailure.usage(
                    file + ": late messages have counts and headers; not with --framing lf or --topic");
        }
        return true;
    }

    /** Reads a file of late messages; returns remarks for the user. */
    List<String> read(Path file, FileRun run) throws IOException, InterruptedException {
        LateMessages reading = Objects.requireNonNull(late);
        int unreadable = reading.unreadable();
        int again = reading.again();
        reading.read(file, LateMessages.index(file).orElseThrow(), run::read);
        List<String> remarks = new ArrayList<>();
        if (reading.unreadable() > unreadable) {
            remarks.add(file + ": " + (reading.unreadable() - unreadable)
                    + " lines of its index have no message and were left out");
        }
        if (reading.again() > again) {
            remarks.add(file + ": " + (reading.again() - again)
                    + " of its messages are in the file of the window already, and were left out");
        }
        return remarks;
    }

    /** The part of a cut that the options select. */
    Cut select(Cut all, @Nullable FileWindow window) {
        return only == null ? all : WindowStates.select(all, only, window);
    }
}
