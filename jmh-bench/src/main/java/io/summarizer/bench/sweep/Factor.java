package io.summarizer.bench.sweep;

import io.summarizer.core.queue.QueueKind;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Factors that can vary, in the order of the columns of results. Values are texts, as in the configuration where it has
 * them.
 */
public enum Factor {
    WORKLOAD("workload", "workload", null),
    MODE("mode", "mode", "pipeline.mode"),
    PARSE_QUEUE("parse_queue", "parse queue", "pipeline.parse.queue"),
    OWNER_QUEUE("owner_queue", "owner queue", "pipeline.summarize.queue"),
    PARSE_WAIT("parse_wait", "wait of parser workers", "pipeline.parse.wait"),
    OWNER_WAIT("owner_wait", "wait of owners", "pipeline.summarize.wait"),
    /** Capacity of the parse queue, in batches. */
    PARSE_CAPACITY("parse_capacity", "capacity of the parse queue, batches", "pipeline.parse.capacity"),
    /** Capacity of each owner's queue, in batches. */
    OWNER_CAPACITY("owner_capacity", "capacity of owner queues, batches", "pipeline.summarize.capacity"),
    NETTY_WORKERS("netty_workers", "netty workers", "pipeline.netty-workers"),
    PARSE_WORKERS("parse_workers", "parser workers", "pipeline.parse.workers"),
    OWNER_WORKERS("owner_workers", "owner workers", "pipeline.summarize.workers"),
    /** Most messages of a batch; 0: as many as its bytes allow. */
    BATCH_MESSAGES("batch_messages", "messages a batch at most", "pipeline.batch.messages"),
    /** Time that a batch waits for more messages, in microseconds. */
    LINGER_US("linger_us", "linger, µs", "pipeline.batch.linger"),
    GC("gc", "collector", null),
    /** Connections of the sender. */
    CONNECTIONS("connections", "connections", null),
    /** Version of the server's JDK; a column of the results' provenance. */
    JDK("jdk", "JDK", null);

    /** Queues whose consumers poll, and which therefore have a wait policy. */
    static final Set<String> POLLING = Arrays.stream(QueueKind.values())
            .filter(kind -> !kind.waits().isEmpty())
            .map(QueueKind::key)
            .collect(Collectors.toUnmodifiableSet());

    private final String column;
    private final String title;
    private final @Nullable String key;

    Factor(String column, String title, @Nullable String key) {
        this.column = column;
        this.title = title;
        this.key = key;
    }

    /** Its column in files of results. */
    public String column() {
        return column;
    }

    /** The name in words, with the unit. */
    public String title() {
        return title;
    }

    /** Whether a factor sets this configuration key. */
    static boolean isKey(String key) {
        return Arrays.stream(values()).anyMatch(factor -> key.equals(factor.key));
    }

    /** The configuration key that it sets; null when the factor is not part of the server's configuration. */
    public @Nullable String key() {
        return key;
    }
}
