package io.summarizer.server.cli;

import io.summarizer.server.json.Json;
import picocli.CommandLine.Option;

/**
 * The option {@code --json}. With it, a command prints its answer on standard output as one JSON document, for scripts.
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
