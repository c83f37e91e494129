package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.LogLines;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.server.net.ThrottledLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RejectNoticesTest {
    private static final String NAME = RejectNoticesTest.class.getName();

    private final List<RejectReason> kept = new ArrayList<>();
    private final LogLines log = LogLines.of(NAME);
    private final List<String> details = new ArrayList<>();
    private final RejectNotices notices = new RejectNotices(
            new RejectSink() {
                @Override
                public void reject(IMessage message, RejectReason reason, String detail) {
                    kept.add(reason);
                    if (reason != RejectReason.PAYLOAD) {
                        details.add(detail);
                    }
                }

                @Override
                public void unmatched(IMessage message) {
                    kept.add(RejectReason.NONE);
                }
            },
            new ThrottledLog(System.getLogger(NAME)));

    @AfterEach
    void stop() {
        log.close();
    }

    @Test
    void tellsOfTheFirstOfAReasonAndHandsAllOn() {
        IMessage message = message("<134>1 - web1 - - ad.click - 1,n/a");
        for (int i = 0; i < 1000; i++) {
            notices.reject(message, RejectReason.PAYLOAD, "cost: not a number");
        }
        notices.reject(message("x".repeat(5000)), RejectReason.LIMIT, "y".repeat(1000));
        notices.reject(message("GET /"), RejectReason.FRAME, RejectReason.FRAME.label());
        notices.reject(message("long"), RejectReason.OVERSIZE, RejectReason.OVERSIZE.label());
        notices.reject(message("<134>1 -\n"), RejectReason.ENVELOPE, RejectReason.ENVELOPE.label());
        notices.unmatched(message);

        assertThat(log.lines())
                .containsExactly(
                        "rejected a message (payload): cost: not a number; topic ad.click; it begins: "
                                + "<134>1 - web1 - - ad.click - 1,n/a",
                        "rejected a message (limit): " + "y".repeat(200) + "...; it begins: " + "x".repeat(160) + "...",
                        "rejected a message (frame): it breaks the framing of its stream, or the stream ended within it;"
                                + " it begins: GET /",
                        "rejected a message (oversize): it has more bytes than max-message-size of its listener allows;"
                                + " it begins: long",
                        "rejected a message (envelope): the message ends after TIMESTAMP (byte 8); it begins: "
                                + "<134>1 -\n");
        assertThat(details)
                .containsExactly(
                        "y".repeat(1000),
                        "it breaks the framing of its stream, or the stream ended within it",
                        "it has more bytes than max-message-size of its listener allows",
                        "the message ends after TIMESTAMP (byte 8)");
        assertThat(kept).hasSize(1005).contains(RejectReason.FRAME, RejectReason.NONE);
    }

    private static IMessage message(String text) {
        MessageBatch batch = new MessageBatch(8192);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, batch.bytes(), 0, bytes.length);
        int index = batch.append(0, bytes.length);
        if (text.startsWith("<")) {
            new EnvelopeParser(TopicRule.MSGID).parse(batch, index);
        }
        return batch.message(index);
    }
}
