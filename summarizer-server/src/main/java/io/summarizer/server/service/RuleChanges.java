package io.summarizer.server.service;

import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.MessageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Differences between two definitions in their events, topics, mappings and conditions, for people: a line out, a line in. */
final class RuleChanges {
    private RuleChanges() {}

    /** The differences, each line ended by a line feed; empty when there is none. */
    static String between(Definitions before, Definitions after) {
        StringBuilder text = new StringBuilder();
        compare("event ", events(before), events(after), text);
        compare("mapping ", mappings(before), mappings(after), text);
        return text.toString();
    }

    private static void compare(
            String what, Map<String, List<String>> before, Map<String, List<String>> after, StringBuilder text) {
        after.forEach((name, lines) -> {
            List<String> old = before.get(name);
            if (old == null) {
                text.append(what).append(name).append(" is new\n");
            } else if (!old.equals(lines)) {
                text.append(what).append(name).append(" changes\n");
                changed(old, lines, text);
            }
        });
        before.keySet().stream()
                .filter(name -> !after.containsKey(name))
                .forEach(name -> text.append(what).append(name).append(" is not defined any more\n"));
    }

    private static void changed(List<String> before, List<String> after, StringBuilder text) {
        List<String> out = without(before, after);
        List<String> in = without(after, before);
        out.forEach(line -> text.append("  - ").append(line.strip()).append('\n'));
        in.forEach(line -> text.append("  + ").append(line.strip()).append('\n'));
        if (out.isEmpty() && in.isEmpty()) {
            text.append("  its lines stand in another order\n");
        }
    }

    /** The lines that the others do not have, each as often as it is more often there. */
    private static List<String> without(List<String> lines, List<String> others) {
        Map<String, Integer> counts = new HashMap<>();
        others.forEach(line -> counts.merge(line.strip(), 1, Integer::sum));
        List<String> left = new ArrayList<>();
        for (String line : lines) {
            if (counts.merge(line.strip(), -1, Integer::sum) < 0) {
                left.add(line);
            }
        }
        return left;
    }

    private static Map<String, List<String>> mappings(Definitions definitions) {
        Map<String, List<String>> mappings = new LinkedHashMap<>();
        for (Mapping mapping : definitions.mappings()) {
            mappings.put(mapping.name(), SummText.lines(definitions, mapping));
        }
        return mappings;
    }

    private static Map<String, List<String>> events(Definitions definitions) {
        Map<String, List<String>> events = new LinkedHashMap<>();
        for (EventType event : definitions.events()) {
            List<String> lines = new ArrayList<>();
            String dedup = event.dedup() == null ? "" : " " + SummText.dedup(Objects.requireNonNull(event.dedup()));
            event.topics().stream()
                    .map(topic ->
                            "on \"" + topic + "\" as " + event.format().name().toLowerCase(Locale.ROOT) + dedup)
                    .sorted()
                    .forEach(lines::add);
            fields(event.message(), new HashSet<>(), lines);
            events.put(event.name(), lines);
        }
        return events;
    }

    private static void fields(MessageType message, Set<MessageType> seen, List<String> lines) {
        if (!seen.add(message)) {
            return;
        }
        List<MessageType> below = new ArrayList<>();
        for (EventField field : message.fields()) {
            lines.add(message.fullName() + ": " + (field.repeated() ? "repeated " : "") + type(field, below) + " "
                    + field.name() + " = " + field.number()
                    + (field.oneof() == null ? "" : " of oneof " + field.oneof()) + ", in JSON " + field.jsonName());
        }
        below.forEach(each -> fields(each, seen, lines));
    }

    /** The type in words; messages that it names are added to {@code below}. */
    private static String type(EventField field, List<MessageType> below) {
        EventField key = field.mapKey();
        EventField value = field.mapValue();
        if (key != null && value != null) {
            return "map<" + type(key, below) + ", " + type(value, below) + ">";
        }
        MessageType message = field.message();
        if (message != null) {
            below.add(message);
            return message.fullName();
        }
        String kind = field.type().name().toLowerCase(Locale.ROOT);
        return field.enumConstants() == null ? kind : kind + " " + field.enumConstants();
    }
}
