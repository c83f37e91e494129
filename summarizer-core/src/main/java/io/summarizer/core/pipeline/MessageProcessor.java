package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.Opaque;
import io.summarizer.core.ledger.AccountCounter;
import io.summarizer.core.ledger.Books;
import io.summarizer.core.ledger.EventTally;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.Verdicts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.Route;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.window.LateFlag;
import io.summarizer.core.window.WindowInput;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decodes and evaluates message batches and hands the updates over. One thread at a time. The processor shares only the
 * sinks and the counters with other threads.
 *
 * <p>The processor hands updates over when the message batch is done, or when an update batch is full. A nearly idle
 * system therefore adds no latency, and a busy system moves hundreds of events at a time.
 */
final class MessageProcessor implements UpdateRouter {
    /** Smallest number of bytes of a full update batch, in a pipeline. A full update batch is handed over. */
    static final int FLUSH_BYTES = 48 * 1024;

    private final int flushBytes;

    private final int number;
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final List<? extends UpdateSink> sinks;
    private final Ledger ledger;
    private final Faults faults;
    private final RejectSink rejects;

    /** The topics of the current generation. This field and the next five fields are replaced only between batches. */
    private TopicRouter topics;

    private EventProgram[] programs;
    private EventTally[] tallies;
    private Books books;
    /** Set when an event of the current message belongs to a closed window. */
    private LateFlag late;

    /** The windows of each summary, together with the progress of the inputs. */
    private WindowInput[] windows;

    /** The owner of each partition of each summary, by {@link Partitions#cell}. */
    private int[] owners;

    private final Partitions here;

    /** For each owner, the batch being filled. */
    private final OwnerTask.@Nullable Updates[] open;

    private final long[] rejected = new long[RejectReason.values().length];
    /** Whether records of the current message were already handed to an owner. */
    private boolean handedOver;

    /** The batch being processed, and the position of the current message in it. */
    private @Nullable MessageBatch batch;

    private int message;

    /** The open work of the current batch, if it has a receipt. */
    private @Nullable Completion completion;

    /** The verdicts of owners on the current batch; null while the batch has no updates. */
    private @Nullable Verdicts verdicts;

    private long firstStamp;
    private int listener;

    private long endSequence;

    /** Number of processed batches. Written by one thread at a time, read by any thread. */
    private final AtomicLong batches = new AtomicLong();

    /**
     * Number of processed messages from Kafka. The next field has the number of messages from Kafka in the current
     * batch.
     */
    private final AtomicLong fromKafka = new AtomicLong();

    private int fromKafkaNow;

    MessageProcessor(
            int number,
            Generation generation,
            BatchPool<OwnerTask.Updates> updatePool,
            List<? extends UpdateSink> sinks,
            Ledger ledger,
            Faults faults,
            RejectSink rejects) {
        this(number, generation, FLUSH_BYTES, updatePool, sinks, ledger, faults, rejects);
    }

    /** A processor whose update batches count as full from {@code flushBytes} bytes on. */
    MessageProcessor(
            int number,
            Generation generation,
            int flushBytes,
            BatchPool<OwnerTask.Updates> updatePool,
            List<? extends UpdateSink> sinks,
            Ledger ledger,
            Faults faults,
            RejectSink rejects) {
        this.flushBytes = flushBytes;
        this.number = number;
        this.updatePool = updatePool;
        this.sinks = sinks;
        this.ledger = ledger;
        this.faults = faults;
        this.rejects = rejects;
        use(generation);
        here = generation.summaries.here();
        open = new OwnerTask.Updates[sinks.size()];
    }

    /** Switches to another generation. Call it only while the gate is closed, so that no thread uses the processor. */
    final void use(Generation generation) {
        topics = generation.router(number);
        programs = generation.programs(number);
        tallies = generation.tallies(number);
        books = generation.books;
        late = generation.late(number);
        windows = generation.windows(number);
        owners = generation.owners;
    }

    /**
     * Processes a batch. Before the next batch, the caller has to {@linkplain #handOver hand over} all updates of this
     * batch. A caller that uses neither receipts nor verdicts may hand them over later.
     */
    void process(MessageBatch batch) throws InterruptedException {
        for (OwnerTask.Updates updates : open) {
            if (updates != null) {
                updates.batch.keepRecords();
            }
        }
        Receipt receipt = batch.receipt();
        completion = receipt == null ? null : Completion.of(receipt);
        verdicts = null;
        endSequence = Math.max(endSequence, batch.endSequence());
        Partition partition = batch.partition();
        if (partition == null) {
            evaluate(batch);
        } else {
            evaluate(batch, partition);
        }
    }

    /** Evaluates a batch from Kafka, whose events move the progress of their partition. */
    private void evaluate(MessageBatch batch, Partition partition) throws InterruptedException {
        for (WindowInput input : windows) {
            input.begin();
        }
        evaluate(batch);
        for (WindowInput input : windows) {
            input.end(partition);
        }
        fromKafkaNow = batch.count();
    }

    /**
     * Hands over the updates of the current batch to all owners whose queues are not full. Returns whether all updates
     * were handed over.
     */
    boolean handOver() {
        boolean all = true;
        for (int owner = 0; owner < open.length; owner++) {
            OwnerTask.Updates updates = open[owner];
            if (updates != null) {
                if (sinks.get(owner).offer(updates)) {
                    open[owner] = null;
                } else {
                    all = false;
                }
            }
        }
        if (all) {
            batches.setRelease(batches.getPlain() + 1);
            if (fromKafkaNow > 0) {
                fromKafka.setRelease(fromKafka.getPlain() + fromKafkaNow);
                fromKafkaNow = 0;
            }
            if (completion != null) {
                Completion ended = completion;
                completion = null;
                ended.done();
            }
        }
        return all;
    }

