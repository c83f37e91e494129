package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of the state that is not a message, and its position between messages. A control has no sequence; the
 * journal numbers controls separately, from 0 on.
 *
 * @param name the subject of the change: for {@link Kind#DEFINITIONS} the name of the definitions, for {@link
 *     Kind#RESET} the name of the summary, for {@link Kind#PIPELINES} the patterns of the pipelines as text
 * @param positions for each pipeline, the sequence of the first message after the change
 * @param close the closed windows, for {@link Kind#CLOSE}; otherwise null
 */
public record Control(
        Kind kind,
        String name,
        List<Long> positions,
        @Nullable WindowClose close) {
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
         * The pipelines changed. The name of this control lists the new pipelines, to which the positions of later
         * controls refer.
         */
        PIPELINES,
        /** Windows of a summary were closed. */
        CLOSE
    }

    /** A control of a kind other than {@link Kind#CLOSE}. */
    public Control(Kind kind, String name, List<Long> positions) {
        this(kind, name, positions, null);
    }

    /** Checks the bounds. */
    public Control {
        positions = List.copyOf(positions);
        if ((kind == Kind.CLOSE) != (close != null)) {
            throw new IllegalArgumentException("kind=" + kind + " close=" + close);
        }
        if (positions.size() > POSITIONS_MAX || name.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
            throw new IllegalArgumentException("name=" + name.length() + " positions=" + positions.size());
        }
    }

    /**
     * The bytes of the control: kind (byte), length of the name (int), name, number of positions (int), positions (long
     * each); for a close, the length of its bytes (int) and its bytes.
     */
    byte[] encode() {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        byte[] payload = close == null ? NO_PAYLOAD : close.encode();
        int head = 9 + utf8.length + 8 * positions.size();
        byte[] bytes = new byte[head + (close == null ? 0 : 4 + payload.length)];
        bytes[0] = switch (kind) {
            case DEFINITIONS -> 1;
            case RESET -> 2;
            case PIPELINES -> 3;
            case CLOSE -> 4;
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
        if (close != null) {
            Bytes.putInt(bytes, head, payload.length);
            System.arraycopy(payload, 0, bytes, head + 4, payload.length);
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
            case 5 -> throw new NewerJournalException("a window put into " + name);
            case 6 -> throw new NewerJournalException("a version of the lookup " + name);
            default -> throw new NewerJournalException("a control of kind " + bytes[offset]);
        };
        int payload = at + 4 + 8 * count;
        if (kind == Kind.CLOSE && (rest < 4 || Bytes.getInt(bytes, payload) != rest - 4)) {
            throw new JournalException("a control of bytes=" + length + " without the payload of a close");
        }
        if (kind != Kind.CLOSE && rest > 0) {
            throw new NewerJournalException("a control of kind " + bytes[offset] + " with a payload");
        }
        List<Long> positions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            positions.add(Bytes.getLong(bytes, at + 4 + 8 * i));
        }
        return new Control(
                kind,
                name,
                positions,
                kind == Kind.CLOSE ? WindowClose.decode(bytes, payload + 4, (int) rest - 4) : null);
    }
}
