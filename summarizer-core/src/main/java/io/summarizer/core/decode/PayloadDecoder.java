package io.summarizer.core.decode;

import io.summarizer.core.message.IMessage;
import org.jspecify.annotations.Nullable;

/** Decodes payloads of one event type and format. Belongs to one parser worker. */
public interface PayloadDecoder {
    /**
     * Resets {@code event} and fills it from the payload of {@code message}. The event refers to the message's bytes,
     * and is valid only as long as these bytes are valid.
     *
     * @return null on success. Otherwise, a short text with the reason why the payload cannot be used; the event is
     *     then undefined.
     */
    @Nullable
    String decode(IMessage message, InputEvent event);
}
