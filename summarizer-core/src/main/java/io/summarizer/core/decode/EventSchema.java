package io.summarizer.core.decode;

import java.time.ZoneId;
import java.util.List;

/**
 * What is wanted of the payloads of one event type. Immutable; makes decoders and the events they fill.
 *
 * @param slots of the event's record
 * @param zones where times without a zone are, by number of the listener; the last one stands for all further ones
 */
public record EventSchema(Format format, MessageSchema root, int slots, List<ZoneId> zones) {
    /** How a payload is written. */
    public enum Format {
        CSV,
        JSON,
        TEXT
    }

    public EventSchema {
        zones = List.copyOf(zones);
        if (zones.isEmpty()) {
            throw new IllegalArgumentException("at least one zone is needed");
        }
    }

    /** A decoder for one parser worker. */
    public PayloadDecoder newDecoder() {
        return switch (format) {
            case CSV -> new CsvDecoder(this);
            case JSON -> new JsonDecoder(this);
            case TEXT -> new TextDecoder(this);
        };
    }

    ZoneId zone(int listener) {
        return zones.get(Math.min(listener, zones.size() - 1));
    }
}
