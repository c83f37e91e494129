package io.summarizer.server.config;

import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.server.config.ConfigKeys.ExportKeys;
import io.summarizer.server.config.ConfigKeys.NamedKeys;
import java.util.List;

/** Advice on keys that do not exist. Stateless. */
final class ConfigHelp {
    private ConfigHelp() {}

    /** Returns advice on a key that does not exist. */
    static String on(String key) {
        if (key.equals("pipelines") || key.startsWith(ConfigKeys.NAMED_PREFIX)) {
            return named(key);
        }
        if (key.equals("exports") || key.startsWith(ConfigKeys.EXPORTS_PREFIX)) {
            return export(key);
        }
        List<String> sections = ConfigKeys.all().keySet().stream()
                .filter(name -> name.startsWith(key + "."))
                .toList();
        if (!sections.isEmpty()) {
            return "it is a section; its keys: " + String.join(", ", sections);
        }
        // A section too many, as in listen.http.bind.
        String nearest = ConfigKeys.all().keySet().stream()
                .filter(name -> key.endsWith("." + name))
                .findFirst()
                .orElseGet(() -> Suggestions.nearest(key, ConfigKeys.all().keySet()));
        if (nearest.isEmpty()) {
            // People may give only the end of a key: "queue" or "parse.queue" for pipeline.parse.queue.
            List<String> ending = ConfigKeys.all().keySet().stream()
                    .filter(name -> name.endsWith("." + key))
                    .toList();
            if (!ending.isEmpty()) {
                return "did you mean " + String.join(" or ", ending) + "?";
            }
        }
        return !nearest.isEmpty()
                ? "did you mean " + nearest + "?"
                : "the keys are: " + String.join(", ", ConfigKeys.all().keySet());
    }

    private static String export(String key) {
        int number = ConfigKeys.export(key);
        if (number == 0 || number > ConfigKeys.EXPORTS_MAX) {
            return "exports is a list; its elements are numbered from 1 to " + ConfigKeys.EXPORTS_MAX
                    + ", as in exports.1.summary";
        }
        List<String> keys = List.copyOf(new ExportKeys(number).all().keySet());
        String nearest = Suggestions.nearest(key, keys);
        return nearest.isEmpty() ? "the keys are: " + String.join(", ", keys) : "did you mean " + nearest + "?";
    }

    private static String named(String key) {
        String[] words = key.split("\\.", -1);
        String name = words.length > 1 ? words[1] : "NAME";
        if (words.length > 1 && !ConfigKeys.isPipelineName(name)) {
            return name.equals(PipelineOptions.DEFAULT_PIPELINE)
                    ? "the default pipeline is set under pipeline"
                    : "a pipeline's name is a letter and up to 31 letters and digits, all small";
        }
        List<String> keys = List.copyOf(new NamedKeys(name).all().keySet());
        String nearest = Suggestions.nearest(key, keys);
        return nearest.isEmpty() ? "the keys are: " + String.join(", ", keys) : "did you mean " + nearest + "?";
    }
}
