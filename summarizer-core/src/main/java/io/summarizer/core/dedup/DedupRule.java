package io.summarizer.core.dedup;

/**
 * A rule that events of one type are counted once in one summary.
 *
 * @param event name of the event type
 * @param summary name of the summary that its mappings update
 * @param by the expression that gives the id, as text; ids are only compared with those of the same text
 * @param windowMicros time after an event within which another one with its id is a duplicate
 */
public record DedupRule(String event, String summary, String by, long windowMicros) {
    /** Whether ids of one rule are ids of the other. */
    boolean hasIdsOf(DedupRule other) {
        return event.equals(other.event) && summary.equals(other.summary) && by.equals(other.by);
    }
}
