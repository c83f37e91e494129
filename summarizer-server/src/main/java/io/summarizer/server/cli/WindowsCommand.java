package io.summarizer.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.server.http.Listing;
import io.summarizer.server.http.WindowListing;
import io.summarizer.server.json.Json;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code windows}: lists and closes the time windows of a summary of a running service. */
@Command(
        name = "windows",
        description = "Lists or closes the time windows of a summary.",
        subcommands = {WindowsCommand.ListCommand.class, WindowsCommand.CloseCommand.class})
final class WindowsCommand {
    private static String path(String summary) {
        return Listing.SUMMARIES + "/" + Listing.escape(summary) + "/windows";
    }

    /** {@code windows list}. */
    @Command(
            name = "list",
            description = {
                "Lists the time windows of a summary by their start, with tabs between the columns.",
                "The columns are start, end, state (open, closing or closed), rows, and bytes of the file."
            })
    @SuppressWarnings("NullAway.Init") // picocli sets required options
    static final class ListCommand extends Subcommand {
        @Parameters(paramLabel = "SUMMARY", description = "Summary with time windows.")
        private String summary;

        @Mixin
        private ServiceOptions service = new ServiceOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws IOException, CommandFailure, InterruptedException {
            String answer = service.client(environment).get(path(summary));
            if (json.isGiven()) {
                JsonOption.print(Json.MAPPER.readTree(answer), terminal);
                return Exit.OK;
            }
            terminal.out().println("start\tend\tstate\trows\tbytes");
            for (WindowListing window : Json.MAPPER.readValue(answer, WindowListing[].class)) {
                String bytes = window.bytes() == null ? "" : window.bytes().toString();
                terminal.out()
                        .println(String.join(
                                "\t",
                                window.start(),
                                window.end(),
                                window.state(),
                                Long.toString(window.rows()),
                                bytes));
            }
            return Exit.OK;
        }
    }

    /** {@code windows close}. */
    @Command(
            name = "close",
            description = {
                "Closes time windows of a summary now, whatever the times of events are.",
                "Later events of a closed window are rejected as late."
            },
            exitCodeList = "1:There was no window to close.")
    @SuppressWarnings("NullAway.Init") // picocli sets required options
    static final class CloseCommand extends Subcommand {
        @Parameters(paramLabel = "SUMMARY", description = "Summary with time windows.")
        private String summary;

        @Option(
                names = "--before",
                paramLabel = "T",
                description =
                        "Close the windows that begin before this time, in ISO 8601. Default: all that have rows.")
        private @Nullable String before;

        @Mixin
        private ServiceOptions service = new ServiceOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws IOException, CommandFailure, InterruptedException {
            String query = before == null ? "" : "?before=" + Listing.escape(before);
            JsonNode answer = Json.MAPPER.readTree(service.client(environment).post(path(summary) + "/close" + query));
            boolean closed = answer.path("closed").asBoolean();
            if (json.isGiven()) {
                JsonOption.print(answer, terminal);
            } else {
                terminal.err()
                        .println(
                                closed
                                        ? "windows of " + summary + " that begin before "
                                                + answer.path("before").asText()
                                                + " are closed; events of these times are late from now on"
                                        : "there was no window to close");
            }
            return closed ? Exit.OK : Exit.NO;
        }
    }
}
