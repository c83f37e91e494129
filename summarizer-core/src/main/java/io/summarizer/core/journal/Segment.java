package io.summarizer.core.journal;

/**
 * A segment with contents of the journal.
 *
 * @param bytes size of its file
 */
record Segment(SegmentName name, long bytes) {}
