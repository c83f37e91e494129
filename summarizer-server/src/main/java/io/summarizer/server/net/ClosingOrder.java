package io.summarizer.server.net;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which connections are closed when others need their place: first those that never completed a message, then
 * those that are longest without one. Not thread-safe: guarded by its owner.
 *
 * <p>Members move on without telling: they write a field. A member is put into its right place when it comes up as the first,
 * which is correct because standings only improve. Cost: O(log n) for an entry and for each member that comes up, which it does once
 * for the messages that it completed since it was last looked at.
 */
final class ClosingOrder<M extends ClosingOrder.Member> {
    /** A connection, as far as its standing goes. Written by its event loop, read by any thread. */
    interface Member {
        /** Whether it ever completed a message. */
        boolean proven();

        /** When it last completed a message; when it came, if it never did. Never goes back. */
        long since(long now);
    }

    /** A member and the standing by which it has its place. */
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

    /** Enters a member. */
    Place<M> add(M member, long now) {
        Place<M> place = new Place<>(member, numbers++);
        place.look(now);
        places.add(place);
        return place;
    }

    /** Takes a member out, if it is still there. */
    void remove(Place<M> place) {
        places.remove(place);
    }

    /** All members, in no stated order of now. */
    Stream<M> members() {
        return places.stream().map(place -> place.member);
    }

    int size() {
        return places.size();
    }

    /**
     * The member to close first; it stays.
     *
     * @param notAfter one that completed a message after that is spared
     * @return null when there is none
     */
    @Nullable
    M first(long now, long notAfter) {
        while (!places.isEmpty()) {
            Place<M> first = places.first();
            if (first.proven && first.since - notAfter > 0) {
                return null; // as all others are behind it
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
