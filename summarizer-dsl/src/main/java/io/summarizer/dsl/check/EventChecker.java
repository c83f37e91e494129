package io.summarizer.dsl.check;

import io.summarizer.core.decode.EventSchema.Format;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.parse.Ast;
import io.summarizer.dsl.proto.ProtoTypes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the messages and formats of {@code event} declarations. Also checks that no topic belongs to two events. One
 * use, one thread.
 */
final class EventChecker {
    /** A declaration with its pattern. */
    private record Bound(Ast.Event declaration, String event, TopicPattern topic) {}

    /** An event whose declarations are being gathered. */
    private record Gathered(
            String name,
            MessageType message,
            Format format,
            Ast.Event first,
            List<Ast.Event> others,
            List<TopicPattern> topics) {}

    private final ProtoTypes types;
    private final boolean incomplete;
    private final Diagnostics diagnostics;
    private final List<Bound> bound = new ArrayList<>();
    private final Map<String, Gathered> events = new LinkedHashMap<>();
    private final Set<String> broken = new HashSet<>();
    private int count;

    EventChecker(ProtoTypes types, boolean incomplete, Diagnostics diagnostics) {
        this.types = types;
        this.incomplete = incomplete;
        this.diagnostics = diagnostics;
    }

    Events check(List<Ast.File> files) {
        for (Ast.File file : files) {
            for (Ast.Declaration declaration : file.declarations()) {
                if (declaration instanceof Ast.Event event) {
                    check(event);
                }
            }
        }
        List<Event> all = new ArrayList<>();
        for (Gathered event : events.values()) {
            EventType type = new EventType(event.name, event.message, event.topics, event.format);
            all.add(new Event(all.size(), type.withDedup(dedup(event, new Event(all.size(), type)))));
        }
        return new Events(List.copyOf(all), types, Set.copyOf(broken), incomplete || types.incomplete(), diagnostics);
    }

    private void check(Ast.Event declaration) {
        if (++count > DefinitionsCompiler.MAX_DECLARATIONS) {
            if (count == DefinitionsCompiler.MAX_DECLARATIONS + 1) {
                diagnostics.error(
                        declaration.type().span(),
                        "too many event declarations; at most " + DefinitionsCompiler.MAX_DECLARATIONS);
            }
            broken.add(declaration.type().text());
            return;
        }
        TopicPattern topic = TopicPatterns.pattern(declaration.topic(), diagnostics);
        Format format = format(declaration.format());
        ProtoTypes.Entry type = type(declaration.type());
        if (type == null || format == null) {
            broken.add(declaration.type().text());
            return;
        }
        String name = types.displayName(type);
        Gathered event = events.get(name);
        if (event != null) {
            event.others.add(declaration);
        }
        if (event == null) {
            event = new Gathered(name, type.message(), format, declaration, new ArrayList<>(), new ArrayList<>());
            events.put(name, event);
            if (format == Format.TEXT) {
                text(declaration, type.message());
            }
        } else if (event.format != format) {
            diagnostics.error(
                    declaration.format().span(),
                    "event `" + name + "` has the format `" + keyword(event.format) + "` already",
                    "given at " + event.first.format().span().place()
                            + "; a message in two formats is two messages of the .proto file");
        }
        if (topic != null) {
            disjoint(declaration, name, topic);
            event.topics.add(topic);
        }
    }

    /**
     * The {@code dedup} clause of an event. All declarations of an event must have the same clause, so that it is clear
     * which clause applies.
     */
    private EventType.@Nullable Dedup dedup(Gathered event, Event checked) {
        EventType.Dedup first = dedup(event.first, checked);
        for (Ast.Event other : event.others) {
            EventType.Dedup dedup = dedup(other, checked);
            Ast.Dedup clause = other.dedup();
            boolean wrong = (clause != null && dedup == null) || (event.first.dedup() != null && first == null);
            if (!wrong && !Objects.equals(first, dedup)) {
                diagnostics.error(
                        clause == null ? other.type().span() : clause.span(),
                        "event `" + event.name + "` has " + (first == null ? "no" : clause == null ? "a" : "another")
                                + " `dedup` in its declaration at "
                                + event.first.type().span().place(),
                        "all declarations of an event have the same one, or none");
            }
        }
        return first;
    }

    private EventType.@Nullable Dedup dedup(Ast.Event declaration, Event event) {
        Ast.Dedup clause = declaration.dedup();
        return clause == null ? null : new DedupChecker(diagnostics).check(clause, event);
    }

    private void disjoint(Ast.Event declaration, String name, TopicPattern topic) {
        for (Bound other : bound) {
            Optional<String> common = topic.commonTopic(other.topic);
            if (common.isPresent()) {
                boolean same = other.event.equals(name);
                diagnostics.error(
                        declaration.topic().span(),
                        "topic `" + common.get() + "` would match `" + topic + "` of event `" + name + "` and `"
                                + other.topic + "` of " + (same ? "the same" : "event `" + other.event + "`"),
                        "the other one is declared at "
                                + other.declaration.topic().span().place()
                                + "; a topic belongs to one event, so narrow one of the patterns");
                break;
            }
        }
        bound.add(new Bound(declaration, name, topic));
    }

    private @Nullable Format format(Ast.Name name) {
        List<String> known = new ArrayList<>();
        for (Format format : Format.values()) {
            if (keyword(format).equals(name.text())) {
                return format;
            }
            known.add(keyword(format));
        }
        return diagnostics.error(
                name.span(),
                "unknown format `" + name.text() + "`",
                Suggestions.help(name.text(), known, "formats are"));
    }

    private static String keyword(Format format) {
        return format.name().toLowerCase(Locale.ROOT);
    }

    private ProtoTypes.@Nullable Entry type(Ast.Name name) {
        List<ProtoTypes.Entry> found = types.find(name.text());
        if (found.size() == 1) {
            return found.get(0);
        }
        List<String> names =
                found.stream().map(entry -> entry.message().fullName()).toList();
        if (found.size() > 1) {
            diagnostics.error(
                    name.span(), "`" + name.text() + "` is ambiguous", "it may be " + Suggestions.list(names));
        } else if (!types.incomplete()) {
            List<String> known =
                    types.messages().stream().map(types::displayName).toList();
            diagnostics.error(
                    name.span(),
                    "unknown message `" + name.text() + "`",
                    known.isEmpty()
                            ? List.of("import the .proto file that defines it: `import \"events.proto\";`")
                            : Suggestions.help(name.text(), known, "imported are"));
        }
        return null;
    }

    private void text(Ast.Event declaration, MessageType message) {
        List<EventField> fields = message.fields();
        boolean fits = fields.size() == 1
                && fields.get(0).type() == EventField.Kind.STRING
                && !fields.get(0).repeated();
        if (!fits) {
            diagnostics.error(
                    declaration.format().span(),
                    "`" + message.fullName() + "` does not suit the format `text`",
                    "it takes a message with exactly one field, a string, which is the whole payload");
        }
    }
}
