package io.summarizer.bench.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Late events against Flink's tumbling windows. {@link OurWindows} looks at the boundary after each message, which the
 * service does a few times a second, so that both ways see the same watermark at each event. Then both ways call the
 * same events late.
 *
 * <p>The rules differ in three points, of which {@link FlinkWindows} takes two from us:
 *
 * <ul>
 *   <li>Flink's watermark {@code w} says that times up to and including {@code w} are over, and a window is over when
 *       {@code w} reaches its last time. So the watermark of a bound is {@code greatest - bound - 1}, and the last time
 *       is {@code end - 1}: a window is over when {@code greatest >= end + bound}, as it is for us.
 *   <li>Flink's times are in ms and ours in µs. Its operators only compare and add times, so here they get µs.
 *   <li>For us, an event moves the watermark to its arrival if its time is after its arrival; and an event that is too
 *       far ahead has no window and moves nothing. The watermark generator and a filter before it do so for Flink.
 * </ul>
 */
@Timeout(300)
class LatenessTest {
    private static final long MILLI = 1_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long MINUTE = 60 * SECOND;
    private static final long START = 1_700_000_000L * SECOND;
    private static final int EVENTS = 400;

    /** Shapes of streams. */
    private enum Shape {
        SORTED,
        /** Each event is at most {@code close after} behind the greatest time before it. */
        SHUFFLED,
        /** Some events are up to several windows behind. */
        STRAGGLERS,
        /** Several windows at a time have no events. */
        GAPS,
        /** Times at the ends of windows, and at the times of their closing, one µs more or less. */
        EDGES,
        /** The clocks of some senders are ahead, some by more than is allowed, and messages arrive with a delay. */
        AHEAD,
        /** All of this, around the year 1970. */
        MIXED
    }

    @Test
    void shouldCallTheSameEventsLateAsFlink() throws Exception {
        run(Seeds.count(40));
    }

    @Test
    @Tag("long")
    void shouldCallTheSameEventsLateAsFlinkForManySeeds() throws Exception {
        run(Seeds.count(1_000));
    }

    private static void run(int seeds) throws Exception {
        long first = Seeds.first();
        Set<Shape> withLate = EnumSet.noneOf(Shape.class);
        Set<Shape> withEarly = EnumSet.noneOf(Shape.class);
        for (long seed = first; seed < first + seeds; seed++) {
            Shape shape = Shape.values()[Math.floorMod(seed, Shape.values().length)];
            Random random = new Random(seed);
            TumblingWidth width = TumblingWidth.random(random);
            List<TimedEvent> events = events(shape, width, random);
            OurWindows.Fates ours = OurWindows.fates(width, events);
            FlinkWindows.Fates flinks = FlinkWindows.fates(width, events);
            String stream = shape + " " + width + ", " + Seeds.replay(seed);
            assertThat(ours.late()).as("late in %s", stream).isEqualTo(flinks.late());
            assertThat(ours.rowsByWindow())
                    .as("events of each window in %s", stream)
                    .isEqualTo(flinks.rowsByWindow());
            if (!ours.late().isEmpty()) {
                withLate.add(shape);
            }
            if (ours.early() > 0) {
                withEarly.add(shape);
            }
        }
        if (seeds >= 40) {
            assertThat(withLate).contains(Shape.STRAGGLERS, Shape.EDGES, Shape.AHEAD, Shape.MIXED);
            assertThat(withLate).doesNotContain(Shape.SORTED, Shape.SHUFFLED, Shape.GAPS);
            assertThat(withEarly).contains(Shape.AHEAD, Shape.MIXED);
        }
    }

    private static List<TimedEvent> events(Shape shape, TumblingWidth width, Random random) {
        List<TimedEvent> events = new ArrayList<>();
        long clock = shape == Shape.MIXED ? -EVENTS / 2 * SECOND : START + random.nextLong(width.micros());
        for (int i = 0; i < EVENTS; i++) {
            Shape now = shape == Shape.MIXED ? Shape.values()[random.nextInt(Shape.MIXED.ordinal())] : shape;
            clock += 1 + random.nextLong(width.micros() / 20);
            if (now == Shape.GAPS && random.nextInt(20) == 0) {
                clock += random.nextLong(5 * width.micros());
            }
            long time = switch (now) {
                case SORTED, GAPS, MIXED -> clock;
                case SHUFFLED -> clock - random.nextLong(width.closeAfterMicros() + 1);
                case STRAGGLERS ->
                    clock
                            - (random.nextInt(10) == 0
                                    ? random.nextLong(4 * width.micros() + width.closeAfterMicros())
                                    : 0);
                case EDGES -> {
                    long end = Math.floorDiv(clock, width.micros()) * width.micros();
                    long close = random.nextBoolean() ? width.closeAfterMicros() : 0;
                    yield end + close - random.nextInt(3) * width.micros() + random.nextInt(3) - 1;
                }
                case AHEAD -> clock + (random.nextInt(10) == 0 ? random.nextLong(2 * OurWindows.AHEAD_MICROS) : 0);
            };
            long delay = now == Shape.AHEAD ? random.nextLong(2 * (width.micros() + width.closeAfterMicros())) : MINUTE;
            long arrival = (now == Shape.AHEAD ? clock : Math.max(time, clock)) + delay;
            events.add(new TimedEvent(i, time, arrival));
        }
        return events;
    }
}
