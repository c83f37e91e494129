package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.RowBlock;
import io.summarizer.core.evolve.RowRefusedException;
import io.summarizer.core.evolve.SummaryLoader;
import io.summarizer.core.evolve.Table;
import io.summarizer.core.store.LoadedRowCode;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.RowSource;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of one summary from one or several files, in parts, and converts the rows as a change of definitions
 * does. Top-level rows are read block by block. Nested rows are read section by section, because their parent rows are
 * needed, too. Successive blocks or sections with few rows form one part. Files are opened one after the other. Not
 * thread-safe. Memory: one part.
 */
final class RowReader implements RowSource.Rows {
    /** Number of rows from which on a part ends. */
    private static final int PART_ROWS = 4096;

    private final SummaryLayout layout;
    private final List<Integer> path;
    private final RowCode.Tree code;
    private final Pieces pieces;
    private @Nullable OfFile file;
    private boolean ended;

    /** The sections of one summary in an open file. The reader closes the file. */
    record Piece(StateFile file, int summary, List<Integer> sections) {}

    /** The pieces to read, which are opened one after the other. */
    @FunctionalInterface
    interface Pieces {
        /** Opens the next piece; returns null when there are no more pieces. */
        @Nullable
        Piece next() throws IOException;
    }

    /**
     * A reader before the first part.
     *
     * @param layout the layout that the rows have after they were read
     * @param path see {@link RowSource#open}
     */
    RowReader(SummaryLayout layout, List<Integer> path, Pieces pieces) {
        this.layout = layout;
        this.path = path;
        this.pieces = pieces;
        code = LoadedRowCode.of(layout);
    }

    /** A reader of a single piece, as {@link #RowReader(SummaryLayout, List, Pieces)} makes it. */
    RowReader(SummaryLayout layout, List<Integer> path, Piece piece, LayoutMatch match) {
        this(layout, path, () -> null);
        file = new OfFile(piece, match, path);
    }

    @Override
    public @Nullable StoreView next() throws IOException {
        if (ended) {
            return null;
        }
        SummaryStore store = new SummaryStore(layout, code, RowLimit.of(layout, Long.MAX_VALUE));
        int rows = 0;
        // All partitions together have one overflow row for each window, so one part has the whole overflow.
        while (rows < PART_ROWS || layout.isKeyless()) {
            OfFile reading = file == null ? open() : file;
            if (reading == null) {
                break;
            }
            rows += reading.read(store, layout.isKeyless() ? Integer.MAX_VALUE : PART_ROWS - rows);
            if (reading.isAtEnd()) {
                close();
            }
        }
        ended = rows == 0;
        return ended ? null : store.freeze();
    }

    private @Nullable OfFile open() throws IOException {
        Piece piece = pieces.next();
        if (piece == null) {
            return null;
        }
        try {
            OfFile opened = new OfFile(piece, piece.file.match(piece.summary, layout), path);
            file = opened;
            return opened;
        } catch (IOException | RuntimeException e) {
            piece.file.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        OfFile reading = file;
        file = null;
        if (reading != null) {
            reading.close();
        }
    }

    /** Reads the rows of one file. */
    private static final class OfFile implements AutoCloseable {
        private final StateFile file;
        private final LayoutMatch match;
        private final List<Table> tables;
        /** Sections of the summary, and the blocks of all sections of the file. */
        private final List<Integer> sections;

        private final int[][] blocksOf;
        /**
         * Number of the table whose rows are wanted; the tables of its parents are read, too. Negative when the file
         * has no such table.
         */
        private final int wanted;
        /** For each table, a block for its rows; null for a table that is not read. */
        private final @Nullable RowBlock[] unpacked;

        private final BlockFile.Source source;
        /** Position in {@link #sections} of the current section. */
        private int section;
        /** Position in the section of the next block. */
        private int block;
        /** For each table, the number of rows that were read from the current section. */
        private int[] seen;

        /**
         * A reader before the first row.
         *
         * @param match a pair of compatible summaries: the summary of the file, and a defined summary with the wanted
         *     layout
         */
        OfFile(Piece piece, LayoutMatch match, List<Integer> path) {
            file = piece.file;
            this.match = match;
            tables = Table.of(match.from().get(0));
            sections = piece.sections;
            blocksOf = file.blocksBySection();
            wanted = IntStream.range(0, tables.size())
                    .filter(table -> match.isInto(0, table, path))
                    .findFirst()
                    .orElse(-1);
            unpacked = new RowBlock[tables.size()];
            for (int table = wanted; table >= 0; table = tables.get(table).parent()) {
                unpacked[table] = new RowBlock(tables.get(table));
            }
            seen = new int[tables.size()];
            source = file.file().newSource();
        }

        /** Whether all rows were read. */
        boolean isAtEnd() {
            return wanted < 0 || section == sections.size();
        }

        /**
         * Adds the next rows to a store, until {@code max} or more rows were added, or until no rows remain. Returns
         * the number of added rows.
         */
        int read(SummaryStore store, int max) throws IOException {
            SummaryLayout layout = match.to().get(0);
            SummaryLoader into = new SummaryLoader(match, 0, store, !layout.isKeyless());
            int rows = 0;
            while (!isAtEnd() && rows < max) {
                rows += tables.get(wanted).isNested() ? readSection(into) : readBlock(into);
            }
            return rows;
        }

        /** Reads the current section up to its last wanted row; returns the number of wanted rows. */
        private int readSection(SummaryLoader into) throws IOException {
            int of = section;
            int rows = 0;
            while (section == of) {
                rows += readBlock(into);
            }
            return rows;
        }

        /** Reads a block of the current section, or ends the section; returns the number of wanted rows. */
        private int readBlock(SummaryLoader into) throws IOException {
            int number = sections.get(section);
            int[] rows = file.blocks().rows[number];
            if (seen[wanted] == rows[wanted]) {
                section++;
                block = 0;
                seen = new int[tables.size()];
                into.begin();
                return 0;
            }
            if (block == blocksOf[number].length) {
                throw file.file().damaged(0, new MalformedException("section " + number + " lacks rows"));
            }
            int at = blocksOf[number][block++];
            BlockBuffer in = file.blocks().read(source, at, StateFormat.ROWS);
            try {
                StateFile.RowsHeader header = StateFile.RowsHeader.read(in, number, seen);
                int table = header.table();
                int count = header.count();
                RowBlock rowsOfTable = unpacked[table];
                if (rowsOfTable == null) {
                    return 0;
                }
                RowFormat.read(file.version(), in, count, rowsOfTable);
                into.add(table, rowsOfTable);
                return table == wanted ? count : 0;
            } catch (MalformedException e) {
                throw file.file().damaged(file.blocks().offsets[at], e);
            } catch (RowRefusedException e) {
                throw new StateException(e.reason(), e);
            }
        }

        @Override
        public void close() throws IOException {
            source.close();
            file.close();
        }
    }
}
