package io.summarizer.core.queue;

class LinkedBatchQueueTest extends BatchQueueContract {
    @Override
    BatchQueue<Integer> create(int capacity) {
        return QueueKind.LBQ.shared(capacity);
    }

    @Override
    int maxConsumers() {
        return Integer.MAX_VALUE;
    }
}
