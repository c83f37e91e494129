package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Map;

/** The garbage collectors that a JVM of ours can be given, by the words of {@link Factor#GC}. */
public final class GarbageCollectors {
    /** The one that the product is shipped with. */
    public static final String SHIPPED = "G1";

    private static final String NOT_G1 = "-XX:-UseG1GC";
    /** What is shipped is promoted at once, which is for G1. */
    private static final String AGES = "-XX:MaxTenuringThreshold=15";

    private static final Map<String, List<String>> FLAGS = Map.of(
            SHIPPED,
            List.of(),
            "Parallel",
            young("-XX:+UseParallelGC"),
            "Serial",
            young("-XX:+UseSerialGC"),
            "Shenandoah",
            List.of(NOT_G1, "-XX:+UseShenandoahGC"),
            "ZGC",
            List.of(NOT_G1, "-XX:+UseZGC", AGES));

    private GarbageCollectors() {}

    /** All names, sorted. */
    public static List<String> names() {
        return FLAGS.keySet().stream().sorted().toList();
    }

    /**
     * What a JVM is given behind the flags that the product is shipped with.
     *
     * @throws IllegalArgumentException when it is none of {@link #names()}
     */
    public static List<String> flags(String name) {
        List<String> flags = FLAGS.get(name);
        if (flags == null) {
            throw new IllegalArgumentException("collector " + name + " is none of " + names());
        }
        return flags;
    }

    /** The young generation that servers have is one for G1; those that have one of fixed size get a common one. */
    private static List<String> young(String collector) {
        return List.of(NOT_G1, collector, "-XX:NewSize=256m", "-XX:MaxNewSize=256m", AGES);
    }
}
