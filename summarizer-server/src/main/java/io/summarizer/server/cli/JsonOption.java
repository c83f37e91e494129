package io.summarizer.server.cli;

import io.summarizer.server.json.Json;
import picocli.CommandLine.Option;

/**
 * The option of a command whose answer scripts read. With the option, the command prints its answer as one JSON
 * document on standard output.
 */
final class JsonOption {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** Whether JSON is requested. */
    boolean isGiven() {
        return json;
    }

    /** Prints a record, a list of records, or a tree. */
    static void print(Object answer, Terminal terminal) {
        terminal.out().println(Json.indented(answer));
    }
}
