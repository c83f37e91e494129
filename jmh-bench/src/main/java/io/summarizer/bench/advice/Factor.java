package io.summarizer.bench.advice;

import java.util.Locale;

/** What a sweep varies: columns that tell one point from another. */
public enum Factor {
    WORKLOAD("workload"),
    JDK("JDK"),
    MODE("mode"),
    PARSE_QUEUE("parse queue"),
    OWNER_QUEUE("owner queue"),
    PARSE_WAIT("wait of parser workers"),
    OWNER_WAIT("wait of owners"),
    PARSE_CAPACITY("capacity of the parse queue, batches"),
    OWNER_CAPACITY("capacity of owner queues, batches"),
    NETTY_WORKERS("netty workers"),
    PARSE_WORKERS("parser workers"),
    OWNER_WORKERS("owner workers"),
    BATCH_MESSAGES("messages a batch at most"),
    LINGER_US("linger, µs"),
    GC("collector"),
    CONNECTIONS("connections");

    private final String title;

    Factor(String title) {
        this.title = title;
    }

    /** The name of the column. */
    public String column() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** In words, with the unit. */
    public String title() {
        return title;
    }
}
