package io.summarizer.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullValues;
import io.summarizer.core.store.Cut;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What became of every message, as {@code GET /ledger} tells it and {@code run} writes it: JSON, UTF-8. Stateless. */
public final class LedgerJson {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String RECEIVED = "received";
    private static final String REJECTED = "rejected";
    private static final String SINCE_RESET = "since_reset";
    private static final String NULLS = "nulls";
    /** Expressions that are shown, those with the most nulls. */
    private static final int EXPRESSIONS_MAX = 1_000;

    private LedgerJson() {}

    /** The ledger of a cut. */
    public static byte[] of(Cut cut) {
        LedgerCounts counts = LedgerCounts.of(cut);
        ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeNumberField("cut", cut.id());
            json.writeStringField(
                    "taken",
                    Instant.EPOCH.plus(cut.takenAtMicros(), ChronoUnit.MICROS).toString());
            write("listeners", counts.listeners(), true, json);
            write("events", counts.events(), false, json);
            json.writeObjectFieldStart("former");
            write(counts.former(), false, json);
            json.writeEndObject();
            json.writeArrayFieldStart("mappings");
            for (LedgerCounts.OfMapping mapping : counts.mappings()) {
                json.writeStartObject();
                json.writeStringField("event", mapping.event());
                json.writeStringField("summary", mapping.summary());
                write(mapping.account(), false, json);
                json.writeObjectFieldStart(SINCE_RESET);
                writeNumbers(mapping.sinceReset(), false, json);
                json.writeEndObject();
                json.writeEndObject();
            }
            json.writeEndArray();
            writeNulls(counts.nulls(), json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a byte array does not fail
        }
        return out.toByteArray();
    }

    private static void writeNulls(List<NullValues> nulls, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(NULLS);
        for (NullValues values : NullValues.worst(nulls, EXPRESSIONS_MAX)) {
            json.writeStartObject();
            json.writeStringField("event", values.event());
            json.writeStringField("mapping", values.mapping());
            json.writeStringField("expression", values.expression());
            json.writeStringField("at", values.at());
            json.writeNumberField("evaluated", values.evaluated());
            json.writeObjectFieldStart(NULLS);
            for (NullReason reason : NullReason.all()) {
                json.writeNumberField(reason.label(), values.count(reason));
            }
            json.writeEndObject();
            json.writeBooleanField("always", values.isAlways());
            if (!values.sample().isEmpty()) {
                json.writeStringField("sample", values.sample());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(String field, List<Account> accounts, boolean listeners, JsonGenerator json)
            throws IOException {
        json.writeArrayFieldStart(field);
        for (Account account : accounts) {
            json.writeStartObject();
            write(account, listeners, json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(Account account, boolean listener, JsonGenerator json) throws IOException {
        json.writeStringField("name", account.name());
        writeNumbers(account, listener, json);
    }

    private static void writeNumbers(Account account, boolean listener, JsonGenerator json) throws IOException {
        json.writeNumberField(RECEIVED, account.received());
        for (Fate fate : Fate.all()) {
            if (!fate.isRejection() && (listener || fate != Fate.LOST)) {
                json.writeNumberField(fate.label(), account.count(fate));
            }
        }
        json.writeObjectFieldStart(REJECTED);
        for (Fate fate : Fate.all()) {
            if (fate.isRejection()) {
                json.writeNumberField(fate.label(), account.count(fate));
            }
        }
        json.writeEndObject();
        json.writeNumberField("in_flight", account.inFlight());
    }

    /**
     * Reads what {@code GET /ledger} answered.
     *
     * @throws IOException when it is something else
     */
    public static LedgerCounts read(InputStream in) throws IOException {
        JsonNode ledger = new ObjectMapper().readTree(in);
        if (!ledger.path("listeners").isArray()) {
            throw new IOException("this is no ledger");
        }
        List<LedgerCounts.OfMapping> mappings = new ArrayList<>();
        for (JsonNode mapping : ledger.path("mappings")) {
            Account account = account(mapping);
            mappings.add(new LedgerCounts.OfMapping(
                    mapping.path("event").asText(),
                    mapping.path("summary").asText(),
                    account,
                    account(account.name(), mapping.path(SINCE_RESET))));
        }
        return new LedgerCounts(
                accounts(ledger.path("listeners")),
                accounts(ledger.path("events")),
                mappings,
                account(ledger.path("former")),
                nulls(ledger.path(NULLS)));
    }

    private static List<NullValues> nulls(JsonNode nodes) {
        List<NullValues> nulls = new ArrayList<>();
        for (JsonNode node : nodes) {
            nulls.add(new NullValues(
                    node.path("event").asText(),
                    node.path("mapping").asText(),
                    node.path("expression").asText(),
                    node.path("at").asText(),
                    node.path("evaluated").asLong(),
                    NullReason.all().stream()
                            .map(reason -> node.path(NULLS).path(reason.label()).asLong())
                            .toList(),
                    node.path("sample").asText()));
        }
        return nulls;
    }

    private static List<Account> accounts(JsonNode nodes) {
        List<Account> accounts = new ArrayList<>();
        nodes.forEach(node -> accounts.add(account(node)));
        return accounts;
    }

    private static Account account(JsonNode node) {
        return account(node.path("name").asText(), node);
    }

    private static Account account(String name, JsonNode node) {
        long[] fates = new long[Fate.all().size()];
        for (Fate fate : Fate.all()) {
            JsonNode within = fate.isRejection() ? node.path(REJECTED) : node;
            fates[fate.ordinal()] = within.path(fate.label()).asLong();
        }
        return new Account(name, node.path(RECEIVED).asLong(), fates);
    }

    /**
     * The fates of the messages that mappings into a summary received, and the number of all that is in flight, on one line: the
     * value of a header.
     */
    static String header(Cut cut, String summary) {
        LedgerCounts counts = LedgerCounts.of(cut);
        return header(counts, counts.intoSummary(summary));
    }

    /** As {@link #header}, of the messages since the last reset of the summary. */
    static String headerSinceReset(Cut cut, String summary) {
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
        return text.append(", ")
                .append(REJECTED)
                .append('=')
                .append(account.rejected())
                .append(", in-flight=")
                .append(counts.total().inFlight())
                .toString();
    }
}
