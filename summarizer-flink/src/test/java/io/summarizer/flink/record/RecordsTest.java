package io.summarizer.flink.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.UpdateBatch;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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

    /** A batch of records of one key; in many of them, some bytes are random. */
    private static UpdateBatch batch(Random random, int size) {
        UpdateBatch batch = new UpdateBatch(256);
        int length = UpdateBatch.KEY_OFFSET + random.nextInt(80);
        int noise = random.nextInt(3) * (length - UpdateBatch.KEY_OFFSET) / 2;
        for (int i = 0; batch.limit() + length <= size; i++) {
            batch.beginRow();
            byte[] bytes = batch.reserve(length);
            Arrays.fill(bytes, batch.limit(), batch.limit() + length, (byte) 0);
            Bytes.putLong(bytes, batch.limit() + UpdateBatch.STAMP_OFFSET, i);
            for (int j = 0; j < noise; j++) {
                bytes[batch.limit() + UpdateBatch.KEY_OFFSET + j] = (byte) random.nextInt(i % 2 == 0 ? 256 : 8);
            }
            batch.limit(batch.limit() + length);
            batch.endRow();
        }
        return batch;
    }

    /** Adds a guarded record of the key of all records. */
    private static void guarded(UpdateBatch batch, int mapping, long stamp) {
        batch.guard(0, true, stamp);
        batch.beginRow();
        byte[] bytes = batch.reserve(UpdateBatch.KEY_OFFSET);
        Arrays.fill(bytes, batch.limit(), batch.limit() + UpdateBatch.KEY_OFFSET, (byte) 0);
        Bytes.putInt(bytes, batch.limit() + UpdateBatch.SUMMARY_OFFSET, UpdateBatch.target(0, mapping));
        Bytes.putLong(bytes, batch.limit() + UpdateBatch.STAMP_OFFSET, stamp);
        batch.limit(batch.limit() + UpdateBatch.KEY_OFFSET);
        batch.endRow();
    }

    @Test
    void updatesAreTheSameAfterTheNetwork() throws IOException {
        long seed = Seeds.first();
        System.out.println("summarizer.seed=" + seed);
        Random random = new Random(seed);
        Set<GroupUpdates.Form> forms = EnumSet.noneOf(GroupUpdates.Form.class);
        try (GroupUpdates.Packer packer = new GroupUpdates.Packer();
                GroupUpdates.Unpacker unpacker = new GroupUpdates.Unpacker()) {
            for (int i = 0; i < 400; i++) {
                int size = random.nextInt(i % 10 == 0 ? 300_000 : 4_000);
                UpdateBatch batch = batch(random, size);
                if (i % 4 == 3 && size > 100) { // so that the records are not combined
                    guarded(batch, 0, 2_000_000);
                    guarded(batch, 1, 3_000_000);
                }
                byte[] bytes = Arrays.copyOf(batch.bytes(), batch.limit());
                GroupUpdates packed = packer.pack(i, batch);
                forms.add(packed.form());
                GroupUpdates read = sent(RecordType.UPDATES, packed);
                assertThat(read.keyGroup()).isEqualTo(i);
                assertThat(read.plainBytes()).isEqualTo(bytes.length);
                UpdateBatch unpacked = unpacker.unpack(read);
                assertThat(Arrays.copyOf(unpacked.bytes(), unpacked.limit())).isEqualTo(bytes);
            }
        }
        assertThat(forms).hasSize(3);
    }

    @Test
    void repeatedTextsOfOneLengthAreCompressedAndNotCombined() {
        Random random = new Random(5);
        byte[][] texts = new byte[20][64];
        for (byte[] text : texts) {
            random.nextBytes(text);
        }
        UpdateBatch batch = new UpdateBatch(256);
        for (int i = 0; i < 500; i++) {
            batch.beginRow();
            byte[] bytes = batch.reserve(UpdateBatch.KEY_OFFSET + 64);
            Arrays.fill(bytes, batch.limit(), batch.limit() + UpdateBatch.KEY_OFFSET, (byte) 0);
            Bytes.putLong(bytes, batch.limit() + UpdateBatch.STAMP_OFFSET, i);
            System.arraycopy(texts[random.nextInt(texts.length)], 0, bytes, batch.limit() + UpdateBatch.KEY_OFFSET, 64);
            batch.limit(batch.limit() + UpdateBatch.KEY_OFFSET + 64);
            batch.endRow();
        }
        try (GroupUpdates.Packer packer = new GroupUpdates.Packer()) {
            GroupUpdates packed = packer.pack(0, batch);
            assertThat(packed.form()).isEqualTo(GroupUpdates.Form.COMPRESSED);
            assertThat(packed.length()).isLessThan(batch.limit() / 5);
        }
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
        assertThat(progress.clearMillis()).isEqualTo(77);
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
