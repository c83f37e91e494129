package io.summarizer.core.state;

import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * A part of a state file in addition to the rows: the window of each section. With this part, a reader that wants one
 * window need not read the sections of other windows. Immutable.
 */
public final class SectionWindows implements CutPart {
    private static final String PART = "section-windows";

    private final long[] starts;

    private SectionWindows(long[] starts) {
        this.starts = starts;
    }

    /** The windows of the sections into which {@link StateWriter} divides a cut. */
    public static SectionWindows of(Cut cut) {
        return new SectionWindows(cut.summaries().stream()
                .map(SummaryView::partitions)
                .flatMap(partitions -> partitions.stream().map(StoreView::window))
                .mapToLong(Long::longValue)
                .toArray());
    }

    /**
     * The windows of a file's sections.
     *
     * @param sections number of sections
     * @throws StateException when the file does not have this part
     */
    static SectionWindows read(StateFile file, int sections) throws IOException {
        Optional<InputStream> part = file.part(PART);
        if (part.isEmpty()) {
            throw new StateException(file + ": is a state file, but not one of a result: it does not say which rows"
                    + " are of which window");
        }
        long[] starts = new long[sections];
        try (DataInputStream in = new DataInputStream(part.get())) {
            for (int section = 0; section < sections; section++) {
                starts[section] = in.readLong();
            }
        } catch (EOFException e) {
            throw new DamagedStateException(file + ": has fewer windows than sections; take another copy of it", e);
        }
        return new SectionWindows(starts);
    }

    /**
     * Start of the window of a section; {@link SummaryStore#NO_WINDOW} when the summary of the section has no windows.
     */
    long start(int section) {
        return starts[section];
    }

    @Override
    public String name() {
        return PART;
    }

    @Override
    public void writeTo(OutputStream stream) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        for (long start : starts) {
            out.writeLong(start);
        }
        out.flush();
    }
}
