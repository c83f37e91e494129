package io.summarizer.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineGauges;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.window.WindowInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/** Metrics of summaries, which change with the definitions. Thread-safe. */
final class SummaryMetrics {
    private final MeterRegistry registry;
    /** The summaries and nested summaries, by their names from the outermost on. Guarded by this. */
    private final Map<List<String>, Table> tables = new HashMap<>();

    /** The part of a summary or nested summary that decides which meters it has. */
    private record Kind(List<String> keys, boolean hasWindows, boolean hasBytes) {}

    private record Table(Kind kind, List<Meter> meters) {}

    SummaryMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Publishes the summaries of the definitions in force, and removes all other summaries. */
    synchronized void bind(Pipeline pipeline) {
        Set<List<String>> defined = new HashSet<>();
        for (SummaryLayout summary : pipeline.plan().summaries()) {
            collect(summary, List.of(summary.name()), defined);
        }
        tables.entrySet().removeIf(table -> {
            boolean gone = !defined.contains(table.getKey())
                    || !table.getValue().kind().equals(kind(pipeline, table.getKey()));
            if (gone) {
                table.getValue().meters().forEach(registry::remove);
            }
            return gone;
        });
        for (List<String> table : defined) {
            tables.computeIfAbsent(table, added -> {
                Kind kind = kind(pipeline, added);
                return new Table(kind, bindTable(pipeline, added, kind));
            });
        }
    }

    private static Kind kind(Pipeline pipeline, List<String> table) {
        String name = table.get(0);
        boolean isOutermost = table.size() == 1;
        return new Kind(
                keys(pipeline, table),
                isOutermost && hasWindows(pipeline, name),
                isOutermost && pipeline.gauges().bytes(name).isPresent());
    }

    private static void collect(SummaryLayout at, List<String> path, Set<List<String>> found) {
        found.add(path);
        for (SummaryLayout nested : at.nested()) {
            List<String> inner = new ArrayList<>(path);
            inner.add(nested.name());
            collect(nested, List.copyOf(inner), found);
        }
    }

    private List<Meter> bindTable(Pipeline pipeline, List<String> table, Kind kind) {
        PipelineGauges gauges = pipeline.gauges();
        String name = table.get(0);
        List<String> fields = table.subList(1, table.size());
        List<Meter> meters = new ArrayList<>();
        String path = String.join("/", table);
        meters.add(gauge(
                "rows",
                "Rows in memory of a summary, or of a nested one; those of closed windows are in files",
                () -> gauges.rows(name, fields),
                path));
        for (String column : kind.keys()) {
            meters.add(gauge(
                    "refused.keys",
                    "Estimate of how many different values a key column had in keys that got no row of their own",
                    () -> gauges.refusedKeys(name, fields, column),
                    path,
                    "column",
                    column));
        }
        if (!fields.isEmpty()) {
            return meters;
        }
        if (kind.hasWindows()) {
            meters.add(gauge(
                    "windows.open",
                    "Windows of a summary that have rows in memory",
                    () -> gauges.openWindows(name),
                    name));
            meters.add(gauge(
                    "watermark.lag.seconds",
                    "Time from the watermark of a summary with windows to the clock; NaN before its first event",
                    () -> lag(gauges.watermark(name)),
                    name));
        }
        if (kind.hasBytes()) {
            meters.add(gauge(
                    "summary.bytes",
                    "Memory of a summary whose memory has a bound",
                    () -> gauges.bytes(name).map(ByteBudget::used).orElse(0L),
                    name));
        }
        // A worker counts an update before an owner may refuse it, so this number may fall for a moment. A counter must
        // not fall, because Prometheus takes a fall for a restart.
        LongAccumulator updates = new LongAccumulator(Math::max, 0);
        meters.add(counted(
                gauges,
                "updates",
                "Events applied to a summary, once for each mapping; may be too high by updates that were refused just after a scrape",
                of -> {
                    updates.accumulate(of.updates(name));
                    return updates.get();
                },
                name));
        meters.add(counted(
                gauges,
                "filtered",
                "Events that the `where` of a mapping left out; each counts once for each mapping into this summary that left it out",
                of -> of.filtered(name),
                name));
        meters.add(counted(
                gauges,
                "duplicates",
                "Events that dedup found to be duplicates for a summary, once for each mapping",
                of -> of.duplicates(name),
                name));
        return meters;
    }

    private static boolean hasWindows(Pipeline pipeline, String name) {
        return pipeline.plan().summaries().stream()
                .anyMatch(summary -> summary.name().equals(name) && summary.window() != null && !summary.isKeyless());
    }

    private static double lag(long watermark) {
        return watermark == WindowInput.NONE ? Double.NaN : System.currentTimeMillis() / 1e3 - watermark / 1e6;
    }

    /** Key columns of a table; empty for a table that receives an overflow. */
    private static List<String> keys(Pipeline pipeline, List<String> table) {
        for (SummaryLayout summary : pipeline.plan().summaries()) {
            if (summary.name().equals(table.get(0)) && !summary.isKeyless()) {
                SummaryLayout at = summary;
                for (String field : table.subList(1, table.size())) {
                    at = at.nested().stream()
                            .filter(nested -> nested.name().equals(field))
                            .findFirst()
                            .orElseThrow();
                }
                return at.keys().stream().map(SummaryLayout.KeyColumn::name).toList();
            }
        }
        return List.of();
    }

    private Meter gauge(String metric, String description, DoubleSupplier value, String summary, String... tags) {
        return Gauge.builder(ServerMetrics.PREFIX + metric, value::getAsDouble)
                .description(description)
                .tags("summary", summary)
                .tags(tags)
                .register(registry);
    }

    private Meter counted(
            PipelineGauges gauges,
            String metric,
            String description,
            ToDoubleFunction<PipelineGauges> value,
            String summary) {
        return FunctionCounter.builder(ServerMetrics.PREFIX + metric, gauges, value)
                .description(description)
                .tags("summary", summary)
                .register(registry);
    }
}
