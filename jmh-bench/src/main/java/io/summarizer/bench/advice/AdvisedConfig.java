package io.summarizer.bench.advice;

import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Settings as the YAML that {@code bin/summarizer serve --config} takes. */
public final class AdvisedConfig {
    private static final Map<String, String> TOPICS =
            Map.of("v1", "ad.impression.#, ad.click.#, ad.conversion.#", "v2", "ad.auction.#");

    private AdvisedConfig() {}

    /** One setting for all that is received; each line of {@code why} becomes a comment at the top. */
    public static String of(Point setting, List<String> why) {
        List<String> lines = head(setting, why);
        lines.add("pipeline:");
        process(lines, setting);
        stages(lines, "  ", setting);
        return text(lines);
    }

    /** Whether each of these workloads has topics that a pipeline can be chosen by. */
    public static boolean canSeparate(Set<String> workloads) {
        return TOPICS.keySet().containsAll(workloads);
    }

    /**
     * A pipeline of its own for each workload.
     *
     * @param all the setting of the pipeline for all else
     * @param apart settings by workload, which agree in what the whole process shares
     */
    public static String of(Point all, Map<String, Point> apart, List<String> why) {
        Point shared = apart.values().iterator().next();
        List<String> lines = head(shared, why);
        lines.add("pipeline:");
        process(lines, shared);
        stages(lines, "  ", all);
        lines.add("pipelines:");
        apart.forEach((workload, setting) -> {
            lines.add("  " + workload + ":");
            lines.add("    topics: \"" + TOPICS.getOrDefault(workload, "#") + "\"");
            stages(lines, "    ", setting);
        });
        return text(lines);
    }

    private static List<String> head(Point setting, List<String> why) {
        List<String> lines = new ArrayList<>();
        lines.add("# Written by \"bin/bench plot\". Any other key may be added; config/summarizer.yaml has them all.");
        why.forEach(line -> lines.add("# " + line.replace('\n', ' ')));
        lines.add("# Measured with JDK " + setting.value(Factor.JDK) + " and the collector " + setting.value(Factor.GC)
                + ", which are chosen by JAVA_HOME and SUMMARIZER_JAVA_OPTS and not here.");
        return lines;
    }

    private static void process(List<String> lines, Point setting) {
        put(lines, "  mode", setting.value(Factor.MODE));
        put(lines, "  netty-workers", setting.value(Factor.NETTY_WORKERS));
        String messages = setting.value(Factor.BATCH_MESSAGES);
        double linger = setting.number(Factor.LINGER_US);
        // Left out where they are the defaults.
        boolean bounded = !messages.isEmpty() && !messages.equals("0");
        boolean lingers = linger > 0;
        if (bounded || lingers) {
            lines.add("  batch:");
            put(lines, "    messages", bounded ? messages : "");
            put(lines, "    linger", lingers ? Math.max(1, Math.round(linger / 1000)) + "ms" : "");
        }
    }

    private static void stages(List<String> lines, String indent, Point setting) {
        stage(
                lines,
                indent,
                "parse",
                setting,
                Factor.PARSE_QUEUE,
                Factor.PARSE_CAPACITY,
                Factor.PARSE_WORKERS,
                Factor.PARSE_WAIT);
        stage(
                lines,
                indent,
                "summarize",
                setting,
                Factor.OWNER_QUEUE,
                Factor.OWNER_CAPACITY,
                Factor.OWNER_WORKERS,
                Factor.OWNER_WAIT);
    }

    private static void stage(
            List<String> lines,
            String indent,
            String name,
            Point setting,
            Factor queue,
            Factor capacity,
            Factor workers,
            Factor wait) {
        if (EnumSet.of(queue, capacity, workers, wait).stream()
                .allMatch(factor -> setting.value(factor).isEmpty())) {
            return;
        }
        lines.add(indent + name + ":");
        put(lines, indent + "  queue", setting.value(queue));
        put(lines, indent + "  capacity", setting.value(capacity));
        put(lines, indent + "  workers", setting.value(workers));
        put(lines, indent + "  wait", setting.value(wait));
    }

    private static void put(List<String> lines, String key, String value) {
        if (!value.isEmpty()) {
            lines.add(key + ": " + value);
        }
    }

    private static String text(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }
}
