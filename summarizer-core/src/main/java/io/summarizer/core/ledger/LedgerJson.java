package io.summarizer.core.ledger;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.summarizer.core.store.Cut;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the ledger as JSON in UTF-8, and reads such JSON. The JSON is for {@code GET /ledger}, for the file of {@code
 * run}, and for manifests of results. The class also writes the HTTP header of pulled rows, which has the counts of the
 * summary. An account has a member for each {@link Fate}, named by the fate's label, so a new fate needs no change in
 * this class. Stateless.
 */
public final class LedgerJson {
    private static final String NAME = "name";
    private static final String RECEIVED = "received";
    private static final String REJECTED = "rejected";
    private static final String EVENT = "event";
    private static final String MAPPING = "mapping";
    private static final String SUMMARY = "summary";
    private static final String SINCE_RESET = "since_reset";
    private static final String LISTENERS = "listeners";
    private static final String EVENTS = "events";
    private static final String FORMER = "former";
    private static final String MAPPINGS = "mappings";
    private static final String NULLS = "nulls";
    private static final String EXPRESSION = "expression";
    private static final String AT = "at";
    private static final String EVALUATED = "evaluated";
    private static final String SAMPLE = "sample";

    /** Maximum number of expressions that are shown: those with the most nulls. */
    private static final int EXPRESSIONS_MAX = 1_000;
    /** Maximum number of values in a document that is read. It is enough for about 50,000 accounts. */
    private static final int VALUES_MAX = 1 << 20;

    private static final JsonFactory JSON = new JsonFactory();

    private LedgerJson() {}

