package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;

/** Makes one message of each whole datagram (RFC 5426). Stateless. */
public final class DatagramFramer {
    private final int messageBytesMax;
    private final EnvelopeParser envelope;

    /**
     * A framer for any number of senders.
     *
     * @param messageBytesMax larger messages are rejected
     */
    public DatagramFramer(int messageBytesMax, EnvelopeParser envelope) {
        if (messageBytesMax < 1) {
            throw new IllegalArgumentException("messageBytesMax=" + messageBytesMax + ", at least 1 is needed");
        }
        this.messageBytesMax = messageBytesMax;
        this.envelope = envelope;
    }

    /** Appends the datagram at {@code [offset, offset + length)} of the batch. */
    public void take(MessageBatch batch, int offset, int length) {
        if (length > messageBytesMax) {
            // Keep one byte above the bound. Without this byte, the shortened frame, if sent again, would be accepted
            // as a message that nobody sent.
            batch.reject(batch.append(offset, messageBytesMax + 1), RejectReason.OVERSIZE);
        } else {
            envelope.parse(batch, batch.append(offset, length));
        }
    }
}
