package io.summarizer.bench.e2e;

import io.summarizer.server.workload.AccessWorkload;
import io.summarizer.server.workload.AdsWorkload;
import io.summarizer.server.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Generated events for measurements, and the definitions for these events. Immutable. */
public enum Traffic {
    /** CSV events of the reference workload. */
    V1(5_000_000, "schemas"),
    /** JSON events of the reference workload. */
    V2(2_000_000, "schemas"),
    /** Access lines in JSON, with headers of RFC 3164. */
    ACCESS_LOG(2_000_000, "schemas/examples/access-log"),
    /** The events of V1, each of which updates 12 summaries. */
    FAN_OUT(2_000_000, "jmh-bench/definitions/fan-out");

    private final long events;
    private final String definitions;

    Traffic(long events, String definitions) {
        this.events = events;
        this.definitions = definitions;
    }

    /** The traffic of this name, which is one of {@link #names}. */
    public static Traffic of(String name) {
        return Stream.of(values())
                .filter(traffic -> traffic.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no workload " + name + "; there are " + String.join(", ", names())));
    }

    /** The names for the command line, such as {@code access-log} for {@code ACCESS_LOG}. */
    public static List<String> names() {
        return Stream.of(values()).map(Traffic::toString).toList();
    }

    /** The generator. */
    public Workload workload() {
        return switch (this) {
            case V1, FAN_OUT -> AdsWorkload.v1(1);
            case V2 -> AdsWorkload.v2(1);
            case ACCESS_LOG -> AccessWorkload.of(1);
        };
    }

    /** Events of one pass. */
    public long events() {
        return events;
    }

    /** The folder of definitions in a checkout. */
    public Path definitions(Path home) {
        return home.resolve(definitions);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
