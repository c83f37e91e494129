package io.summarizer.server.cli;

import io.summarizer.core.evolve.Table;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.recovery.CheckpointInfo;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultFolder;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.text.TimestampText;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.server.service.StateLoading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code state}: shows the content of a state file or of a job's result. */
@Command(name = "state", description = "Lists a state file or a job's result, or writes a table of it.")
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class StateCommand extends JsonCommand {
    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "A state file, a manifest, or a folder of results, which stands for its newest result.")
    private Path file;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SUMMARY[/FIELD]",
            description = "Summary, or nested summary, to write. Default: list the summaries.")
    private @Nullable String path;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "File for the rows. Default: standard output, which is also -.")
    private @Nullable Path out;

    @Mixin
    private QueryOptions query = new QueryOptions();

    /** The answer as JSON. The checkpoint is null when the file is no checkpoint. */
    record Answer(
            long cut, String taken, long bytes, @Nullable OfCheckpoint checkpoint, List<OfSummary> summaries) {}

    /** The answer for a result, as JSON. */
    record ResultAnswer(
            long cut, String taken, long bytes, String job, String definitions, int files, List<OfResult> summaries) {}

    /** A summary of a result, and its tables without the rows in closed windows. */
    record OfResult(String name, long updates, List<StateFile.TableRows> tables, int closedWindows, long closedRows) {}

    /**
     * Header of a checkpoint.
     *
     * @param definitions name of the definitions in force, which is the SHA-256 of their files
     * @param positions for each pipeline, the sequence in the journal up to which the checkpoint includes the
     *     pipeline's messages
     */
    record OfCheckpoint(String definitions, List<Long> positions) {}

    /** A summary and its tables. The tables are the summary itself and its nested summaries. */
    record OfSummary(String name, long updates, List<StateFile.TableRows> tables) {}

    @Override
    public Integer call() throws IOException, CommandFailure, CsvQueryException, InterruptedException {
        out = unlessStandardOutput(out);
        if (path == null && (out != null || !query.parameters().isEmpty())) {
            throw CommandFailure.usage("--out and the options of a table go with a SUMMARY[/FIELD] of the file");
        }
        if (path != null && json.isGiven()) {
            throw CommandFailure.usage(
                    "--json lists what a file holds: for the rows of a SUMMARY[/FIELD], use --format ndjson");
        }
        if (out != null) {
            OverwriteOption.checkApart(out, List.of(file), "--out");
        }
        if (ResultInput.isResult(file)) {
            try (ResultFolder results = ResultInput.open(file)) {
                ofResult(results);
            }
            return Exit.OK;
        }
        try (StateFile state = StateFile.open(file)) {
            if (path == null) {
                list(state);
            } else {
                csv(state, path);
            }
        }
        return Exit.OK;
    }

    private void list(StateFile state) throws IOException, InterruptedException {
        state.verify(StateLoading.threads());
        if (json.isGiven()) {
            List<OfSummary> summaries = new ArrayList<>();
            for (int summary = 0; summary < state.layouts().size(); summary++) {
                summaries.add(new OfSummary(
                        state.layouts().get(summary).name(), state.updates(summary), state.tables(summary)));
            }
            OfCheckpoint checkpoint = CheckpointInfo.of(state)
                    .map(info -> new OfCheckpoint(info.definitions(), info.positions()))
                    .orElse(null);
            String taken = TimestampText.toString(state.takenAtMicros());
            JsonOption.print(new Answer(state.cutId(), taken, state.bytes(), checkpoint, summaries), terminal);
            return;
        }
        terminal.out()
                .println("cut " + state.cutId() + " of " + TimestampText.toString(state.takenAtMicros()) + ", "
                        + Units.bytes(state.bytes()));
        state.window()
                .ifPresent(window -> terminal.out()
                        .println("closed window: from " + TimestampText.toString(window.start()) + " to "
                                + TimestampText.toString(window.end())));
        CheckpointInfo.of(state)
                .ifPresent(info -> terminal.out()
                        .println("checkpoint: has the journal up to sequence "
                                + info.positions().stream().map(Units::count).collect(Collectors.joining(", "))
                                + " of its pipelines, definitions " + info.definitions()));
        for (int summary = 0; summary < state.layouts().size(); summary++) {
            lines(state.updates(summary), state.tables(summary));
        }
        ClosedWindowNotes.of(state).forEach(terminal.out()::println);
    }

    private void csv(StateFile state, String path)
            throws IOException, CommandFailure, CsvQueryException, InterruptedException {
        List<String> names = new ArrayList<>(Arrays.asList(path.split("/", -1)));
        List<SummaryLayout> wanted = state.layouts().stream()
                .filter(layout -> layout.name().equals(names.get(0)))
                .toList();
        if (wanted.isEmpty()) {
            throw noSummary(names.get(0), state.layouts());
        }
        if (state.window().isPresent() && query.parameters().containsKey("closed")) {
            throw CommandFailure.usage("all rows of " + file + " are of one closed window; leave --closed out");
        }
        Summaries rows = MergeCommand.stateOf(wanted);
        state.addTo(rows, StateLoading.threads());
        csv(rows.freeze(state.cutId(), state.takenAtMicros()).summaries().get(0), names);
        ClosedWindowNotes.of(state, state.layouts().indexOf(wanted.get(0))).ifPresent(terminal.err()::println);
    }

    private CommandFailure noSummary(String name, List<SummaryLayout> layouts) {
        return CommandFailure.noSummary(
                name + " in " + file, layouts.stream().map(SummaryLayout::name).toList());
    }

    /**
     * Writes a table.
     *
     * @param names the summary, and the fields that lead to the table
     */
    private void csv(SummaryView view, List<String> names) throws IOException, CommandFailure, CsvQueryException {
        CsvQuery asked = CsvQuery.parse(query.parameters());
        try {
            CsvExporter csv =
                    CsvExporter.of(view, names.subList(1, names.size()), asked, CsvQueryCompiler.of(List.of()));
            if (out == null) {
                csv.writeTo(terminal.data());
            } else {
                try (AtomicFile target = new AtomicFile(out)) {
                    csv.writeTo(target.stream());
                    target.commit();
                }
            }
        } catch (IllegalArgumentException | CsvQueryException e) {
            throw new CommandFailure(
                    e instanceof CsvQueryException ? Exit.of(e) : Exit.USAGE, file + ": " + e.getMessage(), e);
        }
    }

    private void ofResult(ResultFolder results)
            throws IOException, CommandFailure, CsvQueryException, InterruptedException {
        String path = this.path;
        Cut cut = results.acquire();
        try {
            if (path == null) {
                list(results, cut);
                return;
            }
            List<String> names = new ArrayList<>(Arrays.asList(path.split("/", -1)));
            Optional<SummaryView> view = cut.summary(names.get(0));
            if (view.isEmpty()) {
                throw noSummary(
                        names.get(0),
                        cut.summaries().stream().map(SummaryView::layout).toList());
            }
            csv(view.get(), names);
        } finally {
            cut.release();
        }
    }

    private void list(ResultFolder results, Cut cut) throws IOException, InterruptedException {
        results.verify(StateLoading.threads());
        Manifest manifest = Objects.requireNonNull(results.current()).manifest();
        List<OfResult> summaries =
                cut.summaries().stream().map(StateCommand::ofResult).toList();
        long bytes =
                manifest.allFiles().stream().mapToLong(Manifest.RowFile::bytes).sum();
        int files = manifest.allFiles().size();
        String taken = TimestampText.toString(manifest.takenAtMicros());
        if (json.isGiven()) {
            JsonOption.print(
                    new ResultAnswer(
                            manifest.checkpoint(),
                            taken,
                            bytes,
                            manifest.job(),
                            manifest.definitions(),
                            files,
                            summaries),
                    terminal);
            return;
        }
        terminal.out()
                .println("result of checkpoint " + manifest.checkpoint() + " of " + taken + ", job " + manifest.job()
                        + ", " + Units.count(files, "file") + ", " + Units.bytes(bytes) + ", definitions "
                        + manifest.definitions());
        for (OfResult summary : summaries) {
            lines(summary.updates, summary.tables);
            if (summary.closedWindows > 0) {
                terminal.out()
                        .println(summary.name + ": " + Units.count(summary.closedRows, "row") + " in "
                                + Units.count(summary.closedWindows, "closed window"));
            }
        }
    }

    private static OfResult ofResult(SummaryView view) {
        List<StateFile.TableRows> tables = Table.of(view.layout()).stream()
                .map(table -> new StateFile.TableRows(table.path(), view.rows(table.positions())))
                .toList();
        List<ClosedWindow> closed = view.closed().files();
        return new OfResult(
                view.layout().name(),
                view.updates(),
                tables,
                closed.size(),
                closed.stream().mapToLong(ClosedWindow::rows).sum());
    }

    private void lines(long updates, List<StateFile.TableRows> tables) {
        String ofUpdates = " of " + Units.count(updates, "update");
        for (StateFile.TableRows table : tables) {
            terminal.out().println(table.path() + ": " + Units.count(table.rows(), "row") + ofUpdates);
            ofUpdates = ""; // counted for the summary as a whole
        }
    }
}
