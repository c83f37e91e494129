package io.summarizer.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.server.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reset}: empties a summary of a running service. */
@Command(
        name = "reset",
        description = {
            "Empties a summary of the running service.",
            "Prints the id of the cut at which that was: what the summary held can be pulled from that cut for a while.",
            "On a terminal it asks for the name of the summary again first.",
            "When the answer is lost, GET /resets of the service says whether it was, and the cut."
        },
        exitCodeList = "1:The name typed is another, so nothing was emptied.",
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class ResetCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "SUMMARY", description = "A summary; what is nested in it is emptied with it.")
    private String summary;

    @Option(names = "--yes", description = "Does not ask.")
    private boolean yes;

    @Mixin
    private ServiceOptions service;

    @Mixin
    private JsonOption json = new JsonOption();

    ResetCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        service = new ServiceOptions(environment);
    }

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        if (!yes && terminal.inIsTerminal() && !confirmed()) {
            throw new CommandFailure(CommandFailure.Kind.NO, "that is not `" + summary + "`, so nothing was emptied");
        }
        String path = "/summaries/"
                + URLEncoder.encode(summary, StandardCharsets.UTF_8).replace("+", "%20") + "/reset";
        ServiceAddress address = service.address();
        JsonNode answer = Json.MAPPER.readTree(address.post(path));
        if (json.isGiven()) {
            JsonOption.print(answer, terminal);
            return Exit.OK;
        }
        terminal.out().println(answer.path("cut").asText());
        terminal.err()
                .println(summary + " was emptied of "
                        + Units.count(answer.path("rows").asLong())
                        + " rows; they are at "
                        + address.resolve(answer.path("csv").asText()) + " for "
                        + answer.path("kept_seconds").asLong() + " s");
        return Exit.OK;
    }

    private boolean confirmed() throws IOException {
        terminal.err().print("This empties " + summary + ". Type its name to go on: ");
        terminal.err().flush();
        String typed = new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8)).readLine();
        return typed != null && typed.strip().equals(summary);
    }
}
