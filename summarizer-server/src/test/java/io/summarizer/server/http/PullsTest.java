package io.summarizer.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The places of pulls, and the order in which queries are compiled. */
class PullsTest {
    private final Pulls pulls = new Pulls(1, 4);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        goOn.countDown();
    }

    private static final class Pull implements Pulls.Holder {
        private final InetAddress address;
        private Duration waited = Duration.ZERO;
        private boolean displaced;

        Pull(int client) {
            address = client(client);
        }

        Pull waited(long seconds) {
            waited = Duration.ofSeconds(seconds);
            return this;
        }

        @Override
        public @Nullable InetAddress address() {
            return address;
        }

        @Override
        public long waitedNanos() {
            return waited.toNanos();
        }

        @Override
        public boolean displace() {
            displaced = true;
            return true;
        }
    }

    private static InetAddress client(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldLeaveHalfOfThePlacesToOtherAddresses() {
        Pull first = new Pull(1);
        assertThat(pulls.begin(first)).isTrue();
        assertThat(pulls.begin(new Pull(1))).isTrue();
        assertThat(pulls.begin(new Pull(1))).isFalse();
        assertThat(pulls.begin(new Pull(2))).isTrue();
        assertThat(pulls.begin(new Pull(2))).isTrue();
        assertThat(pulls.begin(new Pull(3))).isFalse();
        assertThat(pulls.underWay()).isEqualTo(4);
        pulls.end(first);
        assertThat(pulls.begin(new Pull(3))).isTrue();
    }

    @Test
    void shouldGiveThePlaceOfThePullThatWaitsLongestToANewOne() {
        List<Pull> held =
                List.of(new Pull(1).waited(10), new Pull(1).waited(11), new Pull(2).waited(15), new Pull(2).waited(12));
        held.forEach(pull -> assertThat(pulls.begin(pull)).isTrue());
        assertThat(pulls.begin(new Pull(1))).isTrue();
        assertThat(held).extracting(pull -> pull.displaced).containsExactly(false, true, false, false);
        assertThat(pulls.begin(new Pull(1))).as("10 s are not enough").isFalse();
        assertThat(pulls.begin(new Pull(3))).isTrue();
        assertThat(pulls.begin(new Pull(3))).isTrue();
        assertThat(held).extracting(pull -> pull.displaced).containsExactly(false, true, true, true);
        assertThat(pulls.begin(new Pull(4))).isFalse();
        assertThat(pulls.underWay()).isEqualTo(4);
        held.forEach(pulls::end);
        assertThat(pulls.underWay())
                .as("the place of a displaced pull is gone once")
                .isEqualTo(3);
    }

    @Test
    void shouldCompileShortQueriesAndThoseOfOtherClientsBeforeManyLongOnes() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch last = new CountDownLatch(5);
        CountDownLatch begun = new CountDownLatch(1);
        pulls.compile(client(1), 1_000, () -> {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        begun.await();
        compile(1, 1_000, "long", order, last);
        compile(1, 1_000, "second long", order, last);
        compile(1, 1_000, "third long", order, last);
        compile(1, 10, "short", order, last);
        compile(2, 1_500, "longer of another client", order, last);
        goOn.countDown();
        last.await();
        assertThat(order).containsExactly("short", "long", "longer of another client", "second long", "third long");
    }

    private void compile(int client, int length, String name, List<String> order, CountDownLatch last) {
        pulls.compile(client(client), length, () -> {
            order.add(name);
            last.countDown();
        });
    }
}
