package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Map;

/** The garbage collectors of the JVMs that a benchmark starts. Their names are the values of {@link Factor#GC}. */
public final class GarbageCollectors {
    /** The collector that the product ships with. */
    public static final String SHIPPED = "G1";

    private static final String NOT_G1 = "-XX:-UseG1GC";
    /** Replaces the shipped flag that promotes objects at once, because that flag suits only G1. */
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
     * Returns the JVM flags to append to the shipped flags.
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
     * Returns flags that give the young generation a fixed size, for a collector other than G1. The shipped flags set
     * this size only for G1. The returned flags set it for {@code collector}, always to the same value.
     */
    private static List<String> young(String collector) {
        return List.of(NOT_G1, collector, "-XX:NewSize=256m", "-XX:MaxNewSize=256m", AGES);
    }
}
