package io.summarizer.core.queue;

class ArrayBatchQueueTest extends BatchQueueContract {
    @Override
    BatchQueue<Integer> create(int capacity) {
        return QueueKind.ABQ.shared(capacity);
    }

    @Override
    int maxConsumers() {
        return Integer.MAX_VALUE;
    }
}
