package io.summarizer.bench.mailbox;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A desk with a lock for each stripe of keys. Each event takes the lock of its stripe. Several threads can work at the
 * same time, at the price of taking a lock for each event.
 */
final class StripedDesk implements Desk {
    /** The number of partitions of a summary. */
    private static final int STRIPES = 16;

    private final ReentrantLock[] locks = new ReentrantLock[STRIPES];
    private final Tally tally = new Tally();

    StripedDesk() {
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    @Override
    public void handIn(Letter letter) {
        int[] keys = letter.keys();
        long[] amounts = letter.amounts();
        for (int i = 0; i < keys.length; i++) {
            // Neighbouring keys belong to one stripe, so that different stripes write to different cache lines.
            ReentrantLock lock = locks[keys[i] / (Tally.KEYS / STRIPES)];
            lock.lock();
            try {
                tally.add(keys[i], 1, amounts[i]);
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public Tally close() {
        for (ReentrantLock lock : locks) {
            lock.lock();
        }
        try {
            return tally;
        } finally {
            for (ReentrantLock lock : locks) {
                lock.unlock();
            }
        }
    }
}
