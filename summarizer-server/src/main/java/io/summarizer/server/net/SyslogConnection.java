package io.summarizer.server.net;

import io.netty.channel.Channel;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.receive.SyslogFramer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of plain syslog, whose sender gets no acknowledgements. So the connection hands over everything that
 * arrived, even after the channel is closed. It ends when it has handed over its last batch.
 *
 * <p>An unfinished line becomes a whole message when the peer ends its stream in an orderly way. After a reset, or when
 * this side closes, the line may be incomplete. It then becomes a message that is rejected for its frame.
 */
final class SyslogConnection extends StreamConnection {
    /** Length of a spell, the interval in which the event loop counts the reads of a stopping connection. */
    private static final long STOP_QUIET_MILLIS = 50;
    /**
     * Number of successive quiet spells after which a stopping connection is closed. In a quiet spell, nothing is read.
     * One spell would not be enough, because a late event loop may notice the end of the spell before it has looked for
     * bytes. With two spells, the loop looks for bytes between them.
     */
    private static final int STOP_QUIET_SPELLS = 2;
    /**
     * Number of spells with bytes of the peer after which a stopping connection is closed, as soon as all that it has
     * read is handed over. So a peer that never pauses does not delay the stop.
     */
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
        } else if (isOverdue() && isHandedOver()) {
            cutOff();
        }
    }

    /** Whether the peer has had its time to pause after the begin of a stop. */
    private boolean isOverdue() {
        return stopSpells >= STOP_SPELLS_MAX;
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

    /** Reads the bytes that have already arrived, then closes. */
    @Override
    void stop() {
        if (stopping || hasEnded()) {
            return;
        }
        stopping = true;
        readPromptly();
        // Some senders, such as rsyslog, look for the end of the stream before they send. Such a sender then ends its
        // side, too. Then no bytes of this sender are in flight when this side closes.
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
        // A paused connection is silent because of this side, so only the stop's deadline ends it.
        if (!isHandedOver()) {
            quietSpells = 0;
        } else if (readsSeen() == readsAtSpell) {
            quietSpells++;
        } else {
            quietSpells = 0;
            stopSpells++;
        }
        if (isHandedOver() && (quietSpells >= STOP_QUIET_SPELLS || isOverdue())) {
            cutOff();
        } else {
            readsAtSpell = readsSeen();
            awaitQuiet();
        }
    }
}
