package io.summarizer.server.config;

import io.summarizer.core.disk.DiskErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The settings of a YAML file with their lines. Maps may be nested, keys may have dots, and both may be mixed: {@code
 * pipeline: {parse.queue: lbq}}. The sections of a list are numbered from 1 on: {@code exports.1.summary}. Values are
 * taken as written; each {@link ConfigKey} interprets its value.
 */
final class YamlSettings {
    private static final int DEPTH_MAX = 16;
    private static final long FILE_BYTES_MAX = 1 << 20;

    private final String file;
    private final List<Setting> settings;
    private final List<ConfigProblem> problems;
    private final Map<String, Integer> lineByKey = new HashMap<>();

    private YamlSettings(String file, List<Setting> settings, List<ConfigProblem> problems) {
        this.file = file;
        this.settings = settings;
        this.problems = problems;
    }

    /**
     * Appends the settings of {@code file} to {@code settings}, and problems of the file's form to {@code problems}.
     */
    static void read(Path file, List<Setting> settings, List<ConfigProblem> problems) {
        YamlSettings reader = new YamlSettings(file.toString(), settings, problems);
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                reader.problem(0, "", "larger than 1 MiB: not a configuration", null);
                return;
            }
            LoadSettings yaml = LoadSettings.builder()
                    .setLabel(file.toString())
                    .setAllowDuplicateKeys(true) // reported below, with both lines
                    .setMaxAliasesForCollections(0)
                    .build();
            String text = Files.readString(file);
            if (reader.isShallow(new Parse(yaml).parseString(text))) {
                Optional<Node> root = new Compose(yaml).composeString(text);
                root.ifPresent(node -> reader.map("", node));
            }
        } catch (NoSuchFileException e) {
            reader.problem(0, "", "no such file", null);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
            reader.problem(line, "", "not YAML: " + e.getProblem(), null);
        } catch (YamlEngineException e) {
            reader.problem(0, "", "not YAML: " + e.getMessage(), null);
        } catch (IOException e) {
            reader.problem(0, "", "cannot be read: " + DiskErrors.describe(e), null);
        }
    }

    /** Whether no level is too deep. This is checked before the nodes are composed, because that needs stack. */
    private boolean isShallow(Iterable<Event> events) {
        int depth = 0;
        for (Event event : events) {
            if (event instanceof CollectionEndEvent) {
                depth--;
            } else if (event instanceof CollectionStartEvent && ++depth > DEPTH_MAX) {
                int line = event.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
                problem(line, "", "nested more than " + DEPTH_MAX + " deep: not a configuration", null);
                return false;
            }
        }
        return true;
    }

    private void map(String prefix, Node node) {
        if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL)) {
            return; // a section whose keys are all commented out, or an empty file
        }
        if (!(node instanceof MappingNode map)) {
            problem(line(node), prefix, "keys and values expected", "as in \"key: value\"");
            return;
        }
        for (NodeTuple entry : map.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode name)) {
                problem(line(entry.getKeyNode()), prefix, "a key is a word", null);
                continue;
            }
            String key = prefix.isEmpty() ? name.getValue() : prefix + "." + name.getValue();
            Node value = entry.getValueNode();
            if (value instanceof MappingNode || isEmptySection(key, value)) {
                map(key, value);
            } else if (value instanceof ScalarNode scalar) {
                single(key, name, scalar.getValue());
            } else if (value instanceof SequenceNode list && ConfigKeys.isSections(key)) {
                int number = 0;
                for (Node element : list.getValue()) {
                    map(key + "." + ++number, element);
                }
            } else if (value instanceof SequenceNode list && ConfigKeys.isList(key)) {
                list(key, name, list);
            } else {
                problem(line(name), key, "a single value expected, not a list", null);
            }
        }
    }

    /** Appends a list. A list of single values is stored as one text, with commas between the values. */
    private void list(String key, Node name, SequenceNode list) {
        StringJoiner text = new StringJoiner(", ");
        for (Node element : list.getValue()) {
            if (!(element instanceof ScalarNode scalar)) {
                problem(line(element), key, "a list of single values expected", null);
                return;
            }
            text.add(scalar.getValue());
        }
        single(key, name, text.toString());
    }

    private void single(String key, Node name, String text) {
        Integer before = lineByKey.put(key, line(name));
        if (before != null) {
            problem(line(name), key, "set twice; first in line " + before, null);
        } else {
            settings.add(new Setting(key, text, origin(line(name))));
        }
    }

    private static boolean isEmptySection(String key, Node value) {
        return value instanceof ScalarNode scalar
                && scalar.getTag().equals(Tag.NULL)
                && (key.equals("pipelines")
                        || ConfigKeys.isSections(key)
                        || ConfigKeys.all().keySet().stream().anyMatch(name -> name.startsWith(key + ".")));
    }

    private void problem(int line, String key, String text, @Nullable String help) {
        problems.add(new ConfigProblem(origin(line), key, text, help));
    }

    private String origin(int line) {
        return line == 0 ? file : file + ":" + line;
    }

    private static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
    }
}
