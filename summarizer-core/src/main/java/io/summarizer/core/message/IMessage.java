package io.summarizer.core.message;

/**
 * One syslog message with a parsed envelope, as slices of a batch's bytes. Makes no copies and no Strings.
 *
 * <p>The object is a cursor that {@link MessageBatch#message} moves from message to message. A message can be read only
 * while the batch is held, and until the cursor moves. Offsets are absolute positions in {@link #bytes()}. A length of
 * -1 means that the field is absent (a NILVALUE in RFC 5424). Not thread-safe; belongs to the holder of the batch.
 */
public interface IMessage {
    /** The array that all offsets refer to. */
    byte[] bytes();

    /** Offset of slice {@code field}, which is a constant of {@link MessageBatch}. */
    int offset(int field);

    /** Length in bytes of slice {@code field}, -1 when the message has no such slice. */
    int length(int field);

    /** Facility, from 0 to 23; 1 (user) when the message had no PRI. */
    int facility();

    /** Severity, from 0 to 7; 5 (notice) when the message had no PRI. */
    int severity();

    /** Receive time in µs since the epoch. Unique, because stamps strictly increase over all messages of a process. */
    long arrivalStamp();

    /**
     * The stamp that identifies this message among the ids of events. All updates of one message have the same stamp.
     * Other messages have other stamps, even if sources assign stamps independently. The windows of ids are measured in
     * the unit of this stamp.
     */
    default long eventStamp() {
        return arrivalStamp();
    }

    /** Number of the listener that took the message, assigned by the server; 0 when there is only one source. */
    int listener();

    /**
     * The reason why the message cannot be processed, or {@link RejectReason#NONE}. A rejected message has only a FRAME
     * slice.
     */
    RejectReason rejectReason();
}
