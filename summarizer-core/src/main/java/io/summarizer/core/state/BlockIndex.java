package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import java.io.IOException;

/** The place of each block of a file, and the number of rows of each section. Immutable. */
final class BlockIndex {
    /** Number of rows by section and table. */
    final int[][] rows;
    /** For each block, its section; -1 for a block outside sections. */
    final int[] sections;

    final long[] offsets;
    private final int[] lengths;
    private final int[] checksums;

    /** Reads the index of a file. The blocks of the file end at {@code end}. */
    BlockIndex(BlockBuffer index, long end) throws MalformedException {
        rows = new int[index.getCount(4)][];
        for (int section = 0; section < rows.length; section++) {
            rows[section] = new int[index.getCount(4)];
            for (int table = 0; table < rows[section].length; table++) {
                rows[section][table] = index.getInt();
                if (rows[section][table] < 0) {
                    throw new MalformedException("rows=" + rows[section][table]);
                }
            }
        }
        int count = index.getCount(12);
        sections = new int[count];
        offsets = new long[count];
        lengths = new int[count];
        checksums = new int[count];
        long at = StateFormat.HEADER_BYTES;
        for (int i = 0; i < count; i++) {
            sections[i] = index.getInt();
            lengths[i] = index.getInt();
            checksums[i] = index.getInt();
            offsets[i] = at;
            at += lengths[i];
            if (lengths[i] < StateFormat.BLOCK_HEADER_BYTES
                    || at > end
                    || sections[i] < -1
                    || sections[i] >= rows.length) {
                throw new MalformedException("block " + i + " of section " + sections[i] + " ends at " + at);
            }
        }
        if (at != end || !index.isAtEnd()) {
            throw new MalformedException("blocks end at " + at);
        }
        if (count == 0 || sections[0] != -1) {
            throw new MalformedException("no layouts");
        }
    }

    /** The contents of a block, valid until {@code source} reads the next block. */
    BlockBuffer read(BlockFile.Source source, int block, int kind) throws IOException {
        return source.read(offsets[block], lengths[block], checksums[block], kind);
    }
}
