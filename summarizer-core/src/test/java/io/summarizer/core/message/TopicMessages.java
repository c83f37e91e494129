package io.summarizer.core.message;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Messages that have a topic and a payload, and no envelope. */
public final class TopicMessages {
    private TopicMessages() {}

    /** Appends a message. */
    public static void append(MessageBatch batch, String topic, String payload) {
        byte[] text = (topic + payload).getBytes(UTF_8);
        int offset = batch.limit();
        batch.ensureCapacity(offset + text.length);
        System.arraycopy(text, 0, batch.bytes(), offset, text.length);
        batch.limit(offset + text.length);
        int message = batch.append(offset, text.length);
        int length = topic.getBytes(UTF_8).length;
        batch.slice(message, MessageBatch.TOPIC, offset, length);
        batch.slice(message, MessageBatch.PAYLOAD, offset + length, text.length - length);
    }
}
