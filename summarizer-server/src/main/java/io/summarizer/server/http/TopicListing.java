package io.summarizer.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.server.explain.TopicReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to {@code GET /topics} for programs. Stateless. */
final class TopicListing {
    private static final JsonFactory JSON = new JsonFactory();

    private TopicListing() {}

    /** A JSON array with an object for each topic; {@code event} is null where nothing takes it. */
    static byte[] json(List<TopicReport> reports) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartArray();
            for (TopicReport report : reports) {
                json.writeStartObject();
                json.writeStringField("topic", report.topic());
                write(report.event(), json);
                json.writeArrayFieldStart("nearest");
                for (TopicReport.Miss miss : report.nearest()) {
                    json.writeStartObject();
                    json.writeStringField("pattern", miss.pattern().toString());
                    json.writeStringField("event", miss.event());
                    json.writeStringField("why", miss.why());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a byte array does not fail
        }
        return out.toByteArray();
    }

    private static void write(TopicReport.@Nullable Taken event, JsonGenerator json) throws IOException {
        if (event == null) {
            json.writeNullField("event");
            return;
        }
        json.writeStringField("event", event.name());
        json.writeStringField("format", event.format());
        json.writeArrayFieldStart("patterns");
        for (TopicPattern pattern : event.patterns()) {
            json.writeString(pattern.toString());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("mappings");
        for (TopicReport.Mapped mapping : event.mappings()) {
            json.writeStartObject();
            json.writeStringField("name", mapping.name());
            json.writeStringField("summary", mapping.summary());
            TopicPattern pattern = mapping.pattern();
            json.writeStringField("pattern", pattern == null ? null : pattern.toString());
            json.writeBooleanField("applies", mapping.why() == null);
            json.writeStringField("why", mapping.why());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
