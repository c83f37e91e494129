package io.summarizer.flink.source;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.jspecify.annotations.Nullable;

/**
 * Tells readers that no more splits come, as soon as an enumerator has finished the calls that it makes at its start.
 * Without this class, a job that goes on from a savepoint would never end, because the enumerator of Kafka's connector
 * tells readers only if it has found a new partition. Used on the coordinator's thread.
 */
final class EndingContext<S extends SourceSplit> implements SplitEnumeratorContext<S> {
    private final SplitEnumeratorContext<S> context;
    /** Number of calls whose handlers have not run. */
    private int calls;

    private boolean ended;

    EndingContext(SplitEnumeratorContext<S> context) {
        this.context = context;
    }

    /** The enumerator, which also ends readers that register later. */
    <C> SplitEnumerator<S, C> enumerator(SplitEnumerator<S, C> enumerator) {
        return new Ending<>(enumerator);
    }

    private <T> BiConsumer<T, Throwable> counted(BiConsumer<T, Throwable> handler) {
        calls++;
        return (result, failure) -> {
            handler.accept(result, failure);
            calls--;
            if (calls == 0 && !ended) {
                ended = true;
                context.registeredReaders().keySet().forEach(context::signalNoMoreSplits);
            }
        };
    }

    @Override
    public <T> void callAsync(Callable<T> call, BiConsumer<T, Throwable> handler) {
        context.callAsync(call, counted(handler));
    }

    @Override
    public <T> void callAsync(Callable<T> call, BiConsumer<T, Throwable> handler, long delayMillis, long periodMillis) {
        context.callAsync(call, handler, delayMillis, periodMillis); // an enumerator that ends makes no such calls
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
        return context.metricGroup();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
        context.sendEventToSourceReader(subtask, event);
    }

    @Override
    public void sendEventToSourceReader(int subtask, int attempt, SourceEvent event) {
        context.sendEventToSourceReader(subtask, attempt, event);
    }

    @Override
    public int currentParallelism() {
        return context.currentParallelism();
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
        return context.registeredReaders();
    }

    @Override
    public Map<Integer, Map<Integer, ReaderInfo>> registeredReadersOfAttempts() {
        return context.registeredReadersOfAttempts();
    }

    @Override
    public void assignSplits(SplitsAssignment<S> splits) {
        context.assignSplits(splits);
    }

    @Override
    public void assignSplit(S split, int subtask) {
        context.assignSplit(split, subtask);
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
        context.signalNoMoreSplits(subtask);
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
        context.runInCoordinatorThread(runnable);
    }

    @Override
    public void setIsProcessingBacklog(boolean isProcessingBacklog) {
        context.setIsProcessingBacklog(isProcessingBacklog);
    }

    /** An enumerator that ends readers. */
    private final class Ending<C> implements SplitEnumerator<S, C> {
        private final SplitEnumerator<S, C> enumerator;

        Ending(SplitEnumerator<S, C> enumerator) {
            this.enumerator = enumerator;
        }

        @Override
        public void start() {
            enumerator.start();
        }

        @Override
        public void addReader(int subtask) {
            enumerator.addReader(subtask);
            if (ended) {
                context.signalNoMoreSplits(subtask);
            }
        }

        @Override
        public void handleSplitRequest(int subtask, @Nullable String host) {
            enumerator.handleSplitRequest(subtask, host);
        }

        @Override
        public void addSplitsBack(List<S> splits, int subtask) {
            enumerator.addSplitsBack(splits, subtask);
        }

        @Override
        public C snapshotState(long checkpoint) throws Exception {
            return enumerator.snapshotState(checkpoint);
        }

        @Override
        public void notifyCheckpointComplete(long checkpoint) throws Exception {
            enumerator.notifyCheckpointComplete(checkpoint);
        }

        @Override
        public void handleSourceEvent(int subtask, SourceEvent event) {
            enumerator.handleSourceEvent(subtask, event);
        }

        @Override
        public void close() throws IOException {
            enumerator.close();
        }
    }
}
