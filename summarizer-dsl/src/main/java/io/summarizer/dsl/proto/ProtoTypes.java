package io.summarizer.dsl.proto;

import io.summarizer.dsl.model.MessageType;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of all imported files, except bundled ones. Immutable.
 *
 * @param incomplete whether a file could not be read or linked; if so, the declaration of an unknown name is possibly
 *     in this file
 */
public record ProtoTypes(List<Entry> messages, boolean incomplete) {
    /**
     * A message.
     *
     * @param localName the message's name without the package
     */
    public record Entry(MessageType message, String localName) {}

    public ProtoTypes {
        messages = List.copyOf(messages);
    }

    /**
     * The messages to which {@code name} may refer; several when the name is ambiguous. The order of precedence: a
     * message with this full name, messages of any package with this local name, messages whose name only ends with
     * this name.
     */
    public List<Entry> find(String name) {
        List<Entry> full = new ArrayList<>();
        List<Entry> local = new ArrayList<>();
        List<Entry> tail = new ArrayList<>();
        for (Entry entry : messages) {
            String fullName = entry.message.fullName();
            if (fullName.equals(name)) {
                full.add(entry);
            }
            if (entry.localName.equals(name)) {
                local.add(entry);
            }
            if (fullName.endsWith("." + name)) {
                tail.add(entry);
            }
        }
        return !full.isEmpty() ? full : !local.isEmpty() ? local : tail;
    }

    /** The name without the package if this name is unambiguous, otherwise the name with the package. */
    public String displayName(Entry entry) {
        List<Entry> found = find(entry.localName);
        return found.size() == 1 && found.get(0).equals(entry) ? entry.localName : entry.message.fullName();
    }
}
