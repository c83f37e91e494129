package io.summarizer.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The definitions that a service applies, in {@code GET /definitions/files}. Immutable.
 *
 * @param name SHA-256 of the files, as in checkpoints
 * @param settings by key of the configuration: those that affect the processing of a message of the TCP listener
 * @param files texts by path from the definitions folder; both maps are in order
 */
public record DefinitionsInForce(String name, Map<String, String> settings, Map<String, String> files) {
    public DefinitionsInForce {
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
        files = Collections.unmodifiableMap(new TreeMap<>(files));
    }

    /**
     * Parses an answer of {@code GET /definitions/files}.
     *
     * @throws IOException when it is something else
     */
    public static DefinitionsInForce read(String json) throws IOException {
        try {
            return Json.MAPPER.readValue(json, DefinitionsInForce.class);
        } catch (JsonProcessingException | NullPointerException e) {
            throw new IOException("these are no definitions that this version knows: " + e.getMessage(), e);
        }
    }
}
