package io.summarizer.core.message;

/**
 * One syslog message with its envelope parsed: slices of a batch's bytes. Makes no copies and no Strings.
 *
 * <p>A cursor that {@link MessageBatch#message} moves from message to message. A message can be read only while the
 * batch is held, and until the cursor moves. Offsets are absolute positions in {@link #bytes()}; a length of -1 says
 * that the field is absent (a NILVALUE in RFC 5424). Not thread-safe; belongs to the holder of the batch.
 */
public interface IMessage {
    /** The array that all offsets refer to. */
    byte[] bytes();

    /** Offset of slice {@code field}, which is a constant of {@link MessageBatch}. */
    int offset(int field);

    /** Length in bytes of slice {@code field}, -1 when the message has none. */
    int length(int field);

    /** Facility, from 0 to 23; 1 (user) when the message had no PRI. */
    int facility();

    /** Severity, from 0 to 7; 5 (notice) when the message had no PRI. */
    int severity();

    /** Receive time in µs since the epoch. Unique, because stamps strictly increase over all messages of a process. */
    long arrivalStamp();

    /**
     * The stamp by which ids of events know this message: equal for all updates of one message, and different for other
     * messages, even if sources give stamps independently. The unit is that of the windows of ids.
     */
    default long eventStamp() {
        return arrivalStamp();
    }

    /** Number that the server gave to the listener that took the message; 0 when there is only one source. */
    int listener();

    /**
     * The reason why the message cannot be processed, or {@link RejectReason#NONE}. A rejected message has a FRAME
     * slice only.
     */
    RejectReason rejectReason();
}
