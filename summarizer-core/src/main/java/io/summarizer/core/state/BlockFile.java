package io.summarizer.core.state;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of blocks. Thread-safe.
 *
 * @param name name of the file, for people
 */
record BlockFile(String name, DiskFile file) {
    /** The {@code length} bytes from {@code offset} on. */
    byte[] read(long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        readFully(ByteBuffer.wrap(bytes), offset);
        return bytes;
    }

    private void readFully(ByteBuffer into, long offset) throws IOException {
        var unused = file.read(into, offset);
        if (into.hasRemaining()) {
            throw new DamagedStateException(name + ": became shorter while it was read");
        }
    }

    /** Makes the exception to throw for damage at the current place of the file. */
    StateException damaged(long offset, Exception why) {
        return new DamagedStateException(
                name + ": is damaged behind byte " + offset + " (" + why.getMessage() + "); take another copy of it",
                why);
    }

    /** A reader of blocks. */
    Source newSource() {
        return new Source();
    }

    /** Reads and unpacks blocks. Not thread-safe. */
    final class Source implements AutoCloseable {
        private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();
        private final BlockBuffer plain = new BlockBuffer();
        private byte[] stored = {};

        /** The contents of the block at this place, valid until the next block is read. */
        BlockBuffer read(long offset, int length, int checksum, int kind) throws IOException {
            if (length > stored.length) {
                stored = new byte[Math.max(length, Math.min(2 * stored.length, BlockBuffer.BYTES_MAX))];
            }
            readFully(ByteBuffer.wrap(stored, 0, length), offset);
            int header = StateFormat.BLOCK_HEADER_BYTES;
            int storedBytes = length - header;
            int plainBytes = Bytes.getInt(stored, 8);
            if (Bytes.getInt(stored, StateFormat.BLOCK_CHECKSUM) != checksum
                    || Bytes.getInt(stored, 4) != storedBytes
                    || StateFormat.blockChecksum(stored, 0, storedBytes) != checksum) {
                throw damaged(offset, new MalformedException("the checksum is not that of the bytes"));
            }
            if (Bytes.getInt(stored, 0) != kind
                    || plainBytes < 0
                    || plainBytes > BlockBuffer.BYTES_MAX
                    || Zstd.getFrameContentSize(stored, header, storedBytes) != plainBytes) {
                throw damaged(
                        offset, new MalformedException("kind=" + Bytes.getInt(stored, 0) + " bytes=" + plainBytes));
            }
            plain.fill(plainBytes);
            try {
                int unpacked =
                        decompressor.decompressByteArray(plain.array(), 0, plainBytes, stored, header, storedBytes);
                if (unpacked != plainBytes) {
                    throw damaged(offset, new MalformedException("bytes=" + unpacked + " of " + plainBytes));
                }
            } catch (ZstdException e) {
                throw damaged(offset, e);
            }
            return plain;
        }

        @Override
        public void close() {
            decompressor.close();
        }
    }
}
