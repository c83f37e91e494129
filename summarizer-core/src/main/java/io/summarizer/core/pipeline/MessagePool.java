package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;

/**
 * Message batches for reuse. Receivers read into large batches. If a low number of messages per batch is configured,
 * received batches are divided into small batches; these come from a second pool. Any thread, never blocks.
 */
final class MessagePool {
    /** Expected bytes of a message of a small batch. */
    private static final int MESSAGE_BYTES = 256;

    private final BatchPool<MessageBatch> received;
    private final BatchPool<MessageBatch> parts;

    /**
     * An empty pool.
     *
     * @param capacity number of batches of each kind to keep
     * @param batchMessages largest number of messages in a batch, or 0 when only its bytes are bounded
     */
    MessagePool(int capacity, int batchMessages) {
        received = new BatchPool<>(capacity, () -> new MessageBatch(MessageBatch.DEFAULT_BYTES));
        boolean small = batchMessages > 0 && batchMessages < MessageBatch.DEFAULT_BYTES / MESSAGE_BYTES;
        parts = small
                ? new BatchPool<>(capacity, () -> new MessageBatch(batchMessages * MESSAGE_BYTES, batchMessages))
                : received;
    }

    /** A batch to read into. */
    MessageBatch acquire() {
        return received.acquire();
    }

    /** A batch for a part of a received one. */
    MessageBatch acquirePart() {
        return parts.acquire();
    }

    /** Takes a batch back. */
    void release(MessageBatch batch) {
        batch.clear();
        (batch.bytes().length < MessageBatch.DEFAULT_BYTES ? parts : received).release(batch);
    }
}