    /** Writes the ledger of a cut. Each member has its own line; there is no final line feed. */
    public static byte[] of(Cut cut) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.setPrettyPrinter(
                    new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
            write(out, cut.id(), cut.takenAtMicros(), LedgerCounts.of(cut));
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory cannot be written", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Writes a ledger as an object.
     *
     * @param cut id of the cut or number of the checkpoint that has these counts
     * @param takenAtMicros its time, in µs since the epoch
     */
    public static void write(JsonGenerator out, long cut, long takenAtMicros, LedgerCounts counts) throws IOException {
        out.writeStartObject();
        out.writeNumberField("cut", cut);
        out.writeStringField(
                "taken", Instant.EPOCH.plus(takenAtMicros, ChronoUnit.MICROS).toString());
        accounts(out, LISTENERS, counts.listeners(), true);
        accounts(out, EVENTS, counts.events(), false);
        out.writeObjectFieldStart(FORMER);
        account(out, counts.former(), false);
        out.writeEndObject();
        out.writeArrayFieldStart(MAPPINGS);
        for (LedgerCounts.OfMapping mapping : counts.mappings()) {
            out.writeStartObject();
            out.writeStringField(EVENT, mapping.event());
            out.writeStringField(SUMMARY, mapping.summary());
            account(out, mapping.account(), false);
            out.writeObjectFieldStart(SINCE_RESET);
            numbers(out, mapping.sinceReset(), false);
            out.writeEndObject();
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart(NULLS);
        for (NullValues values : NullValues.worst(counts.nulls(), EXPRESSIONS_MAX)) {
            nulls(out, values);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void accounts(JsonGenerator out, String name, List<Account> accounts, boolean ofListeners)
            throws IOException {
        out.writeArrayFieldStart(name);
        for (Account account : accounts) {
            out.writeStartObject();
            account(out, account, ofListeners);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void account(JsonGenerator out, Account account, boolean ofListener) throws IOException {
        out.writeStringField(NAME, account.name());
        numbers(out, account, ofListener);
    }

    private static void numbers(JsonGenerator out, Account account, boolean ofListener) throws IOException {
        out.writeNumberField(RECEIVED, account.received());
        for (Fate fate : Fate.all()) {
            if (!fate.isRejection() && (ofListener || fate != Fate.LOST)) {
                out.writeNumberField(fate.label(), account.count(fate));
            }
        }
        out.writeObjectFieldStart(REJECTED);
        for (Fate fate : Fate.all()) {
            if (fate.isRejection()) {
                out.writeNumberField(fate.label(), account.count(fate));
            }
        }
        out.writeEndObject();
        out.writeNumberField("in_flight", account.inFlight());
    }

    private static void nulls(JsonGenerator out, NullValues values) throws IOException {
        out.writeStartObject();
        out.writeStringField(EVENT, values.event());
        out.writeStringField(MAPPING, values.mapping());
        out.writeStringField(EXPRESSION, values.expression());
        out.writeStringField(AT, values.at());
        out.writeNumberField(EVALUATED, values.evaluated());
        out.writeObjectFieldStart(NULLS);
        for (NullReason reason : NullReason.all()) {
            out.writeNumberField(reason.label(), values.count(reason));
        }
        out.writeEndObject();
        out.writeBooleanField("always", values.isAlways());
        if (!values.sample().isEmpty()) {
            out.writeStringField(SAMPLE, values.sample());
        }
        out.writeEndObject();
    }

    /**
     * Reads a document that {@link #of} wrote.
     *
     * @throws IOException when the text is not such a document
     */
    public static LedgerCounts read(InputStream in) throws IOException {
        try (JsonParser parser = JSON.createParser(in)) {
            parser.nextToken();
            return read(parser);
        }
    }

    /**
     * Reads an object that {@link #write} wrote. The parser has to be at the first token of the object. After the call,
     * it is at the last token of the object. Members with other names are skipped.
     *
     * @throws IOException when the object is no ledger
     */
    public static LedgerCounts read(JsonParser in) throws IOException {
        Map<?, ?> members = value(in, new int[] {VALUES_MAX}) instanceof Map<?, ?> object ? object : Map.of();
        if (!(members.get(LISTENERS) instanceof List<?> listeners)
                || !(members.get(EVENTS) instanceof List<?> events)
                || !(members.get(MAPPINGS) instanceof List<?> mappings)
                || !(members.get(FORMER) instanceof Map<?, ?> former)) {
            throw new IOException("this is no ledger");
        }
        List<?> nulls = members.get(NULLS) instanceof List<?> list ? list : List.of();
        return new LedgerCounts(
                objects(listeners).stream().map(LedgerJson::account).toList(),
                objects(events).stream().map(LedgerJson::account).toList(),
                objects(mappings).stream().map(LedgerJson::mapping).toList(),
                account(former),
                objects(nulls).stream().map(LedgerJson::nulls).toList());
    }

    /**
     * Reads the value at the position of the parser: a map, a list, a string, or a long. Returns an empty string for
     * any other value.
     *
     * @param left number of values that may still be read
     */
    private static Object value(JsonParser in, int[] left) throws IOException {
        if (left[0]-- == 0) {
            throw new IOException("the ledger has more than " + VALUES_MAX + " values");
        }
        JsonToken token = in.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> members = new LinkedHashMap<>();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                in.nextToken();
                members.put(name, value(in, left));
            }
            return members;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> items = new ArrayList<>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                items.add(value(in, left));
            }
            return items;
        }
        if (token == JsonToken.VALUE_NUMBER_INT) {
            return in.getLongValue();
        }
        return token == JsonToken.VALUE_STRING ? in.getText() : "";
    }

    private static List<Map<?, ?>> objects(List<?> items) throws IOException {
        List<Map<?, ?>> objects = new ArrayList<>();
        for (Object item : items) {
            if (!(item instanceof Map<?, ?> object)) {
                throw new IOException("this is no ledger");
            }
            objects.add(object);
        }
        return objects;
    }

    private static LedgerCounts.OfMapping mapping(Map<?, ?> members) {
        Account account = account(members);
        return new LedgerCounts.OfMapping(
                text(members, EVENT),
                text(members, SUMMARY),
                account,
                numbers(account.name(), below(members, SINCE_RESET)));
    }

    private static Account account(Map<?, ?> members) {
        return numbers(text(members, NAME), members);
    }

    private static Account numbers(String name, Map<?, ?> members) {
        long[] fates = new long[Fate.all().size()];
        for (Fate fate : Fate.all()) {
            fates[fate.ordinal()] = number(fate.isRejection() ? below(members, REJECTED) : members, fate.label());
        }
        return new Account(name, number(members, RECEIVED), fates);
    }

    private static NullValues nulls(Map<?, ?> members) {
        Map<?, ?> reasons = below(members, NULLS);
        return new NullValues(
                text(members, EVENT),
                text(members, MAPPING),
                text(members, EXPRESSION),
                text(members, AT),
                number(members, EVALUATED),
                NullReason.all().stream()
                        .map(reason -> number(reasons, reason.label()))
                        .toList(),
                text(members, SAMPLE));
    }

    private static String text(Map<?, ?> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    private static long number(Map<?, ?> members, String name) {
        return members.get(name) instanceof Long number ? number : 0;
    }

    private static Map<?, ?> below(Map<?, ?> members, String name) {
        return members.get(name) instanceof Map<?, ?> below ? below : Map.of();
    }

    /**
     * Returns the value of a header, on one line. The value has the fates of messages for the mappings into one
     * summary, and the number of all messages in flight.
     */
    public static String header(Cut cut, String summary) {
        LedgerCounts counts = LedgerCounts.of(cut);
        return header(counts, counts.intoSummary(summary));
    }

    /** Returns the same as {@link #header}, but counts only the messages since the last reset of the summary. */
    public static String headerSinceReset(Cut cut, String summary) {
        LedgerCounts counts = LedgerCounts.of(cut);
        return header(counts, counts.intoSummarySinceReset(summary));
    }

    private static String header(LedgerCounts counts, Account account) {
        StringBuilder text = new StringBuilder(RECEIVED).append('=').append(account.received());
        for (Fate fate : Fate.all()) {
            if (!fate.isRejection() && fate != Fate.LOST) {
                text.append(", ").append(fate.label()).append('=').append(account.count(fate));
            }
        }
        return text + ", " + REJECTED + '=' + account.rejected() + ", in-flight="
                + counts.total().inFlight();
    }
}
