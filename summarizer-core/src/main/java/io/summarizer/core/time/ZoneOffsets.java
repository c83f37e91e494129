package io.summarizer.core.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Converts between UTC and the local time of a zone, both in seconds since 1970-01-01T00:00:00. The offsets come from
 * {@link ZoneRules} and are kept in a table, so that a conversion allocates nothing. Immutable.
 *
 * <p>The rules for future years have no end. However, the Gregorian calendar repeats after 400 years, and so do
 * transitions whose rules depend on months and weekdays. The table therefore ends about 400 years after the last
 * transition that does not follow such a rule.
 */
final class ZoneOffsets {
    /** Length of 400 years, which is a whole number of weeks. */
    private static final long CYCLE = 146_097L * 86_400;

    private static final long OFFSET_MAX = ZoneOffset.MAX.getTotalSeconds();

    /**
     * The tables of all zones with changing offsets that were used so far; at most one table for each zone that the JDK
     * knows.
     */
    private static final Map<ZoneId, ZoneOffsets> CHANGING = new ConcurrentHashMap<>();

    /** The seconds at which the offset changes, ascending. */
    private final long[] transitions;
    /** For each transition, the offset before it; then the offset after the last transition. */
    private final int[] offsets;
    /** End of the table. Each later second has the same offset as the second one cycle earlier. */
    private final long end;

    private ZoneOffsets(ZoneId zone) {
        ZoneRules rules = zone.getRules();
        List<ZoneOffsetTransition> dated = rules.getTransitions();
        int year = dated.isEmpty()
                ? 1970
                : dated.get(dated.size() - 1).getDateTimeAfter().getYear() + 2;
        end = LocalDate.of(year, 1, 1).toEpochDay() * 86_400 + CYCLE;
        // To convert local times shortly before the end, a transition shortly after the end may be needed.
        List<ZoneOffsetTransition> all = Stream.iterate(
                        rules.nextTransition(Instant.MIN),
                        next -> next != null && next.toEpochSecond() < end + 2 * OFFSET_MAX,
                        next -> rules.nextTransition(next.getInstant()))
                .toList();
        transitions =
                all.stream().mapToLong(ZoneOffsetTransition::toEpochSecond).toArray();
        offsets = IntStream.concat(
                        IntStream.of(rules.getOffset(Instant.MIN).getTotalSeconds()),
                        all.stream().mapToInt(next -> next.getOffsetAfter().getTotalSeconds()))
                .toArray();
    }

    /** The offsets of {@code zone}. */
    static ZoneOffsets of(ZoneId zone) {
        return zone.getRules().isFixedOffset()
                ? new ZoneOffsets(zone)
                : CHANGING.computeIfAbsent(zone, ZoneOffsets::new);
    }

    /** The local time at a second. */
    long toLocal(long second) {
        return second + offsets[period(second - beyond(second))];
    }

    /**
     * The first second whose local time is {@code local} or later. When the clocks skip {@code local}, this is the
     * second at which they are set forward. When the clocks show {@code local} twice, this is the earlier second.
     */
    long firstSecond(long local) {
        long beyond = beyond(local);
        long target = local - beyond;
        int period = period(target - OFFSET_MAX);
        while (period < transitions.length && transitions[period] + offsets[period] <= target) {
            period++;
        }
        long second = target - offsets[period];
        return beyond + (period == 0 ? second : Math.max(second, transitions[period - 1]));
    }

    /** The number of the period, between two transitions, that contains a second of the table. */
    private int period(long second) {
        int at = Arrays.binarySearch(transitions, second);
        return at >= 0 ? at + 1 : ~at;
    }

    /**
     * The multiple of {@link #CYCLE} to subtract from a second, so that the result is in the table; 0 if the second
     * itself is in the table.
     */
    private long beyond(long second) {
        return second < end ? 0 : (Math.floorDiv(second - end, CYCLE) + 1) * CYCLE;
    }
}