    /** Batches that were processed. Any thread. */
    long batches() {
        return batches.get();
    }

    /** Messages from Kafka that were processed. Any thread. */
    long fromKafka() {
        return fromKafka.get();
    }

    /** Sequence after the last batch that was processed. Read it while no worker is inside the gate. */
    long endSequence() {
        return endSequence;
    }

    private void evaluate(MessageBatch batch) throws InterruptedException {
        int count = batch.count();
        this.batch = batch;
        firstStamp = batch.firstStamp();
        listener = batch.listener();
        int unmatched = 0;
        int applied = 0;
        int taken = 0;
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
            this.message = i;
            EventProgram program = programs[route.event()];
            EventTally tally = tallies[route.event()];
            boolean[] active = route.active();
            try {
                String refusal = program.process(message, active, this);
                if (late.isRaised()) {
                    keepLate();
                }
                if (refusal == null) {
                    taken++;
                    applied += tally.took(active) ? 1 : 0;
                    if (tally.hadTooLong()) {
                        // Owners count the refusals of the mappings. The bytes of the message are available only here.
                        rejects.reject(message, RejectReason.LIMIT, program.tooLong());
                    }
                } else {
                    tally.refused(active);
                    reject(message, RejectReason.PAYLOAD, refusal);
                }
            } catch (OwnerInterruptedException e) {
                throw (InterruptedException) new InterruptedException().initCause(e);
            } catch (RuntimeException e) {
                if (fail(message, route, e)) {
                    taken++;
                    applied++;
                }
            }
        }
        this.batch = null;
        long[] row = ledger.row(listener, number);
        Opaque.add(row, AccountCounter.slot(Fate.APPLIED), applied);
        Opaque.add(row, AccountCounter.slot(Fate.FILTERED), taken - applied);
        Opaque.add(row, AccountCounter.slot(Fate.UNMATCHED), unmatched);
        for (int reason = 1; reason < rejected.length; reason++) {
            if (rejected[reason] > 0) {
                Opaque.add(row, AccountCounter.slot(Fate.of(RejectReason.of(reason))), rejected[reason]);
                rejected[reason] = 0;
            }
        }
    }

    /**
     * Sends a copy of the current message along with the updates of the message, because some updates are for closed
     * windows.
     */
    private void keepLate() {
        late.lower();
        for (OwnerTask.Updates updates : open) {
            if (updates != null) {
                keepLate(updates);
            }
        }
    }

    private void keepLate(OwnerTask.Updates updates) {
        MessageBatch from = batch;
        if (from != null && rejects.keepsLate()) {
            updates.addLate(from, message);
        }
    }

    private void reject(IMessage message, RejectReason reason, String detail) {
        rejected[reason.ordinal()]++;
        rejects.reject(message, reason, detail);
    }

    /**
     * Handles a fault of this program. Drops the updates of the message, and stores the message with the rejected
     * messages, from which it can be sent again. If an owner already has some of the updates, only counts the fault,
     * because the message must not be sent again.
     *
     * @return whether an owner has some of the updates; if so, the caller has to count the message as applied
     */
    private boolean fail(IMessage message, Route route, RuntimeException fault) {
        faults.report("message not processed because of a fault in this program", fault);
        late.lower();
        for (OwnerTask.Updates updates : open) {
            if (updates != null) {
                updates.batch.dropRecordsOf(message.arrivalStamp());
            }
        }
        EventTally tally = tallies[route.event()];
        boolean[] active = route.active();
        if (!handedOver) {
            tally.takenBack(active);
            reject(message, RejectReason.PAYLOAD, "fault in this program: " + fault);
            return false;
        }
        boolean[] mapped = new boolean[active.length];
        tally.brokenOff(active, mapped);
        for (int mapping = 0; mapping < mapped.length; mapping++) {
            if (mapped[mapping]) {
                Fate unused = ledger.find(
                        books, verdicts(), number, message.arrivalStamp(), tally.number(mapping), Fate.FAULT);
            }
        }
        return true;
    }

    private Verdicts verdicts() {
        Verdicts found = verdicts;
        if (found == null) {
            found = new Verdicts(listener, firstStamp);
            verdicts = found;
        }
        return found;
    }

    @Override
    public UpdateBatch batchFor(int summary, long hash) {
        int owner = owners[here.cellOf(summary, hash)];
        OwnerTask.Updates updates = open[owner];
        if (updates == null) {
            updates = begin(owner);
        } else if (updates.batch.limit() >= flushBytes) {
            putFull(owner, updates);
            updates = begin(owner);
        }
        return updates.batch;
    }

    /** An empty update batch for owner {@code owner}. */
    private OwnerTask.Updates begin(int owner) {
        OwnerTask.Updates updates = updatePool.acquire();
        updates.verdicts = verdicts();
        Completion waitedFor = completion;
        if (waitedFor != null) {
            waitedFor.add();
            updates.completion = waitedFor;
        }
        open[owner] = updates;
        return updates;
    }

    private void putFull(int owner, OwnerTask.Updates updates) {
        handedOver = true;
        if (late.isRaised()) {
            keepLate(updates); // it may have updates of the current message
        }
        try {
            sinks.get(owner).put(updates);
        } catch (InterruptedException e) {
            throw new OwnerInterruptedException(e);
        }
    }

    /** Wraps an InterruptedException, because a program cannot throw a checked exception. */
    private static final class OwnerInterruptedException extends RuntimeException {
        OwnerInterruptedException(InterruptedException cause) {
            super(cause);
        }
    }
}
