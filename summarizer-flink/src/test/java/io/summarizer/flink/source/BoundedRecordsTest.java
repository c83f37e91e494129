package io.summarizer.flink.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class BoundedRecordsTest {
    private static BoundedRecords records(boolean isKey, String header) {
        Properties properties = new Properties();
        BoundedRecords.use(properties, 10, header);
        Map<String, Object> settings = new HashMap<>();
        properties.forEach((name, value) -> settings.put((String) name, value));
        BoundedRecords records = new BoundedRecords();
        records.configure(settings, isKey);
        return records;
    }

    /** A buffer in the middle of a larger one, as Kafka's client passes them. */
    private static ByteBuffer slice(String text) {
        byte[] all = ("before" + text + "after").getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(all, 6, text.length()).slice();
    }

    private static RecordHeader header(String name, String value) {
        return new RecordHeader(slice(name), slice(value));
    }

    @Test
    void theBeginningOfAValueIsCopied() {
        BoundedRecords values = records(false, "");
        for (String value : new String[] {"", "short", "0123456789", "0123456789x"}) {
            ByteBuffer data = slice(value);
            assertThat(values.deserialize("t", new RecordHeaders(), data))
                    .isEqualTo(value.getBytes(StandardCharsets.UTF_8));
            assertThat(data.position()).isZero(); // the client reads it again after an error
        }
        assertThat(values.deserialize("t", new RecordHeaders(), slice("0123456789xy")))
                .as("one byte more than a message may have")
                .isEqualTo("0123456789x".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void keysAreLeftOut() {
        assertThat(records(true, "").deserialize("t", new RecordHeaders(), slice("a key")))
                .isEmpty();
    }

    @Test
    void onlyTheLastHeaderWithTheTopicIsKeptAndIsACopy() {
        for (boolean isKey : new boolean[] {false, true}) {
            Headers headers = new RecordHeaders(new RecordHeader[] {
                header("kind", "first"), header("large", "x".repeat(1000)), header("kind", "last"), header("other", "")
            });
            var unused = records(isKey, "kind").deserialize("t", headers, slice("v"));
            assertThat(headers.toArray()).hasSize(1);
            assertThat(headers.lastHeader("kind").value()).isEqualTo("last".getBytes(StandardCharsets.UTF_8));
            Headers all = new RecordHeaders(new RecordHeader[] {header("kind", "first")});
            unused = records(isKey, "").deserialize("t", all, slice("v"));
            assertThat(all.toArray()).isEmpty();
        }
    }

    @Test
    void aPollHasFewerRecordsWhenMessagesMayBeLarge() {
        for (int[] expected : new int[][] {{1 << 10, 500}, {1 << 18, 255}, {1 << 20, 63}, {1 << 30, 1}}) {
            Properties properties = new Properties();
            BoundedRecords.use(properties, expected[0], "");
            assertThat(properties).containsEntry("max.poll.records", String.valueOf(expected[1]));
        }
    }

    @Test
    void aHeaderThatIsNoTopicIsCut() {
        Headers headers = new RecordHeaders(new RecordHeader[] {header("kind", "x".repeat(1_000_000))});
        var unused = records(false, "kind").deserialize("t", headers, slice("v"));
        assertThat(headers.lastHeader("kind").value()).hasSize(256);
    }
}
