package io.summarizer.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.core.state.StateFile;
import io.summarizer.server.http.Listing;
import io.summarizer.server.http.WindowListing;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code windows}: lists, closes and replaces the time windows of a summary of a running service. */
@Command(
        name = "windows",
        description = "Lists, closes or puts the time windows of a summary.",
        subcommands = {
            WindowsCommand.ListCommand.class,
            WindowsCommand.CloseCommand.class,
            WindowsCommand.PutCommand.class
        })
final class WindowsCommand {
    static String path(String summary) {
        return Listing.SUMMARIES + "/" + Listing.escape(summary) + "/windows";
    }

    /** {@code windows list}. */
    @Command(
            name = "list",
            description = {
                "Lists the time windows of a summary by their start, with tabs between the columns.",
                "The columns are start, end, state (open, closing or closed), rows, bytes of the file, and late: the late messages that are kept for the window, or in results of a job, the late updates."
            })
    @SuppressWarnings("NullAway.Init") // picocli sets required options
    static final class ListCommand extends JsonCommand {
        @Parameters(paramLabel = "SUMMARY", description = "Summary with time windows.")
        private String summary;

        @Mixin
        private ServiceOptions service = new ServiceOptions();

        @Override
        public Integer call() throws IOException, CommandFailure, InterruptedException {
            String answer = service.client(environment).get(path(summary));
            if (json.isGiven()) {
                JsonOption.print(Json.MAPPER.readTree(answer), terminal);
                return Exit.OK;
            }
            terminal.out().println("start\tend\tstate\trows\tbytes\tlate");
            for (WindowListing window : Json.MAPPER.readValue(answer, WindowListing[].class)) {
                String bytes = window.bytes() == null ? "" : window.bytes().toString();
                terminal.out()
                        .println(String.join(
                                "\t",
                                window.start(),
                                window.end(),
                                window.state(),
                                Long.toString(window.rows()),
                                bytes,
                                Long.toString(window.late())));
            }
            return Exit.OK;
        }
    }

    /** {@code windows put}. */
    @Command(
            name = "put",
            description = {
                "Replaces a closed time window by the rows of a state file, or adds a closed window that has no rows.",
                "`run --only SUMMARY --state FILE` makes such a file. Exports of the window run again."
            },
            exitCodeList =
                    "1:The service refused the file: the window is not closed, the file is damaged, does not fit the definitions, or was not made from the present file of the window.")
    @SuppressWarnings("NullAway.Init") // picocli sets required options
    static final class PutCommand extends JsonCommand {
        @Parameters(paramLabel = "FILE", description = "State file with the rows of one window.")
        private Path file;

        @Option(
                names = "--overwrite",
                description =
                        "Put the file even if it was not made from the present file of the window. What only the present file has is lost.")
        private boolean overwrite;

        @Mixin
        private ServiceOptions service = new ServiceOptions();

        @Override
        public Integer call() throws IOException, CommandFailure, InterruptedException {
            String summary = summary();
            String answer =
                    service.client(environment).post(path(summary) + (overwrite ? "?overwrite=true" : ""), file);
            if (json.isGiven()) {
                JsonOption.print(Json.MAPPER.readTree(answer), terminal);
            } else {
                WindowListing put = Json.MAPPER.readValue(answer, WindowListing.class);
                terminal.err()
                        .println("the window of " + summary + " from " + put.start() + " to " + put.end() + " now has "
                                + Units.count(put.rows(), "row"));
            }
            return Exit.OK;
        }

        /** The summary that the file has rows of. */
        private String summary() throws IOException, CommandFailure {
            InputFile.check(file);
            try (StateFile state = StateFile.open(file)) {
                if (state.window().isEmpty()) {
                    throw CommandFailure.usage(file + ": is not the state file of one window; run --only SUMMARY with"
                            + " --from-state or --window makes one");
                }
                return state.layouts().get(0).overflowOf();
            }
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
    static final class CloseCommand extends JsonCommand {
        @Parameters(paramLabel = "SUMMARY", description = "Summary with time windows.")
        private String summary;

        @Option(
                names = "--before",
                paramLabel = "T",
                description =
                        "Close the windows that begin before this time, in ISO 8601, which cannot be in the future. Default: all windows that have rows.")
        private @Nullable String before;

        @Mixin
        private ServiceOptions service = new ServiceOptions();

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
