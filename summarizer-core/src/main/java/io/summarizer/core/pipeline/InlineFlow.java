package io.summarizer.core.pipeline;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.Partitions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

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
    private final List<LockedOwner> owners = new ArrayList<>();
    private final List<MessageProcessor> processors = new ArrayList<>();
    private final ReentrantLock[] seats;
    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadLocal<Integer> seatOfThread;

    InlineFlow(
            PipelineOptions options,
            Placement placement,
            Generation generation,
            MessagePool messagePool,
            Ledger ledger,
            Faults faults,
            PipelineFailure failure,
            RejectSink rejects) {
        this.messagePool = messagePool;
        this.failure = failure;
        int seatCount = options.receivers();
        gate = new Gate(seatCount);
        seats = new ReentrantLock[seatCount];
        seatOfThread = ThreadLocal.withInitial(() -> threads.getAndIncrement() % seatCount);
        BatchPool<OwnerTask.Updates> updatePool =
                new BatchPool<>(placement.owners() * seatCount, OwnerTask.Updates::new);
        for (int i = 0; i < placement.owners(); i++) {
            owners.add(new LockedOwner(i, updatePool, ledger, faults, rejects, generation));
        }
        for (int i = 0; i < seatCount; i++) {
            seats[i] = new ReentrantLock();
            processors.add(new MessageProcessor(i, generation, updatePool, owners, ledger, faults, rejects));
        }
    }

    /** Number of owners, each of which has a lock. */
    static int owners(PipelineMode mode) {
        return mode == PipelineMode.LOCKED ? 1 : Partitions.COUNT;
    }

    @Override
    public Gate gate() {
        return gate;
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
                boolean unused = processors.get(seat).handOver(); // all of them: rows always have room for updates
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

    /**
     * Performs the task at once. A change of definitions uses a thread for each owner, because owners wait for each
     * other.
     */
    @Override
    public void deliver(OwnerTask.Control task) {
        if (!(task instanceof OwnerTask.Switch)) {
            owners.forEach(owner -> perform(owner, task));
            return;
        }
        List<Thread> helpers = owners.stream()
                .map(owner -> failure.newThread("migration", () -> perform(owner, task)))
                .toList();
        helpers.forEach(Thread::start);
        for (Thread helper : helpers) {
            Waiting.uninterruptibly(helper::join);
            failure.forget(helper);
        }
    }

    private void perform(LockedOwner owner, OwnerTask.Control task) {
        try {
            owner.perform(task);
        } catch (Throwable e) {
            failure.report(e);
        }
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
    public List<OwnerGauges> published() {
        return owners.stream().map(LockedOwner::published).toList();
    }
}
