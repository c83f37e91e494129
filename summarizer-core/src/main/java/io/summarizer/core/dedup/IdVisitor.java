package io.summarizer.core.dedup;

import io.summarizer.core.bytes.Bytes;

/** Visits ids, one after the other. */
@FunctionalInterface
interface IdVisitor {
    void id(long high, long low, long stamp);

    /** Visits the ids in the first slots of a chunk. */
    static void ofChunk(byte[] chunk, int slots, IdVisitor visitor) {
        for (int at = 0; at < slots * IdLog.ID_BYTES; at += IdLog.ID_BYTES) {
            long stamp = Bytes.getLong(chunk, at + 16);
            if (stamp != 0) {
                visitor.id(Bytes.getLong(chunk, at), Bytes.getLong(chunk, at + 8), stamp);
            }
        }
    }
}
