package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagePoolTest {
    /** A batch that needs no splitting passes through unchanged, and must be available again for the next read. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 512})
    void shouldMakeNoBatchOnceThoseInUseWereMade(int batchMessages) {
        MessagePool pool = new MessagePool(8, batchMessages);
        Set<MessageBatch> made = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            MessageBatch batch = pool.acquire();
            MessageBatch part = pool.acquirePart();
            made.add(batch);
            made.add(part);
            pool.release(part);
            pool.release(batch);
        }
        assertThat(made).hasSize(2);
    }

    /** A stream of tiny messages must not leave each batch with the index of thousands. */
    @Test
    void shouldLetGoOfLargeArraysAndIndexes() {
        MessagePool pool = new MessagePool(8, 0);
        MessageBatch batch = pool.acquire();
        for (int i = 0; i < 4096; i++) {
            int unused = batch.append(0, 1);
        }
        assertThat(batch.heldBytes()).isGreaterThan(350_000);
        pool.release(batch);
        assertThat(pool.acquire()).isSameAs(batch);
        assertThat(batch.heldBytes()).isLessThan(150_000);
    }

    @Test
    void shouldGiveReceiversRoomForAReadAndPartsForTheirMessages() {
        MessagePool pool = new MessagePool(8, 2);
        pool.release(pool.acquirePart());
        assertThat(pool.acquire().bytes()).hasSize(MessageBatch.DEFAULT_BYTES);
        assertThat(pool.acquirePart().heldBytes()).isLessThan(1024);
        MessageBatch grown = pool.acquirePart();
        grown.ensureCapacity(MessageBatch.DEFAULT_BYTES * 2);
        pool.release(grown);
        assertThat(pool.acquire().bytes()).hasSize(MessageBatch.DEFAULT_BYTES);
    }
}
