package io.summarizer.server.service;

import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
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
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The differences between the events, topics, mappings, conditions, limits and windows of two sets of definitions.
 * Immutable.
 *
 * @param changes the changes by kind of definition; for each kind, first the new and changed definitions in the order
 *     of the later set, then the removed definitions
 */
public record RuleChanges(List<Change> changes) {
    private static final String DEDUP = "dedup by ";

    public RuleChanges {
        changes = List.copyOf(changes);
    }

    /** The kinds of change. */
    public enum Kind {
        /** A new definition. */
        NEW,
        /** A changed definition. */
        CHANGED,
        /** A removed definition. */
        GONE
    }

    /**
     * A change of one event type, mapping or summary.
     *
     * @param what kind of definition: {@code event}, {@code mapping}, {@code limits} or {@code windows}
     * @param removed lines that a {@linkplain Kind#CHANGED changed} definition had and no longer has; empty for other
     *     kinds
     * @param added lines that a changed definition now has in addition; empty for other kinds
     */
    public record Change(String what, String name, Kind kind, List<String> removed, List<String> added) {
        public Change {
            removed = List.copyOf(removed);
            added = List.copyOf(added);
        }

        /** Whether the expression that gives the ids of {@code dedup} changes or goes. */
        private boolean forgetsIds() {
            return removed.stream()
                    .map(Change::id)
                    .anyMatch(id ->
                            !id.isEmpty() && added.stream().map(Change::id).noneMatch(id::equals));
        }

        /** The expression after {@code dedup by}; empty in lines without one. */
        private static String id(String line) {
            int end = line.lastIndexOf(" within "); // not there in a line that was too long
            return line.startsWith(DEDUP) ? line.substring(0, end < 0 ? line.length() : end) : "";
        }

        private boolean isOfSummary() {
            return what.equals("limits") || what.equals("windows");
        }
    }

    /** Compares definitions. */
    public static RuleChanges between(Definitions before, Definitions after) {
        List<Change> changes = new ArrayList<>();
        compare("event", events(before), events(after), changes);
        compare("mapping", mappings(before), mappings(after), changes);
        compare("limits", bySummary(before, RuleChanges::limits), bySummary(after, RuleChanges::limits), changes);
        compare("windows", bySummary(before, RuleChanges::windows), bySummary(after, RuleChanges::windows), changes);
        // A new or removed summary does not count as a change of its parts.
        changes.removeIf(change -> change.isOfSummary() && change.kind != Kind.CHANGED);
        return new RuleChanges(changes);
    }

    /** The differences as text: removed and added lines, each with a line feed; empty when there are no differences. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Change change : changes) {
            boolean ofSummary = change.isOfSummary();
            text.append(change.what + (ofSummary ? " of " : " ") + change.name);
            switch (change.kind) {
                case NEW -> text.append(" is new\n");
                case GONE -> text.append(" is not defined any more\n");
                case CHANGED -> {
                    text.append(ofSummary ? " change\n" : " changes\n");
                    change.removed.forEach(
                            line -> text.append("  - ").append(line).append('\n'));
                    change.added.forEach(
                            line -> text.append("  + ").append(line).append('\n'));
                    if (change.forgetsIds()) {
                        text.append(
                                "  its ids are forgotten: an event that comes again after the change counts again\n");
                    }
                    if (change.removed.isEmpty() && change.added.isEmpty()) {
                        text.append("  its lines stand in another order\n");
                    }
                }
            }
        }
        return text.toString();
    }

    private static void compare(
            String what, Map<String, List<String>> before, Map<String, List<String>> after, List<Change> changes) {
        after.forEach((name, lines) -> {
            List<String> old = before.get(name);
            if (old == null) {
                changes.add(new Change(what, name, Kind.NEW, List.of(), List.of()));
            } else if (!old.equals(lines)) {
                changes.add(new Change(what, name, Kind.CHANGED, without(old, lines), without(lines, old)));
            }
        });
        before.keySet().stream()
                .filter(name -> !after.containsKey(name))
                .forEach(name -> changes.add(new Change(what, name, Kind.GONE, List.of(), List.of())));
    }

    /**
     * Returns {@code lines} minus {@code others}: for example, a line that is three times in {@code lines} and once in
     * {@code others} is returned twice.
     */
    private static List<String> without(List<String> lines, List<String> others) {
        Map<String, Integer> counts = new HashMap<>();
        others.forEach(line -> counts.merge(line.strip(), 1, Integer::sum));
        List<String> left = new ArrayList<>();
        for (String line : lines) {
            if (counts.merge(line.strip(), -1, Integer::sum) < 0) {
                left.add(line.strip());
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

    /** One part, such as the limits, of all summaries. */
    private static Map<String, List<String>> bySummary(
            Definitions definitions, Function<SummaryLayout, List<String>> part) {
        Map<String, List<String>> parts = new LinkedHashMap<>();
        definitions.summaries().stream()
                .filter(summary -> !summary.isKeyless())
                .forEach(summary -> parts.put(summary.name(), part.apply(summary)));
        return parts;
    }

    /** The limits that definitions set for a summary. The limits of nested summaries are included. */
    private static List<String> limits(SummaryLayout summary) {
        List<String> lines = new ArrayList<>();
        limits("", summary, lines);
        return lines;
    }

    /** The windows of a summary; a list without elements for a summary without windows. */
    private static List<String> windows(SummaryLayout summary) {
        SummaryWindow window = summary.window();
        return window == null ? List.of() : List.of(SummText.window(summary, window) + ";");
    }

    private static void limits(String path, SummaryLayout summary, List<String> lines) {
        SummaryLimit limit = summary.limit();
        if (limit.keys() > 0) {
            lines.add(path + "limit keys = " + limit.keys());
        }
        if (limit.bytes() > 0) {
            lines.add(path + "limit bytes = " + limit.bytes());
        }
        if (limit.overflow() == SummaryLimit.Overflow.OTHER) {
            lines.add(path + "limit overflow = other");
        }
        for (SummaryLayout nested : summary.nested()) {
            limits(
                    (path.isEmpty() ? "" : path.substring(0, path.length() - 2) + "/") + nested.name() + ": ",
                    nested,
                    lines);
        }
    }

    private static Map<String, List<String>> events(Definitions definitions) {
        Map<String, List<String>> events = new LinkedHashMap<>();
        for (EventType event : definitions.events()) {
            List<String> lines = new ArrayList<>();
            event.topics().stream()
                    .map(topic ->
                            "on \"" + topic + "\" as " + event.format().name().toLowerCase(Locale.ROOT))
                    .sorted()
                    .forEach(lines::add);
            if (event.dedup() != null) {
                lines.add(SummText.dedup(event.dedup()));
            }
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

    /** Returns the type in words. Adds the message types that occur in these words to {@code below}. */
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
        List<EventField.EnumConstant> constants = field.enumConstants();
        return constants == null
                ? kind
                : constants.stream()
                        .map(constant -> constant.name() + " = " + constant.number())
                        .collect(Collectors.joining(", ", kind + " {", "}"));
    }
}
