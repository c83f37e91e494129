package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.message.RejectReason;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordFramerTest {
    private static final int MAX = 20;

    private final MessageBatch batch = new MessageBatch(8);

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }

    private void take(Source source, @Nullable String value, @Nullable String topic) {
        byte[] bytes = bytes(value);
        new RecordFramer(new RecordRule(source, source == Source.HEADER ? "topic" : "", MAX))
                .take(batch, bytes == null ? null : ByteBuffer.wrap(bytes), bytes(topic));
    }

    private @Nullable String slice(int message, int field) {
        int length = batch.length(message, field);
        return length < 0 ? null : new String(batch.bytes(), batch.offset(message, field), length, UTF_8);
    }

    private RejectReason reason(int message) {
        return batch.message(message).rejectReason();
    }

    @Test
    void aSyslogMessageIsParsedAndKeptAsItIs() {
        take(Source.SYSLOG, "<13>1 - h a - t - x", null);
        assertThat(slice(0, MessageBatch.FRAME)).isEqualTo("<13>1 - h a - t - x");
        assertThat(slice(0, MessageBatch.TOPIC)).isEqualTo("t");
        assertThat(slice(0, MessageBatch.PAYLOAD)).isEqualTo("x");
        assertThat(batch.limit()).isEqualTo(19);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", " x", "\ufeffx", "@cee:{}", "x\n", ""})
    void aBarePayloadIsExact(String payload) {
        take(Source.TOPIC, payload, "ad.click");
        assertThat(reason(0)).isEqualTo(RejectReason.NONE);
        assertThat(slice(0, MessageBatch.TOPIC)).isEqualTo("ad.click");
        assertThat(slice(0, MessageBatch.PAYLOAD)).isEqualTo(payload);
    }

    @Test
    void theFrameOfABarePayloadIsTheSameMessageOverSyslog() {
        take(Source.HEADER, "payload", "ad.click");
        MessageBatch sent = new MessageBatch(64);
        byte[] frame = Objects.requireNonNull(bytes(slice(0, MessageBatch.FRAME)));
        new DatagramFramer(1024, new EnvelopeParser(TopicRule.MSGID)).take(copy(sent, frame), 0, frame.length);
        assertThat(sent.message(0).rejectReason()).isEqualTo(RejectReason.NONE);
        for (int field : new int[] {MessageBatch.TOPIC, MessageBatch.PAYLOAD}) {
            assertThat(new String(sent.bytes(), sent.offset(0, field), sent.length(0, field), UTF_8))
                    .isEqualTo(slice(0, field));
        }
    }

    private static MessageBatch copy(MessageBatch batch, byte[] frame) {
        System.arraycopy(frame, 0, batch.bytes(), 0, frame.length);
        batch.limit(frame.length);
        return batch;
    }

    @Test
    void aLargeValueIsRejectedAndItsBeginningIsKept() {
        String large = "<13>1 - h a - t - xy"; // the largest
        take(Source.SYSLOG, large, null);
        take(Source.SYSLOG, large + "z!!", null);
        take(Source.TOPIC, "y".repeat(MAX), "t");
        take(Source.TOPIC, "y".repeat(1_000), "t");
        assertThat(reason(0)).isEqualTo(RejectReason.NONE);
        assertThat(reason(1)).isEqualTo(RejectReason.OVERSIZE);
        assertThat(slice(1, MessageBatch.FRAME)).isEqualTo(large + "z");
        assertThat(reason(2)).isEqualTo(RejectReason.NONE);
        assertThat(reason(3)).isEqualTo(RejectReason.OVERSIZE);
        assertThat(slice(3, MessageBatch.FRAME)).endsWith(" t - " + "y".repeat(MAX + 1));
    }

    @Test
    void aRecordWithoutAValueIsRejected() {
        take(Source.SYSLOG, null, null);
        take(Source.TOPIC, null, "t");
        assertThat(reason(0)).isEqualTo(RejectReason.PAYLOAD);
        assertThat(reason(1)).isEqualTo(RejectReason.PAYLOAD);
        assertThat(slice(1, MessageBatch.FRAME)).isEqualTo("<13>1 - - - - t - ");
    }

    @Test
    void aMalformedEnvelopeIsRejected() {
        take(Source.SYSLOG, "<13>1 x", null);
        assertThat(reason(0)).isEqualTo(RejectReason.ENVELOPE);
    }

    @Test
    void aMissingTopicIsNoTopicAndAnImpossibleOneIsRejected() {
        take(Source.HEADER, "x", null);
        take(Source.HEADER, "x", "");
        assertThat(reason(0)).isEqualTo(RejectReason.NONE);
        assertThat(slice(0, MessageBatch.TOPIC)).isNull();
        assertThat(slice(1, MessageBatch.TOPIC)).isNull();
        take(Source.HEADER, "x", "t".repeat(TopicRule.TOPIC_BYTES_MAX));
        assertThat(reason(2)).isEqualTo(RejectReason.NONE);
        for (String impossible : new String[] {"a b", "\u00e4", "\n", "t".repeat(TopicRule.TOPIC_BYTES_MAX + 1)}) {
            take(Source.HEADER, "x", impossible);
            assertThat(reason(batch.count() - 1)).as(impossible).isEqualTo(RejectReason.ENVELOPE);
        }
    }
}
