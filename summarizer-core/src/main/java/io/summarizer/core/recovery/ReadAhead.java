package io.summarizer.core.recovery;

import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.journal.JournalReader.Entry;
import io.summarizer.core.journal.Lost;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.queue.Threads;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads and unpacks messages of a journal on a separate thread, a few records ahead of their consumer. One thread takes
 * items and closes the reader.
 */
final class ReadAhead implements AutoCloseable {
    private static final int RECORDS = 8;

    private final JournalReader reader;
    private final long end;
    private final BatchSink batches;
    private final RangeSource ranges;
    private final BlockingQueue<Item> ready = new ArrayBlockingQueue<>(RECORDS);
    private final Thread thread;
    private volatile boolean closed;

    /**
     * An item for the consumer: the messages of a record; a loss; the end of the journal; or an error that prevents
     * further reading.
     *
     * @param rule the rule for the topics of the messages; null when their envelopes were parsed already
     * @param end sequence after the record; the batch may lack some messages of the record
     */
    record Item(
            @Nullable MessageBatch batch,
            @Nullable TopicRule rule,
            long end,
            @Nullable Lost lost,
            @Nullable Throwable failure) {
        /** Whether no item follows. */
        boolean isLast() {
            return batch == null && lost == null;
        }
    }

    /**
     * Starts reading.
     *
     * @param end sequence at which the wanted part ends; records that start at or after this sequence are not read
     * @param batches provides batches, and takes back batches that are not consumed
     * @param ranges reads the Kafka records of ranges
     */
    ReadAhead(JournalReader reader, long end, BatchSink batches, RangeSource ranges) {
        this.reader = reader;
        this.end = end;
        this.batches = batches;
        this.ranges = ranges;
        thread = Threads.start("journal-reader", this::read);
    }

    private void read() {
        try {
            Item last;
            try {
                readAll();
                last = new Item(null, null, 0, null, null);
            } catch (IOException | RuntimeException | Error e) {
                last = new Item(null, null, 0, null, e);
            }
            ready.put(last);
        } catch (InterruptedException e) {
            // the reader was closed, so nobody takes items any more
        }
    }

    private void readAll() throws IOException, InterruptedException {
        Entry entry;
        while (!closed && (entry = reader.next()) != Entry.END) {
            if (entry == Entry.MESSAGES || entry == Entry.RANGE) {
                if (reader.firstSequence() >= end) {
                    return;
                }
                MessageBatch batch = batches.acquire();
                TopicRule rule = null;
                if (entry == Entry.MESSAGES) {
                    reader.fill(batch);
                    rule = reader.topicRule();
                } else {
                    fetch(batch);
                }
                ready.put(new Item(batch, rule, reader.firstSequence() + reader.count(), null, null));
            } else if (entry == Entry.LOST) {
                ready.put(new Item(null, null, 0, reader.lost(), null));
            }
        }
    }

    /** Puts the records of the current range into an empty batch. */
    private void fetch(MessageBatch batch) throws IOException, InterruptedException {
        KafkaRange range = reader.range();
        if (range.count() > 0) {
            ranges.read(range, batch, () -> closed);
        }
        batch.firstSequence(reader.firstSequence());
        batch.firstStamp(reader.firstStamp());
        batch.listener(reader.listener());
        batch.partition(range.partition());
    }

    /** Waits for the next item and takes it. The last item is {@linkplain Item#isLast marked}. */
    Item take() throws IOException, InterruptedException {
        Item item = ready.take();
        Throwable failure = item.failure;
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure != null) {
            throw new IllegalStateException("the journal could not be read", failure);
        }
        return item;
    }

    /**
     * Sets a flag that ends the thread. An interrupt cannot replace the flag, because an interrupted thread must not
     * read files.
     */
    @Override
    public void close() throws IOException {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            Item item = ready.poll(); // makes room, for which the thread may wait
            if (item != null && item.batch != null) {
                batches.release(item.batch);
            }
            try {
                thread.join(1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        reader.close();
    }
}
