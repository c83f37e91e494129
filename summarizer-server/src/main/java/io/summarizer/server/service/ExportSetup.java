package io.summarizer.server.service;

import io.summarizer.core.deliver.Export;
import io.summarizer.core.deliver.ExportJob;
import io.summarizer.core.deliver.ExportSource;
import io.summarizer.core.deliver.Exports;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.pipeline.ClosedFiles;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.server.config.ConfigProblem;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.config.ServerConfig.Exported;
import io.summarizer.server.metrics.ServerMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes the exports of a configuration. Stateless. */
final class ExportSetup {
    private ExportSetup() {}

    /**
     * Checks the exports against definitions.
     *
     * @return all problems as text; empty when there are none
     */
    static String problems(List<Exported> exports, List<SummaryLayout> summaries) {
        CsvCompiler compiler = CsvQueryCompiler.of(List.of());
        return exports.stream()
                .flatMap(exported -> problem(exported, summaries, compiler).stream())
                .map(ConfigProblem::toString)
                .collect(Collectors.joining("\n"));
    }

    private static Optional<ConfigProblem> problem(
            Exported exported, List<SummaryLayout> summaries, CsvCompiler compiler) {
        Export export = exported.export();
        String name = export.table().summary();
        SummaryLayout layout = summaries.stream()
                .filter(summary -> summary.name().equals(name))
                .findFirst()
                .orElse(null);
        if (layout == null) {
            List<String> help = Suggestions.help(
                    name, summaries.stream().map(SummaryLayout::name).toList(), "the summaries are");
            return problem(
                    exported, ".summary", "there is no summary `" + name + "`", help.isEmpty() ? "" : help.get(0));
        }
        if (export.schedule().isClose() && layout.window() == null) {
            return problem(exported, ".on", "`" + name + "` has no time windows that close", "set every or at instead");
        }
        if (!export.schedule().isClose() && layout.window() != null && export.format() == Export.Format.STATE) {
            return problem(
                    exported,
                    ".format",
                    "a state file of `" + name + "` would lack its closed windows",
                    "set on to close, or choose another format");
        }
        SummaryView none = new SummaryView(layout, List.of(), 0);
        try {
            var unused = none.path(export.table().fields());
        } catch (IllegalArgumentException e) {
            return problem(exported, ".summary", String.valueOf(e.getMessage()), "");
        }
        try {
            var unused = CsvExporter.of(none, export.table().fields(), export.query(layout), compiler);
        } catch (CsvQueryException e) {
            return problem(exported, "", String.valueOf(e.getMessage()), "");
        }
        return Optional.empty();
    }

    private static Optional<ConfigProblem> problem(Exported exported, String key, String text, String help) {
        return Optional.of(
                new ConfigProblem(exported.origin(), exported.key() + key, text, help.isEmpty() ? null : help));
    }

    /**
     * Makes exports, and does not start them. To be called before windows close or are deleted.
     *
     * @param metrics metrics to which the method adds the numbers of deliveries
     */
    static Exports open(
            ServerConfig config, Pipeline pipeline, ClosedFiles files, CsvCompiler compiler, ServerMetrics metrics)
            throws IOException {
        ExportSource source = new ExportSource() {
            @Override
            public List<SummaryLayout> layouts() {
                return pipeline.plan().summaries();
            }

            @Override
            public Cut cut() throws InterruptedException {
                return pipeline.cut();
            }

            @Override
            public ClosedFiles files() {
                return files;
            }
        };
        Exports exports = Exports.open(
                config.exports().stream().map(Exported::export).toList(),
                source,
                ExportSetup::target,
                compiler,
                FileDisk.ofOwner(config.data().resolve("exports")),
                config.http().rollupMemory());
        exports.jobs().forEach(job -> bind(job, metrics));
        return exports;
    }

    private static Disk target(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException("there is no folder " + folder);
        }
        return new FileDisk(folder);
    }

    private static void bind(ExportJob job, ServerMetrics metrics) {
        String[] tags = {
            "summary", job.export().table().path(), "to", job.export().to().toString()
        };
        metrics.counter("deliveries", "Files of an export that were written", job::made, tags);
        metrics.counter(
                "deliveries.failed",
                "Times that a file of an export could not be written, and was tried again later",
                job::failures,
                tags);
        metrics.counter(
                "deliveries.lost",
                "Files of an export that cannot be written any more: keep has deleted the window, or the next file is due",
                job::lost,
                tags);
        metrics.gauge("deliveries.pending", "Files of an export that are due", job::pending, tags);
        metrics.gauge(
                "delivery.timestamp.seconds",
                "Time at which the last file of an export was written, in seconds since the epoch; 0 if there was none"
                        + " since the start",
                job::lastSeconds,
                tags);
    }
}
