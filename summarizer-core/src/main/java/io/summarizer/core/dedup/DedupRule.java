package io.summarizer.core.dedup;

/**
 * Which events are counted once, where.
 *
 * @param event name of the event type
 * @param summary name of the summary that its mappings update
 * @param by the expression that gives the id, as text; ids are only ever compared with those of the same text
 * @param windowMicros how long after an event another one with its id is a duplicate
 */
public record DedupRule(String event, String summary, String by, long windowMicros) {
    /** Whether ids of the one are ids of the other. */
    boolean hasIdsOf(DedupRule other) {
        return event.equals(other.event) && summary.equals(other.summary) && by.equals(other.by);
    }
}
