package io.summarizer.server.cli;

import io.summarizer.core.export.CsvQueryException;
import io.summarizer.server.http.Listing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            "Pulls a summary of the running service to a file or PostgreSQL.",
            "With --all or --all-summaries it pulls several tables of the same cut, each into a file."
        },
        exitCodeList =
                "1:The table in PostgreSQL cannot take the rows, or the service refuses the pull because files of closed windows do not fit the definitions.")
final class ExportCommand extends JsonCommand {
    @Parameters(
            paramLabel = "SUMMARY[/FIELD]",
            arity = "0..1",
            description = "Summary, or nested summary (also SUMMARY.FIELD, like the name of its file).")
    private @Nullable String asked;

    @Option(names = "--all", description = "Pull the summary, its nested summaries and its overflow, each into a file.")
    private boolean all;

    @Option(names = "--all-summaries", description = "Pull all summaries and their nested summaries, each into a file.")
    private boolean allSummaries;

    @Option(
            names = "--out",
            paramLabel = "FILE|DIR",
            description =
                    "File to write, or folder for --all and --all-summaries. Default: standard output (also -), or the working directory.")
    private @Nullable Path out;

    @Option(
            names = "--cut",
            paramLabel = "ID",
            description =
                    "Pull the cut with this id again. An earlier pull named the id, and the service must still keep the cut. Default: a new cut.")
    private @Nullable String cut;

    @Mixin
    private QueryOptions query = new QueryOptions();

    @Option(names = "--gzip", description = "Write gzip; files are named .csv.gz or .ndjson.gz.")
    private boolean gzip;

    @Mixin
    private PostgresTarget postgres = new PostgresTarget();

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    /** The answer as JSON. All files have rows of the same cut. */
    record Answer(long cut, List<String> files) {}

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException, CsvQueryException {
        boolean several = all || allSummaries;
        if (several && STANDARD_OUTPUT.equals(out)) {
            throw CommandFailure.usage("several files are written: --out has to be a folder, not standard output");
        }
        out = unlessStandardOutput(out);
        if (postgres.isGiven() && (several || out != null || gzip)) {
            throw CommandFailure.usage(
                    "--to loads one table into PostgreSQL: not with --all, --all-summaries, --out or --gzip");
        }
        if (postgres.isWithoutAddress()) {
            throw CommandFailure.usage("--table names a table in PostgreSQL: only with --to");
        }
        if (several && query.areOfOneTable()) {
            throw CommandFailure.usage(
                    "--columns, --where, --order-by, --limit, --by, --every and --having apply to one table: not with --all or --all-summaries");
        }
        if (allSummaries && (all || asked != null)) {
            throw CommandFailure.usage("--all-summaries writes every table: not with --all or a SUMMARY");
        }
        if (!several && !postgres.isGiven() && json.isGiven()) {
            throw CommandFailure.usage("--json prints the names of files: only with --all, --all-summaries or --to");
        }
        if (!allSummaries && asked == null) {
            throw CommandFailure.usage("name a SUMMARY, or all of them with --all-summaries");
        }
        ServiceClient client = service.client(environment);
        List<Table> tables = new ArrayList<>();
        for (Listing.Entry summary : client.summaries()) {
            tables.add(new Table(summary.name(), summary.csv()));
            summary.nested()
                    .forEach(nested -> tables.add(new Table(summary.name() + "/" + nested.path(), nested.csv())));
        }
        if (asked == null) {
            everything(client, tables);
            return Exit.OK;
        }
        Table table = named(asked, tables);
        if (postgres.isGiven()) {
            load(client, table);
        } else if (all) {
            everything(
                    client,
                    tables.stream()
                            .filter(each -> belongs(each.name, table.name))
                            .toList());
        } else if (out == null) {
            client.csv(table.name, table.csv, parameters(cut), gzip, terminal.data());
        } else {
            pull(client, table, cut, Files.isDirectory(out) ? out.resolve(file(table)) : out);
        }
        return Exit.OK;
    }

    /** A table of the service, and the address of its CSV. */
    private record Table(String name, String csv) {}

    /** Returns the table with the name {@code asked}, which may also be the name of the table's file. */
    private static Table named(String asked, List<Table> tables) throws CommandFailure {
        return tables.stream()
                .filter(table ->
                        table.name.equals(asked) || table.name.replace('/', '.').equals(asked))
                .findFirst()
                .orElseThrow(() -> CommandFailure.noSummary(
                        asked, tables.stream().map(Table::name).toList()));
    }

    private void load(ServiceClient client, Table table)
            throws IOException, CommandFailure, InterruptedException, CsvQueryException {
        PostgresTarget.Answer loaded = postgres.load(client, table.name, table.csv, parameters(cut), environment);
        if (json.isGiven()) {
            JsonOption.print(loaded, terminal);
        } else {
            terminal.out().println(loaded.text());
        }
    }

    private static boolean belongs(String name, String path) {
        String overflow = path + ".overflow";
        return name.equals(path)
                || name.startsWith(path + "/")
                || name.equals(overflow)
                || name.startsWith(overflow + "/");
    }

    private void everything(ServiceClient client, List<Table> tables)
            throws IOException, CommandFailure, InterruptedException {
        Path folder = out == null ? Path.of("") : out;
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw CommandFailure.usage("several files are written: --out has to be a folder, and " + out + " is none");
        }
        Files.createDirectories(folder);
        String cut = this.cut;
        List<String> files = new ArrayList<>();
        try {
            for (Table table : tables) {
                Path file = folder.resolve(file(table));
                cut = pull(client, table, cut, file);
                files.add(file.toString());
            }
        } catch (IOException | CommandFailure e) {
            if (!files.isEmpty()) {
                terminal.err()
                        .println("written before the failure, as of cut " + cut + ": " + String.join(", ", files)
                                + "; other files in " + folder.toAbsolutePath().normalize() + " may be older");
            }
            throw e;
        }
        if (tables.isEmpty()) {
            throw new CommandFailure("the service has no summaries");
        }
        if (json.isGiven()) {
            JsonOption.print(new Answer(Long.parseLong(String.valueOf(cut)), files), terminal);
        } else {
            terminal.err()
                    .println(tables.stream().map(this::file).collect(Collectors.joining(", ")) + ": all of cut " + cut);
        }
    }

    private String pull(ServiceClient client, Table table, @Nullable String cut, Path file)
            throws IOException, CommandFailure, InterruptedException {
        try (AtomicFile target = new AtomicFile(file)) {
            String read = client.csv(table.name, table.csv, parameters(cut), gzip, target.stream());
            target.commit();
            return read;
        }
    }

    private Map<String, String> parameters(@Nullable String cut) {
        Map<String, String> parameters = query.parameters();
        if (cut != null) {
            parameters.put("cut", cut);
        }
        return parameters;
    }

    private String file(Table table) {
        return query.format().file(table.name) + (gzip ? ".gz" : "");
    }
}
