package io.summarizer.server.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Commands run within the tests' process, for tests of other packages. */
public final class Commands {
    private Commands() {}

    /** Output and exit code of a command. */
    public record Outcome(int exit, String out, String err) {}

    /** Runs a command. */
    public static Outcome run(String... arguments) {
        return run(Map.of(), arguments);
    }

    /** Runs a command with these variables. */
    public static Outcome run(Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = Main.run(Terminal.of(out, err), environment, arguments);
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
