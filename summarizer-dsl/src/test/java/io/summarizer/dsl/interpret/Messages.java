package io.summarizer.dsl.interpret;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import java.nio.charset.StandardCharsets;

/** Messages as a receiver leaves them in a batch, with other bytes around every slice. */
public final class Messages {
    private Messages() {}

    public static IMessage add(MessageBatch batch, String topic, byte[] payload) {
        int message = batch.append(batch.limit(), 0);
        slice(batch, message, MessageBatch.HOST, "web03".getBytes(StandardCharsets.UTF_8));
        slice(batch, message, MessageBatch.APP_NAME, "adserver".getBytes(StandardCharsets.UTF_8));
        slice(batch, message, MessageBatch.PROC_ID, "4711".getBytes(StandardCharsets.UTF_8));
        slice(batch, message, MessageBatch.TIMESTAMP, "2026-11-20T00:00:00.000000Z".getBytes(StandardCharsets.UTF_8));
        slice(
                batch,
                message,
                MessageBatch.STRUCTURED_DATA,
                "[ev@32473 id=\"a\\\"b\" kind=\"k\"]".getBytes(StandardCharsets.UTF_8));
        slice(batch, message, MessageBatch.TOPIC, topic.getBytes(StandardCharsets.UTF_8));
        slice(batch, message, MessageBatch.PAYLOAD, payload);
        batch.priority(message, 134);
        return batch.message(message);
    }

    private static void slice(MessageBatch batch, int message, int field, byte[] bytes) {
        int offset = batch.limit() + 3;
        batch.ensureCapacity(offset + bytes.length + 3);
        java.util.Arrays.fill(batch.bytes(), batch.limit(), offset + bytes.length + 3, (byte) '9');
        System.arraycopy(bytes, 0, batch.bytes(), offset, bytes.length);
        batch.limit(offset + bytes.length + 3);
        batch.slice(message, field, offset, bytes.length);
    }
}
