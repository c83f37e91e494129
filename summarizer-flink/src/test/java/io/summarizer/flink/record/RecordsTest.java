package io.summarizer.flink.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.store.UpdateBatch;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;

class RecordsTest {
    private static <T> T sent(RecordType<T> type, T record) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(16);
        type.createSerializer(new SerializerConfigImpl()).serialize(record, out);
        DataOutputSerializer copied = new DataOutputSerializer(16);
        type.createSerializer(new SerializerConfigImpl())
                .copy(new DataInputDeserializer(out.getCopyOfBuffer()), copied);
        DataInputDeserializer in = new DataInputDeserializer(copied.getCopyOfBuffer());
        T read = type.createSerializer(new SerializerConfigImpl()).deserialize(in);
        assertThat(in.available()).isZero();
        return read;
    }

    @Test
    void updatesAreTheSameAfterTheNetwork() throws IOException {
        long seed = Seeds.first();
        System.out.println("summarizer.seed=" + seed);
        Random random = new Random(seed);
        int compressed = 0;
        int plain = 0;
        try (GroupUpdates.Packer packer = new GroupUpdates.Packer();
                GroupUpdates.Unpacker unpacker = new GroupUpdates.Unpacker()) {
            for (int i = 0; i < 300; i++) {
                byte[] bytes = new byte[i < 3 ? i : random.nextInt(i % 10 == 0 ? 300_000 : 2_000)];
                random.nextBytes(bytes);
                if (i % 2 == 0) { // can be compressed
                    Arrays.fill(bytes, bytes.length / 4, bytes.length, (byte) i);
                }
                UpdateBatch batch = new UpdateBatch(256);
                System.arraycopy(bytes, 0, batch.reserve(bytes.length), 0, bytes.length);
                batch.limit(bytes.length);
                GroupUpdates packed = packer.pack(i, batch);
                assertThat(packed.length()).isLessThanOrEqualTo(bytes.length);
                compressed += packed.length() < bytes.length ? 1 : 0;
                plain += packed.length() == bytes.length ? 1 : 0;
                GroupUpdates read = sent(RecordType.UPDATES, packed);
                assertThat(read.keyGroup()).isEqualTo(i);
                UpdateBatch unpacked = unpacker.unpack(read);
                assertThat(Arrays.copyOf(unpacked.bytes(), unpacked.limit())).isEqualTo(bytes);
            }
        }
        assertThat(compressed).isPositive();
        assertThat(plain).isPositive();
    }

    @Test
    void progressAndDecisionsAreTheSameAfterTheNetwork() throws IOException {
        for (Decision decision :
                List.of(new Decision.Boundary(3, Long.MIN_VALUE + 1), new Decision.Committed(Long.MAX_VALUE))) {
            assertThat(sent(RecordType.DECISION, decision)).isEqualTo(decision);
        }
        Progress progress = sent(RecordType.PROGRESS, new Progress("orders-3", new long[] {-1, Long.MAX_VALUE}, 77));
        assertThat(progress.input()).isEqualTo("orders-3");
        assertThat(progress.marks()).containsExactly(-1, Long.MAX_VALUE);
        assertThat(progress.idleMillis()).isEqualTo(77);
    }

    @Test
    void flinkAssignsEachRepresentativeToItsKeyGroup() {
        for (int keyGroups = 1; keyGroups <= 1 << 15; keyGroups *= 2) {
            Integer[] representatives = KeyGroups.representatives(keyGroups);
            assertThat(representatives).hasSize(keyGroups);
            for (int group = 0; group < keyGroups; group++) {
                assertThat(KeyGroupRangeAssignment.assignToKeyGroup(representatives[group], keyGroups))
                        .isEqualTo(group);
            }
        }
    }
}
