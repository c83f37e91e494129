package io.summarizer.server.cli;

import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.recovery.CheckpointInfo;
import io.summarizer.core.state.StateFile;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code state}: shows the content of a state file. */
@Command(name = "state", description = "Lists a state file, or writes a summary of it as CSV or NDJSON.")
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class StateCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "A state file.")
    private Path file;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SUMMARY[/FIELD]",
            description = "Summary, or nested summary, to write. Default: list the summaries.")
    private @Nullable String path;

    @Option(names = "--out", paramLabel = "FILE", description = "File for the rows. Default: standard output.")
    private @Nullable Path out;

    @Mixin
    private QueryOptions query = new QueryOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    /** The answer as JSON. The checkpoint is null when the file is no checkpoint. */
    record Answer(
            long cut, String taken, long bytes, @Nullable OfCheckpoint checkpoint, List<OfSummary> summaries) {}

    /**
     * Header of a checkpoint.
     *
     * @param definitions name of the definitions in force, which is the SHA-256 of their files
     * @param positions for each pipeline, the sequence in the journal up to which the checkpoint covers the messages
     */
    record OfCheckpoint(String definitions, List<Long> positions) {}

    /** A summary, and its tables: the summary itself and the summaries nested in it. */
    record OfSummary(String name, long updates, List<StateFile.TableRows> tables) {}

    @Override
    public Integer call() throws IOException, CommandFailure, CsvQueryException, InterruptedException {
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
            String updates = " of " + Units.count(state.updates(summary), "update");
            for (StateFile.TableRows table : state.tables(summary)) {
                terminal.out().println(table.path() + ": " + Units.count(table.rows(), "row") + updates);
                updates = ""; // counted for the summary as a whole
            }
        }
    }

    private void csv(StateFile state, String path)
            throws IOException, CommandFailure, CsvQueryException, InterruptedException {
        List<String> names = new ArrayList<>(Arrays.asList(path.split("/", -1)));
        List<SummaryLayout> wanted = state.layouts().stream()
                .filter(layout -> layout.name().equals(names.get(0)))
                .toList();
        if (wanted.isEmpty()) {
            throw CommandFailure.noSummary(
                    names.get(0) + " in " + file,
                    state.layouts().stream().map(SummaryLayout::name).toList());
        }
        CsvQuery asked = CsvQuery.parse(query.parameters());
        Summaries rows = MergeCommand.stateOf(wanted);
        state.addTo(rows, StateLoading.threads());
        SummaryView view =
                rows.freeze(state.cutId(), state.takenAtMicros()).summaries().get(0);
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
            throw new CommandFailure(Exit.USAGE, file + ": " + e.getMessage(), e);
        }
    }
}
