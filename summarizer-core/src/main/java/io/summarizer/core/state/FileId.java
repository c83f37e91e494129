package io.summarizer.core.state;

/**
 * Tells state files apart without reading their rows. A copy of a file has the same id. Files with the same id are
 * copies, unless two cuts with the same number were taken in the same microsecond.
 *
 * @param cutId id of the cut that the file has
 * @param takenAtMicros time of this cut, in µs since the epoch
 * @param bytes size of the file
 */
public record FileId(long cutId, long takenAtMicros, long bytes) {}
