package io.summarizer.server.service;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.EnvelopeFault;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.server.net.ThrottledLog;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Logs rejected messages, with one line in 10 s for each reason. A line has the reason, the topic, and the beginning of
 * the message. Passes all messages on to another sink, and describes the fault of a header. Any thread. A message that
 * is not logged costs a lookup; if its header is wrong, also a second look at the header.
 */
final class RejectNotices implements RejectSink {
    private static final int SAMPLE_BYTES = 160;
    private static final int TOPIC_BYTES = 100;
    private static final int DETAIL_CHARS = 200;

    /** Beginning of a line, by the ordinal of its reason. */
    private static final String[] KINDS = Arrays.stream(RejectReason.values())
            .map(reason -> "rejected a message (" + reason.label() + ")")
            .toArray(String[]::new);

    private final RejectSink next;
    private final ThrottledLog log;

    RejectNotices(RejectSink next, ThrottledLog log) {
        this.next = next;
        this.log = log;
    }

    @Override
    public void reject(IMessage message, RejectReason reason, String detail) {
        String fault = fault(message, detail);
        log.warn(KINDS[reason.ordinal()], () -> notice(message, fault));
        next.reject(message, reason, fault);
    }

    @Override
    public boolean keepsLate() {
        return next.keepsLate();
    }

    @Override
    public void late(String summary, long window, IMessage message) {
        next.late(summary, window, message);
    }

    @Override
    public void unmatched(IMessage message) {
        next.unmatched(message);
    }

    /** Describes a rejected message: the fault, the topic, and the beginning of the message. */
    static String notice(IMessage message, String detail) {
        String cropped = detail.length() <= DETAIL_CHARS ? detail : detail.substring(0, DETAIL_CHARS) + "...";
        String topic = part(message, MessageBatch.TOPIC, TOPIC_BYTES);
        return cropped + (topic.isEmpty() ? "" : "; topic " + topic) + "; it begins: "
                + part(message, MessageBatch.FRAME, SAMPLE_BYTES);
    }

    /** Returns the fault of a message. Describes what the framer and the parser of envelopes did not record. */
    static String fault(IMessage message, String detail) {
        if (detail.equals(RejectReason.OVERSIZE.label())) {
            return "it has more bytes than max-message-size of its listener allows";
        }
        if (detail.equals(RejectReason.FRAME.label())) {
            return "it breaks the framing of its stream, or the stream ended within it";
        }
        if (!detail.equals(RejectReason.ENVELOPE.label())) {
            return detail;
        }
        byte[] bytes = message.bytes();
        int from = message.offset(MessageBatch.FRAME);
        int end = from + Math.max(0, message.length(MessageBatch.FRAME));
        String fault = EnvelopeFault.describe(bytes, from, EnvelopeParser.frameEnd(bytes, from, end));
        return fault.isEmpty() ? detail : fault;
    }

    /** Returns readable text; the log escapes control characters. */
    private static String part(IMessage message, int part, int bytesMax) {
        int length = message.length(part);
        return length <= 0
                ? ""
                : new String(message.bytes(), message.offset(part), Math.min(length, bytesMax), StandardCharsets.UTF_8)
                        + (length > bytesMax ? "..." : "");
    }
}
