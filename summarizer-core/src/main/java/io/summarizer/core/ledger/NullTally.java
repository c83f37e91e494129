package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;
import io.summarizer.core.decode.InputEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts failed evaluations of a program's expressions: evaluations in which an operation failed and gave null. Only
 * the program's worker writes the counts. They are exact at a cut, and approximate at other times.
 *
 * <p>An evaluation without failure costs one addition if the expression is in a loop or under a condition. Otherwise,
 * it costs nothing. An evaluation with failures is counted once, for the first failure. It is counted even if the
 * expression is not null in the end, for example because of {@code coalesce}.
 */
public final class NullTally {
    private static final int REASONS = NullReason.all().size();
    /** Maximum number of characters in a sample. */
    private static final int SAMPLE_MAX = 60;

    /** For each site with {@link NullSite.Evaluated#COUNTED}, the number of evaluations. */
    public final long[] evaluated;

    private final List<NullSite> sites;
    private final ProgramCounts of;
    /** Failures by site and reason. */
    private final long[] counts;
    /** For each site, the last evaluation that failed. */
    private final long[] last;

    private final @Nullable String[] samples;

    /**
     * A tally.
     *
     * @param sites the expressions. The list may be empty. Even then, failures of expression number 0 can be counted,
     *     but reports do not show them.
     * @param of the other counts of the same program
     */
    NullTally(List<NullSite> sites, ProgramCounts of) {
        this.sites = List.copyOf(sites);
        this.of = of;
        int size = Math.max(1, sites.size());
        evaluated = new long[size];
        counts = new long[size * REASONS];
        last = new long[size];
        samples = new String[size];
        Arrays.fill(last, -1);
    }

    /** The expressions. */
    List<NullSite> sites() {
        return sites;
    }

    /** Counts a failure in the current evaluation of an expression. */
    public void count(int site, NullReason reason) {
        long evaluation = evaluations(site);
        if (last[site] != evaluation) {
            last[site] = evaluation;
            Opaque.add(counts, site * REASONS + reason.ordinal(), 1);
        }
    }

    /** Counts a failure in the current evaluation: a string of {@code event} cannot be read as a number or a time. */
    public void unreadable(int site, InputEvent event, long string) {
        count(site, NullReason.UNREADABLE);
        if (samples[site] == null) {
            String text = event.string(string);
            samples[site] = text.length() <= SAMPLE_MAX ? text : text.substring(0, SAMPLE_MAX) + "...";
        }
    }

    private long evaluations(int site) {
        if (site >= sites.size()) {
            return evaluated[site];
        }
        int mapping = sites.get(site).mapping();
        return switch (sites.get(site).evaluated()) {
            case TAKEN -> Opaque.get(of.applied, mapping) + Opaque.get(of.filtered, mapping);
            case APPLIED -> Opaque.get(of.applied, mapping);
            case COUNTED -> evaluated[site];
        };
    }

    /** Number of failed evaluations of all expressions. */
    public long total() {
        return Arrays.stream(counts).sum();
    }

    /** The numbers of one expression. */
    NullValues values(int site, String event, String mapping) {
        List<Long> bySite = new ArrayList<>();
        for (int reason = 0; reason < REASONS; reason++) {
            bySite.add(Opaque.get(counts, site * REASONS + reason));
        }
        String sample = samples[site];
        return new NullValues(
                event,
                mapping,
                sites.get(site).expression(),
                sites.get(site).at(),
                evaluations(site),
                bySite,
                sample == null ? "" : sample);
    }

    /** Zero counts of an expression. */
    static List<Long> noCounts() {
        return Collections.nCopies(REASONS, 0L);
    }
}
