package io.summarizer.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InputEventTest {
    private static final int SLOTS = 200;

    @Test
    void clearsARangeOfSlotsAndNoOther() throws BadPayloadException {
        InputEvent event = new InputEvent();
        int record = event.newRecord(SLOTS);
        int[] ends = {0, 1, 5, 63, 64, 65, 127, 128, 129, 199, SLOTS};
        for (int first : ends) {
            for (int end : ends) {
                for (int slot = 0; slot < SLOTS; slot++) {
                    event.set(record, slot, slot);
                }
                event.clear(record, first, end);
                for (int slot = 0; slot < SLOTS; slot++) {
                    assertThat(event.has(record, slot))
                            .as("slot %d after %d to %d", slot, first, end)
                            .isEqualTo(slot < first || slot >= end);
                }
            }
        }
    }

    @Test
    void letsGoOfScratchSpaceBeyondWhatIsKept() {
        InputEvent event = new InputEvent(1 << 20);
        assertThat(event.reserveScratch(100_000)).isTrue();
        event.scratchLimit(100_000);
        event.clearScratch(1 << 20);
        assertThat(event.scratchLimit()).isZero();
        assertThat(event.scratch().length).isGreaterThanOrEqualTo(100_000);
        event.clearScratch(64 * 1024);
        assertThat(event.scratch().length).isLessThan(1024);
        assertThat(event.reserveScratch(1 << 20)).isTrue();
    }
}
