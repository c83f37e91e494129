package io.summarizer.server.net;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which connections are closed when others need their place: first the connections that never completed a
 * message, then the connections whose last complete message is the oldest. Not thread-safe: guarded by its owner.
 *
 * <p>A member that completes a message only writes a field; its place in the order does not change yet. Only when a
 * member becomes the first of the order is it moved to its right place. This is correct because the right place can
 * only be later in the order. Cost: O(log n) for each member that is added or becomes the first, however many messages
 * members complete.
 */
final class ClosingOrder<M extends ClosingOrder.Member> {
    /**
     * A connection and its standing, which decides its place in the order. The connection's event loop writes the
     * standing; any thread reads the standing.
     */
    interface Member {
        /** Whether the member ever completed a message. */
        boolean proven();

        /**
         * The time of the member's last complete message or, before its first complete message, of the member's
         * arrival. The time never decreases.
         */
        long since(long now);
    }

    /** A member, and the standing by which the member is ordered. */
    static final class Place<M extends Member> {
        private static final Comparator<Place<?>> ORDER = Place::compare;

        private final M member;
        private final long number;
        private boolean proven;
        private long since;

        private Place(M member, long number) {
            this.member = member;
            this.number = number;
        }

        private void look(long now) {
            proven = member.proven();
            since = member.since(now);
        }

        private boolean isCurrent(long now) {
            return proven == member.proven() && since == member.since(now);
        }

        private static int compare(Place<?> a, Place<?> b) {
            if (a.proven != b.proven) {
                return a.proven ? 1 : -1;
            }
            return a.since != b.since ? Long.signum(a.since - b.since) : Long.compare(a.number, b.number);
        }
    }

    private final TreeSet<Place<M>> places = new TreeSet<>(Place.ORDER);
    private long numbers;

    /** Adds a member. */
    Place<M> add(M member, long now) {
        Place<M> place = new Place<>(member, numbers++);
        place.look(now);
        places.add(place);
        return place;
    }

    /** Removes a member if it is still in the order. */
    void remove(Place<M> place) {
        places.remove(place);
    }

    /** All members, in no stated order. */
    Stream<M> members() {
        return places.stream().map(place -> place.member);
    }

    int size() {
        return places.size();
    }

    /**
     * Returns the member to close first, without removing it.
     *
     * @param notAfter a member that completed a message after this time is not returned
     * @return null when there is no member to close
     */
    @Nullable
    M first(long now, long notAfter) {
        while (!places.isEmpty()) {
            Place<M> first = places.first();
            if (first.proven && first.since - notAfter > 0) {
                return null; // all members after it are spared, too
            }
            if (first.isCurrent(now)) {
                return first.member;
            }
            places.remove(first);
            first.look(now);
            places.add(first);
        }
        return null;
    }
}
