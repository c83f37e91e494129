package io.summarizer.core.journal;

import io.summarizer.core.disk.Disk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The segments of a journal that were not released, oldest first, including the current segment. The list also tracks
 * whether the names of the segments are durable. When the segments have no records, only the names show where the
 * journal ends and which numbers were used.
 *
 * <p>Any thread. Only {@link #syncNames}, {@link #renumberLast} and {@link #release} wait for the disk.
 */
final class LiveSegments {
    private final Disk disk;

    /** Guarded by this, like all fields below. */
    private final ArrayDeque<Segment> segments = new ArrayDeque<>();

    private long bytes;
    /** Number of changes of names so far. Finding the segments at the start counts as one change. */
    private long changes = 1;
    /** Number of these changes that are certainly durable. */
    private long syncedChanges;

    /** An empty list, for the folder {@code disk}. */
    LiveSegments(Disk disk) {
        this.disk = disk;
    }

    /** Adds a segment that was found. It is younger than all segments that were added before. */
    synchronized void found(Segment segment) {
        segments.addLast(segment);
        bytes += segment.bytes();
    }

    /** Adds a segment that was just made. The caller has to {@linkplain #syncNames sync} its name. */
    synchronized void begun(Segment segment) {
        found(segment);
        changes++;
    }

    /** Gives the youngest segment another number, which makes all records in the segment invalid. */
    void renumberLast(int number) throws IOException {
        synchronized (this) {
            Segment last = segments.getLast();
            SegmentName name = new SegmentName(last.name().first(), last.name().firstControl(), number);
            disk.rename(last.name().file(), name.file());
            segments.removeLast();
            segments.addLast(new Segment(name, last.bytes()));
            changes++;
        }
        syncNames();
    }

    /** Makes all names durable. */
    void syncNames() throws IOException {
        long before;
        synchronized (this) {
            before = changes;
        }
        disk.sync();
        synchronized (this) {
            syncedChanges = Math.max(syncedChanges, before);
        }
    }

    private synchronized boolean hasNames() {
        return syncedChanges == changes;
    }

    /** Bytes of all files. */
    synchronized long bytes() {
        return bytes;
    }

    /** Names, oldest first. */
    synchronized List<SegmentName> names() {
        return segments.stream().map(Segment::name).toList();
    }

    /** First sequence of the oldest segment, or {@code none} when there is no segment. */
    synchronized long firstSequence(long none) {
        Segment first = segments.peekFirst();
        return first == null ? none : first.name().first();
    }

    /**
     * Removes segments that have only messages before {@code sequence} and controls before {@code control}. Removes
     * nothing while a new segment is being set up.
     *
     * @throws IOException when it is not certain that the names of later segments are durable; no segment is removed in
     *     this case
     */
    List<Segment> release(long sequence, long control) throws IOException {
        if (!hasNames()) {
            syncNames();
        }
        List<Segment> released = new ArrayList<>();
        synchronized (this) {
            // The last segment stays, because its name shows the end of the journal and the used numbers.
            while (hasNames() && segments.size() > 1) {
                Segment oldest = segments.removeFirst();
                SegmentName next = segments.getFirst().name();
                if (next.first() > sequence || next.firstControl() > control) {
                    segments.addFirst(oldest);
                    break;
                }
                bytes -= oldest.bytes();
                released.add(oldest);
            }
        }
        return released;
    }
}
