package io.summarizer.flink.source;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.StreamFramer.Outcome;
import io.summarizer.core.receive.SyslogFramer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.connector.file.src.util.MutableRecordAndPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.apache.flink.core.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the frames of one file, with the framer of the listeners.
 *
 * <p>A <em>block</em> begins at a position where a new framer can resume ({@link SyslogFramer#isResumable}). The
 * position of a record consists of the start of its block and its place in the block. So a job can resume exactly
 * between two records: a reader that starts at the block finds the same records, and skips the records before the
 * place.
 *
 * <p>Two threads: the fetcher reads and frames, and the task takes records. {@value #BATCHES} batches circulate between
 * them, so a slow task holds up the fetcher. These batches, each with room for the largest message, bound the memory.
 */
final class FrameReader implements BulkFormat.Reader<SourceRecord> {
    private static final Logger LOG = LoggerFactory.getLogger(FrameReader.class);
    private static final int BATCHES = 3;

    private final FileSourceSplit split;
    private final int partition;
    private final FSDataInputStream in;
    private final SyslogFramer framer;
    private final BlockingQueue<Batch> free = new ArrayBlockingQueue<>(BATCHES);

    // All fields from here on belong to the fetcher.
    private long readOffset;
    private long blockOffset;
    /** Records of the block in the batches so far. */
    private long blockRecords;
    /** Number of records still to be skipped, because they were emitted before the checkpoint. */
    private long skip;

    private boolean ended;

    /**
     * Opens a file.
     *
     * @param position position of the last record that was emitted: the start of a block, and the number of records
     *     that were emitted from there on
     */
    FrameReader(FileSourceSplit split, Framing framing, int messageBytesMax, CheckpointedPosition position)
            throws IOException {
        this.split = split;
        partition = WholeFiles.partition(split);
        blockOffset = Math.max(0, position.getOffset());
        skip = position.getRecordsAfterOffset();
        readOffset = blockOffset;
        framer = blockOffset == 0
                ? new SyslogFramer(framing, messageBytesMax, null).ofFile()
                : SyslogFramer.resumed(framing, messageBytesMax);
        for (int i = 0; i < BATCHES; i++) {
            free.add(new Batch());
        }
        in = split.path().getFileSystem().open(split.path());
        try {
            in.seek(blockOffset);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /** Reads and frames a batch, which may have no records. Waits while the task has all batches. */
    @Override
    public BulkFormat.@Nullable RecordIterator<SourceRecord> readBatch() throws IOException {
        if (ended) {
            return null;
        }
        Batch batch;
        try {
            batch = free.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped while the task was busy");
        }
        fill(batch);
        return batch;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void fill(Batch batch) throws IOException {
        MessageBatch messages = batch.messages;
        messages.clear();
        if (framer.isResumable()) {
            blockOffset = readOffset - framer.parkedLength();
            blockRecords = 0;
        }
        framer.begin(messages);
        Outcome outcome;
        boolean atEnd;
        do {
            // Makes room when all that was read is the beginning of one frame.
            boolean unused = framer.reserve(messages);
            atEnd = read(messages);
            outcome = framer.frame(messages);
        } while (messages.count() == 0 && outcome == Outcome.MORE && !atEnd);
        if (outcome == Outcome.CLOSED) {
            LOG.error("{}: not read to its end, the framing was lost: {}", split.path(), framer.closeReason());
            ended = true;
        } else if (outcome == Outcome.MORE && atEnd) {
            framer.end(messages);
            ended = true;
        } else {
            framer.park(messages);
        }
        int skipped = (int) Math.min(skip, messages.count());
        skip -= skipped;
        batch.begin(blockOffset, blockRecords, skipped);
        blockRecords += messages.count();
    }

    /** Fills the batch up to its capacity; returns whether the file is at its end. */
    private boolean read(MessageBatch messages) throws IOException {
        while (messages.limit() < messages.bytes().length) {
            long left = split.length() - readOffset;
            int room = messages.bytes().length - messages.limit();
            int count = left <= 0 ? -1 : in.read(messages.bytes(), messages.limit(), (int) Math.min(left, room));
            if (count < 0) {
                return true;
            }
            messages.limit(messages.limit() + count);
            readOffset += count;
        }
        return readOffset >= split.length();
    }

    /** A batch and a cursor over its messages. Filled by the fetcher, then read by the task. */
    private final class Batch implements BulkFormat.RecordIterator<SourceRecord> {
        private final MessageBatch messages = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        private final SourceRecord record = new SourceRecord();
        private final MutableRecordAndPosition<SourceRecord> positioned = new MutableRecordAndPosition<>();
        private long block;
        /** Records of the block before this batch. */
        private long before;

        private long readMillis;
        private int next;

        private void begin(long block, long before, int next) {
            this.block = block;
            this.before = before;
            this.next = next;
            readMillis = System.currentTimeMillis();
        }

        @Override
        public @Nullable RecordAndPosition<SourceRecord> next() {
            int message = next;
            if (message == messages.count()) {
                return null;
            }
            next = message + 1;
            // Each frame has at least one byte, so the sum also grows from one block to the next.
            record.at(null, partition, block + before + message, readMillis)
                    .value(
                            messages.bytes(),
                            messages.offset(message, MessageBatch.FRAME),
                            messages.length(message, MessageBatch.FRAME))
                    .rejectReason(messages.message(message).rejectReason());
            positioned.set(record, block, before + message + 1);
            return positioned;
        }

        @Override
        public void releaseBatch() {
            free.add(this);
        }
    }
}
