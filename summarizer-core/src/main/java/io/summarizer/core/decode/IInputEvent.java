package io.summarizer.core.decode;

/**
 * The reading side of a decoded event: those typed fields of one event type that mappings need. The only implementation
 * is {@link InputEvent}. Decoders fill an {@code InputEvent}; generated programs also use {@code InputEvent} directly.
 *
 * <p>The fields lie in <em>records</em>. The event itself is the record at {@link InputEvent#ROOT}. Each element of a
 * list or map has a record, which is linked to the record of the next element. A field is a numbered <em>slot</em> of
 * its record. A slot has a long; {@link FieldKind} defines the meaning of the long. An event belongs to one parser
 * worker, and is valid until this worker decodes the next message.
 */
public interface IInputEvent {
    /** Whether the field in slot {@code slot} of record {@code record} is present; otherwise it is null. */
    boolean has(int record, int slot);

    /** The field in slot {@code slot} of record {@code record}; undefined when the field is null. */
    long get(int record, int slot);

    /** The record after {@code record} in its list; not to be called for the last record. */
    int next(int record);

    /** The array that a string reference points into. The array is valid until another string is made. */
    byte[] stringBytes(long reference);

    /** The string as a {@code String} object, for error messages and for operations that are slow anyway. */
    String string(long reference);

    /** Number of strings of this event that were not well-formed UTF-8. */
    int repaired();
}
