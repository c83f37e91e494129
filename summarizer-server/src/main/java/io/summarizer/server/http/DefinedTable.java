package io.summarizer.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A summary as {@code GET /definitions} tells it: how it is defined, and its rows.
 *
 * @param rows of the summary, without those of nested ones
 */
public record DefinedTable(SummaryLayout layout, long rows) {
    private static final JsonFactory JSON = new JsonFactory();

    /** The summaries of a cut: a JSON array, UTF-8. */
    static byte[] json(Cut cut) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartArray();
            for (SummaryView summary : cut.summaries()) {
                json.writeStartObject();
                json.writeNumberField("rows", summary.rows(List.of()));
                write(summary.layout(), json);
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a byte array does not fail
        }
        return out.toByteArray();
    }

    private static void write(SummaryLayout layout, JsonGenerator json) throws IOException {
        json.writeStringField("name", layout.name());
        json.writeNumberField("number", layout.number());
        json.writeArrayFieldStart("key");
        for (KeyColumn key : layout.keys()) {
            json.writeStartObject();
            json.writeStringField("name", key.name());
            json.writeNumberField("number", key.number());
            json.writeStringField("type", key.type().keyword());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("value");
        for (ValueColumn value : layout.values()) {
            json.writeStartObject();
            json.writeStringField("name", value.name());
            json.writeNumberField("number", value.number());
            json.writeStringField("type", value.type().keyword());
            if (value.type() == AggregateType.MULTISET64) {
                json.writeNumberField("log2m", value.log2m());
                json.writeNumberField("regwidth", value.regwidth());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nested");
        for (SummaryLayout nested : layout.nested()) {
            json.writeStartObject();
            write(nested, json);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Reads what {@code GET /definitions} answered.
     *
     * @throws IOException when it is something else, or of a newer version
     */
    public static List<DefinedTable> read(InputStream in) throws IOException {
        List<DefinedTable> tables = new ArrayList<>();
        try {
            for (JsonNode summary : new ObjectMapper().readTree(in)) {
                tables.add(
                        new DefinedTable(layout(summary), summary.path("rows").asLong()));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("these are no definitions that this version knows: " + e.getMessage(), e);
        }
        return tables;
    }

    private static SummaryLayout layout(JsonNode json) {
        List<KeyColumn> keys = new ArrayList<>();
        for (JsonNode key : json.path("key")) {
            keys.add(new KeyColumn(name(key), number(key), KeyType.valueOf(type(key))));
        }
        List<ValueColumn> values = new ArrayList<>();
        for (JsonNode value : json.path("value")) {
            values.add(new ValueColumn(
                    name(value),
                    number(value),
                    AggregateType.valueOf(type(value)),
                    value.path("log2m").asInt(),
                    value.path("regwidth").asInt()));
        }
        List<SummaryLayout> nested = new ArrayList<>();
        json.path("nested").forEach(below -> nested.add(layout(below)));
        return new SummaryLayout(name(json), number(json), keys, values, nested);
    }

    private static String name(JsonNode json) {
        return json.path("name").asText();
    }

    private static int number(JsonNode json) {
        return json.path("number").asInt();
    }

    private static String type(JsonNode json) {
        return json.path("type").asText().toUpperCase(Locale.ROOT);
    }
}
