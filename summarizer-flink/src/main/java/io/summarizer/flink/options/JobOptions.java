package io.summarizer.flink.options;

import java.io.Serializable;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The options of a job. Built by the client, sent to the workers. Immutable.
 *
 * @param input the place that the job reads from
 * @param untilEnd whether the job stops at the end that each partition has when the job starts
 * @param exports URI or path of the folder for results, on a file system that all workers see
 * @param keep number of results that are kept
 * @param checkpoint time between two checkpoints
 * @param checkpoints URI or path of the folder for checkpoints; null means the folder in the cluster's configuration
 *     or, when the configuration has none, a folder below {@code exports}
 * @param savepoint URI or path of the savepoint or checkpoint that the job begins with; null to begin without state
 * @param parallelism number of subtasks; 0 takes the cluster's default
 * @param keyGroups number of key groups, a power of two; the state can never be divided among more subtasks than this
 * @param timezone time zone of times that name no zone
 * @param messageBytesMax bound on a message's bytes
 */
public record JobOptions(
        Input input,
        boolean untilEnd,
        String exports,
        int keep,
        Duration checkpoint,
        @Nullable String checkpoints,
        @Nullable String savepoint,
        int parallelism,
        int keyGroups,
        ZoneId timezone,
        int messageBytesMax)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Number of key groups unless an option says otherwise. */
    public static final int KEY_GROUPS_DEFAULT = 128;
    /** The most key groups that Flink can have. */
    public static final int KEY_GROUPS_MAX = 1 << 15;

    public JobOptions {
        if (Integer.bitCount(keyGroups) != 1 || keyGroups < 1 || keyGroups > KEY_GROUPS_MAX) {
            throw new IllegalArgumentException("keyGroups=" + keyGroups + ", a power of two to " + KEY_GROUPS_MAX);
        }
        if (parallelism < 0 || parallelism > keyGroups) {
            throw new IllegalArgumentException("parallelism=" + parallelism + ", 0 to keyGroups=" + keyGroups);
        }
    }
}
