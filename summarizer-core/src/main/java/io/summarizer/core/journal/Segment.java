package io.summarizer.core.journal;

/**
 * A segment with contents of the journal.
 *
 * @param bytes of its file
 */
record Segment(SegmentName name, long bytes) {}
