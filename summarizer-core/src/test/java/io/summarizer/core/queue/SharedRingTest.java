package io.summarizer.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Claimants that are held up between claim and read, one step at a time. */
class SharedRingTest {
    private final SharedRing<Integer> ring = new SharedRing<>(4, WaitPolicy.BLOCKING);

    @Test
    void shouldRefuseOffersButHoldUpNoOtherClaimantWhileOneIsHeldUp() {
        offer(0, 4);
        long slow = ring.claim();
        assertThat(ring.poll()).isEqualTo(1);
        assertThat(ring.poll()).isEqualTo(2);
        assertThat(ring.offer(99)).as("the slots behind that of the slow one").isFalse();
        assertThat(ring.poll()).isEqualTo(3);
        assertThat(ring.poll()).isNull();
        assertThat(ring.size()).isZero();
        assertThat(ring.offer(99)).isFalse();

        assertThat(ring.read(slow)).isZero();
        offer(4, 8);
        assertThat(ring.offer(99)).isFalse();
        for (int i = 4; i < 8; i++) {
            assertThat(ring.poll()).isEqualTo(i);
        }
    }

    @Test
    void shouldGiveSlotsBackInWhateverOrderTheyAreRead() {
        for (int lap = 0; lap < 3; lap++) {
            offer(0, 4);
            long[] claims = {ring.claim(), ring.claim(), ring.claim(), ring.claim()};
            assertThat(ring.claim()).isEqualTo(SharedRing.NONE);
            for (int i : new int[] {2, 0, 3}) {
                assertThat(ring.read(claims[i])).isEqualTo(i);
            }
            offer(4, 5); // only the first slot is free: the second is still to be read
            assertThat(ring.offer(99)).isFalse();
            assertThat(ring.read(claims[1])).isEqualTo(1);
            offer(5, 8);
            assertThat(ring.offer(99)).isFalse();
            for (int i = 4; i < 8; i++) {
                assertThat(ring.poll()).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldBeDrainedOnlyOnceWhatIsThereIsClaimed() {
        offer(0, 2);
        ring.close();
        long first = ring.claim();
        assertThat(ring.isDrained()).isFalse();
        assertThat(ring.poll()).isEqualTo(1);
        assertThat(ring.isDrained()).as("what is left is in somebody's hands").isTrue();
        assertThat(ring.read(first)).isZero();
    }

    private void offer(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(ring.offer(i)).isTrue();
        }
    }
}
