package io.summarizer.core.decode;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * The decoder of text. The whole payload, which may contain any bytes, is the only field of the event. The decoder
 * needs no generated code. Belongs to one parser worker, and allocates nothing.
 */
public final class TextDecoder implements PayloadDecoder {
    private final EventSchema schema;
    private final ScalarReader scalars = new ScalarReader();

    /** A decoder for this schema, whose format has to be text. */
    public TextDecoder(EventSchema schema) {
        this.schema = schema;
    }

    @Override
    public @Nullable String decode(IMessage message, InputEvent event) {
        try {
            event.reset(message, schema.slots());
            int length = message.length(MessageBatch.PAYLOAD);
            for (FieldSchema field : schema.root().fields()) {
                long text = InputEvent.messageString(message.offset(MessageBatch.PAYLOAD), Math.max(0, length));
                scalars.read(event, InputEvent.ROOT, field, text);
            }
            return null;
        } catch (BadPayloadException e) {
            return e.getMessage();
        }
    }
}
