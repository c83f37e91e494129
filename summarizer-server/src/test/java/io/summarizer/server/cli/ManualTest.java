package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ManualTest {
    @TempDir
    Path folder;

    private static List<CommandSpec> commands(CommandLine from) {
        List<CommandSpec> commands = new ArrayList<>(List.of(from.getCommandSpec()));
        from.getSubcommands().values().forEach(below -> commands.addAll(commands(below)));
        return commands;
    }

    @Test
    void everyCommandHasAPageWithAllOptionsAndExitCodesAndCompletion() throws Exception {
        Path pages = Files.createDirectory(folder.resolve("pages"));
        Path completions = Files.createDirectory(folder.resolve("completions"));
        Manual.main(new String[] {pages.toString(), completions.toString(), "2026-11-22", "1.0"});
        String bash = Files.readString(completions.resolve("summarizer.bash"));
        assertThat(completions.resolve("_summarizer"))
                .content()
                .startsWith("#compdef summarizer\n")
                .endsWith(bash);
        CommandLine line = Main.commandLine();
        for (CommandSpec command : commands(line)) {
            String page = Files.readString(pages.resolve(command.qualifiedName("-") + ".1"));
            assertThat(page)
                    .as(command.qualifiedName())
                    .containsSubsequence(".SH EXIT STATUS", "\\fB0\\fR", "\\fB1\\fR", "\\fB2\\fR", "\\fB3\\fR");
            command.options().forEach(option -> {
                assertThat(page)
                        .as(command.qualifiedName())
                        .contains(option.longestName().replace("-", "\\-"));
                assertThat(bash).contains(option.longestName());
            });
        }
    }
}
