package io.summarizer.flink.record;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.summarizer.core.store.UpdateBatch;

/**
 * Updates of one key group: the bytes of an {@link UpdateBatch}, {@linkplain CombinedUpdates combined} and then
 * compressed, as far as this makes them smaller. Mutable: the evaluating operator fills one instance again and again.
 * The network stack copies the bytes, because updates always go to another task.
 */
public final class GroupUpdates {
    /** Shorter updates are sent as they are. */
    private static final int PACKED_BYTES_MIN = 512;

    /**
     * Combined updates are not compressed if their size is at most the original size divided by this number. To
     * compress them would save less than a tenth of the bytes.
     */
    private static final int COMBINED_WELL = 2;

    /** The fastest level that finds repetitions. */
    private static final int LEVEL = 1;

    private int keyGroup;
    private int plainBytes;
    private int combinedBytes;
    private byte[] bytes = {};
    private int length;

    /** The key group of all updates. */
    public int keyGroup() {
        return keyGroup;
    }

    /** Number of bytes of the {@link UpdateBatch}. */
    public int plainBytes() {
        return plainBytes;
    }

    /** Number of bytes before compression; equal to {@link #plainBytes()} when the updates are not combined. */
    int combinedBytes() {
        return combinedBytes;
    }

    /** The array that has the stored bytes, from 0 to {@link #length()}. */
    byte[] bytes() {
        return bytes;
    }

    /** Number of stored bytes; equal to {@link #combinedBytes()} when they are not compressed. */
    public int length() {
        return length;
    }

    /** Sets all fields; the array is not copied. */
    void set(int keyGroup, int plainBytes, int combinedBytes, byte[] bytes, int length) {
        this.keyGroup = keyGroup;
        this.plainBytes = plainBytes;
        this.combinedBytes = combinedBytes;
        this.bytes = bytes;
        this.length = length;
    }

    /** Combines and compresses updates. One thread. */
    public static final class Packer implements AutoCloseable {
        private final CombinedUpdates.Combiner combiner = new CombinedUpdates.Combiner();
        private final ZstdCompressCtx compressor = new ZstdCompressCtx().setLevel(LEVEL);
        private final GroupUpdates packed = new GroupUpdates();
        private byte[] compressed = {};

        /** The updates of a batch. The result is valid until the next call, or until the batch changes. */
        public GroupUpdates pack(int keyGroup, UpdateBatch updates) {
            int plain = updates.limit();
            packed.set(keyGroup, plain, plain, updates.bytes(), plain);
            if (plain < PACKED_BYTES_MIN) {
                return packed;
            }
            int combined = combiner.combine(updates);
            if (combined >= 0) {
                packed.set(keyGroup, plain, combined, combiner.bytes(), combined);
                if (combined <= plain / COMBINED_WELL) {
                    return packed;
                }
            }
            int length = compress(packed.bytes, packed.length);
            if (length < packed.length) {
                packed.set(keyGroup, plain, packed.combinedBytes, compressed, length);
            }
            return packed;
        }

        private int compress(byte[] bytes, int length) {
            int bound = Math.toIntExact(Zstd.compressBound(length));
            if (compressed.length < bound) {
                compressed = new byte[bound];
            }
            return compressor.compressByteArray(compressed, 0, bound, bytes, 0, length);
        }

        @Override
        public void close() {
            compressor.close();
        }
    }

    /** Restores updates. One thread. */
    public static final class Unpacker implements AutoCloseable {
        private final CombinedUpdates.Expander expander = new CombinedUpdates.Expander();
        private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();
        private final UpdateBatch batch = new UpdateBatch(64 * 1024);
        private byte[] combined = {};

        /** The updates as a batch, which is valid until the next call. */
        public UpdateBatch unpack(GroupUpdates from) {
            batch.clear();
            byte[] into = batch.reserve(from.plainBytes);
            if (from.combinedBytes == from.plainBytes) {
                decompress(from, into);
            } else if (from.length == from.combinedBytes) {
                expand(from, from.bytes, into);
            } else {
                if (combined.length < from.combinedBytes) {
                    combined = new byte[from.combinedBytes];
                }
                decompress(from, combined);
                expand(from, combined, into);
            }
            batch.limit(from.plainBytes);
            return batch;
        }

        private void decompress(GroupUpdates from, byte[] into) {
            if (from.length == from.combinedBytes) {
                System.arraycopy(from.bytes, 0, into, 0, from.length);
                return;
            }
            check(
                    decompressor.decompressByteArray(into, 0, from.combinedBytes, from.bytes, 0, from.length),
                    from.combinedBytes);
        }

        private void expand(GroupUpdates from, byte[] bytes, byte[] into) {
            check(expander.expand(bytes, from.combinedBytes, into), from.plainBytes);
        }

        private static void check(int bytes, int expected) {
            if (bytes != expected) {
                throw new IllegalStateException("updates have " + bytes + " bytes, not " + expected);
            }
        }

        @Override
        public void close() {
            decompressor.close();
        }
    }
}
