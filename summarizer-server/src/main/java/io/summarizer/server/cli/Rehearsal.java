package io.summarizer.server.cli;

import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/**
 * Loads the classes that short commands need, for a JVM that archives its classes when it ends: it runs some of these
 * commands on the example definitions. Prints nothing; users have no such command.
 */
final class Rehearsal {
    private static final String LINE = "<134>1 2026-11-20T00:00:00Z host app - ad.impression.us - 1,2,3,4,5,6,7,8\n";

    private Rehearsal() {}

    /** Runs the commands. The exit code is 0 even when one of them fails, because only the loaded classes matter. */
    public static void main(String[] arguments) {
        Logging.configure(false);
        String definitions = HomeFolder.definitions().toString();
        Terminal silent = Terminal.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        for (List<String> command : List.of(
                List.of("--help"),
                List.of("check", "--definitions", definitions),
                List.of("topics", "--definitions", definitions, "ad.click.us"),
                List.of("explain", "--definitions", definitions, LINE),
                List.of("export", "Any", "--server", "http://127.0.0.1:1"))) {
            int unused = Main.run(silent, Map.of(), command.toArray(String[]::new));
        }
        System.exit(Exit.OK);
    }
}
