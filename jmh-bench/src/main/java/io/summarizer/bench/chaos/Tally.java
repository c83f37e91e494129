package io.summarizer.bench.chaos;

import java.util.Locale;

/** Figures and findings of a run. One thread; immutable once the run is over. */
public final class Tally {
    /** Names of the columns of {@link #csv}. */
    public static final String HEADER =
            "sender,seed,events,connections,incidents,kills_in_traffic,kills_starting,stops,cuts,"
                    + "starts_checked,rests_checked,acknowledged_lost,counted_twice,resent,duplicates,counted_again_without_id,"
                    + "reported_lost,seconds";

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

    /** The numbers, for people. A run that found an event lost or counted twice does not come so far. */
    public String table() {
        return String.format(
                Locale.ROOT,
                """
                events sent                                  %,12d
                  acknowledged and lost                      %,12d
                  with an id and counted twice               %,12d
                  sent again, as far as the sender can tell  %,12d
                  with an id and recognized                  %,12d
                  without an id and counted again            %,12d
                  said to be lost with damaged files         %,12d
                SIGKILL while events came in                 %,12d
                SIGKILL at other times                       %,12d
                orderly stops                                %,12d
                connections cut off                          %,12d
                hostile connections at a time                %,12d
                starts that had all                          %,12d
                rows, totals, ledger and journal agreed      %,12d
                seconds                                      %,12.0f
                """,
                sent,
                0,
                0,
                resent,
                duplicates,
                plainAgain,
                reportedLost,
                killsInTraffic,
                kills - killsInTraffic,
                stops,
                cuts,
                connections,
                starts,
                rests,
                seconds);
    }

    /** The numbers as a row below {@link #HEADER}. */
    public String csv(ChaosRun.Settings settings) {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,0,0,%d,%d,%d,%d,%.0f",
                settings.rsyslog() ? "rsyslog" : "relp",
                settings.seed(),
                sent,
                connections,
                incidents,
                killsInTraffic,
                kills - killsInTraffic,
                stops,
                cuts,
                starts,
                rests,
                resent,
                duplicates,
                plainAgain,
                reportedLost,
                seconds);
    }
}
