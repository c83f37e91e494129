package io.summarizer.server.cli;

import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultFolder;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.LoadedRowCode;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.StateLoading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code merge}: merges results of jobs, and state files of summarizers that each received a share of the messages. */
@Command(
        name = "merge",
        description = {
            "Merges state files of summarizers that shared the messages.",
            "The result is the state that one summarizer with all messages would have. The first argument, OUT, is the file to write."
        },
        exitCodeList = "1:The definitions have errors.")
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class MergeCommand extends JsonCommand {
    @Parameters(index = "0", paramLabel = "OUT", description = "The state file to write.")
    private Path out;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "IN",
            description =
                    "State files to read. A manifest stands for the files of its result. A folder of results stands for the files of its newest result, without closed windows.")
    private List<Path> in = new ArrayList<>();

    @Option(
            names = "--definitions",
            paramLabel = "DIR",
            description = "Folder of the .summ files with the summaries of OUT. Default: summaries as in the first IN.")
    private @Nullable Path definitions;

    @Mixin
    private OverwriteOption overwrite = new OverwriteOption();

    /**
     * The answer as JSON.
     *
     * @param bytes size of the file
     * @param leftOut data without a place in the definitions
     */
    record Answer(String file, long bytes, double seconds, List<OfSummary> summaries, List<String> leftOut) {}

    /**
     * A summary, with the number of its rows and the number of updates that made them. Rows of nested summaries do not
     * count.
     */
    record OfSummary(String name, long rows, long updates) {}

    @Override
    public Integer call() throws IOException, CommandFailure, DefinitionsException, InterruptedException {
        overwrite.check(out, in, "OUT, the first name");
        long start = System.nanoTime();
        List<String> leftOut = new ArrayList<>();
        List<Path> files = files(leftOut);
        requireDifferent(files);
        long cutId = 0;
        long takenAt = 0;
        List<SummaryLayout> layouts =
                definitions == null ? null : Plans.check(definitions, terminal).summaries();
        MergedWindow window = new MergedWindow();
        Map<String, Long> boundaries = new HashMap<>();
        for (Path file : files) {
            try (StateFile each = StateFile.open(file)) {
                window.add(file, each);
                for (int i = 0; i < each.layouts().size(); i++) {
                    boundaries.merge(each.layouts().get(i).name(), each.boundary(i), Math::max);
                }
                layouts = layouts == null ? each.layouts() : layouts;
                cutId = Math.max(cutId, each.cutId());
                takenAt = Math.max(takenAt, each.takenAtMicros());
                ClosedWindowNotes.of(each).forEach(note -> terminal.err().println(file + ": " + note));
                warnOfOverflow(file, each);
            }
        }
        if (layouts == null) {
            throw new CommandFailure("nothing to merge");
        }
        warnOfCopies();
        Summaries state = stateOf(layouts);
        StateLoading.addAll(files, state, new RecoveryProgress(), note -> {
            terminal.err().println("left out: " + note);
            leftOut.add(note);
        });
        Cut cut = state.freeze(cutId, takenAt);
        warnOfClosedWindows(cut, boundaries);
        FileWindow common = SummaryLayout.indexOf(layouts, window.summary()) < 0 ? null : window.common();
        if (window.isMixed()) {
            terminal.err()
                    .println("warning: the files are not all of one closed window, so " + out
                            + " is not the file of a window, and windows put refuses it");
        }
        Cut written = common == null ? cut : WindowStates.select(cut, window.summary(), common);
        long bytes = WindowStates.write(written, common, out);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (json.isGiven()) {
            List<OfSummary> summaries = written.summaries().stream()
                    .map(summary -> new OfSummary(summary.layout().name(), summary.rows(List.of()), summary.updates()))
                    .toList();
            JsonOption.print(new Answer(out.toString(), bytes, seconds, summaries, leftOut), terminal);
        } else {
            terminal.err()
                    .println(out + ": " + Units.bytes(bytes) + " of " + Units.count(files.size(), "file") + ", in "
                            + Units.duration(seconds));
        }
        return Exit.OK;
    }

    /**
     * Warns when the merged file has rows of a window that one of the files has closed. Its rows are then in a file,
     * and a service with this file would leave out the rows here.
     *
     * @param boundaries the latest boundary of each summary's closed windows
     */
    private void warnOfClosedWindows(Cut cut, Map<String, Long> boundaries) {
        for (SummaryView summary : cut.summaries()) {
            long boundary = boundaries.getOrDefault(summary.layout().name(), ClosedWindows.NO_BOUNDARY);
            long windows = summary.partitions().stream()
                    .filter(part -> part.rows() > 0 && part.window() < boundary)
                    .mapToLong(StoreView::window)
                    .distinct()
                    .count();
            if (summary.layout().window() != null && windows > 0) {
                terminal.err()
                        .println("warning: " + out + " has rows of " + Units.count(windows, "window") + " of "
                                + summary.layout().name()
                                + " that another of the files has closed; beside a file of such a window, these rows"
                                + " do not count. Close the windows on all hosts, and merge their files");
            }
        }
    }

    /** Warns when a row of the merged summary may lack what this file has in the overflow. */
    private void warnOfOverflow(Path file, StateFile state) {
        for (SummaryLayout layout : state.layouts()) {
            int overflow = SummaryLayout.indexOf(state.layouts(), layout.overflowName());
            if (overflow >= 0 && state.rows(overflow, List.of()) > 0) {
                terminal.err()
                        .println(file + ": there were more keys of " + layout.name() + " than its limit, and "
                                + layout.overflowName() + " has the updates of some; of these keys, the merged file"
                                + " may have a row with only the updates of other files");
            }
        }
    }

    /**
     * The state files to read.
     *
     * @param leftOut receives what they do not have
     */
    private List<Path> files(List<String> leftOut) throws IOException, CommandFailure {
        List<Path> files = new ArrayList<>();
        for (Path input : in) {
            if (!ResultInput.isResult(input)) {
                files.add(input);
                continue;
            }
            try (ResultFolder results = ResultInput.open(input)) {
                Manifest manifest = Objects.requireNonNull(results.current()).manifest();
                manifest.files().forEach(file -> files.add(results.folder().resolve(file.file())));
                for (Manifest.OfSummary summary : manifest.summaries()) {
                    if (!summary.windows().isEmpty()) {
                        String note =
                                input + ": " + Units.count(summary.windows().size(), "closed window") + " of "
                                        + summary.name() + ", in files of their own";
                        terminal.err().println("left out: " + note);
                        leftOut.add(note);
                    }
                }
            }
        }
        return files;
    }

    /** Warns of a file that is a copy of another. Only the files of hosts without events may be equal by chance. */
    private void warnOfCopies() throws IOException {
        Map<Long, Path> bySize = new HashMap<>();
        for (Path file : in) {
            Path other = ResultInput.isResult(file) ? null : bySize.putIfAbsent(Files.size(file), file);
            if (other != null && Files.mismatch(other, file) == -1) {
                terminal.err()
                        .println("warning: " + file + " has the same bytes as " + other
                                + ", so its numbers count twice");
            }
        }
    }

    /** Refuses a file that is given twice, because its numbers would count twice. */
    static void requireDifferent(List<Path> files) throws IOException, CommandFailure {
        Set<Path> seen = new HashSet<>();
        for (Path file : files) {
            if (Files.exists(file) && !seen.add(file.toRealPath())) {
                throw CommandFailure.usage(file + " is given twice, and its numbers would count twice");
            }
        }
    }

    /** Makes empty state. Only the heap bounds the size of this state. */
    static Summaries stateOf(List<SummaryLayout> layouts) {
        return new Summaries(layouts, layouts.stream().map(LoadedRowCode::of).toList(), Long.MAX_VALUE);
    }
}
