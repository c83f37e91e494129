package io.summarizer.core.route;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the {@link Route} of a topic's bytes: the event type that takes the topic, and the mappings of this event type
 * that take the topic. Used by one parser worker; all workers share the {@link Table}. Makes no String, and allocates
 * only for new routes.
 */
public final class TopicRouter {
    private final TopicCache<Route> cache;
    private final Route noTopic;

    private TopicRouter(Table table) {
        noTopic = table.noTopic;
        cache = new TopicCache<>(table.matcher, table::route);
    }

    /** The route of the topic in {@code bytes[offset, offset + length)}; a negative length means no topic. */
    public Route route(byte[] bytes, int offset, int length) {
        return length < 0 ? noTopic : cache.get(bytes, offset, length);
    }

    /**
     * The patterns of one event type and of each of its mappings. A mapping without patterns takes all topics of the
     * event type.
     */
    public record Candidate(List<TopicPattern> topics, List<List<TopicPattern>> mappings) {
        public Candidate {
            topics = List.copyOf(topics);
            mappings = List.copyOf(mappings);
        }
    }

    /** The patterns of all event types and mappings, compiled. Immutable and shared by all threads. */
    public static final class Table {
        private final List<Candidate> candidates;
        private final TopicMatcher matcher;
        /**
         * For each pattern of the matcher, the event type and the mapping that the pattern belongs to. The mapping is
         * -1 when the pattern belongs to the event type itself.
         */
        private final List<Owner> owners = new ArrayList<>();

        private final Route noTopic;

        /** A table of event types in the plan's order. */
        public Table(List<Candidate> candidates) {
            this.candidates = List.copyOf(candidates);
            List<TopicPattern> patterns = new ArrayList<>();
            for (int event = 0; event < candidates.size(); event++) {
                Candidate candidate = candidates.get(event);
                add(patterns, candidate.topics(), event, -1);
                for (int mapping = 0; mapping < candidate.mappings().size(); mapping++) {
                    add(patterns, candidate.mappings().get(mapping), event, mapping);
                }
            }
            matcher = TopicMatcher.of(patterns);
            noTopic = route(IntStream.range(0, patterns.size())
                    .filter(pattern -> patterns.get(pattern).matchesNoTopic())
                    .toArray());
        }

        /** The route of messages without a topic. */
        public Route noTopic() {
            return noTopic;
        }

        private void add(List<TopicPattern> patterns, List<TopicPattern> more, int event, int mapping) {
            patterns.addAll(more);
            more.forEach(pattern -> owners.add(new Owner(event, mapping)));
        }

        /** A router for one thread. */
        public TopicRouter newRouter() {
            return new TopicRouter(this);
        }

        /**
         * The route of topics that match these patterns. A topic should belong to one event type only; otherwise, the
         * first event type counts.
         */
        private Route route(int[] matches) {
            for (int match : matches) {
                Owner owner = owners.get(match);
                if (owner.mapping < 0) {
                    return route(owner.event, matches);
                }
            }
            return Route.UNMATCHED;
        }

        private Route route(int event, int[] matches) {
            List<List<TopicPattern>> mappings = candidates.get(event).mappings();
            boolean[] active = new boolean[mappings.size()];
            for (int i = 0; i < active.length; i++) {
                active[i] = mappings.get(i).isEmpty();
            }
            for (int match : matches) {
                Owner owner = owners.get(match);
                if (owner.event == event && owner.mapping >= 0) {
                    active[owner.mapping] = true;
                }
            }
            return new Route(event, active);
        }

        private record Owner(int event, int mapping) {}
    }
}
