package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;

/**
 * The hash of keys: {@link Bytes#hash} with a {@link KeySeed} for each process. Because of the seed, senders cannot
 * choose keys that all fall into one partition or one segment of the index. The methods are the steps of the hash, for
 * callers that read a key word by word.
 */
public final class KeyHash {
    /** The seed of this process. */
    public static final long SEED = KeySeed.chosen();

    private KeyHash() {}

    /** The state of the hash before the first word of an encoded key of {@code length} bytes. */
    public static long start(int length) {
        return Bytes.hashStart(SEED, length);
    }

    /** The state after one more complete word. */
    public static long word(long state, long word) {
        return Bytes.hashWord(state, word);
    }

    /**
     * The state of the hash after the bytes that follow the last complete word. These bytes are the low bytes of {@code
     * rest}; the other bytes of {@code rest} are 0.
     */
    public static long rest(long state, long rest) {
        return Bytes.hashRest(state, rest);
    }

    /** The hash, given the state after all bytes. */
    public static long end(long state) {
        return Bytes.hashEnd(state);
    }
}
