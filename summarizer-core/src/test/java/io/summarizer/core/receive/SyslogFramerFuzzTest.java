package io.summarizer.core.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.time.ZoneOffset;
import java.util.List;

/** Any bytes at all. Runs the recorded inputs; {@code junit-platform.properties} says how to look for new ones. */
class SyslogFramerFuzzTest {
    private static final int MAX = 200;
    private static final byte[] SD_ID = {'a'};
    private static final byte[] SD_NAME = {'x'};

    /** The first byte chooses the framing, the rest is the stream. */
    @FuzzTest(maxDuration = "2m")
    void framesAndPeelsAnything(byte[] input) {
        if (input.length == 0) {
            return;
        }
        Framing framing = Framing.values()[(input[0] & 0xff) % 3];
        MessageBatch batch = new MessageBatch(input.length);
        SyslogFramer framer = Feed.framer(framing, MAX);
        framer.begin(batch);
        System.arraycopy(input, 1, batch.bytes(), 0, input.length - 1);
        batch.limit(input.length - 1);
        while (framer.frame(batch) == SyslogFramer.Outcome.FULL) {
            checkSlices(batch);
            batch = framer.carryOver(batch, new MessageBatch(input.length));
        }
        framer.end(batch);
        checkSlices(batch);
        boolean closed = framer.closed();

        List<Received> whole = feed(framing, input, input.length);
        List<Received> bytewise = feed(framing, input, 1);
        // What is kept of a broken count's surroundings depends on the reads; all before it does not.
        int comparable = closed ? whole.size() - 1 : whole.size();
        assertThat(bytewise).hasSameSizeAs(whole);
        assertThat(bytewise.subList(0, comparable)).isEqualTo(whole.subList(0, comparable));
    }

    private static List<Received> feed(Framing framing, byte[] input, int readBytes) {
        Feed feed = new Feed(Feed.framer(framing, MAX), 100, readBytes > 1);
        for (int at = 1; at < input.length; at += readBytes) {
            feed.read(input, at, Math.min(readBytes, input.length - at));
        }
        return feed.end();
    }

    private static void checkSlices(MessageBatch batch) {
        for (int i = 0; i < batch.count(); i++) {
            IMessage message = batch.message(i);
            int from = message.offset(MessageBatch.FRAME);
            int to = from + message.length(MessageBatch.FRAME);
            assertThat(from).isNotNegative();
            int bound = message.rejectReason() == RejectReason.OVERSIZE ? MAX + 1 : MAX;
            assertThat(to).isBetween(from, Math.min(from + bound, batch.limit()));
            for (int field = MessageBatch.TIMESTAMP; field <= MessageBatch.TOPIC; field++) {
                int length = message.length(field);
                if (message.rejectReason() != RejectReason.NONE) {
                    assertThat(length).isEqualTo(-1);
                }
                if (length >= 0) {
                    assertThat(message.offset(field)).isBetween(from, to);
                    assertThat(message.offset(field) + length).isBetween(from, to);
                }
            }
            if (message.length(MessageBatch.TIMESTAMP) >= 0) {
                assertThat(SyslogTime.micros(
                                message.bytes(),
                                message.offset(MessageBatch.TIMESTAMP),
                                message.length(MessageBatch.TIMESTAMP),
                                ZoneOffset.UTC,
                                0))
                        .isNotEqualTo(SyslogTime.NOT_A_TIME);
            }
            if (message.length(MessageBatch.STRUCTURED_DATA) >= 0) {
                long found = StructuredData.find(
                        message.bytes(),
                        message.offset(MessageBatch.STRUCTURED_DATA),
                        message.length(MessageBatch.STRUCTURED_DATA),
                        SD_ID,
                        SD_NAME);
                if (found != StructuredData.NOT_FOUND) {
                    assertThat(StructuredData.offset(found)).isBetween(from, to);
                    assertThat(StructuredData.offset(found) + StructuredData.length(found))
                            .isBetween(from, to);
                }
            }
        }
    }
}
