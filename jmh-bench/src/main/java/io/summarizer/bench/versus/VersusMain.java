package io.summarizer.bench.versus;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs two versions of a benchmark in turns, and reports their times and the median ratio of their speeds. A turn takes
 * about 20 ms, so both versions meet the same noise.
 */
public final class VersusMain {
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(6);
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private VersusMain() {}

    /**
     * Reports on two checkouts.
     *
     * @param arguments this checkout, whose speed is the ratio's numerator; the other checkout; whether the other is
     *     loaded first; the name of the benchmark; the number of turns; and fields as {@code name=value}
     */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Map<String, String> fields = new TreeMap<>();
        for (String field : List.of(arguments).subList(5, arguments.length)) {
            int equal = field.indexOf('=');
            fields.put(field.substring(0, equal), field.substring(equal + 1));
        }
        // Which version is loaded first may decide over a tenth of its speed.
        boolean otherFirst = Boolean.parseBoolean(arguments[2]);
        Version[] versions = new Version[2];
        for (int i = 0; i < 2; i++) {
            int at = otherFirst ? 1 - i : i;
            Path checkout = Path.of(arguments[at]);
            System.setProperty("summarizer.home", checkout.toString());
            versions[at] = new Version(Version.classPath(checkout), arguments[3], fields);
        }
        double[][] times = measure(versions[0], versions[1], Integer.parseInt(arguments[4]), WARM_UP_NANOS);
        for (Version version : versions) {
            version.tearDown();
        }
        Figures.report("time", Numbers.median(times[0]) / 1e3, "us");
        Figures.report("time-against", Numbers.median(times[1]) / 1e3, "us");
        Figures.report("ratio", ratio(times), "of speeds");
    }

    /** The median ratio of the speeds of two versions, from the times of their turns. */
    static double ratio(double[][] times) {
        double[] ratios = new double[times[0].length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = times[1][i] / times[0][i];
        }
        return Numbers.median(ratios);
    }

    /** Runs both versions in turns; returns for each version the time of one run in each turn, in nanoseconds. */
    static double[][] measure(Version present, Version other, int turns, long warmUpNanos)
            throws ReflectiveOperationException {
        Version[] versions = {present, other};
        int times = 1;
        for (long start = System.nanoTime(); System.nanoTime() - start < warmUpNanos; ) {
            long nanos = present.run(times);
            long unused = other.run(times);
            times = (int) Math.max(1, Math.min(1 << 20, times * (double) TURN_NANOS / Math.max(1, nanos)));
        }
        double[][] nanos = new double[2][turns];
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < 2; i++) {
                int now = (turn + i) & 1;
                long unused = versions[now].run(1); // brings its state into the caches
                nanos[now][turn] = (double) versions[now].run(times) / times;
            }
        }
        return nanos;
    }
}
