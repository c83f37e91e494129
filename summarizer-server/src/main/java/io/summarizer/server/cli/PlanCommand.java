package io.summarizer.server.cli;

import io.summarizer.core.state.LayoutMatch;
import io.summarizer.core.state.StateFile;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.http.DefinedTable;
import io.summarizer.server.service.ChangeReport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plan}: what definitions would do to the state that there is. */
@Command(
        name = "plan",
        description = {
            "Says what other definitions would do to the summaries.",
            "Compares those of a folder with the running service, or with a state file: what stays, what starts empty, what goes, what is refused. Changes nothing.",
            "Ends with status 1 when the definitions have errors or are refused."
        },
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets what is required
final class PlanCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "Folder of the .summ files.")
    private Path folder;

    @Option(names = "--state", paramLabel = "FILE", description = "Compare with this state file, not with a service.")
    private @Nullable Path state;

    @Option(
            names = {"--server", "--from"},
            paramLabel = "URL",
            description = "The running service. Default: ${DEFAULT-VALUE}.")
    private String server = "http://127.0.0.1:8080";

    @Mixin
    private ServiceAccess access;

    PlanCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        access = new ServiceAccess(environment);
    }

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        Definitions definitions = Plans.check(folder, terminal);
        List<DefinedTable> present = state != null ? ofFile(state) : ofService();
        LayoutMatch match = LayoutMatch.of(
                present.stream().map(DefinedTable::layout).toList(),
                definitions.summaries(),
                state != null ? "in the file" : "in the service");
        Map<String, Long> rows = present.stream()
                .collect(Collectors.toMap(table -> table.layout().name(), DefinedTable::rows));
        ChangeReport report = new ChangeReport(match, summary -> rows.getOrDefault(summary, 0L));
        terminal.out().print(report.text());
        if (report.isRefused()) {
            throw new CommandFailure("these definitions would be refused");
        }
        return Main.OK;
    }

    private static List<DefinedTable> ofFile(Path file) throws IOException {
        try (StateFile state = StateFile.open(file)) {
            return IntStream.range(0, state.layouts().size())
                    .mapToObj(summary -> new DefinedTable(state.layouts().get(summary), state.rows(summary)))
                    .toList();
        }
    }

    private List<DefinedTable> ofService() throws IOException, CommandFailure, InterruptedException {
        HttpResponse<String> response = ServiceAddress.of(server, access).get("/definitions");
        if (response.statusCode() != 200) {
            throw new CommandFailure(response.uri() + ": answered " + response.statusCode() + ": "
                    + response.body().strip());
        }
        return DefinedTable.read(new ByteArrayInputStream(response.body().getBytes(StandardCharsets.UTF_8)));
    }
}
