package io.summarizer.bench.chaos;

import java.util.List;

/** Figures and findings of a run. One thread; immutable once the run is over. */
public final class Tally {
    int incidents;
    int killsInTraffic;
    int kills;
    int stops;
    int starts;
    int rests;
    long cuts;
    long sent;
    long resent;
    long duplicates;
    long plainAgain;
    long reportedLost;
    int connections;
    double seconds;

    /**
     * The figures of the run. The number of lost events and the number of events counted twice are always 0, because
     * the first such event ends the run with an exception.
     */
    public RunFigures figures(ChaosRun.Settings settings) {
        return new RunFigures(List.of())
                .add("sender", settings.rsyslog() ? "rsyslog" : "relp")
                .add("seed", settings.seed())
                .add("events", "events sent", sent)
                .add("connections", "hostile connections at a time", connections)
                .add("incidents", "incidents", incidents)
                .add("kills_in_traffic", "SIGKILL while events came in", killsInTraffic)
                .add("kills_starting", "SIGKILL at other times", kills - killsInTraffic)
                .add("stops", "orderly stops", stops)
                .add("cuts", "connections cut off", cuts)
                .add("starts_checked", "starts that had all", starts)
                .add("rests_checked", "rows, totals, ledger and journal agreed", rests)
                .add("acknowledged_lost", "acknowledged and lost", 0)
                .add("counted_twice", "with an id and counted twice", 0)
                .add("resent", "sent again, as far as the sender can tell", resent)
                .add("duplicates", "with an id and recognized", duplicates)
                .add("counted_again_without_id", "without an id and counted again", plainAgain)
                .add("reported_lost", "said to be lost with damaged files", reportedLost)
                .add("seconds", "seconds", Math.round(seconds));
    }
}
