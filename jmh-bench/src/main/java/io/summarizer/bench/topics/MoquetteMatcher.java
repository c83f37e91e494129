package io.summarizer.bench.topics;

import io.moquette.broker.subscriptions.CTrie;
import io.moquette.broker.subscriptions.Subscription;
import io.moquette.broker.subscriptions.Topic;
import io.netty.handler.codec.mqtt.MqttQoS;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The subscription trie of the MQTT broker Moquette, a rival. {@code *} becomes {@code +}, and dots become slashes.
 * Thread-safe like the trie.
 *
 * <p>This matcher does less than the others, and their test suite does not cover it. MQTT allows {@code #} only at the
 * end, so a {@code #} elsewhere becomes {@code +}. In MQTT, an empty word has another meaning than here. The methods
 * that change subscriptions do not tell whether they changed anything. Patterns are parsed before they are added, as
 * for the other matchers. Each lookup makes a topic from bytes, as a broker does.
 */
public final class MoquetteMatcher implements TopicMatcher {
    private final CTrie trie = trie();
    private final Map<Pattern, Topic> filters = new ConcurrentHashMap<>();

    /**
     * Makes the trie by reflection, because the trie's constructor is not public. The public classes around the trie
     * are no alternative, because they would also write to a store of the broker.
     */
    private static CTrie trie() {
        try {
            Constructor<CTrie> constructor = CTrie.class.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("not the Moquette that this is written for", e);
        }
    }

    private Topic filter(Pattern pattern) {
        return filters.computeIfAbsent(pattern, MoquetteMatcher::translated);
    }

    /** Drops the cache of parsed patterns, which a broker would not have. */
    void forgetTranslations() {
        filters.clear();
    }

    private static Topic translated(Pattern pattern) {
        StringBuilder filter = new StringBuilder();
        for (int i = 0; i < pattern.count(); i++) {
            filter.append(i == 0 ? "" : "/");
            if (pattern.isStar(i) || (pattern.isHash(i) && i < pattern.count() - 1)) {
                filter.append('+');
            } else {
                filter.append(new String(pattern.word(i), StandardCharsets.UTF_8));
            }
        }
        Topic topic = new Topic(filter.toString());
        topic.getTokens();
        return topic;
    }

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        trie.addToTree(new Subscription(Integer.toString(subscriber), filter(pattern), MqttQoS.AT_MOST_ONCE));
        return true;
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        trie.removeFromTree(filter(pattern), Integer.toString(subscriber));
        return true;
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.clear();
        String topic = new String(bytes, offset, length, StandardCharsets.ISO_8859_1).replace('.', '/');
        for (Subscription subscription : trie.recursiveMatch(new Topic(topic))) {
            found.add(subscription.getClientId().length()); // any number; a broker would use the string
        }
    }

    @Override
    public int parts() {
        return trie.size();
    }
}
