package io.summarizer.core.route;

import io.summarizer.core.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the {@link Route} of a topic's bytes. Owned by one parser worker.
 *
 * <p>Topics recur, so routes are cached by the topic's bytes in a bounded open-addressing table; a hit makes no String and
 * allocates nothing. When the table is full it is dropped and starts over; a topic too long to be cached is matched anew
 * each time.
 */
public final class TopicRouter {
    private static final int SLOTS = 4096;
    private static final int MAX_ENTRIES = SLOTS / 2;
    private static final int MAX_CACHED_BYTES = 256;

    private final List<Candidate> candidates;
    private final byte[][] keys = new byte[SLOTS][];
    private final Route[] routes = new Route[SLOTS];
    private int entries;

    /** The patterns of one event type and of each of its mappings (an empty list: all of the event's topics). */
    public record Candidate(List<TopicPattern> topics, List<List<TopicPattern>> mappings) {
        public Candidate {
            topics = List.copyOf(topics);
            mappings = List.copyOf(mappings);
        }
    }

    /** A router over event types in the plan's order. */
    public TopicRouter(List<Candidate> candidates) {
        this.candidates = List.copyOf(candidates);
    }

    /** The route of the topic in {@code bytes[offset, offset + length)}; a negative length is no topic. */
    public Route route(byte[] bytes, int offset, int length) {
        if (length < 0) {
            return Route.UNMATCHED;
        }
        if (length > MAX_CACHED_BYTES) {
            return match(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }
        int slot = (int) Bytes.hash(bytes, offset, length, 0) & (SLOTS - 1);
        for (byte[] key; (key = keys[slot]) != null; slot = (slot + 1) & (SLOTS - 1)) {
            if (key.length == length && Arrays.equals(key, 0, length, bytes, offset, offset + length)) {
                return routes[slot];
            }
        }
        Route found = match(new String(bytes, offset, length, StandardCharsets.UTF_8));
        if (entries == MAX_ENTRIES) {
            Arrays.fill(keys, null);
            Arrays.fill(routes, null);
            entries = 0;
            slot = (int) Bytes.hash(bytes, offset, length, 0) & (SLOTS - 1);
        }
        keys[slot] = Arrays.copyOfRange(bytes, offset, offset + length);
        routes[slot] = found;
        entries++;
        return found;
    }

    private Route match(String topic) {
        for (int event = 0; event < candidates.size(); event++) {
            Candidate candidate = candidates.get(event);
            if (matchesAny(candidate.topics(), topic)) {
                boolean[] active = new boolean[candidate.mappings().size()];
                for (int i = 0; i < active.length; i++) {
                    List<TopicPattern> own = candidate.mappings().get(i);
                    active[i] = own.isEmpty() || matchesAny(own, topic);
                }
                return new Route(event, active);
            }
        }
        return Route.UNMATCHED;
    }

    private static boolean matchesAny(List<TopicPattern> patterns, String topic) {
        for (TopicPattern pattern : patterns) {
            if (pattern.matches(topic)) {
                return true;
            }
        }
        return false;
    }
}
