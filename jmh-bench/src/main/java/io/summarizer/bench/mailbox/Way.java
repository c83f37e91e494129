package io.summarizer.bench.mailbox;

import io.summarizer.core.queue.QueueKind;

/** The ways to protect the state that are compared. */
public enum Way {
    /** One lock. */
    LOCK,
    /** A lock for each of 16 stripes of keys. */
    STRIPED,
    /** An actor with a linked mailbox, which has a lock at each end. */
    ACTOR_LBQ,
    /** An actor with a lock-free mailbox. */
    ACTOR_MPSC,
    /** An actor with a linked mailbox that aggregates its reads. */
    AGGREGATING_LBQ,
    /** An actor with a lock-free mailbox that aggregates its reads. */
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
