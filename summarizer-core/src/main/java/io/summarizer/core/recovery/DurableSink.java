package io.summarizer.core.recovery;

import io.summarizer.core.journal.JournalWriter;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.pipeline.Pipeline;
import java.util.function.Consumer;

/**
 * The sink for messages that have to be durable. The sink hands messages to the journal, and the journal hands them to
 * the pipeline when they are on the disk. The journal takes batches as they were received; a batch is divided over
 * pipelines afterwards. Any thread.
 */
public final class DurableSink extends BatchSink {
    private final Pipeline pipeline;
    private final JournalWriter journal;

    /**
     * A sink.
     *
     * @param journal the journal's writer, which must have the same pipeline as its target
     */
    public DurableSink(Pipeline pipeline, JournalWriter journal) {
        this.pipeline = pipeline;
        this.journal = journal;
    }

    @Override
    public MessageBatch acquire() {
        return pipeline.acquire();
    }

    @Override
    public void release(MessageBatch batch) {
        pipeline.release(batch);
    }

    @Override
    protected void split(MessageBatch batch, Consumer<MessageBatch> parts) {
        pipeline.expect(batch);
        parts.accept(batch);
    }

    @Override
    protected boolean offer(MessageBatch batch) {
        return journal.offer(batch);
    }

    @Override
    protected void onRoom(MessageBatch batch, Runnable resume) {
        journal.onRoom(resume);
    }

    @Override
    protected void forget(MessageBatch batch, Runnable resume) {
        journal.forget(resume);
    }
}
