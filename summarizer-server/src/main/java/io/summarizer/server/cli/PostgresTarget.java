package io.summarizer.server.cli;

import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.Distinct;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.server.http.DefinedTable;
import io.summarizer.server.postgres.PostgresAddress;
import io.summarizer.server.postgres.PostgresColumn;
import io.summarizer.server.postgres.PostgresException;
import io.summarizer.server.postgres.PostgresLoad;
import io.summarizer.server.postgres.TableName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a load into PostgreSQL, and the load itself. */
final class PostgresTarget {
    @Option(
            names = "--to",
            paramLabel = "URL",
            description =
                    "Load the rows into a table of PostgreSQL 15 or later, where a row replaces the row with the same key: postgresql://USER@HOST:PORT/DATABASE. The password is in the variable PGPASSWORD, else in the file PGPASSFILE or ~/.pgpass.")
    private @Nullable String to;

    @Option(
            names = "--table",
            paramLabel = "T",
            description =
                    "Table for --to, which is created if it does not exist. Default: the name of the summary in small letters, with _ before FIELD.")
    private @Nullable String table;

    /** Whether the rows go to PostgreSQL. */
    boolean isGiven() {
        return to != null;
    }

    /** Whether the user gave an option that needs {@code --to}. */
    boolean isWithoutAddress() {
        return to == null && table != null;
    }

    /** The answer as JSON. */
    record Answer(String table, long cut, long rows, long changed, boolean created) {
        String text() {
            return table + ": " + rows + (rows == 1 ? " row" : " rows") + " of cut " + cut + ", " + changed
                    + " new or changed" + (created ? "; the table was created" : "");
        }
    }

    /**
     * Loads the rows of a table, and commits.
     *
     * @param name path of the table, {@code NAME} or {@code NAME/FIELD}
     * @param csv address of the table's CSV
     * @param given parameters of the pull
     */
    Answer load(
            ServiceClient client, String name, String csv, Map<String, String> given, Map<String, String> environment)
            throws IOException, CommandFailure, InterruptedException, CsvQueryException {
        Map<String, String> parameters = parameters(given);
        CsvQuery query = CsvQuery.parse(parameters);
        try {
            PostgresAddress address = PostgresAddress.of(to == null ? "" : to, environment);
            TableName target = table == null ? TableName.ofSummary(name) : TableName.of(table);
            try (PostgresLoad load = PostgresLoad.begin(address, target);
                    ServiceClient.Rows rows = client.rows(name, csv, parameters, false)) {
                List<PostgresColumn> columns = columns(client, name, query, rows);
                PostgresLoad.Loaded loaded = load.load(target, columns, rows.body());
                load.commit();
                return new Answer(
                        loaded.table(), Long.parseLong(rows.cut()), loaded.rows(), loaded.changed(), loaded.created());
            }
        } catch (PostgresException e) {
            throw failure(e);
        }
    }

    private static Map<String, String> parameters(Map<String, String> given) throws CommandFailure {
        Map<String, String> parameters = new LinkedHashMap<>(given);
        String profile = parameters.put("profile", CsvProfile.PG.word());
        String format = parameters.remove("format");
        if ((profile != null && !profile.equalsIgnoreCase(CsvProfile.PG.word()))
                || (format != null && !format.equals(ExportFormat.CSV.word()))) {
            throw CommandFailure.usage("--to decides the form of the rows: not with --profile or --format");
        }
        parameters.putIfAbsent("distinct", Distinct.HLL.name());
        return parameters;
    }

    /**
     * Reads the header of the CSV, and returns the columns with their types, which come from the definitions of the
     * same cut.
     */
    private static List<PostgresColumn> columns(
            ServiceClient client, String name, CsvQuery query, ServiceClient.Rows rows)
            throws IOException, CommandFailure, InterruptedException, PostgresException {
        List<String> path = List.of(name.split("/"));
        CsvName table = new CsvName(path.get(0), path.subList(1, path.size()));
        SummaryLayout layout = DefinedTable.read(client.get("/definitions?cut=" + rows.cut())).stream()
                .map(DefinedTable::layout)
                .filter(summary -> summary.name().equals(table.summary()))
                .findFirst()
                .orElseThrow(() -> new CommandFailure("the definitions of cut " + rows.cut() + " have no " + name));
        return PostgresColumn.of(layout, table.fields(), query, header(rows.body()));
    }

    /** Reads the names in the header of a CSV, which may be quoted as in RFC 4180. */
    private static List<String> header(InputStream csv) throws IOException {
        List<String> names = new ArrayList<>();
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        boolean quoted = false;
        int before = ',';
        int b = 0;
        while (b >= 0 && (b != '\n' || quoted)) {
            b = csv.read();
            if (b == '"') {
                quoted = !quoted;
                if (quoted && before == '"') {
                    name.write(b);
                }
            } else if (b >= 0 && (quoted || (b != ',' && b != '\n'))) {
                name.write(b);
            } else {
                names.add(name.toString(StandardCharsets.UTF_8));
                name.reset();
            }
            before = b;
        }
        return names;
    }

    private static CommandFailure failure(PostgresException e) {
        int exit = switch (e.reason()) {
            case WRONG -> Exit.USAGE;
            case MISFIT -> Exit.NO;
            case FAILED -> Exit.FAILED;
        };
        return CommandFailure.withDetails(exit, e.statements(), e.getMessage());
    }
}
