package io.summarizer.bench.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What may happen to a service. */
public enum Kind {
    /** SIGKILL while events come in. */
    KILL(8),
    /** SIGKILL, and again while what starts next is recovering, once to three times. */
    KILL_STARTING(2),
    /** SIGKILL while a checkpoint is written. */
    KILL_CHECKPOINT(2),
    /** SIGKILL while definitions are reloaded. */
    KILL_RELOAD(1),
    /** SIGKILL while a summary is reset. */
    KILL_RESET(1),
    /** SIGTERM. */
    STOP(2),
    /** A connection is reset behind some byte of a message or an answer. */
    CUT(4),
    /** No byte passes for a while. */
    STALL(1),
    /** Definitions are reloaded, and all rows laid out anew. */
    RELOAD(1),
    /** SIGKILL, and the newest checkpoint is damaged while the service is down. */
    DAMAGED_CHECKPOINT(2),
    /** Idle, then SIGKILL, and the journal is damaged while the service is down: what it says is lost is what is missing. */
    DAMAGED_JOURNAL(1),
    /** The wall clock is set by hours, connections are reset meanwhile, and it is set back to about what it was. */
    CLOCK(1),
    /** The disk is full for a while, with a SIGKILL in the midst of it, or without. */
    FULL_DISK(1);

    private final int weight;

    Kind(int weight) {
        this.weight = weight;
    }

    /** How often it happens, beside others. */
    int weight() {
        return weight;
    }

    /** As on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return label();
    }

    /** All that can happen on this machine. */
    public static List<Kind> possible() {
        return Arrays.stream(values())
                .filter(kind -> kind != FULL_DISK || SmallDisk.isPossible())
                .filter(kind -> kind != CLOCK || WallClock.isPossible())
                .toList();
    }
}
