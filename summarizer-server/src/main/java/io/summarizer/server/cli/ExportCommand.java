package io.summarizer.server.cli;

import io.summarizer.core.export.CsvName;
import io.summarizer.server.cli.SummaryClient.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code export}: pulls summaries from a running service. */
@Command(
        name = "export",
        description = {
            "Pulls a summary from the running service as CSV.",
            "With --all or --all-summaries several tables, all as they were at one moment, each into a file."
        },
        sortOptions = false)
final class ExportCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            paramLabel = "SUMMARY[/FIELD]",
            arity = "0..1",
            description = "A summary, or a nested one of it (SUMMARY.FIELD, as its file is named, is the same).")
    private @Nullable String asked;

    @Option(names = "--all", description = "The summary, its nested ones and its overflow, each into a file.")
    private boolean all;

    @Option(names = "--all-summaries", description = "All summaries and their nested ones, each into a file.")
    private boolean allSummaries;

    @Option(
            names = "--out",
            paramLabel = "FILE|DIR",
            description = "Default: standard output; with --all and --all-summaries, the working directory.")
    private @Nullable Path out;

    @Option(
            names = "--cut",
            paramLabel = "ID",
            description = "The rows as of a cut pulled before, which is kept for a while. Default: a new one.")
    private @Nullable String cut;

    @Mixin
    private QueryOptions query = new QueryOptions();

    @Option(names = "--gzip", description = "Write gzip; files are named .csv.gz.")
    private boolean gzip;

    @Mixin
    private ServiceOptions service;

    @Mixin
    private JsonOption json = new JsonOption();

    ExportCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        service = new ServiceOptions(environment);
    }

    /** The answer as JSON: the cut of all files. */
    record Answer(long cut, List<String> files) {}

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        boolean several = all || allSummaries;
        if (several && query.areOfOneTable()) {
            throw usage(
                    "--columns, --where, --order-by and --limit are about one table: not with --all or --all-summaries");
        }
        if (allSummaries && (all || asked != null)) {
            throw usage("--all-summaries has every table: not with --all or a SUMMARY");
        }
        if (!several && json.isGiven()) {
            throw usage("--json tells of files: it goes with --all or --all-summaries");
        }
        if (!allSummaries && asked == null) {
            throw usage("name a SUMMARY, or all of them with --all-summaries");
        }
        SummaryClient client = new SummaryClient(service.address());
        List<String> known = new ArrayList<>();
        for (Summary summary : client.summaries()) {
            known.add(summary.name());
            summary.nested().forEach(nested -> known.add(summary.name() + "/" + nested));
        }
        if (asked == null) {
            everything(client, known);
            return Exit.OK;
        }
        String path = path(asked, known);
        if (all) {
            everything(
                    client, known.stream().filter(name -> belongs(name, path)).toList());
        } else {
            one(client, path);
        }
        return Exit.OK;
    }

    private static CommandFailure usage(String text) {
        return new CommandFailure(CommandFailure.Kind.USAGE, text);
    }

    /** Returns the address of a table, which may also be named like its file. */
    private static String path(String asked, List<String> known) throws CommandFailure {
        return known.stream()
                .filter(name -> name.equals(asked) || name.replace('/', '.').equals(asked))
                .findFirst()
                .orElseThrow(() -> usage("there is no summary " + asked + "; there are: " + String.join(", ", known)));
    }

    private static boolean belongs(String name, String path) {
        String overflow = path + ".overflow";
        return name.equals(path)
                || name.startsWith(path + "/")
                || name.equals(overflow)
                || name.startsWith(overflow + "/");
    }

    private void one(SummaryClient client, String path) throws IOException, CommandFailure, InterruptedException {
        if (out == null) {
            client.csv(request(path, cut), terminal.data());
        } else {
            Path file = Files.isDirectory(out) ? out.resolve(file(path)) : out;
            pull(client, path, cut, file);
        }
    }

    private void everything(SummaryClient client, List<String> names)
            throws IOException, CommandFailure, InterruptedException {
        Path folder = out == null ? Path.of("") : out;
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw usage("several files are written: --out has to be a folder, and " + out + " is none");
        }
        Files.createDirectories(folder);
        String cut = this.cut;
        List<String> files = new ArrayList<>();
        for (String name : names) {
            Path file = folder.resolve(file(name));
            cut = pull(client, name, cut, file);
            files.add(file.toString());
        }
        if (json.isGiven()) {
            JsonOption.print(new Answer(Long.parseLong(String.valueOf(cut)), files), terminal);
        } else {
            terminal.err()
                    .println(names.stream().map(this::file).collect(Collectors.joining(", ")) + ": all of cut " + cut);
        }
    }

    private String pull(SummaryClient client, String name, @Nullable String cut, Path file)
            throws IOException, CommandFailure, InterruptedException {
        try (AtomicFile target = new AtomicFile(file)) {
            String read = client.csv(request(name, cut), target.stream());
            target.commit();
            return read;
        }
    }

    private SummaryClient.Request request(String name, @Nullable String cut) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (cut != null) {
            parameters.put("cut", cut);
        }
        parameters.putAll(query.parameters());
        return new SummaryClient.Request(name, parameters, gzip);
    }

    private String file(String name) {
        return CsvName.file(name) + (gzip ? ".gz" : "");
    }
}
