package io.summarizer.core.dedup;

/**
 * A rule which says that events of one type are counted once in one summary.
 *
 * @param event name of the event type
 * @param summary name of the summary that the event type's mappings update
 * @param by text of the expression that gives the id; only ids of the same expression are compared
 * @param windowMicros time after a counted event in which another event with the same id is a duplicate
 */
public record DedupRule(String event, String summary, String by, long windowMicros) {
    /** Whether the ids of this rule can be compared with the ids of the other rule. */
    boolean hasIdsOf(DedupRule other) {
        return event.equals(other.event) && summary.equals(other.summary) && by.equals(other.by);
    }
}
