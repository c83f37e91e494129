package io.summarizer.bench.sweep;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Points for tests. */
final class Points {
    private Points() {}

    /** Values of all factors. */
    static Map<Factor, String> defaults() {
        Map<Factor, String> values = new EnumMap<>(Factor.class);
        values.put(Factor.WORKLOAD, "v1");
        values.put(Factor.MODE, "queued");
        values.put(Factor.PARSE_QUEUE, "lbq");
        values.put(Factor.OWNER_QUEUE, "lbq");
        values.put(Factor.PARSE_WAIT, "blocking");
        values.put(Factor.OWNER_WAIT, "blocking");
        values.put(Factor.PARSE_CAPACITY, "256");
        values.put(Factor.OWNER_CAPACITY, "256");
        values.put(Factor.NETTY_WORKERS, "1");
        values.put(Factor.PARSE_WORKERS, "1");
        values.put(Factor.OWNER_WORKERS, "1");
        values.put(Factor.BATCH_MESSAGES, "0");
        values.put(Factor.LINGER_US, "2000");
        values.put(Factor.GC, "G1");
        values.put(Factor.CONNECTIONS, "2");
        values.put(Factor.JDK, "25.0.3");
        return values;
    }

    static Space space(Dimension... dimensions) {
        return new Space(defaults(), List.of(dimensions));
    }

    static Point with(Factor factor, String value) {
        return space().with(Map.of(factor, value));
    }
}
