package io.summarizer.bench.mailbox;

import java.util.concurrent.locks.ReentrantLock;

/** A desk with one lock, held while all events of a letter are added. */
final class LockedDesk implements Desk {
    private final ReentrantLock lock = new ReentrantLock();
    private final Tally tally = new Tally();

    @Override
    public void handIn(Letter letter) {
        lock.lock();
        try {
            letter.addTo(tally);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Tally close() {
        lock.lock();
        try {
            return tally;
        } finally {
            lock.unlock();
        }
    }
}
