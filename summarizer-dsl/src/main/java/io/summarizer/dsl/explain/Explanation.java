package io.summarizer.dsl.explain;

import io.summarizer.core.ledger.Fate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one event. Immutable.
 *
 * @param event name of the event type
 * @param refusal reason why the payload was rejected, or null; a rejected payload updates no summary
 * @param tooLong the key or text that is longer than its bound, so that a part of the message is refused; null when no
 *     key or text is too long
 * @param unexplained reason why the mappings of a decoded event are not explained, or null
 * @param fields the decoded fields (only fields that mappings use are decoded); empty when the payload is rejected
 * @param identity the event's identity; null when the event type has no {@code dedup}, or when nothing is
 *     explained
 * @param mappings the mappings in the order of definition; empty when the payload is rejected or nothing is explained
 */
public record Explanation(
        String event,
        @Nullable String refusal,
        @Nullable String tooLong,
        @Nullable String unexplained,
        List<DecodedField> fields,
        @Nullable Identity identity,
        List<OfMapping> mappings) {
    public Explanation {
        fields = List.copyOf(fields);
        mappings = List.copyOf(mappings);
    }

    /** The worst fate of all rejected parts of a decoded event; null when no part is rejected. */
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
     * @param clause the {@code dedup} clause, as it is in the definitions
     * @param id value of the expression that gives the id; an event without an id always counts
     */
    public record Identity(String clause, Term id) {}

    /** The outcome of a mapping. */
    public enum Outcome {
        /** The mapping's own topic pattern does not match. */
        OTHER_TOPIC,
        /** The mapping's {@code where} does not hold. */
        FILTERED,
        /** The mapping counted as an update of its summary. */
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
     * @param rejected {@link Fate#UNTIMED} or {@link Fate#EARLY} when a row of the mapping has no window, otherwise
     * null. If several rows have no window, the worst of their fates
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
