package io.summarizer.core.result;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.summarizer.core.bytes.BlockOutputStream;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.core.result.Manifest.OfSummary;
import io.summarizer.core.result.Manifest.RowFile;
import io.summarizer.core.result.Manifest.Window;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.text.ControlCharacters;
import io.summarizer.core.text.JacksonText;
import io.summarizer.core.text.TimestampText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON of a {@link Manifest}, written and read member by member. One reader, one thread. */
record ManifestJson(String name, JsonParser in) {
    /** Maximum number of bytes of a manifest; enough for about 500,000 windows with four files each. */
    static final long BYTES_MAX = 512L << 20;
    /** Maximum number of summaries. */
    static final int SUMMARIES_MAX = 1 << 14;
    /** Maximum number of closed windows of a summary. */
    static final int WINDOWS_MAX = 1 << 20;

    private static final int SHOWN_CHARS_MAX = 100;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxDocumentLength(BYTES_MAX)
                    .maxNestingDepth(32)
                    .maxStringLength(64 << 10)
                    .maxNameLength(1 << 10)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    static void write(Manifest manifest, OutputStream stream) throws IOException {
        write(manifest, stream, BYTES_MAX);
    }

    static void write(Manifest manifest, OutputStream stream, long bytesMax) throws IOException {
        for (OfSummary summary : manifest.summaries()) {
            if (summary.windows().size() > WINDOWS_MAX) {
                throw tooLarge(summary.windows().size() + " closed windows of " + summary.name(), WINDOWS_MAX);
            }
        }
        OutputStream bounded = new BlockOutputStream() {
            private long written;

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                written += length;
                if (written > bytesMax) {
                    throw tooLarge("more than " + bytesMax + " bytes", bytesMax);
                }
                stream.write(bytes, offset, length);
            }

            @Override
            public void flush() throws IOException {
                stream.flush();
            }
        };
        try (JsonGenerator out = JSON.createGenerator(bounded).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
            out.writeStartObject();
            out.writeNumberField("version", Manifest.VERSION);
            out.writeNumberField("checkpoint", manifest.checkpoint());
            out.writeStringField("job", manifest.job());
            out.writeStringField("time", TimestampText.toString(manifest.takenAtMicros()));
            out.writeStringField("definitions", manifest.definitions());
            out.writeNumberField("key_groups", manifest.keyGroups());
            write(out, manifest.files());
            out.writeArrayFieldStart("summaries");
            for (OfSummary summary : manifest.summaries()) {
                write(out, summary);
            }
            out.writeEndArray();
            out.writeFieldName("ledger");
            LedgerJson.write(out, manifest.checkpoint(), manifest.takenAtMicros(), manifest.ledger());
            out.writeEndObject();
            out.writeRaw('\n');
        }
    }

    private static ResultException tooLarge(String what, long max) {
        return new ResultException("the manifest of the result would have " + what + ", and readers take " + max
                + ": give the summaries with windows a keep or a shorter one, or wider windows, and go on from the last"
                + " checkpoint; the results so far stay as they are");
    }

    private static void write(JsonGenerator out, OfSummary summary) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", summary.name());
        out.writeNumberField("updates", summary.updates());
        if (summary.boundary() == ClosedWindows.NO_BOUNDARY) {
            out.writeNullField("boundary");
        } else {
            out.writeStringField("boundary", TimestampText.toString(summary.boundary()));
        }
        out.writeArrayFieldStart("windows");
        for (Window window : summary.windows()) {
            out.writeStartObject();
            out.writeStringField("start", TimestampText.toString(window.start()));
            out.writeStringField("end", TimestampText.toString(window.end()));
            out.writeNumberField("rows", window.rows());
            out.writeNumberField("bytes", window.bytes());
            out.writeNumberField("late", window.late());
            write(out, window.files());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, List<RowFile> files) throws IOException {
        out.writeArrayFieldStart("files");
        for (RowFile file : files) {
            out.writeStartObject();
            out.writeStringField("file", file.file());
            out.writeNumberField("first_key_group", file.firstKeyGroup());
            out.writeNumberField("last_key_group", file.lastKeyGroup());
            out.writeNumberField("bytes", file.bytes());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    static Manifest read(InputStream stream, String name) throws IOException {
        try (JsonParser parser = JSON.createParser(stream)) {
            return new ManifestJson(name, parser).manifest();
        } catch (JsonProcessingException e) {
            throw new ResultException(
                    name + ": is damaged, or not the manifest of a result: "
                            + JacksonText.reason(e.getOriginalMessage()),
                    e);
        }
    }

    private Manifest manifest() throws IOException {
        if (in.nextToken() != JsonToken.START_OBJECT || !"version".equals(in.nextFieldName())) {
            throw problem("is not the manifest of a result, which begins with its version");
        }
        in.nextToken();
        long version = number("version");
        if (version != Manifest.VERSION) {
            throw problem("is a manifest of version " + version + ", and this program reads version " + Manifest.VERSION
                    + "; read it with the program that wrote it, or a newer one");
        }
        long checkpoint = -1;
        String job = "";
        long time = TimestampText.INVALID;
        String definitions = "";
        int keyGroups = 0;
        List<RowFile> files = List.of();
        List<OfSummary> summaries = null;
        LedgerCounts ledger = null;
        for (String member = member(); member != null; member = member()) {
            switch (member) {
                case "checkpoint" -> checkpoint = number(member);
                case "job" -> job = text(member);
                case "time" -> time = time(member);
                case "definitions" -> definitions = text(member);
                case "key_groups" -> keyGroups = count(member);
                case "files" -> files = array(member, Manifest.KEY_GROUPS_MAX, this::file);
                case "summaries" -> summaries = array(member, SUMMARIES_MAX, this::summary);
                case "ledger" -> ledger = ledger();
                default -> in.skipChildren();
            }
        }
        if (in.nextToken() != null) {
            throw problem("has text after its end");
        }
        if (checkpoint < 0 || time == TimestampText.INVALID || summaries == null || ledger == null) {
            throw problem("lacks checkpoint, time, summaries or ledger");
        }
        return new Manifest(checkpoint, job, time, definitions, keyGroups, files, summaries, ledger);
    }

    private LedgerCounts ledger() throws IOException {
        try {
            return LedgerJson.read(in);
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new ResultException(name + ": ledger: " + e.getMessage(), e);
        }
    }

    private OfSummary summary() throws IOException {
        String summary = "";
        long updates = 0;
        long boundary = ClosedWindows.NO_BOUNDARY;
        List<Window> windows = List.of();
        for (String member = member(); member != null; member = member()) {
            switch (member) {
                case "name" -> summary = text(member);
                case "updates" -> updates = number(member);
                case "boundary" ->
                    boundary = in.currentToken() == JsonToken.VALUE_NULL ? ClosedWindows.NO_BOUNDARY : time(member);
                case "windows" -> windows = array(member, WINDOWS_MAX, this::window);
                default -> in.skipChildren();
            }
        }
        if (summary.isEmpty()) {
            throw problem("has a summary without a name");
        }
        return new OfSummary(summary, updates, boundary, windows);
    }

    private Window window() throws IOException {
        long start = 0;
        long end = 0;
        long rows = 0;
        long bytes = 0;
        long late = 0;
        List<RowFile> files = List.of();
        for (String member = member(); member != null; member = member()) {
            switch (member) {
                case "start" -> start = time(member);
                case "end" -> end = time(member);
                case "rows" -> rows = number(member);
                case "bytes" -> bytes = number(member);
                case "late" -> late = number(member);
                case "files" -> files = array(member, Manifest.KEY_GROUPS_MAX, this::file);
                default -> in.skipChildren();
            }
        }
        return new Window(start, end, rows, bytes, late, files);
    }

    private RowFile file() throws IOException {
        String file = "";
        int first = -1;
        int last = -1;
        long bytes = 0;
        for (String member = member(); member != null; member = member()) {
            switch (member) {
                case "file" -> file = text(member);
                case "first_key_group" -> first = count(member);
                case "last_key_group" -> last = count(member);
                case "bytes" -> bytes = number(member);
                default -> in.skipChildren();
            }
        }
        return new RowFile(file, first, last, bytes);
    }

    /** Moves to the value of the next member of an object and returns its name; null at the end of the object. */
    private @Nullable String member() throws IOException {
        String member = in.nextFieldName();
        if (member != null) {
            in.nextToken();
        } else if (in.currentToken() != JsonToken.END_OBJECT) {
            throw problem("is cut short");
        }
        return member;
    }

    /** Reads one item of an array. */
    @FunctionalInterface
    private interface Item<T> {
        T read() throws IOException;
    }

    private <T> List<T> array(String member, int max, Item<T> item) throws IOException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw problem("has no array as " + member);
        }
        List<T> items = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (items.size() == max || in.currentToken() != JsonToken.START_OBJECT) {
                throw problem("has more than " + max + " " + member + ", or one that is no object");
            }
            items.add(item.read());
        }
        return items;
    }

    private long number(String member) throws IOException {
        if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw problem("has no whole number as " + member);
        }
        return in.getLongValue();
    }

    private int count(String member) throws IOException {
        long count = number(member);
        if (count < 0 || count > Manifest.KEY_GROUPS_MAX) {
            throw problem("has " + count + " as " + member + ", which has to be from 0 to " + Manifest.KEY_GROUPS_MAX);
        }
        return (int) count;
    }

    private String text(String member) throws IOException {
        if (in.currentToken() != JsonToken.VALUE_STRING) {
            throw problem("has no text as " + member);
        }
        return in.getText();
    }

    private long time(String member) throws IOException {
        long time = TimestampText.parse(text(member));
        if (time == TimestampText.INVALID) {
            throw problem("has no time as " + member + ": \"" + shown(text(member)) + '"');
        }
        return time;
    }

    private ResultException problem(String what) {
        return new ResultException(name + ": " + what);
    }

    /** A text from a manifest, shortened and without control characters, for use in a message. */
    static String shown(String text) {
        String plain = ControlCharacters.replaced(text, "?");
        return plain.length() <= SHOWN_CHARS_MAX ? plain : plain.substring(0, SHOWN_CHARS_MAX) + "...";
    }
}
