package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Map;

/** The garbage collectors of the JVMs that a benchmark starts, by the words of {@link Factor#GC}. */
public final class GarbageCollectors {
    /** The collector that the product ships with. */
    public static final String SHIPPED = "G1";

    private static final String NOT_G1 = "-XX:-UseG1GC";
    /** The shipped flags promote objects at once, which is for G1 only. */
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
     * Returns the JVM flags to append to those that the product ships with.
     *
     * @throws IllegalArgumentException when the name is not one of {@link #names()}
     */
    public static List<String> flags(String name) {
        List<String> flags = FLAGS.get(name);
        if (flags == null) {
            throw new IllegalArgumentException("collector " + name + " is none of " + names());
        }
        return flags;
    }

    /**
     * The shipped flags set the size of the young generation for G1; other collectors for which that size is fixed get
     * a common one.
     */
    private static List<String> young(String collector) {
        return List.of(NOT_G1, collector, "-XX:NewSize=256m", "-XX:MaxNewSize=256m", AGES);
    }
}
