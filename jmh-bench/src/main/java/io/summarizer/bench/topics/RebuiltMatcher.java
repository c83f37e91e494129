package io.summarizer.bench.topics;

import io.summarizer.core.route.TopicCache;
import io.summarizer.core.route.TopicLookup;
import io.summarizer.core.route.TopicPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The matcher of Summarizer itself, which is immutable and made from all patterns. So the first lookup after a change
 * makes a new matcher. Thread-safe: changes and rebuilds run one at a time, and lookups use the last build.
 */
public final class RebuiltMatcher implements TopicMatcher {
    private final Map<Pattern, Subscribers> subscriptions = new HashMap<>();
    private final boolean cached;

    /** The last build; null when there were changes since. */
    private volatile @Nullable Compiled compiled;

    /** The product's matcher and the subscribers of each of its patterns. */
    private static final class Compiled {
        final io.summarizer.core.route.TopicMatcher matcher;
        final List<Subscribers> subscribers;

        Compiled(io.summarizer.core.route.TopicMatcher matcher, List<Subscribers> subscribers) {
            this.matcher = matcher;
            this.subscribers = subscribers;
        }
    }

    /** State of one thread's lookups, valid until the next change. */
    static final class Lookup {
        private final Compiled of;
        private final TopicLookup lookup;
        private final @Nullable TopicCache<int[]> cache;

        private Lookup(Compiled of, boolean cached) {
            this.of = of;
            lookup = of.matcher.newLookup();
            cache = cached ? new TopicCache<>(of.matcher, patterns -> subscribers(of, patterns)) : null;
        }

        private static int[] subscribers(Compiled of, int[] patterns) {
            Matches all = new Matches();
            for (int pattern : patterns) {
                of.subscribers.get(pattern).addTo(all);
            }
            return all.toArray();
        }
    }

    /**
     * Makes a matcher without subscriptions.
     *
     * @param cached whether each thread caches the results of topics
     */
    public RebuiltMatcher(boolean cached) {
        this.cached = cached;
    }

    @Override
    public synchronized boolean subscribe(Pattern pattern, int subscriber) {
        return changed(Subscribers.subscribe(subscriptions, pattern, subscriber));
    }

    @Override
    public synchronized boolean unsubscribe(Pattern pattern, int subscriber) {
        return changed(Subscribers.unsubscribe(subscriptions, pattern, subscriber));
    }

    private boolean changed(boolean changed) {
        if (changed) {
            compiled = null;
        }
        return changed;
    }

    private synchronized Compiled rebuilt() {
        Compiled there = compiled;
        if (there == null) {
            List<TopicPattern> patterns = new ArrayList<>(subscriptions.size());
            List<Subscribers> subscribers = new ArrayList<>(subscriptions.size());
            subscriptions.forEach((pattern, its) -> {
                patterns.add(TopicPattern.of(pattern.toString()));
                subscribers.add(its);
            });
            there = new Compiled(io.summarizer.core.route.TopicMatcher.of(patterns), subscribers);
            compiled = there;
        }
        return there;
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        Compiled current = compiled;
        if (current == null) {
            current = rebuilt();
        }
        Lookup by = found.lookup;
        if (by == null || by.of != current) {
            by = new Lookup(current, cached);
            found.lookup = by;
        }
        found.clear();
        if (by.cache != null) {
            found.addAll(by.cache.get(bytes, offset, length));
            return;
        }
        int count = by.lookup.match(bytes, offset, length);
        int[] patterns = by.lookup.matches();
        for (int i = 0; i < count; i++) {
            current.subscribers.get(patterns[i]).addTo(found);
        }
    }

    @Override
    public synchronized int parts() {
        return subscriptions.size();
    }
}
