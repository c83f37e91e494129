package io.summarizer.server.net;

import io.netty.channel.Channel;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.receive.SyslogFramer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of plain syslog, whose sender hears nothing of what becomes of it. So all that arrived is taken: the connection
 * outlives its channel for as long as it has batches to hand over.
 *
 * <p>Only the peer's orderly end of stream ends an unfinished line. After a reset, or when this side closes, the bytes are
 * a part of something longer, and go on as a message rejected for its frame.
 */
final class SyslogConnection extends StreamConnection {
    /** A connection being stopped is closed when it was silent for so long... */
    private static final long STOP_QUIET_MILLIS = 50;
    /** ...or after so many spells in which it was read: a peer that never pauses must not hold the stop up. */
    private static final int STOP_SPELLS_MAX = 20;

    private boolean stopping;
    private long readsAtSpell;
    private int stopSpells;

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
        return null; // nobody waits for an answer
    }

    @Override
    void channelGone() {
        // All that arrived is framed first, though there may be no room for it now.
    }

    @Override
    void streamEnded() {
        endStream();
    }

    @Override
    void dropped(int messages) {
        counters.messagesLost.add(messages);
    }

    /** Reads what has arrived already, then closes. */
    @Override
    void stop() {
        if (stopping || hasEnded()) {
            return;
        }
        stopping = true;
        // A sender that looks before it sends, as rsyslog does, sees this and ends its side: then nothing that it sent
        // is on
        // its way when we close.
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
        // A paused connection is silent because of us: only the stop's deadline ends it.
        boolean quiet = readsSeen() == readsAtSpell;
        if (isHandedOver() && (quiet || ++stopSpells >= STOP_SPELLS_MAX)) {
            cutOff();
        } else {
            readsAtSpell = readsSeen();
            awaitQuiet();
        }
    }
}
