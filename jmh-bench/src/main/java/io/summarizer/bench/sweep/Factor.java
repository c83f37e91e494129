package io.summarizer.bench.sweep;

import io.summarizer.core.queue.QueueKind;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can be varied, in the order of the columns of results. Values are texts, as in the configuration where it has them. */
public enum Factor {
    WORKLOAD("workload", null),
    MODE("mode", "pipeline.mode"),
    PARSE_QUEUE("parse_queue", "pipeline.parse.queue"),
    OWNER_QUEUE("owner_queue", "pipeline.summarize.queue"),
    PARSE_WAIT("parse_wait", "pipeline.parse.wait"),
    OWNER_WAIT("owner_wait", "pipeline.summarize.wait"),
    /** In batches. */
    PARSE_CAPACITY("parse_capacity", "pipeline.parse.capacity"),
    /** In batches, of each owner's queue. */
    OWNER_CAPACITY("owner_capacity", "pipeline.summarize.capacity"),
    NETTY_WORKERS("netty_workers", "pipeline.netty-workers"),
    PARSE_WORKERS("parse_workers", "pipeline.parse.workers"),
    OWNER_WORKERS("owner_workers", "pipeline.summarize.workers"),
    /** Messages that a batch has at most; 0: as many as its bytes allow. */
    BATCH_MESSAGES("batch_messages", "pipeline.batch.messages"),
    /** How long a batch waits for more, in microseconds. */
    LINGER_US("linger_us", "pipeline.batch.linger"),
    GC("gc", null),
    /** Of the sender. */
    CONNECTIONS("connections", null),
    /** Version of the server's JDK; a column of the results' provenance. */
    JDK("jdk", null);

    /** Queues whose consumers poll, so that they have a use for a wait. */
    static final Set<String> POLLING = Arrays.stream(QueueKind.values())
            .filter(kind -> !kind.waits().isEmpty())
            .map(QueueKind::key)
            .collect(Collectors.toUnmodifiableSet());

    private final String column;
    private final @Nullable String key;

    Factor(String column, @Nullable String key) {
        this.column = column;
        this.key = key;
    }

    /** Its column in files of results. */
    public String column() {
        return column;
    }

    /** Whether a configuration key is one that a factor sets. */
    static boolean isKey(String key) {
        return Arrays.stream(values()).anyMatch(factor -> key.equals(factor.key));
    }

    /** The configuration key that it sets; null when it is not the server's configuration that varies. */
    public @Nullable String key() {
        return key;
    }
}
