package io.summarizer.server.cli;

import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/**
 * Runs short commands on the example definitions, so that the JVM loads the commands' classes and archives them when it
 * ends. Prints nothing. Not a command for users.
 */
final class Rehearsal {
    private static final String LINE = "<134>1 2026-11-20T00:00:00Z host app - ad.impression.us - 1,2,3,4,5,6,7,8\n";
    private static final List<String> WORKLOADS = List.of("ads-v1", "ads-v2");

    private Rehearsal() {}

    /**
     * Runs the commands. The exit code is 0 even when one of them fails, because only the loaded classes matter.
     */
    public static void main(String[] arguments) throws IOException {
        Logging.configure(false);
        String definitions = HomeFolder.definitions().toString();
        run("--help");
        run("check", "--definitions", definitions);
        run("topics", "--definitions", definitions, "ad.click.us");
        run("explain", "--definitions", definitions, LINE);
        run("export", "Any", "--server", "http://127.0.0.1:1");
        for (String workload : WORKLOADS) {
            try (TemporaryFolder folder = TemporaryFolder.createInMemory("summarizer-rehearsal")) {
                String events = folder.path().resolve("events").toString();
                run("generate", workload, "--events", "1000", "--out", events);
                run("run", "--definitions", definitions, "--out", events + ".out", events);
            }
        }
        System.exit(Exit.OK);
    }

    private static void run(String... command) {
        Terminal silent = Terminal.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        int unused = Main.run(silent, Map.of(), command);
    }
}
