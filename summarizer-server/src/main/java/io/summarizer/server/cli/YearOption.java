package io.summarizer.server.cli;

import io.summarizer.core.receive.SyslogTime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --year}: the year of timestamps that have no year. */
final class YearOption {
    private static final int YEAR_MIN = 1;
    private static final int YEAR_MAX = 9999;

    @Option(
            names = "--year",
            paramLabel = "YYYY",
            description =
                    "Year of timestamps that lack a year, such as those of RFC 3164. Default: the latest year in which the time is at most a week ahead of now.")
    private @Nullable Integer year;

    /** The given year, or {@link SyslogTime#NO_YEAR} without the option. */
    int year() throws CommandFailure {
        if (year == null) {
            return SyslogTime.NO_YEAR;
        }
        if (year < YEAR_MIN || year > YEAR_MAX) {
            throw CommandFailure.usage("--year: " + year + " is not from " + YEAR_MIN + " to " + YEAR_MAX);
        }
        return year;
    }
}
