package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A journal entry that changes the state but is not a message. It has a position between messages. Controls have no
 * sequences, but numbers of their own, from 0 on.
 *
 * @param name the subject of the change: for {@link Kind#DEFINITIONS} the name of the definitions, for {@link
 *     Kind#RESET} the name of the summary, for {@link Kind#PIPELINES} the patterns of the pipelines as text
 * @param positions for each pipeline, the sequence of its first message after the change
 * @param payload a {@link WindowClose} for {@link Kind#CLOSE}, a {@link WindowPut} for {@link Kind#PUT}, a {@link
 *     WindowBoundaries} for {@link Kind#DEFINITIONS} that close windows; otherwise null
 */
public record Control(
        Kind kind,
        String name,
        List<Long> positions,
        @Nullable Payload payload) {
    private static final byte[] NO_PAYLOAD = {};
    private static final int NAME_BYTES_MAX = 1 << 16;
    private static final int POSITIONS_MAX = 1 << 10;

    /** The kind of change. */
    public enum Kind {
        /** Other definitions take effect. */
        DEFINITIONS,
        /** A summary was emptied. */
        RESET,
        /**
         * The pipelines changed. The name of this control lists the new pipelines. The positions in later controls are
         * in the order of this list.
         */
        PIPELINES,
        /** Windows of a summary were closed. */
        CLOSE,
        /** A file became a closed window of a summary. */
        PUT;

        private boolean takes(@Nullable Payload payload) {
            return switch (this) {
                case CLOSE -> payload instanceof WindowClose;
                case PUT -> payload instanceof WindowPut;
                case DEFINITIONS -> payload == null || payload instanceof WindowBoundaries;
                case RESET, PIPELINES -> payload == null;
            };
        }
    }

    /** Details of a change. */
    public sealed interface Payload permits WindowBoundaries, WindowClose, WindowPut {
        /** The bytes in the journal. */
        byte[] encode();
    }

    /** A control without details. */
    public Control(Kind kind, String name, List<Long> positions) {
        this(kind, name, positions, null);
    }

    /** Checks the bounds. */
    public Control {
        positions = List.copyOf(positions);
        if (!kind.takes(payload)) {
            throw new IllegalArgumentException("kind=" + kind + " payload=" + payload);
        }
        if (positions.size() > POSITIONS_MAX || name.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
            throw new IllegalArgumentException("name=" + name.length() + " positions=" + positions.size());
        }
    }

    /**
     * The bytes of the control: kind (byte), length of the name (int), name, number of positions (int), positions (long
     * each). The length of the payload (int) and the payload follow, if there is a payload.
     */
    byte[] encode() {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        byte[] details = payload == null ? NO_PAYLOAD : payload.encode();
        int head = 9 + utf8.length + 8 * positions.size();
        byte[] bytes = new byte[head + (payload == null ? 0 : 4 + details.length)];
        bytes[0] = switch (kind) {
            case DEFINITIONS -> 1;
            case RESET -> 2;
            case PIPELINES -> 3;
            case CLOSE -> 4;
            case PUT -> 5;
        };
        Bytes.putInt(bytes, 1, utf8.length);
        System.arraycopy(utf8, 0, bytes, 5, utf8.length);
        int at = 5 + utf8.length;
        Bytes.putInt(bytes, at, positions.size());
        at += 4;
        for (long position : positions) {
            Bytes.putLong(bytes, at, position);
            at += 8;
        }
        if (payload != null) {
            Bytes.putInt(bytes, head, details.length);
            System.arraycopy(details, 0, bytes, head + 4, details.length);
        }
        return bytes;
    }

    static Control decode(byte[] bytes, int offset, int length) throws JournalException {
        int nameBytes = length < 9 ? -1 : Bytes.getInt(bytes, offset + 1);
        if (nameBytes < 0 || nameBytes > Math.min(NAME_BYTES_MAX, length - 9)) {
            throw new JournalException("a control of bytes=" + length + " name=" + nameBytes);
        }
        int at = offset + 5 + nameBytes;
        int count = Bytes.getInt(bytes, at);
        long rest = length - 9L - nameBytes - 8L * count;
        if (count < 0 || count > POSITIONS_MAX || rest < 0) {
            throw new JournalException("a control of bytes=" + length + " positions=" + count);
        }
        String name = new String(bytes, offset + 5, nameBytes, StandardCharsets.UTF_8);
        Kind kind = switch (bytes[offset]) {
            case 1 -> Kind.DEFINITIONS;
            case 2 -> Kind.RESET;
            case 3 -> Kind.PIPELINES;
            case 4 -> Kind.CLOSE;
            case 5 -> Kind.PUT;
            case 6 -> throw new NewerJournalException("a version of the lookup " + name);
            default -> throw new NewerJournalException("a control of kind " + bytes[offset]);
        };
        int payloadAt = at + 4 + 8 * count;
        boolean hasPayload = kind == Kind.CLOSE || kind == Kind.PUT || (kind == Kind.DEFINITIONS && rest > 0);
        if (hasPayload && (rest < 4 || Bytes.getInt(bytes, payloadAt) != rest - 4)) {
            throw new JournalException("a control of bytes=" + length + " without the payload of a " + kind);
        }
        if (!hasPayload && rest > 0) {
            throw new NewerJournalException("a control of kind " + bytes[offset] + " with a payload");
        }
        List<Long> positions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            positions.add(Bytes.getLong(bytes, at + 4 + 8 * i));
        }
        Payload payload = switch (kind) {
            case CLOSE -> WindowClose.decode(bytes, payloadAt + 4, (int) rest - 4);
            case PUT -> WindowPut.decode(bytes, payloadAt + 4, (int) rest - 4);
            case DEFINITIONS -> hasPayload ? WindowBoundaries.decode(bytes, payloadAt + 4, (int) rest - 4) : null;
            case RESET, PIPELINES -> null;
        };
        return new Control(kind, name, positions, payload);
    }
}
