package io.summarizer.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reset}: empties a summary of a running service. */
@Command(
        name = "reset",
        description = {
            "Empties a summary of the running service.",
            "Prints the id of the cut at which that was: what the summary held can be pulled from that cut for a while."
        },
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets what is required
final class ResetCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Terminal terminal;

    @Parameters(paramLabel = "SUMMARY", description = "A summary; what is nested in it is emptied with it.")
    private String summary;

    @Option(names = "--server", paramLabel = "URL", description = "Default: ${DEFAULT-VALUE}.")
    private String server = "http://127.0.0.1:8080";

    ResetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        String base = server.contains("://") ? server : "http://" + server;
        URI uri;
        HttpRequest request;
        try {
            uri = URI.create(base)
                    .resolve("/summaries/"
                            + URLEncoder.encode(summary, StandardCharsets.UTF_8).replace("+", "%20") + "/reset");
            request = HttpRequest.newBuilder(uri)
                    .timeout(TIMEOUT)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("--server: \"" + server + "\" is not http://HOST:PORT", e);
        }
        HttpResponse<String> response;
        try {
            response = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new CommandFailure(
                    "nothing answers at " + server + "; is the service running? (summarizer serve)", e);
        }
        if (response.statusCode() != 200) {
            throw new CommandFailure(uri + ": answered " + response.statusCode() + ": "
                    + response.body().strip());
        }
        JsonNode answer = new ObjectMapper().readTree(response.body());
        terminal.out().println(answer.path("cut").asText());
        terminal.err()
                .println(summary + " was emptied of "
                        + Units.count(answer.path("rows").asLong())
                        + " rows; they are at "
                        + URI.create(base).resolve(answer.path("csv").asText()) + " for "
                        + answer.path("keptSeconds").asLong() + " s");
        return Main.OK;
    }
}
