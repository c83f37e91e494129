package io.summarizer.core.journal;

import io.summarizer.core.disk.Disk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The segments of a journal that were not released, oldest first, the one that is appended to included, and whether the folder is
 * known to have their names. These say where the journal goes on and which numbers were used, when nothing else does any more.
 *
 * <p>Any thread. Only {@link #syncNames}, {@link #renumberLast} and {@link #release} wait for the disk.
 */
final class LiveSegments {
    private final Disk disk;

    /** Guarded by this, as is all below. */
    private final ArrayDeque<Segment> segments = new ArrayDeque<>();

    private long bytes;
    /** How often names changed; those that were found count as a change. */
    private long changes = 1;
    /** How many of these changes are on the disk for certain. */
    private long syncedChanges;

    /** None yet, in the folder that is {@code disk}. */
    LiveSegments(Disk disk) {
        this.disk = disk;
    }

    /** Adds one that was found, younger than those before. */
    synchronized void found(Segment segment) {
        segments.addLast(segment);
        bytes += segment.bytes();
    }

    /** Adds one that was made now; the caller has its name synced. */
    synchronized void begun(Segment segment) {
        found(segment);
        changes++;
    }

    /** Has the youngest take another number, under which none of its records counts. */
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

    /** Has the names of all be on the disk. */
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

    /** Sequence that the oldest begins with, or {@code none} when there is none. */
    synchronized long firstSequence(long none) {
        Segment first = segments.peekFirst();
        return first == null ? none : first.name().first();
    }

    /**
     * Takes out those that have nothing but messages before {@code sequence} and controls before {@code control}. None while one is
     * being begun.
     *
     * @throws IOException when the folder may not have the name of a later one; then none is taken out
     */
    List<Segment> release(long sequence, long control) throws IOException {
        if (!hasNames()) {
            syncNames();
        }
        List<Segment> released = new ArrayList<>();
        synchronized (this) {
            // The last one stays: its name says where the journal goes on, and what numbers were used.
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
