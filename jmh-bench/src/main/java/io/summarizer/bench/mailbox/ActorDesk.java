package io.summarizer.bench.mailbox;

import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.Threads;
import io.summarizer.core.queue.WaitPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An actor: one thread owns the state and reads letters from a bounded mailbox.
 *
 * <p>The actor either applies one letter after the other, or aggregates. An actor that aggregates drains the mailbox,
 * and adds each run of events with the same key to the state in one step.
 */
final class ActorDesk implements Desk {
    private static final int CAPACITY = 256;
    private static final int DRAIN_MAX = 64;
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final BatchQueue<Letter> mailbox;
    private final boolean aggregating;
    private final Tally tally = new Tally();
    private final Thread actor;

    private ActorDesk(QueueKind kind, boolean aggregating) {
        mailbox = kind.singleConsumer(CAPACITY, WaitPolicy.BLOCKING);
        this.aggregating = aggregating;
        actor = Threads.start("actor", this::read);
    }

    /** An actor that reads letters one by one. */
    static ActorDesk plain(QueueKind kind) {
        return new ActorDesk(kind, false);
    }

    /** An actor that aggregates its reads. */
    static ActorDesk aggregating(QueueKind kind) {
        return new ActorDesk(kind, true);
    }

    @Override
    public void handIn(Letter letter) throws InterruptedException {
        mailbox.put(letter);
    }

    @Override
    public Tally close() throws InterruptedException {
        mailbox.close();
        actor.join();
        return tally;
    }

    private void read() {
        try {
            List<Letter> letters = new ArrayList<>(DRAIN_MAX);
            while (!mailbox.isDrained()) {
                boolean found = aggregating ? readAll(letters) : readOne();
                if (!found) {
                    mailbox.await(PATIENCE_NANOS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean readOne() {
        Letter letter = mailbox.poll();
        if (letter == null) {
            return false;
        }
        letter.addTo(tally);
        return true;
    }

    private boolean readAll(List<Letter> letters) {
        letters.clear();
        mailbox.drain(letters, DRAIN_MAX);
        int runKey = -1;
        long count = 0;
        long sum = 0;
        for (Letter letter : letters) {
            int[] keys = letter.keys();
            long[] amounts = letter.amounts();
            for (int i = 0; i < keys.length; i++) {
                if (keys[i] != runKey) {
                    if (count > 0) {
                        tally.add(runKey, count, sum);
                    }
                    runKey = keys[i];
                    count = 0;
                    sum = 0;
                }
                count++;
                sum += amounts[i];
            }
        }
        if (count > 0) {
            tally.add(runKey, count, sum);
        }
        return !letters.isEmpty();
    }
}
