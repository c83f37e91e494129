package io.summarizer.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The definitions that a service applies, as {@code GET /definitions/files} shows them. Immutable.
 *
 * @param name name of the definitions as in checkpoints, the SHA-256 of the files
 * @param settings the settings that affect how a message of the TCP listener is processed, by key of the configuration
 * @param files texts by path from the definitions folder; this map and {@code settings} are sorted
 */
public record DefinitionsInForce(String name, Map<String, String> settings, Map<String, String> files) {
    public DefinitionsInForce {
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
        files = Collections.unmodifiableMap(new TreeMap<>(files));
    }

    /**
     * Parses an answer of {@code GET /definitions/files}.
     *
     * @throws IOException when the text is no such answer
     */
    public static DefinitionsInForce read(String json) throws IOException {
        try {
            return Json.MAPPER.readValue(json, DefinitionsInForce.class);
        } catch (JsonProcessingException | NullPointerException e) {
            throw new IOException("these are no definitions that this version knows: " + e.getMessage(), e);
        }
    }
}
