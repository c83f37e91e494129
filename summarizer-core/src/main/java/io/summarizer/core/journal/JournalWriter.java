package io.summarizer.core.journal;

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
 * The thread that appends to a journal, and the bounded queue in front of it.
 * <pre>
 *   event loops --offer--> queue --> stamp, append ... one sync for the group --> Receipt.durable() --> target
 * </pre>
 * A group is what waits in the queue, so that it grows with the load: a lone batch is synced at once, under load one force
 * serves hundreds. Batches go on in the order of their sequences, and only when they are safe.
 *
 * <p><b>When the journal is full</b>, or the disk fails, nothing is taken any more: the queue fills, receivers are refused, no
 * receipt is told anything. A full journal asks for a checkpoint, first when it is half full, and again whenever it has grown by an
 * eighth of what it may hold: one checkpoint alone may release nothing, as the one before it is kept, too. A write that failed is
 * done again, once a second, into another file.
 *
 * <p>{@link #offer} and {@link #onRoom} never block and may be called by any thread; so may what tells how things are. All else
 * blocks.
 */
public final class JournalWriter implements AutoCloseable {
    /** Where batches go once they are safe. */
    public interface Target {
        /**
         * Takes a batch for good; the journal's thread waits here when there is no room.
         *
         * @param whileWaiting to be called every now and then, some times in each 10 ms, while this waits: the journal's thread has
         *     other duties
         */
        void take(MessageBatch batch, Runnable whileWaiting) throws InterruptedException;
    }

    /** How things are. */
    public enum State {
        /** All is well. */
        RUNNING,
        /** The journal is as large as it may be, and waits for a checkpoint. */
        FULL,
        /** The disk fails; what was not acknowledged is written again and again. */
        FAILING,
        /** Closed: nothing is taken any more. */
        CLOSED,
        /** Ended by a fault of this program, see {@link #failure}. */
        DEAD
    }

    private static final Logger LOG = System.getLogger(JournalWriter.class.getName());

    /** Bytes after which a group is synced, though more waits. */
    private static final int GROUP_BYTES = 4 << 20;
    /** Batches after which a group is synced: what is taken from the queue is out of its bound. */
    private static final int GROUP_BATCHES = 256;

    /** A request that just misses the wait is served when this is over. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** After so long without messages the journal says that it was synced. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Journal journal;
    private final ArrivalClock clock;
    private final IntFunction<TopicRule> rules;
    private final Target target;
    private final Runnable checkpointWanted;
    private final long retryNanos;

    private final BatchQueue<MessageBatch> queue;
    private final long queueBytes;
    private final RoomWaiters roomWaiters;
    private final Thread thread = new Thread(this::run, "journal");
    private final Runnable whileWaiting = this::serveControls;

    /** Batches taken from the queue that come first: what did not fit, or has to be appended again. */
    private final ArrayDeque<MessageBatch> first = new ArrayDeque<>();
    /** Batches of the group at hand. */
    private final List<MessageBatch> group = new ArrayList<>(GROUP_BATCHES);

    /** Guarded by itself, as is {@link #ended}. */
    private final ArrayDeque<ControlRequest> requests = new ArrayDeque<>();

    private boolean ended;
    private volatile boolean requested;
    /** The request that is being served: answered when the thread ends, if not before. */
    private @Nullable ControlRequest serving;
    /** Why that one is refused, as soon as it is certain that its control is not in the journal. */
    private @Nullable IOException refusal;

    private long disownedAt; // tried

    private final LongAdder offered = new LongAdder();
    private volatile long handedOverBatches;
    private volatile long handedOver;
    private volatile State state = State.RUNNING;
    private volatile String trouble = "";
    private volatile boolean closing;
    private volatile long abandoned;
    private long taken; // batches, by the target
    private long lastGroupAt = System.nanoTime();
    private long askBytes; // of the journal from which on it asks for a checkpoint
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
            long retryNanos) {
        this.journal = journal;
        this.clock = clock;
        this.rules = rules;
        this.target = target;
        this.checkpointWanted = checkpointWanted;
        this.retryNanos = retryNanos;
        this.queueBytes = queueBytes;
        queue = BatchQueue.weighed(
                QueueKind.LBQ.singleConsumer(capacity, WaitPolicy.BLOCKING), queueBytes, MessageBatch::heldBytes);
        roomWaiters = new RoomWaiters(queue);
        handedOver = journal.endSequence();
        askBytes = journal.maxBytes() / 2;
        thread.setDaemon(true); // closing waits for it; a failed start must not keep the process alive
    }

    /**
     * Starts the thread. The journal is its own from now on, as far as appending goes; closing it stays with the caller.
     *
     * @param clock gives stamps to batches that have none
     * @param rules by listener, how topics are found in its messages
     * @param target where batches go
     * @param checkpointWanted called by the journal's thread when the journal fills up; must only schedule work
     * @param capacity of the queue, in batches
     * @param queueBytes of the batches in the queue, at most
     */
    public static JournalWriter start(
            Journal journal,
            ArrivalClock clock,
            IntFunction<TopicRule> rules,
            Target target,
            Runnable checkpointWanted,
            int capacity,
            long queueBytes) {
        return start(journal, clock, rules, target, checkpointWanted, capacity, queueBytes, RETRY_NANOS);
    }

    /** The same with another pause before a write that failed is done again. */
    static JournalWriter start(
            Journal journal,
            ArrivalClock clock,
            IntFunction<TopicRule> rules,
            Target target,
            Runnable checkpointWanted,
            int capacity,
            long queueBytes,
            long retryNanos) {
        JournalWriter writer =
                new JournalWriter(journal, clock, rules, target, checkpointWanted, capacity, queueBytes, retryNanos);
        writer.thread.start();
        return writer;
    }

    /**
     * Hands a batch over. Its receipt is told when it is safe; then it goes to the target.
     *
     * @return false when there is no room: the batch stays with the caller, who offers it again after {@link #onRoom} said so
     */
    public boolean offer(MessageBatch batch) {
        if (queue.offer(batch)) {
            offered.increment();
            return true;
        }
        return false;
    }

    /**
     * Has {@code resume} run once, soon after the queue fell below half full; at once when it is already; never when nothing is taken
     * any more. It runs on the journal's thread or the caller's, and must do no more than schedule work elsewhere.
     */
    public void onRoom(Runnable resume) {
        roomWaiters.add(resume);
    }

    /**
     * Appends a control and waits until it is safe. Comes before the batches that wait in the queue, and is done also while the
     * target has no room.
     *
     * @return its number
     * @throws IOException when that failed: the control is not in the journal, and will not be found there by the next process; or, when
     *     the {@link #state} is CLOSED or DEAD, it may or may not be
     * @throws InterruptedException when it may or may not be in the journal
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
        try {
            return request.number.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof IOException ? new IOException(cause.getMessage(), cause) : new IOException(e);
        }
    }

    /** How things are. */
    public State state() {
        return state;
    }

    /** What the matter is, for people; empty while all is well. */
    public String trouble() {
        return trouble;
    }

    /** Completed with its cause when the journal's thread has died of a fault. Nothing is taken from then on; the process should end. */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    /** Messages with a smaller sequence were taken by the target. */
    public long handedOver() {
        return handedOver;
    }

    /** Batches in the queue. */
    public int queued() {
        return queue.size();
    }

    /** Bytes of the batches in the queue. */
    public long queuedBytes() {
        return queue.bytes();
    }

    /** Bytes the queue has room for. */
    public long bytesMax() {
        return queueBytes;
    }

    /** Batches the queue has room for. */
    public int capacity() {
        return queue.capacity();
    }

    /** Messages that were taken and, as the disk failed or the journal was full to the end, not journalled; nobody was told that they were. */
    public long abandoned() {
        return abandoned;
    }

    /** Waits until the target has everything that was handed over before the call, or the writer has ended. */
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
        } catch (Throwable fault) { // whatever it is, receivers must not go on as if all were well
            trouble = "stopped by a fault of this program: " + fault;
            state = State.DEAD;
            LOG.log(Level.ERROR, "the journal stops because of a fault in this program", fault);
            queue.close();
            failure.complete(fault);
        } finally {
            endRequests();
        }
    }

    /** One round; false at the end. */
    private boolean step() throws InterruptedException {
        serveControls();
        boolean full = false;
        try {
            full = collect();
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

    /** Appends what waits, up to a group; true when the journal has no room for the next batch. */
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
            // Among them before it is appended: an append that fails may have left behind what was before.
            group.add(batch);
            journal.append(batch, rules.apply(batch.listener()));
        }
        return false;
    }

    /** What was synced goes on, the rest comes first next time. */
    private void failed(IOException e) {
        long synced = journal.syncedSequence();
        while (!group.isEmpty()) {
            MessageBatch last = group.get(group.size() - 1);
            if (last.firstSequence() >= 0 && end(last) <= synced) {
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

    private void failing(IOException e) {
        String text = String.valueOf(e.getMessage());
        if (state != State.FAILING || !trouble.equals(text)) {
            LOG.log(Level.WARNING, "the journal cannot be written, nothing is acknowledged meanwhile: " + text);
        }
        trouble = text;
        state = State.FAILING;
    }

    private void running() {
        if (state != State.RUNNING) {
            LOG.log(Level.INFO, "the journal is written again");
        }
        trouble = "";
        state = State.RUNNING;
    }

    /** Tells the receipts of the group, and hands its batches over; whether there were any. */
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
            long end = end(batch); // the target may use it for something else at once
            target.take(batch, whileWaiting);
            handedOver = end;
        }
        taken += group.size();
        handedOverBatches = taken;
        group.clear();
        lastGroupAt = System.nanoTime();
        return true;
    }

    /** Nothing is there to do. */
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

    /** A little while; false when the writer is being closed, and cannot wait for a better time. */
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

    /** Until a checkpoint made room; false when the writer is being closed. */
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
            askBytes = Math.max(half, Math.min(askBytes, live + step)); // where some was released
        }
    }

    private void ask() {
        askedAt = System.nanoTime();
        checkpointWanted.run();
    }

    /** What was never acknowledged, and cannot be journalled before the end. */
    private void abandon() {
        long messages = 0;
        MessageBatch batch;
        while ((batch = first.pollFirst()) != null || (batch = queue.poll()) != null) {
            messages += batch.count();
        }
        abandoned = messages; // this happens once, as the last thing
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

    /** Between groups: nothing is appended that is not synced. */
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

    /** Says so to who asked for a control that could not be journalled, once nobody can find it there; whether nobody waits for that. */
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
        refused.number.completeExceptionally(why);
        return true;
    }

    private void refuseControls() {
        ControlRequest request;
        while ((request = request()) != null) {
            request.number.completeExceptionally(new IOException(trouble));
        }
    }

    /** All batches are done with: whether all requests are, too. None is taken from then on. */
    private boolean isEnding() {
        synchronized (requests) {
            ended = requests.isEmpty() || serving != null; // which nobody can wait for now
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
     * Takes nothing any more, journals and hands over what waits, and ends the thread. While the disk fails or the journal is full
     * what waits is given up instead; nobody was told that it is safe. An interrupt does not cut it short.
     */
    @Override
    public void close() {
        closing = true;
        queue.close();
        Waiting.uninterruptibly(thread::join);
    }
}
