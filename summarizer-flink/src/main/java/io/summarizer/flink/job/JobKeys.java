package io.summarizer.flink.job;

import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.store.KeySeed;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;

/**
 * The random numbers that divide keys among key groups and hide ids of events. The client draws them for a new job.
 * They are in the state of the job, so a job that goes on from a savepoint uses the same numbers. Immutable.
 *
 * @param hashSeed seed of the hash of keys
 * @param firstIdKey first half of the key with which ids are hashed
 * @param secondIdKey second half
 */
public record JobKeys(long hashSeed, long firstIdKey, long secondIdKey) implements Serializable {
    private static final long serialVersionUID = 1;

    /**
     * Returns the numbers of a new job. The key for ids is newly drawn. The seed of the hash is the seed of this
     * process, so that the job can run in this process. A job that goes on from a savepoint has another seed, which
     * must replace the seed of this process. A seed can be replaced only until the first key is hashed, so this method
     * hashes no key.
     */
    public static JobKeys draw() {
        IdKey key = IdKey.draw();
        return new JobKeys(KeySeed.chosen(), key.first(), key.second());
    }

    /** The key of ids' hashes. */
    public IdKey idKey() {
        return new IdKey(firstIdKey, secondIdKey);
    }

    /** Writes 24 bytes. */
    public void writeTo(DataOutputStream out) throws IOException {
        out.writeLong(hashSeed);
        out.writeLong(firstIdKey);
        out.writeLong(secondIdKey);
    }

    /** Reads what {@link #writeTo} wrote. */
    public static JobKeys readFrom(DataInputStream in) throws IOException {
        return new JobKeys(in.readLong(), in.readLong(), in.readLong());
    }

    /** A text without the secrets. */
    @Override
    public String toString() {
        return "JobKeys";
    }
}
