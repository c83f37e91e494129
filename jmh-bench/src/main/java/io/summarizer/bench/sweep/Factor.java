package io.summarizer.bench.sweep;

import io.summarizer.core.queue.QueueKind;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The factors that can vary, in the order of the columns of results. Values are texts; if the factor is a key of the
 * configuration, they are spelled as in the configuration.
 */
public enum Factor {
    WORKLOAD("workload", "workload", null, null),
    MODE("mode", "mode", "pipeline.mode", "Modes: queued, inline, locked."),
    PARSE_QUEUE("parse_queue", "parse queue", "pipeline.parse.queue", "Queues: abq, lbq, mpmc, disruptor."),
    OWNER_QUEUE("owner_queue", "owner queue", "pipeline.summarize.queue", "Queues: abq, lbq, mpsc, disruptor."),
    PARSE_WAIT(
            "parse_wait", "wait of parser workers", "pipeline.parse.wait", "blocking, sleeping, yielding, busy-spin."),
    OWNER_WAIT("owner_wait", "wait of owners", "pipeline.summarize.wait", "Waits, as for --parse-wait."),
    /** Capacity of the parse queue, in batches. */
    PARSE_CAPACITY("parse_capacity", "capacity of the parse queue, batches", "pipeline.parse.capacity", "In batches."),
    /** Capacity of each owner's queue, in batches. */
    OWNER_CAPACITY("owner_capacity", "capacity of owner queues, batches", "pipeline.summarize.capacity", "In batches."),
    NETTY_WORKERS("netty_workers", "netty workers", "pipeline.netty-workers", "Threads that read from connections."),
    PARSE_WORKERS("parse_workers", "parser workers", "pipeline.parse.workers", "Threads that decode messages."),
    OWNER_WORKERS("owner_workers", "owner workers", "pipeline.summarize.workers", "Threads that own rows."),
    /** Maximum number of messages of a batch; 0: bounded by bytes only. */
    BATCH_MESSAGES(
            "batch_messages",
            "messages a batch at most",
            "pipeline.batch.messages",
            "Most messages of a batch; 0: bounded by bytes only."),
    /** Time for which a connection waits after a small read, in microseconds. */
    LINGER_US(
            "linger_us",
            "linger, µs",
            "pipeline.batch.linger",
            "Time that a connection waits after a small read: 0,500us,1ms."),
    GC("gc", "collector", null, "Collectors: G1, Parallel, Serial, Shenandoah, ZGC."),
    /** Connections of the sender. */
    CONNECTIONS("connections", "connections", null, "Connections of the sender. Default: 2."),
    /** Version of the server's JDK; a column of the results' provenance. */
    JDK("jdk", "JDK", null, "JDKs: all, a version or feature release that is installed, or a folder.");

    /** Queues whose consumers poll. These queues have a wait policy. */
    static final Set<String> POLLING = Arrays.stream(QueueKind.values())
            .filter(kind -> !kind.waits().isEmpty())
            .map(QueueKind::key)
            .collect(Collectors.toUnmodifiableSet());

    private final String column;
    private final String title;
    private final @Nullable String key;
    private final @Nullable String help;

    Factor(String column, String title, @Nullable String key, @Nullable String help) {
        this.column = column;
        this.title = title;
        this.key = key;
        this.help = help;
    }

    /** The factor's column in files of results. */
    public String column() {
        return column;
    }

    /** The factor's name in words, with the unit. */
    public String title() {
        return title;
    }

    /** The option that takes the factor's values, such as {@code --parse-queue}. */
    public String option() {
        return "--" + column.replaceFirst("_(messages|us)$", "").replace('_', '-');
    }

    /** The description of the option; null when {@code bin/bench sweep} declares the option itself. */
    public @Nullable String help() {
        return help;
    }

    /** Whether a factor sets this configuration key. */
    static boolean isKey(String key) {
        return Arrays.stream(values()).anyMatch(factor -> key.equals(factor.key));
    }

    /** The configuration key that the factor sets; null when the factor is not part of the server's configuration. */
    public @Nullable String key() {
        return key;
    }
}
