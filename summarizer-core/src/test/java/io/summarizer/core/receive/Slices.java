package io.summarizer.core.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.time.ZoneOffset;

/** Invariants of the slices of every message. */
final class Slices {
    private static final byte[] SD_ID = {'a'};
    private static final byte[] SD_NAME = {'x'};

    private Slices() {}

    /** Checks all messages of a batch that a framer with this bound on their size has filled. */
    static void check(MessageBatch batch, int max) {
        for (int i = 0; i < batch.count(); i++) {
            IMessage message = batch.message(i);
            int from = message.offset(MessageBatch.FRAME);
            int to = from + message.length(MessageBatch.FRAME);
            assertThat(from).isNotNegative();
            int bound = message.rejectReason() == RejectReason.OVERSIZE ? max + 1 : max;
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
            checkReaders(message, from, to);
        }
    }

    private static void checkReaders(IMessage message, int from, int to) {
        int time = message.offset(MessageBatch.TIMESTAMP);
        // A BSD time may name a day that its month does not have; it is then no time.
        if (message.length(MessageBatch.TIMESTAMP) >= 0 && Character.isDigit(message.bytes()[time])) {
            assertThat(SyslogTime.micros(
                            message.bytes(),
                            time,
                            message.length(MessageBatch.TIMESTAMP),
                            ZoneOffset.UTC,
                            SyslogTime.NO_YEAR,
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
