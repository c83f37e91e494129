package io.summarizer.server.cli;

import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.WindowFilesFit;
import io.summarizer.core.recovery.CheckpointInfo;
import io.summarizer.core.result.ResultFolder;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.http.DefinedTable;
import io.summarizer.server.http.DefinitionsInForce;
import io.summarizer.server.http.WindowListing;
import io.summarizer.server.service.ChangeReport;
import io.summarizer.server.service.DefinitionStore;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.RuleChanges;
import io.summarizer.server.service.SummarizerService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plan}: shows the effect of definitions on the present state. */
@Command(
        name = "plan",
        description = {
            "Shows what other definitions would do to the summaries.",
            "Compares the definitions of a folder with those of the running service, or with a state file: which"
                    + " summaries and fields stay, start empty, are dropped or make a reload impossible, and which"
                    + " events, mappings, conditions and limits change. Changes nothing. A state file has no mappings."
                    + " For a checkpoint, the command reads the mappings from the checkpoint's data folder."
        },
        exitCodeList = "1:The definitions have errors, or would be refused.")
final class PlanCommand extends JsonCommand {
    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--from-state",
            paramLabel = "FILE",
            description =
                    "Compare with this state file, or with a result of a job: a manifest or a folder of results. Not with a service.")
    private @Nullable Path state;

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    /**
     * The present summaries.
     *
     * @param name name of the file or of the service
     * @param place the place of the state, in the words of messages, such as {@code in the service}
     * @param definitions the definitions that made the summaries, if they are known
     */
    private record Present(
            String name,
            String place,
            List<DefinedTable> tables,
            Map<String, List<Long>> windows,
            Optional<Definitions> definitions) {}

    /**
     * The answer as JSON.
     *
     * @param rules changes of the rules; null when there are no known rules to compare with
     */
    record Answer(
            boolean refused,
            String definitions,
            String comparedWith,
            List<String> refusals,
            List<OfSummary> summaries,
            @Nullable List<RuleChanges.Change> rules) {}

    /**
     * A summary.
     *
     * @param fate {@code new}, {@code kept}, {@code rebuilt}, {@code refused} or {@code gone}
     * @param rows number of rows before the change
     */
    record OfSummary(String name, String fate, long rows, List<String> changes) {}

    @Override
    public Integer call()
            throws IOException, CommandFailure, ConfigException, DefinitionsException, InterruptedException {
        if (state != null && service.isGiven()) {
            throw CommandFailure.usage("--from-state and --server: definitions are compared with one of them");
        }
        ServerConfig config = options.load(environment);
        Path folder = options.definitions(config);
        Definitions definitions = Plans.check(folder, terminal);
        SummarizerService.checkExports(config, definitions.summaries());
        Present present = state != null ? ofState(state) : ofService();
        LayoutMatch match = LayoutMatch.of(
                present.tables.stream().map(DefinedTable::layout).toList(),
                new LayoutMatch.RowCounts() {
                    @Override
                    public long of(int summary, List<Integer> path) {
                        return present.tables.get(summary).rows(path);
                    }

                    @Override
                    public boolean hasFiles(int summary) {
                        return present.tables.get(summary).hasFiles();
                    }
                },
                definitions.summaries(),
                present.place);
        ChangeReport report = new ChangeReport(
                match,
                summary -> present.windows.getOrDefault(summary, List.of()),
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        Map<String, String> misfits = misfits(match, present.tables);
        boolean isRefused = report.isRefused() || !misfits.isEmpty();
        Optional<RuleChanges> rules = present.definitions.map(before -> RuleChanges.between(before, definitions));
        if (json.isGiven()) {
            JsonOption.print(
                    new Answer(
                            isRefused,
                            folder.toString(),
                            present.name,
                            Stream.concat(match.refusals().stream(), misfits.values().stream())
                                    .toList(),
                            summaries(match, report, misfits.keySet()),
                            rules.map(RuleChanges::changes).orElse(null)),
                    terminal);
        } else {
            terminal.out().print(report.text());
            misfits.values().forEach(misfit -> terminal.out().println("refused: " + misfit));
            terminal.out().print(rules.map(RuleChanges::text).orElse(""));
            if (rules.isEmpty()) {
                terminal.err()
                        .println(state
                                + " does not say by which mappings, conditions and topics it was made: these are not"
                                + " compared");
            }
        }
        if (isRefused) {
            throw new CommandFailure(
                    Exit.NO,
                    "the definitions in " + folder + " would be refused; they were compared with " + present.name);
        }
        return Exit.OK;
    }

    /** The reasons why definitions do not fit the files of closed windows, by summary. */
    private static Map<String, String> misfits(LayoutMatch match, List<DefinedTable> present) {
        Map<String, String> misfits = new LinkedHashMap<>();
        for (int i = 0; i < match.to().size(); i++) {
            int source = match.source(i);
            String name = match.to().get(i).name();
            boolean isRefused = match.changes().stream()
                    .anyMatch(change -> change.summary().equals(name) && change.kind() == LayoutMatch.Kind.REFUSED);
            if (source >= 0 && !isRefused) {
                List<SummaryLayout> files = present.get(source).files().stream()
                        .map(DefinedTable::layout)
                        .toList();
                misfits.put(
                        name,
                        WindowFilesFit.problem(match.to().get(i), match.from().get(source), files));
            }
        }
        misfits.values().removeIf(String::isEmpty);
        return misfits;
    }

    private static List<OfSummary> summaries(LayoutMatch match, ChangeReport report, Set<String> misfits) {
        List<OfSummary> summaries = new ArrayList<>();
        for (int i = 0; i < match.to().size(); i++) {
            String name = match.to().get(i).name();
            List<LayoutMatch.Change> changes = match.changes().stream()
                    .filter(change -> change.summary().equals(name))
                    .toList();
            boolean refused = misfits.contains(name)
                    || changes.stream().anyMatch(change -> change.kind() == LayoutMatch.Kind.REFUSED);
            summaries.add(new OfSummary(
                    name,
                    refused ? "refused" : match.outcome(i).name().toLowerCase(Locale.ROOT),
                    match.rows(name),
                    Stream.concat(
                                    report.deleted(match.to().get(i)).map(what -> name + ": " + what).stream(),
                                    changes.stream().map(change -> change.table() + ": " + change.what()))
                            .toList()));
        }
        List<String> names = match.to().stream().map(SummaryLayout::name).toList();
        for (SummaryLayout layout : match.from()) {
            if (!names.contains(layout.name())) {
                summaries.add(new OfSummary(layout.name(), "gone", match.rows(layout.name()), List.of()));
            }
        }
        return summaries;
    }

    private static Present ofState(Path state) throws IOException, CommandFailure {
        return ResultInput.isResult(state) ? ofResult(state) : ofFile(state);
    }

    private static Present ofResult(Path result) throws IOException, CommandFailure {
        try (ResultFolder results = ResultInput.open(result)) {
            Cut cut = results.acquire();
            try {
                Map<String, List<Long>> windows = new HashMap<>();
                for (SummaryView summary : cut.summaries()) {
                    if (!summary.layout().isKeyless()) {
                        windows.put(
                                summary.layout().name(),
                                summary.closed().files().stream()
                                        .map(ClosedWindow::end)
                                        .toList());
                    }
                }
                return new Present(result.toString(), "in the result", DefinedTable.of(cut), windows, Optional.empty());
            } finally {
                cut.release();
            }
        }
    }

    private static Present ofFile(Path file) throws IOException {
        try (StateFile state = StateFile.open(file)) {
            List<DefinedTable> tables = IntStream.range(0, state.layouts().size())
                    .mapToObj(
                            summary -> DefinedTable.of(state.layouts().get(summary), path -> state.rows(summary, path)))
                    .toList();
            Optional<CheckpointInfo> checkpoint = CheckpointInfo.of(state);
            return new Present(
                    file.toString(),
                    "in the file",
                    tables,
                    Map.of(),
                    checkpoint.flatMap(info -> DefinitionStore.beside(file, info.definitions())));
        }
    }

    private Present ofService() throws IOException, CommandFailure, InterruptedException {
        ServiceClient client = service.client(environment);
        DefinitionsInForce inForce = DefinitionsInForce.read(client.get("/definitions/files"));
        List<DefinedTable> tables = DefinedTable.read(client.get("/definitions"));
        Map<String, List<Long>> windows = new HashMap<>();
        for (DefinedTable table : tables) {
            if (table.hasFiles()) {
                String name = table.layout().name();
                windows.put(name, WindowListing.endsOfFiles(client.get(WindowsCommand.path(name))));
            }
        }
        return new Present(
                client.toString(),
                "in the service",
                tables,
                windows,
                Optional.of(DefinitionsSource.checked(client, inForce).definitions()));
    }
}
