package io.summarizer.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollMemoryTest {
    private static final int BYTES_MAX = 1_000;

    private final PollMemory memory = new PollMemory(BYTES_MAX);
    private final Bounded<byte[]> keys = Bounded.keys(memory);
    private final Bounded<ByteBuffer> values = Bounded.values(memory, () -> {});

    @BeforeEach
    void begin() {
        memory.begin();
    }

    private static Headers headers(int count) {
        Headers headers = new RecordHeaders();
        for (int i = 0; i < count; i++) {
            headers.add(new RecordHeader("", new byte[0]));
        }
        return headers;
    }

    /** A view of one byte of an array. */
    private static ByteBuffer view(byte[] whole) {
        return ByteBuffer.wrap(whole).slice(0, 1);
    }

    private void value(ByteBuffer value) {
        assertThat(values.deserialize("t", headers(0), value)).isSameAs(value);
    }

    private void assertEnough() {
        assertThatThrownBy(() -> value(ByteBuffer.allocate(1))).isInstanceOf(PollMemory.EnoughException.class);
    }

    @Test
    void theFirstRecordOfAPollIsTakenWhateverItsSize() {
        value(ByteBuffer.allocate(50 * BYTES_MAX));
        assertEnough();
        memory.begin();
        value(ByteBuffer.allocate(50 * BYTES_MAX));
    }

    @Test
    void recordsAreTakenUntilTheBound() {
        for (int i = 0; i < BYTES_MAX; i++) {
            value(ByteBuffer.allocate(1));
        }
        assertEnough();
    }

    @Test
    void aSmallValueCountsWithTheWholeRecord() {
        value(view(new byte[BYTES_MAX]));
        assertEnough();
    }

    @Test
    void theKeyOfARecordWithoutAValueCountsWithTheWholeRecord() {
        assertThat(keys.deserialize("t", headers(0), view(new byte[BYTES_MAX]))).isEmpty();
        assertEnough();
    }

    @Test
    void recordsOfOneArrayCountItOnce() {
        byte[] shared = new byte[50 * BYTES_MAX];
        for (int i = 0; i < 10; i++) {
            value(view(shared));
        }
        assertEnough();
    }

    @Test
    void headersCountByTheirNumber() {
        byte[] shared = new byte[10];
        values.deserialize("t", headers(BYTES_MAX), view(shared));
        value(view(shared));
        assertThatThrownBy(() -> values.deserialize("t", headers(1), view(shared)))
                .isInstanceOf(PollMemory.EnoughException.class);
    }

    @Test
    void aRecordWithKeyAndValueCountsOnce() {
        byte[] whole = new byte[10];
        Headers headers = headers(BYTES_MAX);
        keys.deserialize("t", headers, view(whole));
        values.deserialize("t", headers, view(whole));
        for (int i = 10; i < BYTES_MAX; i++) {
            value(ByteBuffer.allocate(1));
        }
        assertEnough();
    }

    @Test
    void recordsWithoutHeadersAllocateNothing() {
        PollMemory large = new PollMemory(Long.MAX_VALUE);
        Bounded<ByteBuffer> taken = Bounded.values(large, () -> {});
        Headers[] headers = new Headers[10_000];
        ByteBuffer[] buffers = new ByteBuffer[headers.length];
        for (int i = 0; i < headers.length; i++) {
            headers[i] = headers(0);
            buffers[i] = ByteBuffer.allocate(1);
        }
        taken.deserialize("t", headers[0], buffers[0]);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < headers.length; i++) {
            taken.deserialize("t", headers[i], buffers[i]);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(headers.length);
    }
}
