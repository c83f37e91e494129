package io.summarizer.server.explain;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.EnvelopeFault;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.core.text.TimestampText;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;

/** Describes a message's frame and envelope. Stateless. */
final class EnvelopeText {
    private static final int WIDTH = 15;
    private static final List<String> SEVERITIES =
            List.of("emergency", "alert", "critical", "error", "warning", "notice", "informational", "debug");

    private EnvelopeText() {}

    /** A slice as text, or {@code -} when the message has no such slice. */
    static String slice(IMessage message, int field) {
        int length = message.length(field);
        return length < 0 ? "-" : new String(message.bytes(), message.offset(field), length, StandardCharsets.UTF_8);
    }

    /** Describes the framing of the message. */
    static String frame(IMessage message) {
        byte[] bytes = message.bytes();
        int offset = message.offset(MessageBatch.FRAME);
        int length = message.length(MessageBatch.FRAME);
        boolean counted =
                offset > 1 && bytes[offset - 1] == ' ' && bytes[offset - 2] >= '0' && bytes[offset - 2] <= '9';
        boolean line = offset == 0 || bytes[offset - 1] == '\n';
        RejectReason reason = message.rejectReason();
        if (reason == RejectReason.FRAME) {
            return length + " bytes that break the framing";
        }
        if (reason == RejectReason.OVERSIZE) {
            return "more bytes than a message may have (listen.syslog-tcp.max-message-size)";
        }
        return (counted ? "octet-counted, " : line ? "a line, " : "") + length + (length == 1 ? " byte" : " bytes");
    }

    /** Adds the fields of the envelope; returns false when the message is rejected because of its envelope. */
    static boolean add(IMessage message, ZoneId zone, int year, Outline text) {
        byte[] bytes = message.bytes();
        int from = message.offset(MessageBatch.FRAME);
        int to = frameEnd(message);
        boolean rfc5424 = EnvelopeParser.isRfc5424(bytes, from, to);
        if (message.rejectReason() == RejectReason.ENVELOPE) {
            text.line(0, "envelope", WIDTH, "rejected (envelope): not RFC 5424, though it begins so")
                    .line(1, EnvelopeFault.describe(bytes, from, to));
            return false;
        }
        boolean bare = message.length(MessageBatch.APP_NAME) < 0
                && message.length(MessageBatch.TIMESTAMP) < 0
                && message.length(MessageBatch.HOST) < 0;
        text.line(
                0,
                "envelope",
                WIDTH,
                rfc5424 ? "RFC 5424" : bare ? "none but a PRI, if any: all is payload" : "RFC 3164");
        text.line(1, "facility", WIDTH, Integer.toString(message.facility()))
                .line(1, "severity", WIDTH, message.severity() + ", " + SEVERITIES.get(message.severity()))
                .line(1, "timestamp", WIDTH, timestamp(message, zone, year))
                .line(1, "host", WIDTH, slice(message, MessageBatch.HOST))
                .line(1, rfc5424 ? "app name" : "tag", WIDTH, slice(message, MessageBatch.APP_NAME))
                .line(1, "proc id", WIDTH, slice(message, MessageBatch.PROC_ID));
        if (rfc5424) {
            text.line(1, "msg id", WIDTH, slice(message, MessageBatch.MSG_ID))
                    .line(1, "structured data", WIDTH, slice(message, MessageBatch.STRUCTURED_DATA));
        }
        int length = Math.max(0, message.length(MessageBatch.PAYLOAD));
        text.line(
                1,
                "payload",
                WIDTH,
                length
                        + (length == 1 ? " byte" : " bytes")
                        + (length == 0 ? "" : ": " + slice(message, MessageBatch.PAYLOAD)));
        return true;
    }

    /**
     * Position at which the frame's fields end. An octet-counted frame may end with a line feed, which belongs to no
     * field.
     */
    private static int frameEnd(IMessage message) {
        int from = message.offset(MessageBatch.FRAME);
        return EnvelopeParser.frameEnd(message.bytes(), from, from + message.length(MessageBatch.FRAME));
    }

    private static String timestamp(IMessage message, ZoneId zone, int year) {
        int length = message.length(MessageBatch.TIMESTAMP);
        if (length < 0) {
            return "-";
        }
        long micros = SyslogTime.micros(
                message.bytes(), message.offset(MessageBatch.TIMESTAMP), length, zone, year, message.arrivalStamp());
        return slice(message, MessageBatch.TIMESTAMP)
                + (micros == SyslogTime.NOT_A_TIME ? ", no time" : " = " + TimestampText.toString(micros));
    }

    /** Names the part of the envelope that is the topic. */
    static String topicSource(IMessage message) {
        if (message.offset(MessageBatch.TOPIC) == message.offset(MessageBatch.MSG_ID)
                && message.length(MessageBatch.MSG_ID) >= 0) {
            return "MSGID";
        }
        boolean rfc5424 =
                EnvelopeParser.isRfc5424(message.bytes(), message.offset(MessageBatch.FRAME), frameEnd(message));
        return rfc5424 ? "APP-NAME" : "TAG";
    }
}
