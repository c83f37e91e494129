package io.summarizer.core.reject;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.RejectReason;

/**
 * The destination of messages that were refused, or whose topic no event type takes. Any thread may call a sink. A sink
 * never throws. A call may wait for a write to the page cache, or for another thread that forces a file to the disk; it
 * waits for nothing else. A sink only keeps messages; the caller counts them by reason.
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
     * @param detail a short description of the fault; a long description is cut
     */
    void reject(IMessage message, RejectReason reason, String detail);

    /** Whether {@link #late} keeps messages. The result never changes. */
    default boolean keepsLate() {
        return false;
    }

    /**
     * Keeps the frame of a message that a summary refuses because the window is closed. May be called several times for
     * the same message and window, and by several threads.
     *
     * @param summary name of the summary
     * @param window start of the closed window, in µs since the epoch
     */
    default void late(String summary, long window, IMessage message) {}

    /**
     * Keeps the frame of a message whose topic no event type takes, if the sink is configured to keep such messages.
     */
    void unmatched(IMessage message);
}
