package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The help of every command, word for word, and the table of commands in docs/reference/commands.md, which is generated
 * from it; {@code -Dsummarizer.golden.regenerate=true} rewrites both, and fails.
 */
class CommandLineGoldenTest {
    private static final Path GOLDEN = Path.of("src/test/resources/cli/help");

    private static CommandLine commandLine() {
        return Main.commandLine();
    }

    /** Returns all commands, subcommands after their parents. */
    private static List<CommandLine> commands(CommandLine from) {
        List<CommandLine> commands = new ArrayList<>(List.of(from));
        from.getSubcommands().values().forEach(below -> commands.addAll(commands(below)));
        return commands;
    }

    private static Map<String, String> helps() {
        Map<String, String> helps = new TreeMap<>();
        for (CommandLine command : commands(commandLine())) {
            String name = command.getCommandSpec().qualifiedName(" ");
            List<String> words = new ArrayList<>(List.of(name.split(" ")));
            words.remove(0);
            words.add("--help");
            helps.put(
                    name.replace(' ', '-') + ".txt",
                    Commands.run(words.toArray(String[]::new)).out());
        }
        return helps;
    }

    @Test
    void everyCommandSaysTheSameOfItselfAsBefore() throws IOException {
        Map<String, String> helps = helps();
        if (Boolean.getBoolean("summarizer.golden.regenerate")) {
            Files.createDirectories(GOLDEN);
            for (Map.Entry<String, String> help : helps.entrySet()) {
                Files.writeString(GOLDEN.resolve(help.getKey()), help.getValue());
            }
            throw new AssertionError(GOLDEN + " is written anew");
        }
        try (Stream<Path> files = Files.list(GOLDEN)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(helps.keySet());
        }
        for (Map.Entry<String, String> help : helps.entrySet()) {
            assertThat(help.getValue()).as(help.getKey()).isEqualTo(Files.readString(GOLDEN.resolve(help.getKey())));
        }
    }

    @Test
    void everyCommandHasItsExitCodesInItsHelp() {
        helps().forEach((name, help) -> assertThat(help)
                .as(name)
                .containsSubsequence("Exit status:\n", "  0   ", "\n  1   ", "\n  2   ", "\n  3   "));
    }

    /**
     * One name, one meaning: an option of several commands has one label in all of them, and one description where it
     * is shared.
     */
    @Test
    void anOptionHasTheSameLabelInEveryCommand() {
        Map<String, String> labels = new TreeMap<>();
        for (CommandLine command : commands(commandLine())) {
            command.getCommandSpec().options().forEach(option -> {
                String name = option.longestName();
                // Both a range of a journal and the path of a message have from and to; the forms that commands take
                // differ.
                if (List.of("--to", "--from", "--framing", "--out", "--format").contains(name)) {
                    return;
                }
                String label = option.arity().max() == 0 ? "" : option.paramLabel();
                assertThat(labels.merge(name, label, (had, has) -> had))
                        .as(command.getCommandSpec().qualifiedName() + " " + name)
                        .isEqualTo(label);
            });
        }
        assertThat(labels).containsKeys("--definitions", "--server", "--json", "--token-file", "--config");
    }

    @Test
    void theTableOfCommandsInTheDocsIsThatOfTheCommandLine() throws IOException {
        GeneratedPage.check("docs/reference/commands.md", "commands: written by CommandLineGoldenTest", table());
    }

    private static String table() {
        return commands(commandLine()).stream()
                .filter(command -> command.getSubcommands().isEmpty())
                .map(command -> {
                    CommandSpec spec = command.getCommandSpec();
                    String arguments = spec.positionalParameters().stream()
                            .map(argument -> (argument.arity().min() == 0
                                            ? "[" + argument.paramLabel() + "]"
                                            : argument.paramLabel())
                                    + (argument.isMultiValue() ? "..." : ""))
                            .collect(Collectors.joining(" "));
                    String options = spec.options().stream()
                            .map(option -> option.longestName())
                            .filter(name -> !name.equals("--help") && !name.equals("--verbose"))
                            .map(name -> "`" + name + "`")
                            .collect(Collectors.joining(" "));
                    String synopsis = (spec.qualifiedName(" ") + " " + arguments).strip();
                    return "| `" + synopsis.replace("|", "\\|") + "` | "
                            + spec.usageMessage().description()[0] + " | " + options + " |\n";
                })
                .collect(Collectors.joining("", "| command | does | options |\n|---|---|---|\n", ""));
    }
}
