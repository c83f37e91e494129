package io.summarizer.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What there is to pull, as of a cut: summaries in the order of definition, each with its nested ones, outer before inner.
 * Cost: small; it reads no rows.
 */
record Listing(List<Entry> summaries) {
    private static final JsonFactory JSON = new JsonFactory();

    /** A summary: its rows, the updates applied to it, its nested summaries. */
    record Entry(String name, long rows, long updates, List<Nested> nested) {
        String href() {
            return Listing.href(name, List.of());
        }
    }

    /** A nested summary by the field names that lead to it. */
    record Nested(String summary, List<String> fields, long rows) {
        /** The field names with slashes between. */
        String path() {
            return String.join("/", fields);
        }

        String href() {
            return Listing.href(summary, fields);
        }
    }

    static Listing of(Cut cut) {
        return new Listing(cut.summaries().stream().map(Listing::entry).toList());
    }

    private static Entry entry(SummaryView view) {
        List<Nested> nested = new ArrayList<>();
        collect(view, view.layout(), List.of(), List.of(), nested);
        return new Entry(view.layout().name(), view.rows(List.of()), view.updates(), nested);
    }

    private static void collect(
            SummaryView view, SummaryLayout at, List<Integer> path, List<String> fields, List<Nested> found) {
        for (int i = 0; i < at.nested().size(); i++) {
            SummaryLayout inner = at.nested().get(i);
            List<Integer> innerPath = append(path, i);
            List<String> innerFields = append(fields, inner.name());
            found.add(new Nested(view.layout().name(), innerFields, view.rows(innerPath)));
            collect(view, inner, innerPath, innerFields, found);
        }
    }

    private static <T> List<T> append(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return List.copyOf(longer);
    }

    private static String href(String summary, List<String> fields) {
        StringBuilder href = new StringBuilder(Target.SUMMARIES).append('/').append(escape(summary));
        fields.forEach(field -> href.append('/').append(escape(field)));
        return href.append(Target.CSV).toString();
    }

    static String escape(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The answer to {@code GET /summaries}: a JSON array, UTF-8. */
    byte[] json() {
        return bytes(json -> {
            json.writeStartArray();
            for (Entry entry : summaries) {
                json.writeStartObject();
                json.writeStringField("name", entry.name());
                json.writeNumberField("rows", entry.rows());
                json.writeNumberField("updates", entry.updates());
                json.writeStringField("csv", entry.href());
                json.writeArrayFieldStart("nested");
                for (Nested nested : entry.nested()) {
                    json.writeStartObject();
                    json.writeStringField("path", nested.path());
                    json.writeNumberField("rows", nested.rows());
                    json.writeStringField("csv", nested.href());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /**
     * The answer to {@code POST /summaries/NAME/reset}: what the summary held, and where that can still be pulled.
     *
     * @param cut of the reset
     */
    static byte[] emptied(Cut cut, Duration kept) {
        return bytes(json -> emptied(json, cut, kept));
    }

    /** The answer to {@code GET /resets}: as that of each reset whose cut is kept. */
    static byte[] resets(List<CutCache.Emptied> resets) {
        return bytes(json -> {
            json.writeStartArray();
            for (CutCache.Emptied reset : resets) {
                emptied(json, reset.cut(), reset.left());
            }
            json.writeEndArray();
        });
    }

    private static void emptied(JsonGenerator json, Cut cut, Duration kept) throws IOException {
        Entry entry = entry(cut.summaries().get(0)); // what it holds beside that took the overflow
        json.writeStartObject();
        json.writeStringField("summary", entry.name());
        json.writeNumberField("cut", cut.id());
        json.writeNumberField("rows", entry.rows());
        json.writeNumberField("updates", entry.updates());
        json.writeStringField("csv", entry.href() + "?cut=" + cut.id());
        json.writeNumberField("keptSeconds", kept.toSeconds());
        json.writeEndObject();
    }

    /** Help for a path below {@code /summaries} that is no table's: the table whose name it begins with, if there is one. */
    String advice(String path) {
        String asked = path.replace('/', '.');
        String best = "";
        String href = "";
        for (Entry entry : summaries) {
            if (entry.name().length() > best.length() && isNamed(asked, entry.name())) {
                best = entry.name();
                href = entry.href();
            }
            for (Nested nested : entry.nested()) {
                String name = entry.name() + "." + String.join(".", nested.fields());
                if (name.length() > best.length() && isNamed(asked, name)) {
                    best = name;
                    href = nested.href();
                }
            }
        }
        return href.isEmpty() ? Target.SUMMARIES + " lists what there is\n" : "did you mean " + href + " ?\n";
    }

    private static boolean isNamed(String asked, String name) {
        return asked.equals(name) || asked.startsWith(name + ".");
    }

    /** Writes JSON. */
    @FunctionalInterface
    private interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            writing.to(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a byte array does not fail
        }
        return out.toByteArray();
    }
}
