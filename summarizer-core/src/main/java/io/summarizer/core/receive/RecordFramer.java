package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RejectReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes one message of each Kafka record. If the value of a record is a syslog message, the value is the frame. If the
 * value is a bare payload, the frame is a header of RFC 5424 and the payload, with the topic as MSGID. Every frame has
 * the form of a syslog message, so a kept frame can be sent again.
 *
 * <p>The payload is exactly the value: no byte at the beginning is taken for a BOM or a separator. One thread;
 * allocates nothing per record.
 */
public final class RecordFramer {
    private static final byte[] HEADER = "<13>1 - - - - ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NIL = {'-'};
    private static final byte[] HEADER_END = " - ".getBytes(StandardCharsets.US_ASCII);

    private final RecordRule rule;
    private final EnvelopeParser envelope = new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME);

    /** A framer for records by this rule. */
    public RecordFramer(RecordRule rule) {
        this.rule = rule;
    }

    /** Upper bound on the bytes that {@link #take} appends for a value of {@code length} bytes. */
    public int bytesMax(int length) {
        return HEADER.length
                + TopicRule.TOPIC_BYTES_MAX
                + HEADER_END.length
                + Math.min(length, rule.messageBytesMax() + 1);
    }

    /**
     * Appends a record to the batch, and moves the batch's {@link MessageBatch#limit()}.
     *
     * @param value the value; null when the record has no value. The position of the buffer does not change
     * @param topic the topic of a bare payload; null when there is no topic, or when the value has the topic
     */
    public void take(MessageBatch batch, @Nullable ByteBuffer value, byte @Nullable [] topic) {
        if (rule.source() == RecordRule.Source.SYSLOG && value != null) {
            syslog(batch, value);
        } else {
            bare(batch, value, topic);
        }
    }

    private void syslog(MessageBatch batch, ByteBuffer value) {
        int from = batch.limit();
        int length = append(batch, value);
        int message = batch.append(from, length);
        if (length > rule.messageBytesMax()) {
            batch.reject(message, RejectReason.OVERSIZE);
        } else {
            envelope.parse(batch, message);
        }
    }

    /**
     * Appends the value. Shortens a value above the bound to one byte more than the bound. Returns the number of
     * appended bytes.
     */
    private int append(MessageBatch batch, ByteBuffer value) {
        int from = batch.limit();
        // Keep one byte above the bound, as DatagramFramer does: if the kept frame is sent again, it is rejected again.
        int length = Math.min(value.remaining(), rule.messageBytesMax() + 1);
        batch.ensureCapacity(from + length);
        value.get(value.position(), batch.bytes(), from, length);
        batch.limit(from + length);
        return length;
    }

    private void bare(MessageBatch batch, @Nullable ByteBuffer value, byte @Nullable [] topic) {
        byte[] name = topic != null && topic.length > 0 ? topic : NIL;
        boolean named = name != NIL;
        boolean sound = !named || isTopic(name);
        int from = batch.limit();
        append(batch, HEADER);
        int topicAt = batch.limit();
        append(batch, sound ? name : NIL);
        int topicEnd = batch.limit();
        append(batch, HEADER_END);
        int payloadAt = batch.limit();
        int length = value == null ? 0 : append(batch, value);
        int message = batch.append(from, batch.limit() - from);
        if (value == null) {
            batch.reject(message, RejectReason.PAYLOAD);
        } else if (length > rule.messageBytesMax()) {
            batch.reject(message, RejectReason.OVERSIZE);
        } else if (!sound) {
            batch.reject(message, RejectReason.ENVELOPE);
        } else {
            batch.slice(message, MessageBatch.PAYLOAD, payloadAt, length);
            if (named) {
                batch.slice(message, MessageBatch.MSG_ID, topicAt, topicEnd - topicAt);
                batch.slice(message, MessageBatch.TOPIC, topicAt, topicEnd - topicAt);
            }
        }
    }

    private static void append(MessageBatch batch, byte[] bytes) {
        int from = batch.limit();
        batch.ensureCapacity(from + bytes.length);
        System.arraycopy(bytes, 0, batch.bytes(), from, bytes.length);
        batch.limit(from + bytes.length);
    }

    /** Whether bytes are a possible MSGID: printable ASCII without spaces, within the bound on topics. */
    private static boolean isTopic(byte[] topic) {
        if (topic.length > TopicRule.TOPIC_BYTES_MAX) {
            return false;
        }
        for (byte b : topic) {
            if (b <= ' ' || b == 0x7f) {
                return false;
            }
        }
        return true;
    }
}
