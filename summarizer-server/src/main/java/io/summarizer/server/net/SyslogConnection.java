package io.summarizer.server.net;

import io.netty.channel.Channel;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.receive.SyslogFramer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of plain syslog, whose sender gets no acknowledgements. So everything that arrived is handed over, even
 * after the channel is closed: the connection lives until it has handed over its last batch.
 *
 * <p>Only the peer's orderly end of stream completes an unfinished line. After a reset, or when this side closes, the
 * line may be a part of something longer, and becomes a message that is rejected for its frame.
 */
final class SyslogConnection extends StreamConnection {
    /** Length of a spell. A stopping connection is closed after two spells in a row without a read... */
    private static final long STOP_QUIET_MILLIS = 50;
    /** ...between which the event loop has looked at it, however late the first one was noticed... */
    private static final int STOP_QUIET_SPELLS = 2;
    /** ...or after so many spells: a peer that never pauses must not delay the stop. */
    private static final int STOP_SPELLS_MAX = 20;

    private boolean stopping;
    private long readsAtSpell;
    private int stopSpells;
    private int quietSpells;

    SyslogConnection(StreamListener listener, Channel channel, SyslogFramer framer) {
        super(listener, channel, framer);
    }

    @Override
    void readEnded() {
        if (isDone()) {
            closeChannel();
        }
    }

    @Override
    @Nullable
    Receipt receipt(MessageBatch batch) {
        return null; // plain syslog has no acknowledgements
    }

    @Override
    void channelGone() {
        // All bytes that arrived are framed first, though there may be no room for them now.
    }

    @Override
    void streamEnded() {
        endStream();
    }

    @Override
    void dropped(int messages) {
        counters.messagesLost.add(messages);
    }

    /** Reads what has already arrived, then closes. */
    @Override
    void stop() {
        if (stopping || hasEnded()) {
            return;
        }
        stopping = true;
        // A sender that looks before it sends, as rsyslog does, sees this and ends its side: then none of its bytes are
        // in flight when this side closes.
        endOutput();
        readsAtSpell = readsSeen();
        awaitQuiet();
    }

    private void awaitQuiet() {
        var unused = eventLoop().schedule(this::closeIfQuiet, STOP_QUIET_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void closeIfQuiet() {
        if (hasEnded()) {
            return;
        }
        // A paused connection is silent because of this side: only the stop's deadline ends it.
        quietSpells = readsSeen() == readsAtSpell ? quietSpells + 1 : 0;
        if (isHandedOver() && (quietSpells >= STOP_QUIET_SPELLS || ++stopSpells >= STOP_SPELLS_MAX)) {
            cutOff();
        } else {
            readsAtSpell = readsSeen();
            awaitQuiet();
        }
    }
}
