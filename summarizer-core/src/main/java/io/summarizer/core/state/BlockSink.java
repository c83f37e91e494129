package io.summarizer.core.state;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/**
 * Writes blocks to a stream, one after the other, and collects the index. Thread-safe. Each block takes 12 bytes of
 * memory until the file is complete.
 */
final class BlockSink {
    private final OutputStream out;
    private final BlockBuffer blocks = new BlockBuffer();
    private int count;
    private long written;

    BlockSink(OutputStream out) throws IOException {
        this.out = out;
        byte[] header = new byte[StateFormat.HEADER_BYTES];
        System.arraycopy(StateFormat.MAGIC, 0, header, 0, StateFormat.MAGIC.length);
        Bytes.putInt(header, 8, StateFormat.VERSION);
        Bytes.putInt(header, 12, StateFormat.checksum(header, 0, 12));
        out.write(header);
        written = header.length;
    }

    /** Compresses the blocks of one thread and writes them to the sink. */
    final class Writer implements AutoCloseable {
        /**
         * The fastest level of compression that finds repetitions. State consists mostly of numbers. In numbers, higher
         * levels find no repetitions that this level misses.
         */
        private static final int LEVEL = 1;

        private final ZstdCompressCtx compressor = new ZstdCompressCtx().setLevel(LEVEL);
        private byte[] block = {};

        /** Writes the contents of {@code plain} as a block. */
        void write(int kind, int section, BlockBuffer plain) throws IOException {
            int plainBytes = plain.position();
            long bound = StateFormat.BLOCK_HEADER_BYTES + Zstd.compressBound(plainBytes);
            if (bound > block.length) {
                block = new byte[Math.toIntExact(bound)];
            }
            int header = StateFormat.BLOCK_HEADER_BYTES;
            int stored =
                    compressor.compressByteArray(block, header, block.length - header, plain.array(), 0, plainBytes);
            Bytes.putInt(block, 0, kind);
            Bytes.putInt(block, 4, stored);
            Bytes.putInt(block, 8, plainBytes);
            append(block, stored, section);
        }

        @Override
        public void close() {
            compressor.close();
        }
    }

    private synchronized void append(byte[] block, int stored, int section) throws IOException {
        Bytes.putInt(block, 12, count);
        int checksum = StateFormat.blockChecksum(block, 0, stored);
        Bytes.putInt(block, StateFormat.BLOCK_CHECKSUM, checksum);
        int length = StateFormat.BLOCK_HEADER_BYTES + stored;
        out.write(block, 0, length);
        written += length;
        blocks.putInt(section);
        blocks.putInt(length);
        blocks.putInt(checksum);
        count++;
    }

    /**
     * Writes the index and the trailer. Nothing may be written afterwards.
     *
     * @param rows number of rows of each table of each section
     * @return number of bytes of the file
     */
    long finish(int[][] rows) throws IOException {
        BlockBuffer index = new BlockBuffer();
        index.putInt(rows.length);
        for (int[] section : rows) {
            index.putInt(section.length);
            for (int table : section) {
                index.putInt(table);
            }
        }
        index.putInt(count);
        index.putBytes(blocks.array(), 0, blocks.position());
        byte[] trailer = new byte[StateFormat.TRAILER_BYTES];
        Bytes.putLong(trailer, 0, written);
        CRC32C checksum = new CRC32C();
        checksum.update(trailer, 0, 8);
        try (Writer writer = new Writer()) {
            writer.write(StateFormat.INDEX, -1, index);
            checksum.update(writer.block, StateFormat.BLOCK_CHECKSUM, 4);
        }
        Bytes.putInt(trailer, 8, (int) checksum.getValue());
        Bytes.putInt(trailer, 12, StateFormat.TRAILER_MAGIC);
        out.write(trailer);
        out.flush();
        return written + trailer.length;
    }
}
