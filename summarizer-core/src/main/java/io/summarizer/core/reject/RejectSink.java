package io.summarizer.core.reject;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.RejectReason;

/**
 * The destination of messages that were refused or that nothing matched. Any thread may call a sink. A sink never
 * throws. A call waits at most for a write to the page cache, or for the end of another thread's force. The caller
 * counts messages by reason; a sink only keeps the messages.
 */
public interface RejectSink {
    /** Keeps nothing. */
    RejectSink NONE = new RejectSink() {
        @Override
        public void reject(IMessage message, RejectReason reason, String detail) {}

        @Override
        public void unmatched(IMessage message) {}
    };

    /**
     * Keeps the message's frame.
     *
     * @param reason why the message was refused; not {@link RejectReason#NONE}
     * @param detail a short description of the fault; a long one is cut
     */
    void reject(IMessage message, RejectReason reason, String detail);

    /** Whether {@link #late} keeps messages. The answer never changes. */
    default boolean keepsLate() {
        return false;
    }

    /**
     * Keeps the frame of a message that a summary has no place for, because the window is closed. Called once or
     * several times for a message and a window, and by several threads.
     *
     * @param summary name of the summary
     * @param window start of the closed window, in µs since the epoch
     */
    default void late(String summary, long window, IMessage message) {}

    /** Keeps the frame of a message whose topic no event type takes, if the sink is configured to. */
    void unmatched(IMessage message);
}
