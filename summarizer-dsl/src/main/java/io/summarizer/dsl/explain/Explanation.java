package io.summarizer.dsl.explain;

import io.summarizer.core.ledger.Fate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one event. Immutable.
 *
 * @param event name of the event type
 * @param refusal reason for rejecting the payload, or null; a rejected payload updates no summary
 * @param tooLong the key or text that is longer than its bound, because of which a part of the message is refused; null
 *     when there is none
 * @param fields the decoded fields, which are the fields that mappings use; empty when the payload is rejected
 * @param identity the event's identity; null when the event type has no {@code dedup}, or when the payload is rejected
 * @param mappings the mappings in the order of definition; empty when the payload is rejected
 */
public record Explanation(
        String event,
        @Nullable String refusal,
        @Nullable String tooLong,
        List<DecodedField> fields,
        @Nullable Identity identity,
        List<OfMapping> mappings) {
    public Explanation {
        fields = List.copyOf(fields);
        mappings = List.copyOf(mappings);
    }

    /** The worst fate by which a part of a decoded event is rejected; null when no part is rejected. */
    public @Nullable Fate rejected() {
        Fate worst = tooLong == null ? null : Fate.LIMIT;
        for (OfMapping mapping : mappings) {
            worst = Fate.worse(worst, mapping.rejected);
        }
        return worst;
    }

    /**
     * The identity of an event.
     *
     * @param clause the {@code dedup} clause as in the definitions
     * @param id value of the expression; an event without an id always counts
     */
    public record Identity(String clause, Term id) {}

    /** The outcome of a mapping. */
    public enum Outcome {
        /** The mapping's own topic pattern does not match. */
        OTHER_TOPIC,
        /** The mapping's {@code where} does not hold. */
        FILTERED,
        /** The mapping counts as an update of its summary. */
        APPLIED
    }

    /**
     * A field that a mapping uses.
     *
     * @param name path of the field
     * @param type type of the field in its {@code .proto} file
     * @param value value as text, or null when the field is absent
     */
    public record DecodedField(
            String name, String type, @Nullable String value) {}

    /**
     * The actions of a mapping.
     *
     * @param topic the mapping's own topic pattern, or null
     * @param where the mapping's condition, or null; not evaluated when the topic does not match
     * @param rejected {@link Fate#UNTIMED} or {@link Fate#EARLY} when a row of the mapping has no window, the worst
     * fate
     *     if there are several such rows; else null
     */
    public record OfMapping(
            String name,
            String summary,
            @Nullable String topic,
            Outcome outcome,
            @Nullable Term where,
            @Nullable Fate rejected,
            List<Step> steps) {
        public OfMapping {
            steps = List.copyOf(steps);
        }
    }
}
