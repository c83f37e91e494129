package io.summarizer.core.recovery;

import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.journal.JournalReader.Entry;
import io.summarizer.core.journal.Lost;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.BatchSink;
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
    private final BlockingQueue<Item> ready = new ArrayBlockingQueue<>(RECORDS);
    private final Thread thread;
    private volatile boolean closed;

    /**
     * An item for the consumer: the messages of a record, with the rule for their topics; a loss; the end of the
     * journal; or an error that prevents further reading.
     */
    record Item(
            @Nullable MessageBatch batch,
            TopicRule rule,
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
     * @param end end of the wanted part; no record that starts there or later is read
     * @param batches provides batches, and takes back batches that are not consumed
     */
    ReadAhead(JournalReader reader, long end, BatchSink batches) {
        this.reader = reader;
        this.end = end;
        this.batches = batches;
        thread = new Thread(this::read, "journal-reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try {
            Item last;
            try {
                readAll();
                last = new Item(null, TopicRule.MSGID, null, null);
            } catch (IOException | RuntimeException | Error e) {
                last = new Item(null, TopicRule.MSGID, null, e);
            }
            ready.put(last);
        } catch (InterruptedException e) {
            // closed: no thread takes items any more
        }
    }

    private void readAll() throws IOException, InterruptedException {
        Entry entry;
        while (!closed && (entry = reader.next()) != Entry.END) {
            if (entry == Entry.MESSAGES) {
                if (reader.firstSequence() >= end) {
                    return;
                }
                MessageBatch batch = batches.acquire();
                reader.fill(batch);
                ready.put(new Item(batch, reader.topicRule(), null, null));
            } else if (entry == Entry.LOST) {
                ready.put(new Item(null, TopicRule.MSGID, reader.lost(), null));
            }
        }
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

    /** Ends the thread by a flag, because an interrupted thread must not read files. */
    @Override
    public void close() throws IOException {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            Item item = ready.poll(); // the thread may wait for room
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
