package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.route.TopicRouter;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits received batches into parts of one lane each, with a bounded number of messages. The messages of a lane keep
 * their order. One thread.
 *
 * <p>A batch that needs no splitting passes through unchanged; otherwise each message is copied, in about 10 ns. Parts
 * keep the stamps and the places in the journal of their messages, and a receipt is notified when all parts are
 * applied.
 */
final class BatchSplitter {
    private final TopicRouter router;
    private final int messagesMax;
    private final MessagePool pool;

    /** By lane, the part being filled. */
    private final @Nullable MessageBatch[] open;

    /** By message, its lane. */
    private int[] lanes = new int[512];

    /**
     * A splitter.
     *
     * @param lanes number of lanes
     * @param messagesMax messages of a part at most, or 0 for any number
     * @param pool takes split batches, and provides the parts
     */
    BatchSplitter(TopicRouter router, int lanes, int messagesMax, MessagePool pool) {
        this.router = router;
        this.messagesMax = messagesMax;
        this.pool = pool;
        open = new MessageBatch[lanes];
    }

    /** Takes {@code batch} over and gives its parts to {@code out}. */
    void split(MessageBatch batch, Consumer<MessageBatch> out) {
        int count = batch.count();
        boolean fits = messagesMax == 0 || count <= messagesMax;
        if (fits && open.length == 1) {
            out.accept(batch);
        } else if (fits && isOfOneLane(batch)) {
            batch.lane(lanes[0]);
            out.accept(batch);
        } else {
            if (!fits) {
                findLanes(batch);
            }
            copy(batch, out);
        }
    }

    private boolean isOfOneLane(MessageBatch batch) {
        findLanes(batch);
        int count = batch.count();
        for (int i = 1; i < count; i++) {
            if (lanes[i] != lanes[0]) {
                return false;
            }
        }
        return true;
    }

    private void findLanes(MessageBatch batch) {
        int count = batch.count();
        if (count > lanes.length) {
            lanes = new int[count * 2];
        }
        if (open.length == 1) {
            Arrays.fill(lanes, 0, count, 0);
            return;
        }
        byte[] bytes = batch.bytes();
        for (int i = 0; i < count; i++) {
            lanes[i] = 1
                    + router.route(bytes, batch.offset(i, MessageBatch.TOPIC), batch.length(i, MessageBatch.TOPIC))
                            .event();
        }
    }

    private void copy(MessageBatch batch, Consumer<MessageBatch> out) {
        Receipt receipt = batch.receipt();
        Completion parts = receipt == null ? null : new Completion(receipt);
        int count = batch.count();
        for (int i = 0; i < count; i++) {
            int lane = lanes[i];
            MessageBatch part = open[lane];
            if (part == null) {
                part = pool.acquirePart();
                part.lane(lane);
                part.listener(batch.listener());
                part.firstStamp(batch.firstStamp());
                part.firstSequence(batch.firstSequence());
                part.receipt(parts);
                if (parts != null) {
                    parts.add();
                }
                open[lane] = part;
            }
            part.appendFrom(batch, i);
            if (part.count() == messagesMax) {
                open[lane] = null;
                out.accept(part);
            }
        }
        for (int lane = 0; lane < open.length; lane++) {
            MessageBatch part = open[lane];
            if (part != null) {
                open[lane] = null;
                out.accept(part);
            }
        }
        if (parts != null) {
            parts.done();
        }
        pool.release(batch);
    }
}
