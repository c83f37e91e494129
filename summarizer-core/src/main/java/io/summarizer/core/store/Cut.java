package io.summarizer.core.store;

import io.summarizer.core.snapshot.CutLease;
import java.util.List;
import java.util.Optional;

/**
 * All summaries at one point of the stream. A cut that emptied a summary has only this summary and its overflow. A cut
 * has either all updates of a batch or none of them, in parent rows and in nested rows. Any thread may read a cut while
 * the cut is held.
 *
 * <p>A cut keeps chunks in memory, so its holders are counted. The thread that takes a cut holds it and must {@link
 * #release} it. A thread that gets a cut from a holder, and reads the cut independently, must {@link #acquire} the cut
 * first and release it afterwards. The views of a cut become invalid when the last holder releases the cut, or when the
 * cut is revoked because cuts took more memory than allowed. A read of an invalid view throws {@link
 * io.summarizer.core.snapshot.CutRevokedException} and never returns wrong data. Numbers of rows and updates can always
 * be read.
 */
public final class Cut {
    private final long id;
    private final long takenAtMicros;
    private final List<SummaryView> summaries;
    private final CutLease lease;
    private final boolean last;
    private final List<Long> positions;
    private final List<CutPart> parts;

    /**
     * A cut of views without a lease. The holders of such a cut are counted, too.
     *
     * @see #Cut(long, long, List, CutLease)
     */
    public Cut(long id, long takenAtMicros, List<SummaryView> summaries) {
        this(id, takenAtMicros, summaries, CutLease.unmanaged());
    }

    /**
     * A cut that the caller holds.
     *
     * @param id name of the cut for users; later cuts have greater ids
     * @param takenAtMicros time of the cut, in µs since the epoch
     * @param summaries the summaries in the order of definition
     * @param lease the lease under which all summaries were frozen; the lease belongs to the cut from now on
     */
    public Cut(long id, long takenAtMicros, List<SummaryView> summaries, CutLease lease) {
        this(id, takenAtMicros, summaries, lease, List.of(), List.of());
    }

    /**
     * A cut as {@link #Cut(long, long, List, CutLease)} makes it, with the positions and parts at its point of the
     * stream.
     *
     * @param positions see {@link #positions()}
     * @param parts see {@link #parts()}
     */
    public Cut(
            long id,
            long takenAtMicros,
            List<SummaryView> summaries,
            CutLease lease,
            List<Long> positions,
            List<CutPart> parts) {
        this(id, takenAtMicros, summaries, lease, false, positions, parts);
    }

    private Cut(
            long id,
            long takenAtMicros,
            List<SummaryView> summaries,
            CutLease lease,
            boolean last,
            List<Long> positions,
            List<CutPart> parts) {
        this.id = id;
        this.takenAtMicros = takenAtMicros;
        this.summaries = List.copyOf(summaries);
        this.lease = lease;
        this.last = last;
        this.positions = List.copyOf(positions);
        this.parts = List.copyOf(parts);
    }

    /**
     * A cut that emptied a summary. The cut has only this summary and the summary that takes its overflow. The
     * parameters are the same as for the constructor.
     */
    public static Cut last(
            long id,
            long takenAtMicros,
            List<SummaryView> emptied,
            CutLease lease,
            List<Long> positions,
            List<CutPart> parts) {
        return new Cut(id, takenAtMicros, emptied, lease, true, positions, parts);
    }

    /** The name of the cut for users. Later cuts have greater ids. */
    public long id() {
        return id;
    }

    /** Time of the cut, in µs since the epoch. */
    public long takenAtMicros() {
        return takenAtMicros;
    }

    /** Whether this cut emptied its summary, so that the rows exist only in the cut. */
    public boolean isLast() {
        return last;
    }

    /**
     * All summaries, in the order of definition. For a cut that emptied a summary, only this summary and its overflow.
     */
    public List<SummaryView> summaries() {
        return summaries;
    }

    /** The top-level summary of this name. */
    public Optional<SummaryView> summary(String name) {
        return summaries.stream()
                .filter(summary -> summary.layout().name().equals(name))
                .findFirst();
    }

    /**
     * For each pipeline, a sequence in the journal. The cut has exactly those journalled messages of the pipeline that
     * come before this sequence. Empty when there is no pipeline.
     */
    public List<Long> positions() {
        return positions;
    }

    /** All data of the cut except rows, at the same point of the stream as the rows. */
    public List<CutPart> parts() {
        return parts;
    }

    /**
     * Adds a holder, which must later {@link #release} the cut. Returns false when all holders have released the cut,
     * or when the cut was revoked.
     */
    public boolean acquire() {
        return lease.acquire();
    }

    /** Removes a holder. After the last release, the memory of the cut is reused. */
    public void release() {
        lease.release();
    }

    /** Whether the cut was revoked because cuts took more memory than allowed. */
    public boolean isRevoked() {
        return lease.isRevoked();
    }

    @Override
    public String toString() {
        return "cut " + id;
    }
}
