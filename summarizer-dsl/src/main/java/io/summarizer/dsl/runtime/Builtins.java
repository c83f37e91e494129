package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.StructuredData;
import io.summarizer.core.receive.SyslogTime;
import java.time.ZoneId;

/**
 * Reads the parts of a message other than the payload, for {@code topic} and {@code syslog}. A part is read only when
 * an expression uses the part.
 */
public final class Builtins {
    private Builtins() {}

    /** Bytes of the payload. */
    public static long payloadBytes(IMessage message) {
        return Math.max(0, message.length(MessageBatch.PAYLOAD));
    }

    /**
     * The time in the message's header in µs, or {@link SyslogTime#NOT_A_TIME}; {@code year} applies if the header has
     * no year.
     */
    public static long timestamp(IMessage message, ZoneId zone, int year) {
        int length = message.length(MessageBatch.TIMESTAMP);
        return length < 0
                ? SyslogTime.NOT_A_TIME
                : SyslogTime.micros(
                        message.bytes(),
                        message.offset(MessageBatch.TIMESTAMP),
                        length,
                        zone,
                        year,
                        message.arrivalStamp());
    }

    /** A part of the envelope, by its number in {@link MessageBatch}. */
    public static long slice(InputEvent event, IMessage message, int field) {
        int length = message.length(field);
        return length < 0
                ? InputEvent.NULL_STRING
                : event.repair(InputEvent.messageString(message.offset(field), length));
    }

    /** Word {@code position} of the topic, from 0; null when the topic has fewer words. */
    public static long topicWord(InputEvent event, IMessage message, int position) {
        byte[] bytes = message.bytes();
        int at = message.offset(MessageBatch.TOPIC);
        int end = at + message.length(MessageBatch.TOPIC);
        if (end < at) {
            return InputEvent.NULL_STRING;
        }
        for (int left = position; left > 0; left--) {
            at = wordEnd(bytes, at, end) + 1;
            if (at > end) {
                return InputEvent.NULL_STRING;
            }
        }
        return event.repair(InputEvent.messageString(at, wordEnd(bytes, at, end) - at));
    }

    private static int wordEnd(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '.') {
            at++;
        }
        return at;
    }

    /** A parameter of an element of the structured data; null when the parameter is absent. */
    public static long structuredData(InputEvent event, IMessage message, byte[] id, byte[] parameter) {
        int length = message.length(MessageBatch.STRUCTURED_DATA);
        if (length < 0) {
            return InputEvent.NULL_STRING;
        }
        byte[] bytes = message.bytes();
        long found = StructuredData.find(bytes, message.offset(MessageBatch.STRUCTURED_DATA), length, id, parameter);
        if (found == StructuredData.NOT_FOUND) {
            return InputEvent.NULL_STRING;
        }
        int valueLength = StructuredData.length(found);
        if (!StructuredData.escaped(found)) {
            return event.repair(InputEvent.messageString(StructuredData.offset(found), valueLength));
        }
        if (!event.reserveScratch(valueLength)) {
            return InputEvent.NULL_STRING;
        }
        int at = event.scratchLimit();
        int written = StructuredData.unescape(bytes, StructuredData.offset(found), valueLength, event.scratch(), at);
        event.scratchLimit(at + written);
        return event.repair(InputEvent.scratchString(at, written));
    }
}
