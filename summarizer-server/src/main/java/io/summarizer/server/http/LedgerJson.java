package io.summarizer.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullValues;
import io.summarizer.core.store.Cut;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ledger as JSON in UTF-8, for {@code GET /ledger} and for the file of {@code run}. Also writes it as a
 * header of pulled rows. An account has a member for each {@link Fate}, named by the fate's label, so a new fate needs
 * no change here. Stateless.
 */
public final class LedgerJson {
    private static final String NAME = "name";
    private static final String RECEIVED = "received";
    private static final String REJECTED = "rejected";
    private static final String EVENT = "event";
    private static final String SUMMARY = "summary";
    private static final String SINCE_RESET = "since_reset";
    /** Largest number of expressions shown. The expressions with the most nulls are shown. */
    private static final int EXPRESSIONS_MAX = 1_000;

    private LedgerJson() {}

    /** The JSON document. Accounts are maps, because fates name their members. */
    private record Document(
            long cut,
            @Nullable String taken,
            @Nullable List<Map<String, Object>> listeners,
            List<Map<String, Object>> events,
            Map<String, Object> former,
            List<Map<String, Object>> mappings,
            @Nullable List<Nulls> nulls) {}

    /** An expression that was null. */
    private record Nulls(
            String event,
            String mapping,
            String expression,
            String at,
            long evaluated,
            Map<String, Long> nulls,
            boolean always,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
            String sample) {
        static Nulls of(NullValues values) {
            Map<String, Long> reasons = new LinkedHashMap<>();
            NullReason.all().forEach(reason -> reasons.put(reason.label(), values.count(reason)));
            return new Nulls(
                    values.event(),
                    values.mapping(),
                    values.expression(),
                    values.at(),
                    values.evaluated(),
                    reasons,
                    values.isAlways(),
                    values.sample());
        }

        NullValues values() {
            List<Long> counts = NullReason.all().stream()
                    .map(reason -> nulls.getOrDefault(reason.label(), 0L))
                    .toList();
            return new NullValues(event, mapping, expression, at, evaluated, counts, sample == null ? "" : sample);
        }
    }

    /** Writes the ledger of a cut. */
    public static byte[] of(Cut cut) {
        LedgerCounts counts = LedgerCounts.of(cut);
        Document document = new Document(
                cut.id(),
                Instant.EPOCH.plus(cut.takenAtMicros(), ChronoUnit.MICROS).toString(),
                counts.listeners().stream().map(of -> account(of, true)).toList(),
                counts.events().stream().map(of -> account(of, false)).toList(),
                account(counts.former(), false),
                counts.mappings().stream().map(LedgerJson::mapping).toList(),
                NullValues.worst(counts.nulls(), EXPRESSIONS_MAX).stream()
                        .map(Nulls::of)
                        .toList());
        return Json.indented(document).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> mapping(LedgerCounts.OfMapping mapping) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(EVENT, mapping.event());
        members.put(SUMMARY, mapping.summary());
        members.putAll(account(mapping.account(), false));
        members.put(SINCE_RESET, numbers(mapping.sinceReset(), false));
        return members;
    }

    private static Map<String, Object> account(Account account, boolean listener) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(NAME, account.name());
        members.putAll(numbers(account, listener));
        return members;
    }

    private static Map<String, Object> numbers(Account account, boolean listener) {
        Map<String, Object> members = new LinkedHashMap<>();
        Map<String, Object> rejected = new LinkedHashMap<>();
        members.put(RECEIVED, account.received());
        for (Fate fate : Fate.all()) {
            if (fate.isRejection()) {
                rejected.put(fate.label(), account.count(fate));
            } else if (listener || fate != Fate.LOST) {
                members.put(fate.label(), account.count(fate));
            }
        }
        members.put(REJECTED, rejected);
        members.put("in_flight", account.inFlight());
        return members;
    }

    /**
     * Parses an answer of {@code GET /ledger}.
     *
     * @throws IOException when the text is no such answer
     */
    public static LedgerCounts read(InputStream in) throws IOException {
        Document document = Json.MAPPER.readValue(in, Document.class);
        if (document == null
                || document.listeners == null
                || document.events == null
                || document.mappings == null
                || document.former == null) {
            throw new IOException("this is no ledger");
        }
        List<Map<String, Object>> listeners = document.listeners;
        List<Nulls> nulls = document.nulls;
        return new LedgerCounts(
                listeners.stream().map(LedgerJson::account).toList(),
                document.events.stream().map(LedgerJson::account).toList(),
                document.mappings.stream().map(LedgerJson::mapping).toList(),
                account(document.former),
                nulls == null ? List.of() : nulls.stream().map(Nulls::values).toList());
    }

    private static LedgerCounts.OfMapping mapping(Map<String, Object> members) {
        Account account = account(members);
        return new LedgerCounts.OfMapping(
                text(members, EVENT),
                text(members, SUMMARY),
                account,
                numbers(account.name(), below(members, SINCE_RESET)));
    }

    private static Account account(Map<String, Object> members) {
        return numbers(text(members, NAME), members);
    }

    private static Account numbers(String name, Map<?, ?> members) {
        long[] fates = new long[Fate.all().size()];
        for (Fate fate : Fate.all()) {
            fates[fate.ordinal()] = number(fate.isRejection() ? below(members, REJECTED) : members, fate.label());
        }
        return new Account(name, number(members, RECEIVED), fates);
    }

    private static String text(Map<?, ?> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    private static long number(Map<?, ?> members, String name) {
        return members.get(name) instanceof Number number ? number.longValue() : 0;
    }

    private static Map<?, ?> below(Map<?, ?> members, String name) {
        return members.get(name) instanceof Map<?, ?> below ? below : Map.of();
    }

    /**
     * Returns the value of a header, on one line. The value has the fates of the messages that came to the mappings
     * into a summary, and the number of all messages in flight.
     */
    static String header(Cut cut, String summary) {
        LedgerCounts counts = LedgerCounts.of(cut);
        return header(counts, counts.intoSummary(summary));
    }

    /** Returns the same as {@link #header}, but counts only the messages since the last reset of the summary. */
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
        return text + ", " + REJECTED + '=' + account.rejected() + ", in-flight="
                + counts.total().inFlight();
    }
}
