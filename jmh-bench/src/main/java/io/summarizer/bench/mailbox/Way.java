package io.summarizer.bench.mailbox;

import io.summarizer.core.queue.QueueKind;

/** Ways to protect the state; the benchmark compares them. */
public enum Way {
    /** One lock. */
    LOCK,
    /** A lock for each of 16 stripes of keys. */
    STRIPED,
    /** An actor whose mailbox is a linked queue with a lock at each end. */
    ACTOR_LBQ,
    /** An actor with a lock-free mailbox. */
    ACTOR_MPSC,
    /** An actor that aggregates its reads, with a linked mailbox. */
    AGGREGATING_LBQ,
    /** An actor that aggregates its reads, with a lock-free mailbox. */
    AGGREGATING_MPSC;

    /** Makes an empty desk. */
    Desk open() {
        return switch (this) {
            case LOCK -> new LockedDesk();
            case STRIPED -> new StripedDesk();
            case ACTOR_LBQ -> ActorDesk.plain(QueueKind.LBQ);
            case ACTOR_MPSC -> ActorDesk.plain(QueueKind.MPSC);
            case AGGREGATING_LBQ -> ActorDesk.aggregating(QueueKind.LBQ);
            case AGGREGATING_MPSC -> ActorDesk.aggregating(QueueKind.MPSC);
        };
    }
}
