package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import java.io.IOException;
import java.io.InputStream;

/** Reads the bytes of one part of a file, piece by piece. Not thread-safe. */
final class PartInput extends InputStream {
    private final BlockFile file;
    private final BlockIndex blocks;
    private final String part;
    private final BlockFile.Source source;
    private final BlockBuffer nothing = new BlockBuffer();
    private BlockBuffer piece = nothing;
    private int pieces;
    /** The next block to read; the first block has the layouts. */
    private int block = 1;

    PartInput(BlockFile file, BlockIndex blocks, String part) {
        this.file = file;
        this.blocks = blocks;
        this.part = part;
        source = file.newSource();
    }

    /** Moves to the next piece; returns false when there is none. */
    boolean next() throws IOException {
        while (block < blocks.sections.length) {
            int at = block++;
            if (blocks.sections[at] >= 0) {
                continue;
            }
            BlockBuffer in = blocks.read(source, at, StateFormat.PART);
            try {
                if (in.getName().equals(part)) {
                    int number = in.getInt();
                    if (number != pieces++) {
                        throw new MalformedException("piece=" + number + " of " + part);
                    }
                    piece = in;
                    return true;
                }
            } catch (MalformedException e) {
                throw file.damaged(blocks.offsets[at], e);
            }
        }
        piece = nothing; // the last piece is overwritten
        return false;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (piece.isAtEnd()) {
            if (!next()) {
                return -1;
            }
        }
        int count = Math.min(length, piece.limit() - piece.position());
        piece.getBytes(into, offset, count);
        return count;
    }

    @Override
    public void close() {
        source.close();
    }
}
