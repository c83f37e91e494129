package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Map;

/** The garbage collectors that a JVM of ours can be given instead of the one it is shipped with, by the words of {@link Factor#GC}. */
public final class GarbageCollectors {
    /** The one that the product is shipped with. */
    public static final String SHIPPED = "G1";

    private static final String NOT_G1 = "-XX:-UseG1GC";

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
            List.of(NOT_G1, "-XX:+UseZGC"));

    private GarbageCollectors() {}

    /** All names, sorted. */
    public static List<String> names() {
        return FLAGS.keySet().stream().sorted().toList();
    }

    /** What a JVM is given behind the flags that the product is shipped with. */
    public static List<String> flags(String name) {
        return FLAGS.getOrDefault(name, List.of("-XX:+Use" + name));
    }

    /** The young generation that servers have is one for G1; others that copy get one of a common size. */
    private static List<String> young(String collector) {
        return List.of(NOT_G1, collector, "-XX:NewSize=256m", "-XX:MaxNewSize=256m", "-XX:MaxTenuringThreshold=15");
    }
}
