package io.summarizer.flink.record;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.summarizer.core.store.UpdateBatch;

/**
 * Updates of one key group: the bytes of an {@link UpdateBatch}, compressed if that makes them smaller. Mutable: the
 * evaluating operator fills one instance again and again. The network stack copies the bytes, because updates always go
 * to another task.
 */
public final class GroupUpdates {
    /** Shorter updates are sent as they are. */
    private static final int COMPRESSED_BYTES_MIN = 512;

    /** The fastest level that finds repetitions. */
    private static final int LEVEL = 1;

    private int keyGroup;
    private int plainBytes;
    private byte[] bytes = {};
    private int length;

    /** The key group of all updates. */
    public int keyGroup() {
        return keyGroup;
    }

    /** Number of bytes before compression; equal to {@link #length()} when the bytes are not compressed. */
    public int plainBytes() {
        return plainBytes;
    }

    /** The array that has the stored bytes, from 0 to {@link #length()}. */
    byte[] bytes() {
        return bytes;
    }

    /** Number of stored bytes. */
    public int length() {
        return length;
    }

    /** Sets all fields; the array is not copied. */
    void set(int keyGroup, int plainBytes, byte[] bytes, int length) {
        this.keyGroup = keyGroup;
        this.plainBytes = plainBytes;
        this.bytes = bytes;
        this.length = length;
    }

    /** Compresses updates. One thread. */
    public static final class Packer implements AutoCloseable {
        private final ZstdCompressCtx compressor = new ZstdCompressCtx().setLevel(LEVEL);
        private final GroupUpdates packed = new GroupUpdates();
        private byte[] stored = {};

        /** The updates of a batch. The result is valid until the next call, or until the batch changes. */
        public GroupUpdates pack(int keyGroup, UpdateBatch updates) {
            int plain = updates.limit();
            if (plain < COMPRESSED_BYTES_MIN) {
                packed.set(keyGroup, plain, updates.bytes(), plain);
                return packed;
            }
            int bound = Math.toIntExact(com.github.luben.zstd.Zstd.compressBound(plain));
            if (stored.length < bound) {
                stored = new byte[bound];
            }
            int length = compressor.compressByteArray(stored, 0, bound, updates.bytes(), 0, plain);
            if (length < plain) {
                packed.set(keyGroup, plain, stored, length);
            } else {
                packed.set(keyGroup, plain, updates.bytes(), plain);
            }
            return packed;
        }

        @Override
        public void close() {
            compressor.close();
        }
    }

    /** Restores updates. One thread. */
    public static final class Unpacker implements AutoCloseable {
        private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();
        private final UpdateBatch batch = new UpdateBatch(64 * 1024);

        /** The updates as a batch, which is valid until the next call. */
        public UpdateBatch unpack(GroupUpdates from) {
            batch.clear();
            byte[] into = batch.reserve(from.plainBytes);
            if (from.length == from.plainBytes) {
                System.arraycopy(from.bytes, 0, into, 0, from.length);
            } else {
                int plain = decompressor.decompressByteArray(into, 0, from.plainBytes, from.bytes, 0, from.length);
                if (plain != from.plainBytes) {
                    throw new IllegalStateException("updates have " + plain + " bytes, not " + from.plainBytes);
                }
            }
            batch.limit(from.plainBytes);
            return batch;
        }

        @Override
        public void close() {
            decompressor.close();
        }
    }
}
