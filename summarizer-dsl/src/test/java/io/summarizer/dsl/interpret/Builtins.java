package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.StructuredData;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.dsl.model.Expression.Builtin;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;

/** {@code topic} and {@code syslog}: the parts of a message besides its payload. Read on demand. */
final class Builtins {
    private final List<ZoneId> zones;

    /** Built-ins with {@code zones} by number of the listener; the last one stands for all further listeners. */
    Builtins(List<ZoneId> zones) {
        this.zones = zones;
    }

    /** Zone of times without one. */
    ZoneId zone(Frame frame) {
        return zones.get(Math.min(frame.message().listener(), zones.size() - 1));
    }

    LongNode integer(Builtin builtin) {
        return switch (builtin) {
            case SYSLOG_SEVERITY -> f -> f.value(f.message().severity());
            case SYSLOG_FACILITY -> f -> f.value(f.message().facility());
            case SYSLOG_SIZE -> f -> f.value(Math.max(0, f.message().length(MessageBatch.PAYLOAD)));
            case SYSLOG_TIMESTAMP ->
                f -> {
                    IMessage message = f.message();
                    int length = message.length(MessageBatch.TIMESTAMP);
                    if (length < 0) {
                        return f.none();
                    }
                    long micros = SyslogTime.micros(
                            message.bytes(),
                            message.offset(MessageBatch.TIMESTAMP),
                            length,
                            zone(f),
                            SyslogTime.NO_YEAR,
                            message.arrivalStamp());
                    return micros == SyslogTime.NOT_A_TIME ? f.none() : f.value(micros);
                };
            default -> throw new IllegalArgumentException(builtin + " is not a whole number");
        };
    }

    StringNode text(Builtin builtin) {
        return switch (builtin) {
            case TOPIC -> slice(MessageBatch.TOPIC);
            case SYSLOG_HOST -> slice(MessageBatch.HOST);
            case SYSLOG_APP_NAME -> slice(MessageBatch.APP_NAME);
            case SYSLOG_PROC_ID -> slice(MessageBatch.PROC_ID);
            case SYSLOG_MSG_ID -> slice(MessageBatch.MSG_ID);
            default -> throw new IllegalArgumentException(builtin + " is not a string");
        };
    }

    private static StringNode slice(int field) {
        return f -> {
            int length = f.message().length(field);
            return length < 0
                    ? InputEvent.NULL_STRING
                    : f.event.repair(InputEvent.messageString(f.message().offset(field), length));
        };
    }

    /** Word {@code position} of the topic, from 0; null when it has fewer words. */
    StringNode topicWord(int position) {
        return f -> {
            IMessage message = f.message();
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
            return f.event.repair(InputEvent.messageString(at, wordEnd(bytes, at, end) - at));
        };
    }

    private static int wordEnd(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '.') {
            at++;
        }
        return at;
    }

    StringNode structuredData(String id, String parameter) {
        byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
        byte[] nameBytes = parameter.getBytes(StandardCharsets.UTF_8);
        return f -> {
            IMessage message = f.message();
            int length = message.length(MessageBatch.STRUCTURED_DATA);
            if (length < 0) {
                return InputEvent.NULL_STRING;
            }
            byte[] bytes = message.bytes();
            long found = StructuredData.find(
                    bytes, message.offset(MessageBatch.STRUCTURED_DATA), length, idBytes, nameBytes);
            if (found == StructuredData.NOT_FOUND) {
                return InputEvent.NULL_STRING;
            }
            int valueLength = StructuredData.length(found);
            if (!StructuredData.escaped(found)) {
                return f.event.repair(InputEvent.messageString(StructuredData.offset(found), valueLength));
            }
            if (!f.event.reserveScratch(valueLength)) {
                return InputEvent.NULL_STRING;
            }
            int at = f.event.scratchLimit();
            int written =
                    StructuredData.unescape(bytes, StructuredData.offset(found), valueLength, f.event.scratch(), at);
            f.event.scratchLimit(at + written);
            return f.event.repair(InputEvent.scratchString(at, written));
        };
    }
}
