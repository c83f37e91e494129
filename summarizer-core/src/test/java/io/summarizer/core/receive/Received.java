package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message copied out of its batch, each byte as one character. */
record Received(
        RejectReason rejected,
        String frame,
        int facility,
        int severity,
        @Nullable String timestamp,
        @Nullable String host,
        @Nullable String appName,
        @Nullable String procId,
        @Nullable String msgId,
        @Nullable String structuredData,
        @Nullable String payload,
        @Nullable String topic) {

    static Received of(IMessage message) {
        return new Received(
                message.rejectReason(),
                Objects.requireNonNull(text(message, MessageBatch.FRAME)),
                message.facility(),
                message.severity(),
                text(message, MessageBatch.TIMESTAMP),
                text(message, MessageBatch.HOST),
                text(message, MessageBatch.APP_NAME),
                text(message, MessageBatch.PROC_ID),
                text(message, MessageBatch.MSG_ID),
                text(message, MessageBatch.STRUCTURED_DATA),
                text(message, MessageBatch.PAYLOAD),
                text(message, MessageBatch.TOPIC));
    }

    static List<Received> all(MessageBatch batch) {
        List<Received> all = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            all.add(of(batch.message(i)));
        }
        return all;
    }

    /** Parses one message. */
    static Received parse(byte[] text) {
        return parse(text, TopicRule.MSGID_OR_APP_NAME);
    }

    static Received parse(byte[] text, TopicRule rule) {
        MessageBatch batch = new MessageBatch(text.length);
        System.arraycopy(text, 0, batch.bytes(), 0, text.length);
        batch.limit(text.length);
        new EnvelopeParser(rule).parse(batch, batch.append(0, text.length));
        return of(batch.message(0));
    }

    static Received parse(String text) {
        return parse(text.getBytes(ISO_8859_1));
    }

    private static @Nullable String text(IMessage message, int field) {
        int length = message.length(field);
        return length < 0 ? null : new String(message.bytes(), message.offset(field), length, ISO_8859_1);
    }
}
