package io.summarizer.server.cli;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import picocli.CommandLine.Option;

/** The option of a command whose answer scripts read: records of the command as one JSON document on standard output. */
final class JsonOption {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** Whether JSON is wanted. */
    boolean isGiven() {
        return json;
    }

    /** Prints a record, a list of them or a tree: names with underscores, nulls as null. */
    static void print(Object answer, Terminal terminal) throws IOException {
        // Components of records alone become fields: a method such as isApplied is none.
        JsonMapper mapper = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
                .build();
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
        terminal.out().println(mapper.writer(printer).writeValueAsString(answer));
    }
}
