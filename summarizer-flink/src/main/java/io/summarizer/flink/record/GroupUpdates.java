package io.summarizer.flink.record;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.summarizer.core.store.UpdateBatch;

/**
 * Updates of one key group: the bytes of an {@link UpdateBatch}, {@linkplain CombinedUpdates combined} or compressed if
 * that makes them smaller. Mutable: the evaluating operator fills one instance again and again. The network stack
 * copies the bytes, because updates always go to another task.
 *
 * <p>{@code bin/bench flink} measures the bytes of an event, and the processor time of both sides.
 */
public final class GroupUpdates {
    /** Shorter updates are sent as they are. */
    private static final int PACKED_BYTES_MIN = 512;

    /** The fastest level that finds repetitions. */
    private static final int LEVEL = 1;

    /** The form of the bytes. */
    enum Form {
        /** The bytes of the {@link UpdateBatch}. */
        PLAIN,
        /** {@link CombinedUpdates}. */
        COMBINED,
        /** A frame of zstd. */
        COMPRESSED;

        private static final Form[] ALL = values();

        static Form of(int ordinal) {
            return ALL[ordinal];
        }
    }

    private int keyGroup;
    private Form form = Form.PLAIN;
    private int plainBytes;
    private byte[] bytes = {};
    private int length;

    /** The key group of all updates. */
    public int keyGroup() {
        return keyGroup;
    }

    Form form() {
        return form;
    }

    /** Number of bytes of the {@link UpdateBatch}. */
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
    void set(int keyGroup, Form form, int plainBytes, byte[] bytes, int length) {
        this.keyGroup = keyGroup;
        this.form = form;
        this.plainBytes = plainBytes;
        this.bytes = bytes;
        this.length = length;
    }

    /**
     * Makes updates smaller. Combines them if this halves their size, because combining is faster than compressing.
     * Otherwise, compresses them. Combining hardly shrinks repeated texts, but compressing does. The compressor finds
     * these texts only in bytes that are not combined, so no updates are both combined and compressed. One thread.
     */
    public static final class Packer implements AutoCloseable {
        private final CombinedUpdates.Combiner combiner = new CombinedUpdates.Combiner();
        private final ZstdCompressCtx compressor = new ZstdCompressCtx().setLevel(LEVEL);
        private final GroupUpdates packed = new GroupUpdates();
        private byte[] compressed = {};

        /** The updates of a batch. The result is valid until the next call, or until the batch changes. */
        public GroupUpdates pack(int keyGroup, UpdateBatch updates) {
            int plain = updates.limit();
            packed.set(keyGroup, Form.PLAIN, plain, updates.bytes(), plain);
            if (plain < PACKED_BYTES_MIN) {
                return packed;
            }
            int combined = combiner.combine(updates);
            if (combined >= 0 && combined <= plain / 2) {
                packed.set(keyGroup, Form.COMBINED, plain, combiner.bytes(), combined);
                return packed;
            }
            int bound = Math.toIntExact(Zstd.compressBound(plain));
            if (compressed.length < bound) {
                compressed = new byte[bound];
            }
            int length = compressor.compressByteArray(compressed, 0, bound, updates.bytes(), 0, plain);
            if (length < plain) {
                packed.set(keyGroup, Form.COMPRESSED, plain, compressed, length);
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
        private final CombinedUpdates.Expander expander = new CombinedUpdates.Expander();
        private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();
        private final UpdateBatch batch = new UpdateBatch(64 * 1024);

        /** The updates as a batch, which is valid until the next call. */
        public UpdateBatch unpack(GroupUpdates from) {
            batch.clear();
            byte[] into = batch.reserve(from.plainBytes);
            int plain = switch (from.form) {
                case PLAIN -> {
                    System.arraycopy(from.bytes, 0, into, 0, from.length);
                    yield from.length;
                }
                case COMBINED -> expander.expand(from.bytes, from.length, into);
                case COMPRESSED ->
                    decompressor.decompressByteArray(into, 0, from.plainBytes, from.bytes, 0, from.length);
            };
            if (plain != from.plainBytes) {
                throw new IllegalStateException("updates have " + plain + " bytes, not " + from.plainBytes);
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
