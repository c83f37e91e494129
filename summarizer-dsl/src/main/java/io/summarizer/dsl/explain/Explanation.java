package io.summarizer.dsl.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one event. Immutable.
 *
 * @param event name of the event type
 * @param refusal why the payload is rejected, or null; then nothing is added to any summary
 * @param tooLong the key or text that is longer than its bound, so that the message is rejected in part, or null
 * @param fields what was decoded: fields that some mapping uses; none where the payload is rejected
 * @param identity what it is told from others by, or null where all events of the type count, or the payload is rejected
 * @param mappings in the order of definition; none where the payload is rejected
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

    /**
     * What tells an event from others.
     *
     * @param clause as the definitions have it
     * @param id what the expression came to; an event without an id counts whatever came before
     */
    public record Identity(String clause, Term id) {}

    /** What became of a mapping. */
    public enum Outcome {
        /** Its own topic pattern does not match. */
        OTHER_TOPIC,
        /** Its {@code where} does not hold. */
        FILTERED,
        /** It counts as an update of its summary. */
        APPLIED
    }

    /**
     * A field that some mapping uses.
     *
     * @param name its path
     * @param type of the field in its {@code .proto} file
     * @param value spelled for people, or null when it is absent
     */
    public record DecodedField(
            String name, String type, @Nullable String value) {}

    /**
     * What a mapping did.
     *
     * @param topic its own topic pattern, or null
     * @param where its condition, or null; not evaluated where the topic does not match
     */
    public record OfMapping(
            String name,
            String summary,
            @Nullable String topic,
            Outcome outcome,
            @Nullable Term where,
            List<Step> steps) {
        public OfMapping {
            steps = List.copyOf(steps);
        }
    }
}
