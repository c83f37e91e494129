package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.Threads;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Messages on the disk, in one order. Each message has a <em>sequence</em>. Sequences start at 0 and have no gaps over
 * the life of the folder.
 *
 * <p>The journal gathers records in memory. {@link #sync} writes all gathered records in one call, and forces them to
 * the disk once. Records are written to segments. A segment is a file whose bytes were all written once before its
 * first use. {@link #release} gives back segments that are no longer needed.
 *
 * <p>Synced bytes are never overwritten: each group begins with a new block. A new segment begins in each run of the
 * program and after each failure. After a failed write or force, the journal trusts nothing after the last sync. It
 * abandons the segment and forgets the records that were not synced. The caller appends the forgotten messages again,
 * to the next segment. The name of the next segment has the sequence of its first message and the number of its first
 * control. From this sequence and this number on, the messages and controls of the abandoned segment are ignored. Until
 * the next segment begins, a new process could still find forgotten controls; {@link #disownControls} prevents this at
 * once.
 *
 * <p>One thread appends and syncs. It must not be interrupted meanwhile. Any thread may use {@link #release}, {@link
 * #read}, {@link #bytes} and the counters. The journal has a thread of its own, which prepares files.
 *
 * <p>This class has more than 500 lines, because appending, syncing, releasing and the handling of failures change the
 * same segments. The independent parts are in {@link GroupBuffer}, {@link LiveSegments}, {@link SegmentPool} and {@link
 * SegmentReader}.
 *
 * <p>Allocates nothing per message; {@code JournalBenchmark} measures the cost.
 */
public final class Journal implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Disk disk;
    private final JournalOptions options;
    private final Consumer<String> notes;
    private final IntSupplier salts;
    private final Executor background;
    private final @Nullable ExecutorService ownBackground;
    private final SegmentPool pool;
    private final GroupBuffer group;
    private final Quarantine quarantine;
    private final JournalCounters counters = new JournalCounters();

    /** The segments of the journal; the last segment may be open. */
    private final LiveSegments segments;

    private @Nullable Open open;
    private int lastNumber;
    private long end;
    private long controls;
    private volatile long synced;
    private volatile long syncedControls;
    private State state = State.SOUND;
    /** Whether the preparation of the file for the next segment failed. */
    private volatile boolean unprepared;

    /**
     * States of the journal. When a control cannot be written or forced, this journal drops the control, but the
     * control may still be on the disk. The states say whether the next process could find such a dropped control.
     */
    private enum State {
        /** There are no dropped controls. */
        SOUND,
        /** There may be dropped controls, because no later segment replaces them yet. */
        HAUNTED,
        /** There may be dropped controls. The last segment has no synced records, and will get none. */
        HAUNTED_AND_BARREN,
        /** The files are closed. */
        CLOSED;

        /** The state after a failed write or force. */
        State failed(boolean controlsForgotten, boolean barren) {
            if (this == SOUND && !controlsForgotten) {
                return SOUND;
            }
            return barren ? HAUNTED_AND_BARREN : HAUNTED;
        }
    }

    /** The segment that is appended to. */
    private static final class Open {
        final DiskFile file;
        final long id;
        final long size;
        /** Place of the next group: the start of a block. */
        long position = JournalFormat.BLOCK_BYTES;
        /** End of the durable bytes. */
        long synced;
        /**
         * Whether the last record in the segment is a mark. A mark says that everything before it was synced. Also true
         * when the segment has no records.
         */
        boolean marked = true;

        Open(DiskFile file, long id, long size) {
            this.file = file;
            this.id = id;
            this.size = size;
        }
    }

    private Journal(
            Disk disk,
            JournalOptions options,
            Consumer<String> notes,
            IntSupplier salts,
            Executor background,
            @Nullable ExecutorService ownBackground)
            throws IOException {
        this.disk = disk;
        this.options = options;
        this.notes = notes;
        this.salts = salts;
        this.background = background;
        this.ownBackground = ownBackground;
        List<String> files = disk.list();
        pool = new SegmentPool(disk, options.segmentBytes(), files);
        segments = new LiveSegments(disk);
        quarantine = new Quarantine(disk, notes);
        takeStock(SegmentName.among(files));
        group = new GroupBuffer(options.compression(), options.level());
        prepareLater();
    }

    /**
     * Opens the journal in a folder, or begins a journal there. If the last run left unfinished records at the end,
     * cuts them off.
     *
     * @param notes receives lines for the log, on any thread
     * @throws IOException also when a segment was written by a newer version of this program
     */
    public static Journal open(Disk disk, JournalOptions options, Consumer<String> notes) throws IOException {
        ExecutorService background = Executors.newSingleThreadExecutor(Threads.factory("journal-files"));
        try {
            return new Journal(disk, options, notes, RANDOM::nextInt, background, background);
        } catch (IOException | RuntimeException e) {
            background.shutdownNow();
            throw e;
        }
    }

    /**
     * Opens the journal in a folder, for tests.
     *
     * @param salts random numbers, which make the ids of segments unique
     * @param background prepares and recycles files
     */
    static Journal open(
            Disk disk, JournalOptions options, Consumer<String> notes, IntSupplier salts, Executor background)
            throws IOException {
        return new Journal(disk, options, notes, salts, background, null);
    }

    /** Names of the segments in a folder, oldest first. */
    public static List<String> files(Disk disk) throws IOException {
        return SegmentName.among(disk.list()).stream().map(SegmentName::file).toList();
    }

    /**
     * Reads the journal in a folder without changes, even if another process writes to it.
     *
     * @param bodies whether to read and check the bodies of records, too; if false, no message can be read
     */
    public static JournalReader inspect(Disk disk, long from, boolean bodies) throws IOException {
        return new JournalReader(disk, SegmentName.among(disk.list()), from, lost -> {}, bodies);
    }

    /** Finds the segments and the end of the journal. */
    private void takeStock(List<SegmentName> names) throws IOException {
        for (int i = 0; i < names.size(); i++) {
            SegmentName name = names.get(i);
            lastNumber = Math.max(lastNumber, name.number());
            long size = i == names.size() - 1 ? takeStockOfLast(name) : disk.size(name.file());
            segments.found(new Segment(name, size));
        }
        synced = end;
        syncedControls = controls;
    }

    /** Reads the last segment, to find the end of the journal. Returns the size of the segment. */
    private long takeStockOfLast(SegmentName name) throws IOException {
        try (SegmentReader segment =
                SegmentReader.open(disk, name, SegmentReader.UNKNOWN, SegmentReader.UNKNOWN, true)) {
            SegmentReader.Found found;
            do {
                found = segment.next();
                if (found == SegmentReader.Found.LOST && segment.isCutShort(segment.lost())) {
                    notes.accept(segment.lost().toString()); // the copy made below hides the loss
                }
            } while (found != SegmentReader.Found.END);
            end = segment.sequence();
            controls = segment.control();
            if (segment.isTorn()) {
                notes.accept(name.file() + ": cut at byte " + segment.soundEnd()
                        + ", behind which the last run did not finish writing; the journal goes on at sequence " + end);
            }
            try {
                return writeAnew(segment);
            } catch (IOException e) {
                notes.accept(name.file() + ": could not be written anew, and stays as it is: " + e.getMessage());
                disk.delete(SegmentPool.UNFINISHED);
            }
            try (DiskFile file = disk.open(name.file(), true)) {
                file.force();
            }
            return segment.size();
        }
    }

    /**
     * Replaces the last segment by a copy of its contents. The bytes that the last run wrote may be only in memory, and
     * the system may have given up writing them to the disk. So forcing the same segment again would prove nothing. A
     * copy is written anew, so forcing the copy is reliable. The copy is shorter, because it needs no room for further
     * records, which go into a new segment.
     */
    private long writeAnew(SegmentReader segment) throws IOException {
        long kept = Math.min(
                segment.size(), JournalFormat.blockEnd(segment.isTorn() ? segment.tornEnd() : segment.soundEnd()));
        try (DiskFile copy = disk.create(SegmentPool.UNFINISHED)) {
            segment.copy(kept, copy);
            copy.force();
        }
        disk.rename(SegmentPool.UNFINISHED, segment.name().file());
        segments.syncNames();
        return Math.max(kept, JournalFormat.BLOCK_BYTES);
    }

    /**
     * Makes the journal continue at {@code sequence} and {@code control}, unless it already goes beyond them. A
     * checkpoint may cover messages that the journal no longer has, and new messages must not get the sequences of the
     * covered messages. Call this method before anything is appended.
     */
    public void skipTo(long sequence, long control) {
        if (open != null || !group.isEmpty()) {
            throw new IllegalStateException("something was appended");
        }
        if (sequence > end) {
            notes.accept("the journal ends at sequence " + end + ", but a checkpoint covers messages up to " + sequence
                    + ": it goes on from there");
        }
        end = Math.max(end, sequence);
        controls = Math.max(controls, control);
        synced = end;
        syncedControls = controls;
    }

    /**
     * Appends the messages of a batch, and sets the sequence of the batch. The messages must already have stamps. For
     * Kafka records, appends the range instead of the messages. Until {@link #sync}, the messages are usually only in
     * memory.
     *
     * @param rule the rule for the topics of the messages; unused for a range, which has a rule of its own
     * @return sequence of the first message
     * @throws IOException when the disk fails; the journal then keeps only the synced records, see {@link
     *     #syncedSequence}
     * @throws JournalException when {@link #hasRoom} is false
     */
    public long append(MessageBatch batch, TopicRule rule) throws IOException {
        long first = end;
        batch.firstSequence(first);
        KafkaRange range = batch.range();
        if (range != null && range.count() != batch.count()) {
            throw new IllegalArgumentException(range + " for messages=" + batch.count());
        }
        if (batch.count() == 0 && range == null) {
            return first;
        }
        Open segment = segmentFor(GroupBuffer.recordBytesMax(batch), 0);
        group.begin(segment.id, segment.position, segment.synced);
        if (range == null) {
            group.messages(batch, rule, first);
        } else {
            group.range(batch, range, first);
        }
        end = first + batch.count();
        counters.records.increment();
        counters.messages.add(batch.count());
        return first;
    }

    /**
     * Appends a control. Controls may use one more segment when the journal is full for messages.
     *
     * @return number of the control
     * @throws IOException in the same cases as {@link #append}
     */
    public long appendControl(Control control) throws IOException {
        Open segment = segmentFor(GroupBuffer.recordBytesMax(control.encode().length), options.segmentBytes());
        group.begin(segment.id, segment.position, segment.synced);
        group.control(control, controls, end);
        return controls++;
    }

    /**
     * Makes everything that was appended so far durable: it survives any failure of this machine except a failure of
     * the disk.
     *
     * @throws IOException in the same cases as {@link #append}
     */
    public void sync() throws IOException {
        Open segment = open;
        if (segment == null || group.isEmpty()) {
            return;
        }
        try {
            write(segment);
            force(segment);
        } catch (IOException e) {
            fail(segment);
            throw e;
        }
    }

    private void write(Open segment) throws IOException {
        counters.plainBytes.add(group.plainBytes());
        ByteBuffer bytes = group.contents();
        int length = bytes.remaining();
        segment.file.write(bytes, segment.position);
        segment.position += length;
        counters.writtenBytes.add(length);
        group.clear();
    }

    private void force(Open segment) throws IOException {
        long start = System.nanoTime();
        segment.file.force();
        counters.syncNanos.add(System.nanoTime() - start);
        counters.syncs.increment();
        segment.synced = segment.position;
        segment.marked = false;
        synced = end;
        syncedControls = controls;
    }

    /**
     * Appends a mark: a record which says that everything before it was synced. Does nothing if the journal ends with a
     * mark. Does not force the mark. If a later start finds damage before a mark, the damage cannot be just an
     * unfinished write.
     *
     * @throws IOException in the same cases as {@link #append}
     */
    public void markSynced() throws IOException {
        Open segment = open;
        if (segment == null
                || segment.marked
                || !group.isEmpty()
                || segment.position + 2 * JournalFormat.BLOCK_BYTES > segment.size) {
            return;
        }
        try {
            group.begin(segment.id, segment.position, segment.synced);
            group.mark(JournalFormat.SYNCED, end);
            write(segment);
            segment.marked = true;
        } catch (IOException e) {
            fail(segment);
            throw e;
        }
    }

    /**
     * The segment for a record of at most {@code bytes} bytes: the current segment if the record fits, otherwise a new
     * segment.
     */
    private Open segmentFor(long bytes, long beyondBound) throws IOException {
        Open segment = open;
        if (segment != null && !fits(segment, bytes)) {
            end(segment);
            segment = null;
        }
        if (segment == null) {
            long size = sizeFor(bytes);
            if (!mayGrow(size, beyondBound)) {
                throw new JournalException("the journal is full, " + bytes() + " bytes, and waits for a checkpoint");
            }
            segment = begin(size);
        }
        return segment;
    }

    /**
     * Whether a record of {@code bytes} bytes fits into the segment. The record takes whole blocks, and one more block
     * must remain for the end of the segment.
     */
    private boolean fits(Open segment, long bytes) {
        return JournalFormat.blockEnd(segment.position + group.size() + bytes) + JournalFormat.BLOCK_BYTES
                <= segment.size;
    }

    /** Size of a new segment for a record of {@code bytes} bytes. */
    private long sizeFor(long bytes) {
        return Math.max(options.segmentBytes(), JournalFormat.blockEnd(bytes) + 2L * JournalFormat.BLOCK_BYTES);
    }

    /**
     * Whether there is room for another segment. All files together may exceed their bound by {@code beyondBound}
     * bytes.
     */
    private boolean mayGrow(long size, long beyondBound) {
        // A segment of an unusual size may need the room of prepared files, which are then deleted.
        boolean usual = size == options.segmentBytes();
        long spare = usual ? pool.bytes() : 0;
        boolean ready = usual && spare >= size;
        return segments.bytes() + spare + (ready ? 0 : size) <= options.maxBytes() + beyondBound;
    }

    /** Syncs the segment, and appends a record which says that nothing follows in the segment. */
    private void end(Open segment) throws IOException {
        try {
            group.begin(segment.id, segment.position, segment.synced);
            group.mark(JournalFormat.END, end);
            write(segment);
            force(segment);
            leave(segment);
        } catch (IOException e) {
            fail(segment);
            throw e;
        }
    }

    private Open begin(long size) throws IOException {
        SegmentName name = new SegmentName(end, controls, lastNumber + 1);
        DiskFile file;
        synchronized (pool) {
            file = size == options.segmentBytes() ? pool.take(name.file()) : pool.take(name.file(), size);
            segments.begun(new Segment(name, size));
        }
        lastNumber = name.number();
        Open segment = new Open(file, JournalFormat.segmentId(name.number(), salts.getAsInt()), size);
        open = segment;
        counters.segments.increment();
        try {
            writeHeader(segment, name);
            segments.syncNames();
        } catch (IOException e) {
            fail(segment);
            throw e;
        }
        state = State.SOUND;
        prepareLater();
        return segment;
    }

    /**
     * Writes the header and zeros up to the end of the first block, which erases older contents of the block. The
     * header is forced together with the first group.
     */
    private void writeHeader(Open segment, SegmentName name) throws IOException {
        byte[] header = new byte[JournalFormat.HEADER_BYTES];
        System.arraycopy(JournalFormat.MAGIC, 0, header, 0, JournalFormat.MAGIC.length);
        Bytes.putInt(header, JournalFormat.SEGMENT_VERSION, JournalFormat.VERSION);
        Bytes.putLong(header, JournalFormat.SEGMENT_ID, segment.id);
        Bytes.putLong(header, JournalFormat.SEGMENT_FIRST, name.first());
        Bytes.putLong(header, JournalFormat.SEGMENT_FIRST_CONTROL, controls);
        Bytes.putLong(header, JournalFormat.SEGMENT_CREATED, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        Bytes.putLong(header, JournalFormat.SEGMENT_BYTES, segment.size);
        JournalFormat.seal(header, new CRC32C());
        ByteBuffer block = ByteBuffer.allocate(JournalFormat.BLOCK_BYTES);
        block.put(0, header);
        segment.file.write(block, 0);
    }

    /**
     * Handles a failed write or force: forgets everything that was not synced, and never writes to the segment again.
     */
    private void fail(Open segment) {
        counters.failures.increment();
        group.clear();
        state = state.failed(controls > syncedControls, segment.synced == 0);
        end = synced;
        controls = syncedControls;
        try {
            leave(segment);
        } catch (IOException e) {
            // This failure loses nothing: the synced bytes are safe.
            notes.accept("a segment that was left after a failure could not be closed: " + e.getMessage());
        }
    }

    /**
     * Ensures that the next process does not find dropped controls. The journal drops controls when {@link
     * #appendControl} or {@link #sync} fails, but they may have reached the disk nevertheless. They are then valid
     * until another segment replaces them. Some durable data rely on the absence of dropped controls. Call this method
     * before writing such data.
     *
     * @throws IOException when the next process may still find such controls; in this case, call the method again
     */
    public void disownControls() throws IOException {
        switch (state) {
            case HAUNTED_AND_BARREN -> {
                segments.renumberLast(++lastNumber); // takes no room, unlike another segment
                state = State.SOUND;
            }
            case HAUNTED -> {
                long size = options.segmentBytes();
                if (!mayGrow(size, 2 * size)) {
                    throw new JournalException("the journal is full, " + bytes() + " bytes");
                }
                Open unused = begin(size);
            }
            case SOUND, CLOSED -> {
                // There are no such controls.
            }
        }
    }

    private void leave(Open segment) throws IOException {
        open = null;
        segment.file.close();
    }

    /** Sequence of the next message. */
    public long endSequence() {
        return end;
    }

    /** Number of the next control. */
    public long endControl() {
        return controls;
    }

    /** The sequence below which all messages are durable. Any thread. */
    public long syncedSequence() {
        return synced;
    }

    /** The number below which all controls are durable. Any thread. */
    public long syncedControls() {
        return syncedControls;
    }

    /** Bytes that were appended and not yet written. */
    public int pendingBytes() {
        return group.size();
    }

    /** Whether a batch can be appended without exceeding the bound on all files. */
    public boolean hasRoom(MessageBatch batch) {
        long bytes = GroupBuffer.recordBytesMax(batch);
        Open segment = open;
        return (segment != null && fits(segment, bytes)) || mayGrow(sizeFor(bytes), 0);
    }

    /** Bytes of all files, prepared ones included. Any thread. */
    public long bytes() {
        long spare = pool.bytes(); // read first: a file that is taken meanwhile is then counted twice, not missed
        return segments.bytes() + spare;
    }

    /** Bytes of the files whose contents were not released. Any thread. */
    public long liveBytes() {
        return segments.bytes();
    }

    /**
     * The bound on {@link #bytes}. Controls may exceed this bound by one segment. After a failed write, the excess may
     * be two segments.
     */
    public long maxBytes() {
        return options.maxBytes();
    }

    /**
     * Sequence of the oldest message in the journal; {@link #endSequence} when the journal has no message. Any thread.
     */
    public long firstSequence() {
        return segments.firstSequence(synced);
    }

    /** Counters of this journal. */
    public JournalCounters counters() {
        return counters;
    }

    /**
     * Releases messages before {@code sequence} and controls before {@code control}. Segments with only released
     * messages and controls are soon reused or deleted. Before that, this method makes the names of later segments
     * durable, because a start needs these names. They show which sequences and numbers of controls were used. Any
     * thread that may block.
     */
    public void release(long sequence, long control) {
        List<Segment> released;
        try {
            released = segments.release(sequence, control);
        } catch (IOException e) {
            notes.accept("nothing of the journal is let go of, as the names of its files cannot be synced: "
                    + e.getMessage());
            return;
        }
        if (!released.isEmpty()) {
            later(() -> recycle(released));
        }
    }

    private void recycle(List<Segment> released) {
        for (Segment segment : released) {
            try {
                synchronized (pool) {
                    boolean keep = bytes() + segment.bytes() <= options.maxBytes();
                    pool.recycle(segment, keep);
                }
            } catch (IOException e) {
                notes.accept(
                        segment.name().file() + ": is not needed any more and could not be removed: " + e.getMessage());
            }
        }
    }

    private void prepareLater() {
        later(this::prepare);
    }

    private void later(Runnable task) {
        try {
            background.execute(task);
        } catch (RejectedExecutionException e) {
            // The journal is closed; the next journal of this folder does the remaining work.
        }
    }

    private void prepare() {
        try {
            // New segments begin under the pool's lock, too, so this check counts all segments.
            synchronized (pool) {
                if (mayGrow(options.segmentBytes(), 0)) {
                    pool.prepare();
                }
            }
            unprepared = false;
        } catch (IOException e) {
            if (!unprepared) {
                notes.accept("the file for the next segment, of " + options.segmentBytes()
                        + " bytes, could not be prepared: " + e.getMessage());
            }
            unprepared = true;
        }
    }

    /**
     * Reads the journal from message {@code from} on, with all controls after message {@code from} - 1. Copies
     * unreadable bytes to the quarantine. Call this method for recovery, before anything is appended. If records are
     * appended during the reading, it is undefined whether the reader finds them.
     */
    public JournalReader read(long from) {
        return new JournalReader(disk, segments.names(), from, quarantine::keep, true);
    }

    /** A control and its number. */
    public record NumberedControl(long number, Control control) {}

    /**
     * The controls after message {@code from} - 1, which include the controls just before message {@code from}.
     * Unreadable controls are left out. Reads only the headers of other records, which takes a few ms per 1,000
     * records.
     *
     * @throws NewerJournalException when there is a record that only a newer version of this program can apply
     */
    public List<NumberedControl> controls(long from) throws IOException {
        List<NumberedControl> controls = new ArrayList<>();
        try (JournalReader reader = new JournalReader(disk, segments.names(), from, lost -> {}, false)) {
            for (JournalReader.Entry entry = reader.next(); entry != JournalReader.Entry.END; entry = reader.next()) {
                if (entry == JournalReader.Entry.CONTROL) {
                    try {
                        controls.add(new NumberedControl(reader.controlNumber(), reader.control()));
                    } catch (NewerJournalException e) {
                        throw e;
                    } catch (JournalException e) {
                        notes.accept(e.getMessage());
                    }
                }
            }
        }
        return controls;
    }

    /**
     * Passes the readable ranges of Kafka records after message {@code from} - 1 to a consumer, in order. Like {@link
     * #controls}, reads only the headers of other records.
     *
     * @throws NewerJournalException in the same cases as {@link #controls}
     */
    public void ranges(long from, Consumer<KafkaRange> ranges) throws IOException {
        try (JournalReader reader = new JournalReader(disk, segments.names(), from, lost -> {}, false)) {
            for (JournalReader.Entry entry = reader.next(); entry != JournalReader.Entry.END; entry = reader.next()) {
                if (entry == JournalReader.Entry.RANGE) {
                    try {
                        ranges.accept(reader.range());
                    } catch (NewerJournalException e) {
                        throw e;
                    } catch (JournalException e) {
                        notes.accept(e.getMessage());
                    }
                }
            }
        }
    }

    /** Syncs the appended records, appends the end record, and closes the files. */
    @Override
    public void close() throws IOException {
        if (state == State.CLOSED) {
            return;
        }
        try {
            Open segment = open;
            if (segment != null) {
                end(segment);
            }
        } finally {
            discard();
        }
    }

    /** Closes everything without writing, like a process that is killed. */
    void discard() throws IOException {
        state = State.CLOSED;
        group.close();
        Open segment = open;
        if (segment != null) {
            leave(segment);
        }
        ExecutorService background = ownBackground;
        if (background != null) {
            background.shutdown();
            Waiting.uninterruptibly(() -> {
                boolean unused = background.awaitTermination(10, TimeUnit.SECONDS);
            });
        }
    }
}
