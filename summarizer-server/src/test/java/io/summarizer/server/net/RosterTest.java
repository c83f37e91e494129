package io.summarizer.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.net.Roster.Admission;
import io.summarizer.server.net.Roster.Bound;
import io.summarizer.server.net.Roster.Seat;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RosterTest {
    private static final Duration SPARE = Duration.ofSeconds(10);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // soon it overflows
    private final Map<String, Seat<String>> seats = new HashMap<>();

    private Roster<String> roster(int max, int maxOfAddress) {
        return new Roster<>(max, maxOfAddress, SPARE, false, nanos::get);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private Admission<String> admit(Roster<String> roster, String name, String address) {
        nanos.incrementAndGet();
        Admission<String> admission = roster.admit(name, address(address));
        Seat<String> seat = admission.seat();
        if (seat != null) {
            seats.put(name, seat);
        }
        return admission;
    }

    private void completed(String name) {
        seat(name).completed(nanos.incrementAndGet());
    }

    private Seat<String> seat(String name) {
        return Objects.requireNonNull(seats.get(name));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void shouldDisplaceWhoNeverCompletedAMessageThenWhoIsLongestWithout() {
        Roster<String> roster = roster(3, 3);
        admit(roster, "early", "192.0.2.1");
        admit(roster, "silent", "192.0.2.2");
        admit(roster, "late", "192.0.2.3");
        completed("late");
        pass(Duration.ofSeconds(1));
        completed("early");
        pass(SPARE.plusSeconds(1));

        Admission<String> fourth = admit(roster, "fourth", "192.0.2.4");
        assertThat(fourth.displaced()).isEqualTo("silent");
        assertThat(fourth.bound()).isEqualTo(Bound.TOTAL);
        completed("fourth");
        assertThat(admit(roster, "fifth", "192.0.2.5").displaced()).isEqualTo("late");
        completed("fifth");
        assertThat(admit(roster, "sixth", "192.0.2.6").displaced()).isEqualTo("early");
        completed("sixth");
        assertThat(roster.size()).isEqualTo(3);
    }

    @Test
    void shouldRefuseTheNewOneWhenAllOthersDoWell() {
        Roster<String> roster = roster(2, 2);
        admit(roster, "a", "192.0.2.1");
        admit(roster, "b", "192.0.2.2");
        completed("a");
        completed("b");
        pass(Duration.ofSeconds(9));
        Admission<String> third = admit(roster, "c", "192.0.2.3");
        assertThat(third.seat()).isNull();
        assertThat(third.displaced()).isNull();
        assertThat(third.bound()).isEqualTo(Bound.TOTAL);
        pass(Duration.ofSeconds(2));
        completed("a");
        assertThat(admit(roster, "c", "192.0.2.3").displaced()).isEqualTo("b");
    }

    @Test
    void shouldSpareWhoWaitsForThisSideHoweverLong() {
        Roster<String> roster = roster(2, 2);
        admit(roster, "waits", "192.0.2.1");
        admit(roster, "idle", "192.0.2.2");
        completed("waits");
        seat("waits").busy(true, nanos.get());
        completed("idle");
        pass(Duration.ofHours(1));
        assertThat(admit(roster, "c", "192.0.2.3").displaced()).isEqualTo("idle");
        completed("c");
        assertThat(admit(roster, "d", "192.0.2.4").seat()).isNull();
        seat("waits").busy(false, nanos.get());
        pass(Duration.ofSeconds(9));
        completed("c");
        pass(Duration.ofSeconds(2));
        assertThat(admit(roster, "d", "192.0.2.4").displaced()).isEqualTo("waits");
    }

    @Test
    void shouldNotTakeAWaitForACompleteMessage() {
        Roster<String> roster = roster(2, 2);
        admit(roster, "never completed any", "192.0.2.1");
        seat("never completed any").busy(true, nanos.get());
        admit(roster, "completed one", "192.0.2.2");
        completed("completed one");
        pass(Duration.ofHours(1));
        seat("never completed any").busy(false, nanos.get());
        assertThat(admit(roster, "c", "192.0.2.3").displaced()).isEqualTo("never completed any");
    }

    @Test
    void shouldDisplaceWhoIsBusyForLongestWhenNothingElseIsLeftWhereThatIsTheRule() {
        Roster<String> roster = new Roster<>(2, 2, SPARE, true, nanos::get);
        for (String name : List.of("a", "b")) {
            admit(roster, name, "192.0.2.1");
            completed(name);
            seat(name).busy(true, nanos.incrementAndGet());
        }
        pass(Duration.ofSeconds(9));
        assertThat(admit(roster, "c", "192.0.2.3").seat()).isNull();
        pass(Duration.ofSeconds(2));
        assertThat(admit(roster, "c", "192.0.2.3").displaced()).isEqualTo("a");
        assertThat(admit(roster, "d", "192.0.2.3").displaced())
                .as("never asked")
                .isEqualTo("c");
    }

    @Test
    void shouldDisplaceWithinTheAddressWhoseBoundIsMet() {
        Roster<String> roster = roster(10, 2);
        admit(roster, "other", "192.0.2.9"); // the oldest of all
        admit(roster, "a", "192.0.2.1");
        admit(roster, "b", "192.0.2.1");
        Admission<String> third = admit(roster, "c", "192.0.2.1");
        assertThat(third.displaced()).isEqualTo("a");
        assertThat(third.bound()).isEqualTo(Bound.ADDRESS);
        assertThat(roster.size()).isEqualTo(3);
    }

    @Test
    void shouldForgetAddressesWithoutConnections() {
        Roster<String> roster = roster(100, 2);
        for (int i = 0; i < 100; i++) {
            admit(roster, "c" + i, "192.0.2." + i);
        }
        assertThat(roster.addresses()).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            roster.leave(seat("c" + i));
            roster.leave(seat("c" + i));
        }
        assertThat(roster.addresses()).isZero();
        assertThat(roster.size()).isZero();
        for (int i = 0; i < 5; i++) {
            assertThat(roster.admit("no address " + i, null).seat()).isNotNull();
        }
    }

    /** Compares with a list that is searched. */
    @Test
    void shouldDisplaceAsAPlainModelDoes() {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        Roster<String> roster = roster(8, 3);
        List<Model> model = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            pass(Duration.ofMillis(1 + random.nextInt(3000)));
            int action = random.nextInt(4);
            if (action == 0 && !model.isEmpty()) {
                Model one = model.get(random.nextInt(model.size()));
                if (random.nextInt(8) == 0) {
                    roster.leave(seat(one.name));
                    model.remove(one);
                } else {
                    completed(one.name);
                    one.proven = true;
                    one.since = nanos.get();
                }
            } else if (action == 1) {
                String name = "c" + i;
                String address = "192.0.2." + random.nextInt(4);
                Admission<String> admission = admit(roster, name, address);
                Model expected = expected(model, address);
                boolean full = isFull(model, address);
                assertThat(admission.displaced())
                        .as("seed %d, step %d", seed, i)
                        .isEqualTo(expected == null ? null : expected.name);
                assertThat(admission.seat() == null)
                        .as("seed %d, step %d", seed, i)
                        .isEqualTo(full && expected == null);
                if (expected != null) {
                    model.remove(expected);
                }
                if (admission.seat() != null) {
                    model.add(new Model(name, address, nanos.get()));
                }
            }
        }
    }

    private static boolean isFull(List<Model> model, String address) {
        return model.size() >= 8
                || model.stream().filter(one -> one.address.equals(address)).count() >= 3;
    }

    private @Nullable Model expected(List<Model> model, String address) {
        List<Model> ofAddress =
                model.stream().filter(one -> one.address.equals(address)).toList();
        List<Model> among = ofAddress.size() >= 3 ? ofAddress : model.size() >= 8 ? model : List.of();
        Model worst = null;
        for (Model one : among) {
            if (worst == null
                    || (worst.proven && !one.proven)
                    || (worst.proven == one.proven && one.since - worst.since < 0)) {
                worst = one;
            }
        }
        boolean spared = worst == null || (worst.proven && nanos.get() - worst.since < SPARE.toNanos());
        return spared ? null : worst;
    }

    private static final class Model {
        private final String name;
        private final String address;
        private boolean proven;
        private long since;

        Model(String name, String address, long since) {
            this.name = name;
            this.address = address;
            this.since = since;
        }
    }
}
