package io.summarizer.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.server.http.Listing;
import io.summarizer.server.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reset}: empties a summary of a running service. */
@Command(
        name = "reset",
        description = {
            "Empties a summary of the running service.",
            "Prints the id of the cut of the reset. For a while, the old rows can be pulled from this cut.",
            "On a terminal it first asks you to type the name of the summary.",
            "If the answer is lost, GET /resets of the service says whether the reset happened, and at which cut."
        },
        exitCodeList = "1:The name typed is another, so nothing was emptied.")
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class ResetCommand extends JsonCommand {
    @Parameters(paramLabel = "SUMMARY", description = "Summary to empty, with its nested summaries.")
    private String summary;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        if (!yes && terminal.inIsTerminal() && !confirmed()) {
            throw new CommandFailure(Exit.NO, "that is not `" + summary + "`, so nothing was emptied");
        }
        String path = Listing.SUMMARIES + "/" + Listing.escape(summary) + "/reset";
        ServiceClient client = service.client(environment);
        JsonNode answer = Json.MAPPER.readTree(client.post(path));
        if (json.isGiven()) {
            JsonOption.print(answer, terminal);
            return Exit.OK;
        }
        terminal.out().println(answer.path("cut").asText());
        terminal.err()
                .println(summary + " was emptied of "
                        + Units.count(answer.path("rows").asLong(), "row")
                        + ", kept at "
                        + client.resolve(answer.path("csv").asText()) + " for "
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
