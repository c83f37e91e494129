package io.summarizer.bench.topics;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A matcher under one lock, so that threads can share the matcher. While a change runs, no other operation runs.
 * Lookups run at the same time unless they change the matcher.
 */
public final class LockedMatcher implements TopicMatcher {
    private final TopicMatcher matcher;
    private final Lock change;
    private final Lock lookup;

    /** Wraps {@code matcher}, which it then owns. */
    public LockedMatcher(TopicMatcher matcher) {
        this.matcher = matcher;
        ReadWriteLock lock = new ReentrantReadWriteLock();
        change = lock.writeLock();
        lookup = matcher.lookupsWrite() ? change : lock.readLock();
    }

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        change.lock();
        try {
            return matcher.subscribe(pattern, subscriber);
        } finally {
            change.unlock();
        }
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        change.lock();
        try {
            return matcher.unsubscribe(pattern, subscriber);
        } finally {
            change.unlock();
        }
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        lookup.lock();
        try {
            matcher.match(bytes, offset, length, found);
        } finally {
            lookup.unlock();
        }
    }

    @Override
    public int parts() {
        lookup.lock();
        try {
            return matcher.parts();
        } finally {
            lookup.unlock();
        }
    }
}
