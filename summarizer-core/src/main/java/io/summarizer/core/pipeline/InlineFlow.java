package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * {@link PipelineMode#INLINE} and {@link PipelineMode#LOCKED}: the thread that hands a batch over also processes it.
 * The batch is in the rows when {@link #offer} returns. There are no queues and no threads.
 *
 * <p>A thread works at a seat; each seat has its own programs and open update batches. There is one seat for each
 * expected thread. If there are more threads, some of them share a seat and take turns. A change of definitions that
 * changes the layout of rows blocks all threads until it is complete.
 */
final class InlineFlow implements Flow {
    private final Gate gate;
    private final MessagePool messagePool;
    private final PipelineFailure failure;
    private final List<MessageProcessor> processors = new ArrayList<>();
    private final ReentrantLock[] seats;
    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadLocal<Integer> seatOfThread;

    InlineFlow(
            int seatCount,
            IntFunction<MessageProcessor> newProcessor,
            MessagePool messagePool,
            PipelineFailure failure) {
        this.messagePool = messagePool;
        this.failure = failure;
        gate = new Gate(seatCount);
        seats = new ReentrantLock[seatCount];
        seatOfThread = ThreadLocal.withInitial(() -> threads.getAndIncrement() % seatCount);
        for (int i = 0; i < seatCount; i++) {
            seats[i] = new ReentrantLock();
            processors.add(newProcessor.apply(i));
        }
    }

    @Override
    public Gate gate() {
        return gate;
    }

    @Override
    public void start() {
        // The receivers' threads do the work.
    }

    /** Takes every batch, unless the processing of an earlier batch has failed. */
    @Override
    public boolean offer(MessageBatch batch) {
        if (failure.cause().isDone()) {
            return false;
        }
        int seat = seatOfThread.get();
        seats[seat].lock();
        try {
            gate.enter(seat);
            try {
                processors.get(seat).process(batch);
                processors.get(seat).handOverAll();
                // process() handles faults that a message can cause; any other fault ends the pipeline, not the
                // receiver
            } catch (Throwable e) {
                failure.report(e); // report before leaving the gate, so that no cut has half of the batch
            } finally {
                gate.leave(seat);
            }
        } finally {
            seats[seat].unlock();
        }
        messagePool.release(batch);
        return true;
    }

    @Override
    public void onRoom(int pipeline, Runnable resume) {
        // There is always room, unless the pipeline has failed.
        if (!failure.cause().isDone()) {
            resume.run();
        }
    }

    @Override
    public void drain() {
        failure.check(); // all batches handed over are in the rows
    }

    @Override
    public List<Long> positions(long handedOver) {
        long processed = processors.stream()
                .mapToLong(MessageProcessor::endSequence)
                .max()
                .orElse(0);
        return List.of(Math.max(processed, handedOver)); // batches count as handed over only after processing
    }

    @Override
    public List<Traffic> traffic() {
        long processed =
                processors.stream().mapToLong(MessageProcessor::batches).sum();
        return List.of(new Traffic(processed, processed, processors.size())); // handed over and processed at once
    }

    @Override
    public List<MessageProcessor> processors() {
        return processors;
    }

    @Override
    public void queues(Consumer<QueueGauge> visitor) {
        // There are no queues.
    }

    @Override
    public void close() {
        // No threads run.
    }
}
