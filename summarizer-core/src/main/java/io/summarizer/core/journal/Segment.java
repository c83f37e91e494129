package io.summarizer.core.journal;

/**
 * A segment that holds something of the journal.
 *
 * @param bytes of its file
 */
record Segment(SegmentName name, long bytes) {}
