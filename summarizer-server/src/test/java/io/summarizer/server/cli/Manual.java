package io.summarizer.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Manual pages (roff, man(7)) and shell completions, generated from the command line, so that they cannot differ from
 * it. {@code bin/package} runs it from this source, with the jars of the package; so it uses what is public alone.
 */
final class Manual {
    private final String date;
    private final String version;

    private Manual(String date, String version) {
        this.date = date;
        this.version = version;
    }

    /**
     * Writes {@code summarizer.1} and a page for each command to the first folder, {@code summarizer.bash} and {@code
     * _summarizer} for zsh to the second one.
     *
     * @param arguments both folders, the date of the pages and the version of the program
     */
    public static void main(String[] arguments) throws IOException {
        Path pages = Path.of(arguments[0]);
        Path completions = Path.of(arguments[1]);
        CommandLine line = Main.commandLine();
        new Manual(arguments[2], arguments[3]).write(line, pages);
        String bash = AutoComplete.bash("summarizer", line);
        Files.writeString(completions.resolve("summarizer.bash"), bash);
        Files.writeString(completions.resolve("_summarizer"), "#compdef summarizer\n" + bash);
    }

    private void write(CommandLine line, Path folder) throws IOException {
        Files.writeString(folder.resolve(pageName(line.getCommandSpec()) + ".1"), page(line));
        for (CommandLine below : line.getSubcommands().values()) {
            write(below, folder);
        }
    }

    private static String pageName(CommandSpec command) {
        return command.qualifiedName("-");
    }

    /** Makes the page of one command. */
    String page(CommandLine line) {
        CommandSpec command = line.getCommandSpec();
        UsageMessageSpec usage = command.usageMessage();
        StringBuilder page = new StringBuilder();
        page.append(".TH \"")
                .append(pageName(command).toUpperCase(Locale.ROOT))
                .append("\" 1 \"")
                .append(date)
                .append("\" \"Summarizer ")
                .append(version)
                .append("\"\n.nh\n.ad l\n");
        String[] description = usage.description();
        page.append(".SH NAME\n")
                .append(pageName(command))
                .append(" \\- ")
                .append(description.length == 0 ? "" : text(description[0]))
                .append('\n');
        page.append(".SH SYNOPSIS\n.nf\n")
                .append(text(line.getHelp().synopsis(0).strip()))
                .append("\n.fi\n");
        page.append(".SH DESCRIPTION\n");
        for (String paragraph : description) {
            page.append(text(paragraph)).append("\n.PP\n");
        }
        section(page, "ARGUMENTS", command.positionalParameters().stream().map(Manual::argument));
        section(page, "OPTIONS", command.options().stream().map(Manual::option));
        section(
                page,
                "EXIT STATUS",
                usage.exitCodeList().entrySet().stream()
                        .map(code -> ".TP\n\\fB" + code.getKey() + "\\fR\n" + text(code.getValue())));
        section(
                page,
                "COMMANDS",
                line.getSubcommands().values().stream()
                        .map(CommandLine::getCommandSpec)
                        .map(below -> ".TP\n.BR " + pageName(below) + " (1)\n"
                                + text(String.join(" ", below.usageMessage().description()))));
        section(
                page,
                "NOTES",
                Stream.of(usage.footer()).filter(note -> !note.isEmpty()).map(note -> ".PP\n" + text(note)));
        return page.toString();
    }

    private static void section(StringBuilder page, String title, Stream<String> entries) {
        String text = entries.collect(Collectors.joining("\n"));
        if (!text.isEmpty()) {
            page.append(".SH ").append(title).append('\n').append(text).append('\n');
        }
    }

    private static String argument(PositionalParamSpec argument) {
        return ".TP\n.I " + text(argument.paramLabel()) + "\n"
                + text(String.join(" ", described(argument.description())));
    }

    private static String option(OptionSpec option) {
        String names = Stream.of(option.names())
                .map(name -> "\\fB" + text(name) + "\\fR")
                .collect(Collectors.joining(", "));
        String value = option.arity().max() == 0 ? "" : " \\fI" + text(option.paramLabel()) + "\\fR";
        String fallback = option.defaultValueString() == null ? "" : option.defaultValueString();
        return ".TP\n" + names + value + "\n"
                + text(String.join(" ", described(option.description())).replace("${DEFAULT-VALUE}", fallback));
    }

    private static String[] described(String[] lines) {
        return lines.length == 0 ? new String[] {"See the description."} : lines;
    }

    /** Removes picocli's markup, and escapes roff's. */
    private static String text(String text) {
        String plain = Ansi.OFF.string(text).replace("%n", " ").replace("%%", "%");
        return plain.replace("\\", "\\e")
                .replace("-", "\\-")
                .lines()
                .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
                .collect(Collectors.joining("\n"));
    }
}
