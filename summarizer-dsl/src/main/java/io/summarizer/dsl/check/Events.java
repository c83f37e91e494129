package io.summarizer.dsl.check;

import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.parse.Ast;
import io.summarizer.dsl.proto.ProtoTypes;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events that mappings may name. Immutable.
 *
 * @param broken names of events with an error in a declaration; the error was reported
 * @param incomplete whether a declaration or a file is missing; if so, an unknown name may be declared there
 */
record Events(List<Event> all, ProtoTypes types, Set<String> broken, boolean incomplete, Diagnostics diagnostics) {
    List<EventType> eventTypes() {
        return all.stream().map(Event::type).toList();
    }

    /** The event of this name. Reports an error and returns null when there is no such event. */
    @Nullable
    Event find(Ast.Name name) {
        List<ProtoTypes.Entry> found = types.find(name.text());
        for (Event event : all) {
            if (found.stream()
                    .anyMatch(entry -> entry.message().equals(event.type().message()))) {
                return event;
            }
        }
        if (incomplete || broken.contains(name.text())) {
            return null;
        }
        if (!found.isEmpty()) {
            diagnostics.error(
                    name.span(),
                    "message `" + name.text() + "` is not declared as an event",
                    "declare which topics carry it: `event " + name.text() + " on \"topic\" as json;`");
        } else {
            List<String> names = all.stream().map(Event::name).toList();
            diagnostics.error(
                    name.span(),
                    "unknown event `" + name.text() + "`",
                    () -> Suggestions.help(name.text(), names, "there are"));
        }
        return null;
    }
}
