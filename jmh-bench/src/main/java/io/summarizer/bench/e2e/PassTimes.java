package io.summarizer.bench.e2e;

import java.util.List;
import java.util.Locale;

/**
 * Durations of passes over the same events.
 *
 * @param measure name of the measurement, one word
 * @param workload workload of the events
 * @param events number of events in each pass
 * @param seconds duration of each pass, in seconds
 * @param settings settings of the measurement
 */
public record PassTimes(String measure, String workload, long events, List<Double> seconds, List<String> settings) {
    /** The columns of {@link #csv}. */
    public static final String HEADER = "measure,workload,events,repeats,median_per_s,min_per_s,max_per_s,settings";

    /** The columns of {@link #csvBeside}. */
    public static final String PAIR_HEADER =
            "against,measure,workload,events,repeats,pair,median_per_s,against_median_per_s,ratio,settings";

    public PassTimes {
        seconds = List.copyOf(seconds);
        settings = List.copyOf(settings);
    }

    /** Events per second of the median pass, or of the slower of the two middle passes. */
    public double median() {
        return perSecond(seconds.size() / 2);
    }

    private double slowest() {
        return perSecond(seconds.size() - 1);
    }

    private double fastest() {
        return perSecond(0);
    }

    private double perSecond(int place) {
        return events / seconds.stream().sorted().toList().get(place);
    }

    /** The row in a file of results. */
    public String csv() {
        return String.format(
                Locale.ROOT,
                "%s,%s,%d,%d,%.0f,%.0f,%.0f,%s",
                measure,
                workload,
                events,
                seconds.size(),
                median(),
                slowest(),
                fastest(),
                String.join(" ", settings));
    }

    /**
     * The row in a file of pairs.
     *
     * @param other passes of another commit over the same events, each measured just before or after a pass of this
     *     commit
     * @param pair number of the pair, from 1 on
     */
    public String csvBeside(PassTimes other, String commit, int pair) {
        return String.format(
                Locale.ROOT,
                "%s,%s,%s,%d,%d,%d,%.0f,%.0f,%.3f,%s",
                commit,
                measure,
                workload,
                events,
                seconds.size(),
                pair,
                median(),
                other.median(),
                median() / other.median(),
                String.join(" ", settings));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s %s%s: median %,.0f events/s (%,.0f to %,.0f over %d passes)",
                measure,
                workload,
                settings.isEmpty() ? "" : " " + String.join(" ", settings),
                median(),
                slowest(),
                fastest(),
                seconds.size());
    }
}
