package io.summarizer.bench.advice;

import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Settings as the YAML that {@code bin/summarizer serve --config} takes. */
public final class AdvisedConfig {
    private static final Map<String, String> TOPICS =
            Map.of("v1", "ad.impression.#, ad.click.#, ad.conversion.#", "v2", "ad.auction.#");

    private AdvisedConfig() {}

    /**
     * Returns a configuration with one setting for all messages. Each element of {@code why} becomes a comment at the
     * top of the configuration.
     */
    public static String of(Point setting, List<String> why) {
        return of(setting, Map.of(), why);
    }

    /** Whether no two workloads share a topic, so that each workload can have a pipeline of its own. */
    public static boolean canSeparate(Set<String> workloads) {
        return TOPICS.keySet().containsAll(workloads);
    }

    /**
     * Returns a configuration with a separate pipeline for each workload.
     *
     * @param all the setting of the default pipeline, which takes messages with all other topics
     * @param apart the setting of each workload; all settings have the same values of the process-wide factors
     */
    public static String of(Point all, Map<String, Point> apart, List<String> why) {
        Point shared = apart.isEmpty() ? all : apart.values().iterator().next();
        Map<String, Object> tree = new LinkedHashMap<>();
        add(tree, "pipeline", shared, false);
        add(tree, "pipeline", all, true);
        apart.forEach((workload, setting) -> {
            String name = "pipelines." + workload;
            put(tree, name + ".topics", '"' + TOPICS.getOrDefault(workload, "#") + '"');
            add(tree, name, setting, true);
        });
        StringBuilder yaml = new StringBuilder(
                "# Written by \"bin/bench plot\". Any other key may be added; config/summarizer.yaml has them all.\n");
        why.forEach(line -> yaml.append("# ").append(line.replace('\n', ' ')).append('\n'));
        yaml.append("# Measured with JDK ")
                .append(shared.value(Factor.JDK))
                .append(" and the collector ")
                .append(shared.value(Factor.GC))
                .append(", which are chosen by JAVA_HOME and SUMMARIZER_JAVA_OPTS and not here.\n");
        write(yaml, "", tree);
        return yaml.toString();
    }

    /** Adds the settings of the two stages if {@code stages} is true, and all other settings if it is false. */
    private static void add(Map<String, Object> tree, String name, Point setting, boolean stages) {
        for (String one : setting.settings()) {
            String[] pair = one.split("=", 2);
            if (pair[0].matches("pipeline\\.(parse|summarize)\\..*") == stages) {
                put(tree, pair[0].replaceFirst("pipeline", name), pair[1]);
            }
        }
    }

    @SuppressWarnings("unchecked") // every value that is not a text is such a map
    private static void put(Map<String, Object> tree, String key, String value) {
        int dot = key.indexOf('.');
        if (dot < 0) {
            tree.put(key, value);
        } else {
            Object below = tree.computeIfAbsent(key.substring(0, dot), name -> new LinkedHashMap<String, Object>());
            put((Map<String, Object>) below, key.substring(dot + 1), value);
        }
    }

    private static void write(StringBuilder yaml, String indent, Map<?, ?> tree) {
        tree.forEach((key, value) -> {
            yaml.append(indent).append(key).append(':');
            if (value instanceof Map<?, ?> below) {
                write(yaml.append('\n'), indent + "  ", below);
            } else {
                yaml.append(' ').append(value).append('\n');
            }
        });
    }
}
