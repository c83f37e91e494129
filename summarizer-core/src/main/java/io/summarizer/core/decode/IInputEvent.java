package io.summarizer.core.decode;

/**
 * The reading side of a decoded event: the typed fields of one event type that a mapping needs. {@link InputEvent},
 * which decoders fill, is the only implementation; generated programs read that class itself.
 *
 * <p>The fields lie in <em>records</em>. The event itself is the record at {@link InputEvent#ROOT}. Each element of a
 * list or map has a record, which is linked to the record of the next element. A field is a numbered <em>slot</em> of
 * its record, and {@link FieldKind} defines the meaning of its long. An event belongs to one parser worker, and is
 * valid until this worker decodes the next message.
 */
public interface IInputEvent {
    /** Whether the field in slot {@code slot} of record {@code record} is present; otherwise it is null. */
    boolean has(int record, int slot);

    /** The field in slot {@code slot} of record {@code record}; undefined when the field is null. */
    long get(int record, int slot);

    /** The record after {@code record} in its list; not to be called for the last record. */
    int next(int record);

    /** The array that a string reference points into; valid until another string is made. */
    byte[] stringBytes(long reference);

    /** The string as an object, for error messages and for operations that are slow anyway. */
    String string(long reference);

    /** Number of strings of this event that were not well-formed UTF-8. */
    int repaired();
}
