package io.summarizer.dsl.proto;

import io.summarizer.dsl.model.MessageType;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of all imported files, but for those bundled. Immutable.
 *
 * @param incomplete some file could not be read or linked: an unknown name may be its fault
 */
public record ProtoTypes(List<Entry> messages, boolean incomplete) {
    /**
     * A message.
     *
     * @param localName its name without the package
     */
    public record Entry(MessageType message, String localName) {}

    public ProtoTypes {
        messages = List.copyOf(messages);
    }

    /**
     * The messages that {@code name} may stand for: one when it is clear, several when it is ambiguous. A full name is
     * clear, then a name without its package, then the tail of a name.
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

    /** The shortest of its names without and with the package that is clear. */
    public String displayName(Entry entry) {
        List<Entry> found = find(entry.localName);
        return found.size() == 1 && found.get(0).equals(entry) ? entry.localName : entry.message.fullName();
    }
}
