package io.summarizer.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The definitions that a service applies, as {@code GET /definitions/files} tells them. Immutable.
 *
 * @param name SHA-256 of the files, as checkpoints name them
 * @param settings by key of the configuration: those that decide what becomes of a message of the TCP listener
 * @param files texts by path from the definitions folder
 */
public record DefinitionsInForce(String name, Map<String, String> settings, Map<String, String> files) {
    public DefinitionsInForce {
        settings = Map.copyOf(settings);
        files = Map.copyOf(files);
    }

    /** As a JSON object, UTF-8, names in order. */
    byte[] json() {
        try {
            return new ObjectMapper()
                    .writeValueAsBytes(
                            Map.of("name", name, "settings", new TreeMap<>(settings), "files", new TreeMap<>(files)));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e); // texts and maps of them do not fail
        }
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws IOException when it is something else
     */
    public static DefinitionsInForce read(String json) throws IOException {
        try {
            return new ObjectMapper().readValue(json, DefinitionsInForce.class);
        } catch (JsonProcessingException | NullPointerException e) {
            throw new IOException("these are no definitions that this version knows: " + e.getMessage(), e);
        }
    }
}
