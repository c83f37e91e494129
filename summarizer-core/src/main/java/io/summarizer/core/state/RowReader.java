package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.RowBlock;
import io.summarizer.core.evolve.RowRefusedException;
import io.summarizer.core.evolve.SummaryLoader;
import io.summarizer.core.evolve.Table;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.LoadedRowCode;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of one summary of a file, in parts, and converts them as a change of definitions would. The rows of a
 * summary are read block by block; those of a nested summary, section by section, because their parents are needed,
 * too. Successive blocks or sections with few rows are one part. Not thread-safe. Memory: one part.
 */
final class RowReader implements ClosedWindow.Rows {
    /** Number of rows from which on a part ends. */
    private static final int PART_ROWS = 4096;

    private final StateFile file;
    private final LayoutMatch match;
    private final SummaryLayout layout;
    private final RowCode.Tree code;
    private final List<Table> tables;
    /** Sections of the summary, and the blocks of each of them. */
    private final int[] sections;

    private final int[][] blocksOf;
    /** Number of the table whose rows are wanted; the tables of its parents are read, too. */
    private final int wanted;
    /** For each table, a block for its rows; null for a table that is not read. */
    private final @Nullable RowBlock[] unpacked;

    private final BlockFile.Source source;
    /** Position in {@link #sections} of the current section. */
    private int section;
    /** Position in the section of the next block. */
    private int block;
    /** For each table, number of rows of the current section that were read. */
    private int[] seen;

    private boolean ended;

    /**
     * A reader before the first part.
     *
     * @param match match of two summaries with compatible layouts: the former summary is that of the file, and the
     *     defined summary has the wanted layout
     * @param path see {@link ClosedWindow#open}
     */
    RowReader(StateFile file, int summary, LayoutMatch match, List<Integer> path) {
        this.file = file;
        this.match = match;
        layout = match.to().get(0);
        tables = Table.of(match.from().get(0));
        sections = file.sectionsOf(summary);
        blocksOf = file.blocksBySection();
        wanted = IntStream.range(0, tables.size())
                .filter(table -> match.isInto(0, table, path))
                .findFirst()
                .orElse(-1);
        unpacked = new RowBlock[tables.size()];
        for (int table = wanted; table >= 0; table = tables.get(table).parent()) {
            unpacked[table] = new RowBlock(tables.get(table));
        }
        code = LoadedRowCode.of(layout);
        seen = new int[tables.size()];
        source = file.file().newSource();
    }

    @Override
    public @Nullable StoreView next() throws IOException {
        if (ended || wanted < 0) {
            return null;
        }
        SummaryStore store = new SummaryStore(layout, code, RowLimit.of(layout, Long.MAX_VALUE));
        SummaryLoader into = new SummaryLoader(match, 0, store, !layout.isKeyless());
        int rows = 0;
        // The overflow of all partitions is one row, so one part has all of it.
        while (section < sections.length && (rows < PART_ROWS || layout.isKeyless())) {
            rows += tables.get(wanted).isNested() ? readSection(into) : readBlock(into);
        }
        ended = rows == 0;
        return ended ? null : store.freeze();
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
        int number = sections[section];
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
