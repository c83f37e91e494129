package io.summarizer.server.cli;

import io.summarizer.core.export.CsvName;
import io.summarizer.server.cli.SummaryClient.Summary;
import java.io.IOException;
import java.net.URI;
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
@Command(name = "export", description = "Pulls a summary from the running service as CSV.", sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets what is required
final class ExportCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            paramLabel = "SUMMARY[/FIELD]",
            description = "A summary, or a nested one of it (SUMMARY.FIELD, as its file is named, is the same).")
    private String path;

    @Option(
            names = "--all",
            description = "It, its nested ones and what it had no room for, as they were at one moment; into files.")
    private boolean all;

    @Option(names = "--server", paramLabel = "URL", description = "Default: ${DEFAULT-VALUE}.")
    private String server = "http://127.0.0.1:8080";

    @Option(
            names = "--out",
            paramLabel = "FILE|DIR",
            description = "Default: standard output; with --all, the working directory.")
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
    private ServiceAccess access;

    ExportCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        access = new ServiceAccess(environment);
    }

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        SummaryClient client = new SummaryClient(serverUri(), access);
        List<String> known = new ArrayList<>();
        for (Summary summary : client.summaries()) {
            known.add(summary.name());
            summary.nested().forEach(nested -> known.add(summary.name() + "/" + nested));
        }
        if (!known.contains(path)) {
            path = known.stream()
                    .filter(name -> name.replace('/', '.').equals(path))
                    .findFirst()
                    .orElseThrow(() -> new CommandFailure(
                            "there is no summary " + path + "; there are: " + String.join(", ", known)));
        }
        if (all && query.areOfOneTable()) {
            throw new CommandFailure("--columns, --where, --order-by and --limit are about one table: not with --all");
        }
        if (!all) {
            one(client);
        } else {
            everything(client, known.stream().filter(this::belongs).toList());
        }
        return Main.OK;
    }

    private boolean belongs(String name) {
        String overflow = path + ".overflow";
        return name.equals(path)
                || name.startsWith(path + "/")
                || name.equals(overflow)
                || name.startsWith(overflow + "/");
    }

    private void one(SummaryClient client) throws IOException, CommandFailure, InterruptedException {
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
            throw new CommandFailure("--all writes several files: --out has to be a folder, and " + out + " is none");
        }
        Files.createDirectories(folder);
        String cut = this.cut;
        for (String name : names) {
            cut = pull(client, name, cut, folder.resolve(file(name)));
        }
        terminal.err()
                .println(names.stream().map(this::file).collect(Collectors.joining(", ")) + ": all of cut " + cut);
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

    private URI serverUri() throws CommandFailure {
        try {
            URI uri = URI.create(server.contains("://") ? server : "http://" + server);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // told below, in words of ours
        }
        throw new CommandFailure("--server: \"" + server + "\" is not http://HOST:PORT");
    }
}
