package io.summarizer.flink.source;

import io.summarizer.core.receive.TopicRule;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Takes from Kafka's client only the parts of a record that a job needs: the beginning of the value, and the header
 * that has the topic. Bounds the memory for these parts. A record that was compressed well may be much larger than the
 * bytes that were fetched. A slice of such a record, for example a header, would keep the whole record in memory. One
 * thread.
 *
 * <p>Kafka's client calls this class for each key and value that is not null. Each call removes the headers that the
 * job does not need, unless there are more than {@value #HEADERS_MAX} headers. So a record keeps its headers until it
 * is evaluated if it has too many headers, or neither key nor value. The number of such records is bounded by the
 * number of records in a poll.
 */
public final class BoundedRecords implements Deserializer<byte[]> {
    /**
     * Maximum number of headers that are removed: the time to remove them from Kafka's list grows with the square of
     * their number.
     */
    private static final int HEADERS_MAX = 256;
    /**
     * Maximum number of bytes of a header that are kept. This maximum is one byte more than a topic may have, so that
     * the beginning of a longer value is not taken for a topic.
     */
    private static final int HEADER_BYTES_MAX = TopicRule.TOPIC_BYTES_MAX + 1;
    /** Bytes of the values of one poll, at most. */
    private static final int POLL_BYTES_MAX = 64 << 20;
    /** Maximum number of records of a poll: the default of Kafka's client. */
    private static final int POLL_RECORDS_MAX = 500;

    private static final String VALUE_BYTES_MAX = "summarizer.value.bytes.max";
    private static final String HEADER = "summarizer.header";
    private static final byte[] NONE = {};

    private boolean isKey;
    private int valueBytesMax;
    private String header = "";

    /** Made by Kafka's client. */
    public BoundedRecords() {}

    /**
     * Makes the consumers of a source use this class. If the settings do not limit the number of records of a poll,
     * sets a limit that follows from the bound on a message.
     *
     * @param messageBytesMax bound on a message. One more byte of a value is kept, so that a value that is too large is
     *     recognized
     * @param header the header that is needed; empty when none is
     */
    static void use(Properties consumer, int messageBytesMax, String header) {
        consumer.setProperty(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, BoundedRecords.class.getName());
        consumer.setProperty(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, BoundedRecords.class.getName());
        consumer.setProperty(VALUE_BYTES_MAX, String.valueOf(messageBytesMax + 1));
        consumer.setProperty(HEADER, header);
        var unused = consumer.putIfAbsent(
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                String.valueOf(Math.max(1, Math.min(POLL_RECORDS_MAX, POLL_BYTES_MAX / (messageBytesMax + 1)))));
    }

    @Override
    public void configure(Map<String, ?> settings, boolean isKey) {
        this.isKey = isKey;
        valueBytesMax = Integer.parseInt(String.valueOf(settings.get(VALUE_BYTES_MAX)));
        header = String.valueOf(settings.get(HEADER));
    }

    @Override
    public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
        removeOthers(headers);
        if (isKey) {
            return NONE;
        }
        byte[] value = new byte[Math.min(data.remaining(), valueBytesMax)];
        data.get(data.position(), value);
        return value;
    }

    private void removeOthers(Headers headers) {
        Header[] all = headers.toArray(); // makes nothing for a record without headers
        if (all.length == 0 || all.length > HEADERS_MAX) {
            return;
        }
        Header found = header.isEmpty() ? null : headers.lastHeader(header);
        byte[] value = found == null ? null : found.value();
        for (Header each : all) {
            headers.remove(each.key());
        }
        if (found != null) {
            byte[] kept =
                    value == null || value.length <= HEADER_BYTES_MAX ? value : Arrays.copyOf(value, HEADER_BYTES_MAX);
            headers.add(found.key(), kept);
        }
    }

    @Override
    public byte[] deserialize(String topic, byte[] data) {
        throw new IllegalStateException("Kafka's client passes buffers");
    }
}
