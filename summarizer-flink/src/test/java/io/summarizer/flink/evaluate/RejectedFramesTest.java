package io.summarizer.flink.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RejectedFramesTest {
    private final RejectedFrames rejected = new RejectedFrames();
    /** Texts of files by checkpoint. */
    private final Map<Long, String> files = new TreeMap<>();

    private void reject(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MessageBatch batch = new MessageBatch(bytes.length);
        batch.ensureCapacity(bytes.length);
        System.arraycopy(bytes, 0, batch.bytes(), 0, bytes.length);
        batch.limit(bytes.length);
        rejected.reject(batch.message(batch.append(0, bytes.length)), RejectReason.ENVELOPE, "");
    }

    private void write(long checkpoint, byte[] frames) {
        files.put(checkpoint, new String(frames, StandardCharsets.UTF_8));
    }

    @Test
    void eachFrameIsInOneFileOfItsCheckpoint() throws IOException {
        rejected.take(1);
        rejected.write(1, this::write);
        assertThat(files).isEmpty();
        reject("a");
        reject("bb");
        rejected.take(2);
        reject("c");
        rejected.write(2, this::write);
        assertThat(files).isEqualTo(Map.of(2L, "1 a2 bb"));
        rejected.take(3);
        rejected.write(3, this::write);
        assertThat(files).isEqualTo(Map.of(2L, "1 a2 bb", 3L, "1 c"));
    }

    @Test
    void framesOfAnAbortedCheckpointAreWrittenWithTheNext() throws IOException {
        reject("a");
        rejected.take(4);
        reject("b");
        rejected.take(5); // a savepoint that begins while 4 is written
        reject("c");
        assertThatThrownBy(() -> rejected.write(4, (checkpoint, frames) -> {
                    throw new IOException("full");
                }))
                .hasMessage("full");
        rejected.write(5, this::write);
        assertThat(files).isEqualTo(Map.of(4L, "1 a", 5L, "1 b"));
        rejected.write(4, (checkpoint, frames) -> {
            throw new AssertionError("written already");
        });
        rejected.take(6);
        rejected.write(6, this::write);
        assertThat(files).containsEntry(6L, "1 c");
    }

    @Test
    void framesThatAreNotInFilesAreBounded() throws IOException {
        String large = "x".repeat(RejectedFrames.BYTES_MAX / 2);
        reject(large);
        rejected.take(1);
        reject(large);
        reject("small");
        rejected.take(2);
        rejected.write(2, this::write);
        assertThat(files).containsEntry(2L, "5 small");
        reject(large);
        rejected.take(3);
        rejected.write(3, this::write);
        assertThat(files.get(3L)).hasSizeGreaterThan(large.length());
    }
}
