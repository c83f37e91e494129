package io.summarizer.bench.advice;

/**
 * One measured run: a row of the results. Figures that a run does not have are NaN.
 *
 * @param point short name of the setting
 * @param number of the run among the repeats of its point
 * @param offered events per second that were offered; NaN at full speed
 * @param parse of the parse queue
 * @param owner of all owner queues
 * @param status {@code ok}, or what failed
 */
public record Run(
        Origin origin,
        Setting setting,
        String point,
        int number,
        Kind kind,
        double offered,
        double eventsPerSecond,
        double cpuSecondsPerMillion,
        double bytesPerEvent,
        double gcPauses,
        double gcPauseMillis,
        double gcPauseMillisMax,
        Fill parse,
        Fill owner,
        Latency latency,
        String status) {

    /** What was measured. */
    public enum Kind {
        THROUGHPUT,
        LATENCY
    }

    /** Where and when. */
    public record Origin(String when, String commit, String jdk, String cpus, String cpu) {}

    /** How full a queue was: the mean of samples, and the shares of samples that saw it full and empty; all 0 to 1. */
    public record Fill(double mean, double full, double empty) {}

    /** From the time an event was due until a pull shows it, in µs. */
    public record Latency(double p50, double p90, double p99, double p999, double max) {}

    /** Whether it has figures. */
    public boolean ok() {
        return status.equals("ok");
    }

    /** Events for each second that a processor worked. */
    public double eventsPerCpuSecond() {
        return 1e6 / cpuSecondsPerMillion;
    }
}
