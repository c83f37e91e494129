package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.route.TopicRouter;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits received batches into parts. Each part belongs to one pipeline and has a bounded number of messages. The
 * messages of a pipeline keep their order. One thread.
 *
 * <p>A batch that needs no splitting passes through unchanged. The messages of other batches are copied, at about 10 ns
 * each; the copies keep their stamps and their places in the journal. The receipt of a split batch is notified when all
 * parts are applied.
 */
final class BatchSplitter {
    private final TopicRouter router;
    private final int messagesMax;
    private final MessagePool pool;

    /** For each pipeline, the part being filled. */
    private final @Nullable MessageBatch[] open;

    /** For each message, its pipeline. */
    private int[] pipelines = new int[512];

    /**
     * A splitter.
     *
     * @param pipelines number of pipelines
     * @param messagesMax maximum number of messages in a part, or 0 for no maximum
     * @param pool takes the batches that were split, and provides empty batches for the parts
     */
    BatchSplitter(TopicRouter router, int pipelines, int messagesMax, MessagePool pool) {
        this.router = router;
        this.messagesMax = messagesMax;
        this.pool = pool;
        open = new MessageBatch[pipelines];
    }

    /** Takes {@code batch} over and gives its parts to {@code out}. */
    void split(MessageBatch batch, Consumer<MessageBatch> out) {
        int count = batch.count();
        boolean fits = messagesMax == 0 || count <= messagesMax;
        if (fits && open.length == 1) {
            out.accept(batch);
        } else if (fits && isOfOnePipeline(batch)) {
            batch.pipeline(pipelines[0]);
            out.accept(batch);
        } else {
            if (!fits) {
                findPipelines(batch);
            }
            copy(batch, out);
        }
    }

    private boolean isOfOnePipeline(MessageBatch batch) {
        findPipelines(batch);
        int count = batch.count();
        for (int i = 1; i < count; i++) {
            if (pipelines[i] != pipelines[0]) {
                return false;
            }
        }
        return true;
    }

    private void findPipelines(MessageBatch batch) {
        int count = batch.count();
        if (count > pipelines.length) {
            pipelines = new int[count * 2];
        }
        if (open.length == 1) {
            Arrays.fill(pipelines, 0, count, 0);
            return;
        }
        byte[] bytes = batch.bytes();
        for (int i = 0; i < count; i++) {
            pipelines[i] = 1
                    + router.route(bytes, batch.offset(i, MessageBatch.TOPIC), batch.length(i, MessageBatch.TOPIC))
                            .event();
        }
    }

    private void copy(MessageBatch batch, Consumer<MessageBatch> out) {
        Receipt receipt = batch.receipt();
        Completion parts = receipt == null ? null : new Completion(receipt);
        int count = batch.count();
        for (int i = 0; i < count; i++) {
            int pipeline = pipelines[i];
            MessageBatch part = open[pipeline];
            if (part == null) {
                part = pool.acquirePart();
                part.pipeline(pipeline);
                part.listener(batch.listener());
                part.partition(batch.partition());
                part.firstStamp(batch.firstStamp());
                part.firstSequence(batch.firstSequence());
                part.receipt(parts);
                if (parts != null) {
                    parts.add();
                }
                open[pipeline] = part;
            }
            part.appendFrom(batch, i);
            if (part.count() == messagesMax) {
                open[pipeline] = null;
                out.accept(part);
            }
        }
        for (int pipeline = 0; pipeline < open.length; pipeline++) {
            MessageBatch part = open[pipeline];
            if (part != null) {
                open[pipeline] = null;
                out.accept(part);
            }
        }
        if (parts != null) {
            parts.done();
        }
        pool.release(batch);
    }
}
