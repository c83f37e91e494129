package io.summarizer.bench.topics;

import java.util.HashMap;
import java.util.Map;

/** A matcher with a hash map from patterns to subscribers. A lookup compares every pattern with the topic. */
public final class NaiveMatcher implements TopicMatcher {
    private final Map<Pattern, Subscribers> subscriptions = new HashMap<>();

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        return Subscribers.subscribe(subscriptions, pattern, subscriber);
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        return Subscribers.unsubscribe(subscriptions, pattern, subscriber);
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.clear();
        found.words.set(bytes, offset, length);
        for (Map.Entry<Pattern, Subscribers> entry : subscriptions.entrySet()) {
            if (entry.getKey().matches(found.words)) {
                entry.getValue().addTo(found);
            }
        }
    }

    @Override
    public int parts() {
        return subscriptions.size();
    }
}
