package io.summarizer.core.store;

import io.summarizer.core.snapshot.CutLease;
import java.util.List;
import java.util.Optional;

/**
 * All summaries as they were at one point of the stream, or the one that was emptied there: every batch is in it or not,
 * parents and nested rows alike. Any thread may read it while it is held.
 *
 * <p>A cut holds the chunks of its point in memory, so its holders are counted: who takes it holds it and must {@link
 * #release} it; whoever gets it from a holder and reads on alone must {@link #acquire} it first, and release it then. When
 * nobody holds it, its views are void. They are, too, when it was revoked because cuts took more memory than they may;
 * reading then throws {@link io.summarizer.core.snapshot.CutRevokedException} before anything wrong is seen. Numbers of rows
 * and updates can always be asked for.
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
     * A cut of views that nobody has to let go; holders are counted all the same.
     *
     * @see #Cut(long, long, List, CutLease)
     */
    public Cut(long id, long takenAtMicros, List<SummaryView> summaries) {
        this(id, takenAtMicros, summaries, CutLease.unmanaged());
    }

    /**
     * A cut that the caller holds.
     *
     * @param id names the cut to people; increasing
     * @param takenAtMicros when it was taken, in µs since the epoch
     * @param summaries in the order of definition
     * @param lease under which all of them were frozen; it belongs to the cut from now on
     */
    public Cut(long id, long takenAtMicros, List<SummaryView> summaries, CutLease lease) {
        this(id, takenAtMicros, summaries, lease, List.of(), List.of());
    }

    /**
     * As {@link #Cut(long, long, List, CutLease)}, with what else there is at its point of the stream.
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

    /** The cut at which a summary was emptied, and has that summary alone, with the one that takes its overflow. Otherwise as the constructor. */
    public static Cut last(
            long id,
            long takenAtMicros,
            List<SummaryView> emptied,
            CutLease lease,
            List<Long> positions,
            List<CutPart> parts) {
        return new Cut(id, takenAtMicros, emptied, lease, true, positions, parts);
    }

    /** Names the cut to people; increasing. */
    public long id() {
        return id;
    }

    /** When it was taken, in µs since the epoch. */
    public long takenAtMicros() {
        return takenAtMicros;
    }

    /** Whether the rows of its one summary are nowhere else: the summary was emptied at this cut. */
    public boolean isLast() {
        return last;
    }

    /** All, in the order of definition; of the cut at which one was emptied, that one. */
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
     * For each lane of the pipeline, the place in the journal that the cut stands at: of the journalled messages that went along
     * that lane, those before it are in the cut and no others. Empty where there is no pipeline.
     */
    public List<Long> positions() {
        return positions;
    }

    /** What there is beside rows, as of the same point. */
    public List<CutPart> parts() {
        return parts;
    }

    /** One more holder, who must {@link #release} it; false when it was let go or revoked. */
    public boolean acquire() {
        return lease.acquire();
    }

    /** One holder less; the memory of the last one's cut is used anew. */
    public void release() {
        lease.release();
    }

    /** Whether it was taken from its holders because cuts took more memory than they may. */
    public boolean isRevoked() {
        return lease.isRevoked();
    }

    @Override
    public String toString() {
        return "cut " + id;
    }
}
