package io.summarizer.core.journal;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.RoomWaiters;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.receive.ArrivalClock;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The thread that appends to a journal, and its bounded queue.
 * <pre>
 *   event loops --offer--> queue --> stamp, append ... one sync for the group --> Receipt.durable() --> target
 * </pre>
 * A group consists of all batches in the queue, so groups grow with the load. If the queue has only one batch, and a
 * sender waits for its receipt, this batch is synced at once. If no sender waits for any batch of a group, the sync
 * usually comes 2 ms after the previous one. Under load, one force serves hundreds of batches. The target gets batches
 * in the order of their sequences, and only durable batches.
 *
 * <p><b>When the journal is full</b>, or the disk fails, the writer takes no more batches from the queue. So the queue
 * fills, receivers can hand over no more batches, and no receipt is notified. The writer requests a checkpoint when the
 * journal is half full, and again whenever the journal has grown by another eighth of its bound. A single request is
 * not enough, because the first checkpoint may release nothing: the previous checkpoint is kept, too, and still needs
 * its part of the journal. A failed write is repeated once a second, into another file.
 *
 * <p>{@link #offer}, {@link #onRoom} and the status methods never block and may be called by any thread. All other
 * methods block.
 *
 * <p>This class has more than 500 lines, because the loop of the thread, its queue and the status methods share one
 * state.
 */
public final class JournalWriter implements AutoCloseable {
    /** The destination of durable batches. */
    public interface Target {
        /**
         * Takes over a batch. When there is no room, the journal's thread waits in this method.
         *
         * @param whileWaiting the other duties of the journal's thread; an implementation that waits has to run {@code
         *     whileWaiting} several times in each 10 ms
         */
        void take(MessageBatch batch, Runnable whileWaiting) throws InterruptedException;
    }

    /** The state of the writer. */
    public enum State {
        /** Normal operation. */
        RUNNING,
        /** The journal has reached its bound, and waits for a checkpoint. */
        FULL,
        /** The disk fails. Batches that were not acknowledged are written again and again. */
        FAILING,
        /** Closed: no more batches are taken. */
        CLOSED,
        /** The thread has ended because of a fault of this program, see {@link #failure}. */
        DEAD
    }

    private static final Logger LOG = System.getLogger(JournalWriter.class.getName());

    /** Number of bytes after which a group is synced, even if more batches are waiting. */
    private static final int GROUP_BYTES = 4 << 20;
    /**
     * Number of batches after which a group is synced. The bound is needed because batches that were taken into a group
     * no longer count for the bound of the queue.
     */
    private static final int GROUP_BATCHES = 256;

    /** Longest wait for work. A request that arrives just after the start of a wait is delayed by up to this time. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Time without messages after which the journal records that it was synced. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Least time between syncs of groups without receipts, such as groups of messages from Kafka. The limit saves
     * processor time.
     */
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Time between two requests of a checkpoint while the disk fails. A checkpoint has the whole state. */
    private static final long FAILING_ASK_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Journal journal;
    private final ArrivalClock clock;
    private final IntFunction<TopicRule> rules;
    private final Target target;
    private final Runnable checkpointWanted;
    private final long retryNanos;
    private final long gatherNanos;

    private final BatchQueue<MessageBatch> queue;
    private final long queueBytes;
    private final RoomWaiters roomWaiters;
    private final Thread thread = new Thread(this::run, "journal");
    private final Runnable whileWaiting = this::serveControls;

    /**
     * Batches that were taken from the queue and have to wait. They did not fit into the journal, or have to be
     * appended again. They are appended before any batch that is still in the queue.
     */
    private final ArrayDeque<MessageBatch> first = new ArrayDeque<>();
    /** Batches of the current group. */
    private final List<MessageBatch> group = new ArrayList<>(GROUP_BATCHES);

    /** Requests that wait. This list is also the lock that guards the list and {@link #ended}. */
    private final ArrayDeque<ControlRequest> requests = new ArrayDeque<>();

    private boolean ended;
    private volatile boolean requested;
    /** The request that is being served. It is completed before the thread ends. */
    private @Nullable ControlRequest serving;
    /**
     * The reason why the request that is being served failed, or null. The requester gets the reason later, when the
     * journal certainly does not have the control.
     */
    private @Nullable IOException refusal;

    private long disownedAt; // time of the last attempt to write

    /** Whether the thread waits for more batches before a sync. */
    private volatile boolean gathering;

    private final LongAdder offered = new LongAdder();
    private volatile long handedOverBatches;
    private volatile long handedOver;
    private volatile State state = State.RUNNING;
    private volatile String trouble = "";
    private volatile boolean closing;
    private volatile long abandoned;
    private long taken; // batches taken by the target
    private long lastGroupAt = System.nanoTime();
    private long askBytes; // bytes of the journal at which the next checkpoint is requested
    private long askedAt;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    private record ControlRequest(Control control, CompletableFuture<Long> number) {}

    private JournalWriter(
            Journal journal,
            ArrivalClock clock,
            IntFunction<TopicRule> rules,
            Target target,
            Runnable checkpointWanted,
            int capacity,
            long queueBytes,
            long retryNanos,
            long gatherNanos) {
        this.journal = journal;
        this.clock = clock;
        this.rules = rules;
        this.target = target;
        this.checkpointWanted = checkpointWanted;
        this.retryNanos = retryNanos;
        this.gatherNanos = gatherNanos;
        this.queueBytes = queueBytes;
        queue = BatchQueue.weighed(
                QueueKind.LBQ.singleConsumer(capacity, WaitPolicy.BLOCKING), queueBytes, MessageBatch::heldBytes);
        roomWaiters = new RoomWaiters(queue);
        handedOver = journal.endSequence();
        askBytes = journal.maxBytes() / 2;
        thread.setDaemon(true); // close() waits for the thread, but a failed start must not keep the process alive
    }

    /**
     * Starts the thread. From now on, only this thread appends to the journal. The caller still has to close the
     * journal.
     *
     * @param clock gives stamps to batches that have none
     * @param rules for each listener, the rule for the topics of its messages
     * @param target destination of batches
     * @param checkpointWanted called by the journal's thread to request a checkpoint; must only schedule work
     * @param capacity capacity of the queue, in batches
     * @param queueBytes maximum number of bytes of the batches in the queue
     */
    public static JournalWriter start(
            Journal journal,
            ArrivalClock clock,
            IntFunction<TopicRule> rules,
            Target target,
            Runnable checkpointWanted,
            int capacity,
            long queueBytes) {
        return start(journal, clock, rules, target, checkpointWanted, capacity, queueBytes, RETRY_NANOS, GATHER_NANOS);
    }

    /**
     * Starts the thread, with a given pause before a failed write is repeated, and a given time between syncs of groups
     * without receipts.
     */
    static JournalWriter start(
            Journal journal,
            ArrivalClock clock,
            IntFunction<TopicRule> rules,
            Target target,
            Runnable checkpointWanted,
            int capacity,
            long queueBytes,
            long retryNanos,
            long gatherNanos) {
        JournalWriter writer = new JournalWriter(
                journal, clock, rules, target, checkpointWanted, capacity, queueBytes, retryNanos, gatherNanos);
        writer.thread.start();
        return writer;
    }

    /**
     * Hands over a batch. When the batch is durable, the receipt is notified and the target gets the batch.
     *
     * @return false when there is no room. The caller then keeps the batch, and offers it again after {@link #onRoom}.
     */
    public boolean offer(MessageBatch batch) {
        boolean hasReceipt = batch.receipt() != null; // read before another thread may use the batch
        if (queue.offer(batch)) {
            offered.increment();
            if (hasReceipt) {
                endGathering();
            }
            return true;
        }
        return false;
    }

    /**
     * Runs {@code resume} one time: immediately if the queue is less than half full, otherwise soon after the queue has
     * become less than half full. Never runs {@code resume} after the writer has stopped taking batches. {@code resume}
     * runs on the journal's thread or the caller's thread, and must only schedule work elsewhere.
     */
    public void onRoom(Runnable resume) {
        roomWaiters.add(resume);
    }

    /** Forgets {@code resume}, if {@link #onRoom} got it and did not run it. */
    public void forget(Runnable resume) {
        roomWaiters.remove(resume);
    }

    /**
     * Appends a control and waits until it is durable. The control is appended before the batches that wait in the
     * queue, and even while the target has no room.
     *
     * @return number of the control
     * @throws IOException on failure. When the {@link #state} is CLOSED or DEAD, the journal may have the control. In
     *     any other state, the journal does not have the control, and the next process will not find the control.
     * @throws InterruptedException when the thread was interrupted; the journal may have the control
     */
    public long append(Control control) throws IOException, InterruptedException {
        ControlRequest request = new ControlRequest(control, new CompletableFuture<>());
        synchronized (requests) {
            if (ended) {
                throw new IOException("the journal is closed");
            }
            requests.add(request);
            requested = true;
        }
        queue.wakeUp();
        endGathering();
        try {
            return request.number.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof IOException ? new IOException(cause.getMessage(), cause) : new IOException(e);
        }
    }

    private void endGathering() {
        if (gathering) {
            LockSupport.unpark(thread);
        }
    }

    /** The current state. */
    public State state() {
        return state;
    }

    /** Describes the present trouble; empty in normal operation. */
    public String trouble() {
        return trouble;
    }

    /**
     * A future that completes when the journal's thread dies of a fault; its value is this fault. The writer then takes
     * no more batches, and the process should end.
     */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    /** A sequence; the target has taken all messages below it. */
    public long handedOver() {
        return handedOver;
    }

    /** Number of batches that the writer took. */
    public long batchesOffered() {
        return offered.sum();
    }

    /** Number of batches that the target has taken. */
    public long batchesHandedOver() {
        return handedOverBatches;
    }

    /** Batches in the queue. */
    public int queued() {
        return queue.size();
    }

    /** Bytes of the batches in the queue. */
    public long queuedBytes() {
        return queue.bytes();
    }

    /** Upper bound on the bytes of the batches in the queue. */
    public long bytesMax() {
        return queueBytes;
    }

    /** Upper bound on the number of batches in the queue. */
    public int capacity() {
        return queue.capacity();
    }

    /**
     * Number of messages that the writer took, but could not journal before its end, because the disk failed or the
     * journal was full. None of these messages was acknowledged.
     */
    public long abandoned() {
        return abandoned;
    }

    /** Waits until the target has all batches that were handed over before this call, or until the writer has ended. */
    public void drain() throws InterruptedException {
        long wanted = offered.sum();
        while (handedOverBatches < wanted && thread.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void run() {
        try {
            while (step()) {
                // each step is a group, or a wait
            }
            state = State.CLOSED;
        } catch (Throwable fault) { // after any fault, receivers must not continue as if nothing had happened
            trouble = "stopped by a fault of this program: " + fault;
            state = State.DEAD;
            LOG.log(Level.ERROR, "the journal stops because of a fault in this program", fault);
            queue.close();
            failure.complete(fault);
        } finally {
            endRequests();
        }
    }

    /** Performs one round of the loop. Returns false when the loop has to end. */
    private boolean step() throws InterruptedException {
        serveControls();
        boolean full = false;
        try {
            full = collect() || (gather() && collect());
            journal.sync();
        } catch (IOException e) {
            failed(e);
            handOver();
            return pauseAfterFailure();
        }
        if (!group.isEmpty() || (first.isEmpty() && serving == null && state == State.FAILING)) {
            running();
        }
        boolean any = handOver();
        askAhead();
        if (full && !any) {
            return awaitRoom();
        }
        return any || full || await();
    }

    /**
     * Appends waiting batches until the group is complete. Returns true when the journal has no room for the next
     * batch.
     */
    private boolean collect() throws IOException {
        while (group.size() < GROUP_BATCHES && journal.pendingBytes() < GROUP_BYTES) {
            MessageBatch batch = first.pollFirst();
            if (batch == null) {
                batch = queue.poll();
            }
            if (batch == null) {
                return false;
            }
            if (!journal.hasRoom(batch)) {
                first.addFirst(batch);
                return true;
            }
            clock.stamp(batch);
            // The batch joins the group before it is appended. If the append fails, this batch and the earlier batches
            // of the group may be lost, and the whole group is appended again.
            group.add(batch);
            journal.append(batch, rules.apply(batch.listener()));
        }
        return false;
    }

    /**
     * Waits for more batches if there is time until the next sync. The wait ends early for a batch with a receipt, and
     * for a control. Returns whether it waited.
     */
    private boolean gather() {
        long wait = lastGroupAt + gatherNanos - System.nanoTime();
        if (wait <= 0
                || closing
                || group.isEmpty()
                || group.size() == GROUP_BATCHES
                || journal.pendingBytes() >= GROUP_BYTES) {
            return false;
        }
        for (MessageBatch batch : group) {
            if (batch.receipt() != null) {
                return false;
            }
        }
        roomWaiters.taken();
        gathering = true;
        if (queue.size() == 0 && !requested && !closing) { // these may have changed before the flag was seen
            LockSupport.parkNanos(this, wait);
        }
        gathering = false;
        return true;
    }

    /**
     * Handles a failure. Only synced batches stay in the group. The other batches are kept elsewhere, and the next
     * attempt appends them first.
     */
    private void failed(IOException e) {
        long synced = journal.syncedSequence();
        while (!group.isEmpty()) {
            MessageBatch last = group.get(group.size() - 1);
            // A range without records has no end that shows whether it was synced. Appending it twice does no harm.
            if (last.count() > 0 && last.firstSequence() >= 0 && end(last) <= synced) {
                break;
            }
            group.remove(group.size() - 1);
            last.firstSequence(MessageBatch.NOT_JOURNALLED);
            first.addFirst(last);
        }
        failing(e);
    }

    private static long end(MessageBatch batch) {
        return batch.firstSequence() + batch.count();
    }

    private static String text(IOException e) {
        return "the journal cannot be written: " + DiskErrors.describe(e);
    }

    private void failing(IOException e) {
        String text = text(e);
        if (state != State.FAILING || !trouble.equals(text)) {
            LOG.log(Level.WARNING, text + "; nothing is acknowledged meanwhile");
        }
        trouble = text;
        long pause = state == State.FAILING ? FAILING_ASK_NANOS : ASK_NANOS;
        state = State.FAILING;
        if (System.nanoTime() - askedAt > pause) {
            ask(); // a checkpoint may release segments, whose files are then used again on a full disk
        }
    }

    private void running() {
        if (state != State.RUNNING) {
            LOG.log(Level.INFO, "the journal is written again");
        }
        trouble = "";
        state = State.RUNNING;
    }

    /**
     * Notifies the receipts of the group, and hands over the batches of the group. Returns whether the group had any
     * batches.
     */
    private boolean handOver() throws InterruptedException {
        if (group.isEmpty()) {
            return false;
        }
        roomWaiters.taken();
        for (MessageBatch batch : group) {
            Receipt receipt = batch.receipt();
            if (receipt != null) {
                receipt.durable();
            }
        }
        for (MessageBatch batch : group) {
            long end = end(batch); // the target may reuse it at once
            target.take(batch, whileWaiting);
            handedOver = end;
        }
        taken += group.size();
        handedOverBatches = taken;
        group.clear();
        lastGroupAt = System.nanoTime();
        return true;
    }

    /** Waits, because there is nothing to do. */
    private boolean await() throws InterruptedException {
        roomWaiters.taken();
        if (queue.isDrained()) {
            return !isEnding();
        }
        if (requested) {
            return true;
        }
        queue.await(WAIT_NANOS);
        if (queue.size() == 0 && System.nanoTime() - lastGroupAt > IDLE_NANOS) {
            try {
                journal.markSynced();
            } catch (IOException e) {
                failing(e);
                return pauseAfterFailure();
            }
        }
        return true;
    }

    /** Pauses after a failure. Returns false when the writer is being closed; the caller must not try again then. */
    private boolean pauseAfterFailure() {
        long until = System.nanoTime() + retryNanos;
        while (System.nanoTime() < until) {
            if (closing) {
                abandon();
                return false;
            }
            refuseControls();
            LockSupport.parkNanos(this, Math.min(LOOK_NANOS, retryNanos));
        }
        return true;
    }

    /** Waits until a checkpoint has made room. Returns false when the writer is being closed. */
    private boolean awaitRoom() {
        MessageBatch next = first.getFirst();
        if (state != State.FULL) {
            journal.counters().fullStops.increment();
            trouble = "the journal is full, " + journal.liveBytes() + " bytes, and waits for a checkpoint";
            state = State.FULL;
            LOG.log(Level.WARNING, trouble);
            ask();
        }
        while (!journal.hasRoom(next)) {
            if (closing) {
                abandon();
                return false;
            }
            if (System.nanoTime() - askedAt > ASK_NANOS) {
                ask();
            }
            serveControls();
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return true;
    }

    private void askAhead() {
        long live = journal.liveBytes();
        long half = journal.maxBytes() / 2;
        long step = journal.maxBytes() / 8;
        if (live >= askBytes) {
            ask();
            askBytes = live + step;
        } else {
            askBytes = Math.max(half, Math.min(askBytes, live + step)); // after a release
        }
    }

    private void ask() {
        askedAt = System.nanoTime();
        checkpointWanted.run();
    }

    /** Drops batches that cannot be journalled before the end. They were never acknowledged. */
    private void abandon() {
        long messages = 0;
        MessageBatch batch;
        while ((batch = first.pollFirst()) != null || (batch = queue.poll()) != null) {
            messages += batch.count();
        }
        abandoned = messages; // happens once, at the end
    }

    private @Nullable ControlRequest request() {
        if (!requested) {
            return null;
        }
        synchronized (requests) {
            ControlRequest request = requests.poll();
            requested = !requests.isEmpty();
            return request;
        }
    }

    /** Serves requests for controls. Called between groups, when all appended records are synced. */
    private void serveControls() {
        ControlRequest request;
        while (answerRefused() && (request = request()) != null) {
            serving = request;
            try {
                long number = journal.appendControl(request.control);
                journal.sync();
                serving = null;
                request.number.complete(number);
            } catch (IOException e) {
                refusal = e;
                disownedAt = System.nanoTime() - retryNanos;
            }
        }
    }

    /**
     * Reports the failure of a request whose control could not be journalled. Reports it as soon as it is certain that
     * the next process cannot find the control. Returns true when all failures are reported.
     */
    private boolean answerRefused() {
        ControlRequest refused = serving;
        IOException why = refusal;
        if (refused == null || why == null) {
            return true;
        }
        if (System.nanoTime() - disownedAt < retryNanos) {
            return false;
        }
        try {
            journal.disownControls();
        } catch (IOException e) {
            disownedAt = System.nanoTime();
            failing(e);
            return false;
        }
        serving = null;
        refusal = null;
        refused.number.completeExceptionally(new IOException(text(why), why));
        return true;
    }

    private void refuseControls() {
        ControlRequest request;
        while ((request = request()) != null) {
            request.number.completeExceptionally(new IOException(trouble));
        }
    }

    /** Whether all requests are done. If so, the writer takes no more requests. Called when all batches are done. */
    private boolean isEnding() {
        synchronized (requests) {
            ended = requests.isEmpty() || serving != null; // nobody waits for a request any more
            return ended;
        }
    }

    private void endRequests() {
        ControlRequest served = serving;
        if (served != null) {
            IOException why = refusal;
            served.number.completeExceptionally(why != null ? why : new IOException("the journal is closed"));
        }
        synchronized (requests) {
            ended = true;
            for (ControlRequest request : requests) {
                request.number.completeExceptionally(new IOException("the journal is closed"));
            }
            requests.clear();
        }
    }

    /**
     * Stops taking batches, appends the waiting batches to the journal, hands them over, and ends the thread. If the
     * disk fails or the journal is full, the waiting batches are dropped; none of them was acknowledged. Not
     * interruptible.
     */
    @Override
    public void close() {
        closing = true;
        queue.close();
        endGathering();
        Waiting.uninterruptibly(thread::join);
    }
}
