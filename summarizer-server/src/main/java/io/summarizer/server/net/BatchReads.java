package io.summarizer.server.net;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.IntSupplier;

/**
 * Limits each read of a channel to the room in the batch that the read fills, and ends each read loop after one read.
 * So one read fills at most one batch, and a connection that turns auto-read off makes no further read.
 */
final class BatchReads extends DefaultMaxMessagesRecvByteBufAllocator {
    private final IntSupplier room;

    /**
     * Makes a limit on reads.
     *
     * @param room bytes that the next read may bring, at least 1; called on the event loop
     */
    BatchReads(IntSupplier room) {
        super(1);
        this.room = room;
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public int guess() {
                return room.getAsInt();
            }
        };
    }
}
