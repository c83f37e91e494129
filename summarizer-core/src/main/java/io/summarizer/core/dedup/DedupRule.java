package io.summarizer.core.dedup;

/**
 * A rule which says that events of one type are counted once in one summary.
 *
 * @param event name of the event type
 * @param summary name of the summary that its mappings update
 * @param by the expression that gives the id, as text; ids are compared only with ids of the same expression
 * @param windowMicros time after an event within which another event with the same id is a duplicate
 */
public record DedupRule(String event, String summary, String by, long windowMicros) {
    /** Whether the ids of this rule can be compared with the ids of the other rule. */
    boolean hasIdsOf(DedupRule other) {
        return event.equals(other.event) && summary.equals(other.summary) && by.equals(other.by);
    }
}
