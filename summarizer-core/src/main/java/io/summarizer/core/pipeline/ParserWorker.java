package io.summarizer.core.pipeline;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.Route;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.UpdateBatch;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes message batches, decodes and evaluates them, and hands the updates to the owners. One thread; everything it writes
 * to is its own but for the queues and the counters.
 *
 * <p>Updates are handed over when the message batch is done or an update batch is full, so an idle system adds no latency
 * and a busy one moves some hundred events at a time.
 */
final class ParserWorker implements Runnable, UpdateRouter {
    /** An update batch at least as full as this is handed over. */
    static final int FLUSH_BYTES = 48 * 1024;

    private static final Logger LOG = System.getLogger(ParserWorker.class.getName());
    /** A fault that repeats is counted each time and logged so often: the log shall not fill the disk. */
    private static final int FAULTS_LOGGED = 100;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int number;
    private final Gate gate;
    private final BatchQueue<MessageBatch> parseQueue;
    private final BatchPool<MessageBatch> messagePool;
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final List<BatchQueue<OwnerTask>> ownerQueues;
    private final PipelineCounters counters;
    private final PipelineFailure failure;
    private final RejectSink rejects;
    private final Runnable afterTake;

    /** Of the generation in use, as are the next two; replaced only while this worker is outside the gate. */
    private TopicRouter topics;

    private EventProgram[] programs;
    /** Owner of partition p of summary s at s * COUNT + p. */
    private int[] owners;

    /** The batch being filled for each owner. */
    private final OwnerTask.@Nullable Updates[] open;

    private final long[] rejected = new long[RejectReason.values().length];
    /** Whether records of the message at hand are on their way to an owner already. */
    private boolean handedOver;

    private int logged;

    private volatile boolean stopping;

    ParserWorker(
            int number,
            Generation generation,
            Gate gate,
            BatchQueue<MessageBatch> parseQueue,
            BatchPool<MessageBatch> messagePool,
            BatchPool<OwnerTask.Updates> updatePool,
            List<BatchQueue<OwnerTask>> ownerQueues,
            PipelineCounters counters,
            PipelineFailure failure,
            RejectSink rejects,
            Runnable afterTake) {
        this.number = number;
        this.gate = gate;
        this.parseQueue = parseQueue;
        this.messagePool = messagePool;
        this.updatePool = updatePool;
        this.ownerQueues = ownerQueues;
        this.counters = counters;
        this.failure = failure;
        this.rejects = rejects;
        this.afterTake = afterTake;
        topics = generation.router(number);
        programs = generation.programs(number);
        owners = generation.owners;
        open = new OwnerTask.Updates[ownerQueues.size()];
    }

    /** Has the worker end once the parse queue is empty. */
    void stop() {
        stopping = true;
        parseQueue.wakeUp();
    }

    /** Has the worker go on with another generation. Only while the gate is closed and all workers are outside. */
    void use(Generation generation) {
        topics = generation.router(number);
        programs = generation.programs(number);
        owners = generation.owners;
    }

    @Override
    public void run() {
        try {
            work();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failure.report(e);
        } finally {
            gate.leave(number); // whatever happened, nobody shall wait for this worker
        }
    }

    private void work() throws InterruptedException {
        while (true) {
            gate.enter(number);
            MessageBatch batch = parseQueue.poll();
            if (batch != null) {
                afterTake.run();
                process(batch);
                flush();
                gate.leave(number);
                batch.clear();
                messagePool.release(batch);
                continue;
            }
            gate.leave(number);
            if (stopping) {
                return;
            }
            parseQueue.await(WAIT_NANOS);
        }
    }

    private void process(MessageBatch batch) throws InterruptedException {
        int count = batch.count();
        int unmatched = 0;
        for (int i = 0; i < count; i++) {
            IMessage message = batch.message(i);
            RejectReason reason = message.rejectReason();
            if (reason != RejectReason.NONE) {
                reject(message, reason, reason.label());
                continue;
            }
            Route route = topics.route(
                    message.bytes(), message.offset(MessageBatch.TOPIC), message.length(MessageBatch.TOPIC));
            if (route.event() < 0) {
                unmatched++;
                rejects.unmatched(message);
                continue;
            }
            handedOver = false;
            try {
                String refusal = programs[route.event()].process(message, route.active(), this);
                if (refusal != null) {
                    reject(message, RejectReason.PAYLOAD, refusal);
                }
            } catch (OwnerInterruptedException e) {
                throw (InterruptedException) new InterruptedException().initCause(e);
            } catch (RuntimeException e) {
                fail(message, e);
            }
        }
        counters.received.add(count);
        counters.batches.increment();
        if (unmatched > 0) {
            counters.unmatched.add(unmatched);
        }
        for (int reason = 1; reason < rejected.length; reason++) {
            if (rejected[reason] > 0) {
                counters.rejected(reason).add(rejected[reason]);
                rejected[reason] = 0;
            }
        }
    }

    private void reject(IMessage message, RejectReason reason, String detail) {
        rejected[reason.ordinal()]++;
        rejects.reject(message, reason, detail);
    }

    /**
     * A fault of ours: what the message wrote is taken back, and the message is kept with the rejected ones. Unless a part
     * is with an owner already: then it must not be sent again, and only the failure is counted.
     */
    private void fail(IMessage message, RuntimeException fault) {
        counters.failures.increment();
        if (logged++ < FAULTS_LOGGED) {
            LOG.log(Level.ERROR, "message not processed because of a fault in this program", fault);
        }
        for (OwnerTask.Updates updates : open) {
            if (updates != null) {
                updates.batch.dropRecordsOf(message.arrivalStamp());
            }
        }
        if (!handedOver) {
            reject(message, RejectReason.PAYLOAD, "fault in this program: " + fault);
        }
    }

    @Override
    public UpdateBatch batchFor(int summary, long hash) {
        int owner = owners[summary * Partitions.COUNT + Partitions.of(hash)];
        OwnerTask.Updates updates = open[owner];
        if (updates == null) {
            updates = updatePool.acquire();
            open[owner] = updates;
        } else if (updates.batch.limit() >= FLUSH_BYTES) {
            handOver(owner, updates);
            updates = updatePool.acquire();
            open[owner] = updates;
        }
        return updates.batch;
    }

    private void flush() throws InterruptedException {
        for (int owner = 0; owner < open.length; owner++) {
            OwnerTask.Updates updates = open[owner];
            if (updates != null) {
                open[owner] = null;
                ownerQueues.get(owner).put(updates);
            }
        }
    }

    private void handOver(int owner, OwnerTask.Updates updates) {
        handedOver = true;
        try {
            ownerQueues.get(owner).put(updates);
        } catch (InterruptedException e) {
            throw new OwnerInterruptedException(e);
        }
    }

    /** Carries an interrupt through a program, which knows nothing of queues. */
    private static final class OwnerInterruptedException extends RuntimeException {
        OwnerInterruptedException(InterruptedException cause) {
            super(cause);
        }
    }
}
