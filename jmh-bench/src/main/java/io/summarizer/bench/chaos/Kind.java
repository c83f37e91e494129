package io.summarizer.bench.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Incidents of a run. */
public enum Kind {
    /** SIGKILL while events come in. */
    KILL(8),
    /** SIGKILL, then one to three more SIGKILLs, each while a new process recovers. */
    KILL_STARTING(2),
    /** SIGKILL while a checkpoint is written. */
    KILL_CHECKPOINT(2),
    /** SIGKILL while definitions are reloaded. */
    KILL_RELOAD(1),
    /** SIGKILL while a summary is reset. */
    KILL_RESET(1),
    /** SIGTERM. */
    STOP(2),
    /** A connection is reset at a random byte of a message or an acknowledgement. */
    CUT(4),
    /** No byte passes for a while. */
    STALL(1),
    /** A reload of definitions gives all rows a new layout. */
    RELOAD(1),
    /** SIGKILL, and the newest checkpoint is damaged while the service is down. */
    DAMAGED_CHECKPOINT(2),
    /**
     * SIGKILL of an idle service, whose journal is then damaged. The service has to report exactly the missing events.
     */
    DAMAGED_JOURNAL(1),
    /**
     * An error of the wall clock: for a while the clock is wrong by hours, and connections are reset. Then the clock is
     * set to about the right time.
     */
    CLOCK(1),
    /** The disk is full for a while, with or without a SIGKILL meanwhile. */
    FULL_DISK(1);

    /** Frequency relative to the other kinds. */
    final int weight;

    Kind(int weight) {
        this.weight = weight;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns all kinds that can happen on this machine. */
    public static List<Kind> possible() {
        return Arrays.stream(values())
                .filter(kind -> kind != FULL_DISK || SmallDisk.isPossible())
                .filter(kind -> kind != CLOCK || WallClock.isPossible())
                .toList();
    }
}
