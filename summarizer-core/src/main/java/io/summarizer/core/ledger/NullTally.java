package io.summarizer.core.ledger;

import io.summarizer.core.decode.InputEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often the expressions of one program came to null because something in them failed. Written by the program's
 * worker; exact at a cut, about as of now elsewhere.
 *
 * <p>An evaluation in which nothing fails costs nothing; in loops and under conditions, where it is known that an expression may
 * fail, one addition. An evaluation counts once, for the first thing that failed in it, also where the expression goes on with
 * another value, as {@code coalesce} does.
 */
public final class NullTally {
    private static final int REASONS = NullReason.all().size();
    /** Characters of a sample. */
    private static final int SAMPLE_MAX = 60;

    /** By site, evaluations of {@link NullSite.Evaluated#COUNTED} ones. */
    public final long[] evaluated;

    private final List<NullSite> sites;
    private final ProgramCounts of;
    /** By site and reason. */
    private final long[] counts;
    /** By site, the evaluation that failed last. */
    private final long[] last;

    private final @Nullable String[] samples;

    /**
     * A tally.
     *
     * @param sites the expressions; where there are none, number 0 is still a valid place, which no report shows
     * @param of the other counts of the program
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

    /** Something failed in the evaluation at hand of an expression. */
    public void count(int site, NullReason reason) {
        long evaluation = evaluations(site);
        if (last[site] != evaluation) {
            last[site] = evaluation;
            counts[site * REASONS + reason.ordinal()]++;
        }
    }

    /** A string of {@code event} was to be read as a number or a time in the evaluation at hand, and is none. */
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
            case TAKEN -> of.applied[mapping] + of.filtered[mapping];
            case APPLIED -> of.applied[mapping];
            case COUNTED -> evaluated[site];
        };
    }

    /** Evaluations of all expressions that failed. */
    public long total() {
        return Arrays.stream(counts).sum();
    }

    /** The numbers of one expression. */
    NullValues values(int site, String event, String mapping) {
        List<Long> bySite = new ArrayList<>();
        for (int reason = 0; reason < REASONS; reason++) {
            bySite.add(counts[site * REASONS + reason]);
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

    /** Forgets all: before an evaluation that is to be looked at by itself. */
    public void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(last, -1);
        Arrays.fill(samples, null);
    }

    /** The reason for which the expression of a program with one of them failed since {@link #clear}, or null. */
    public @Nullable NullReason reason() {
        return NullReason.all().stream()
                .filter(reason -> counts[reason.ordinal()] > 0)
                .findFirst()
                .orElse(null);
    }

    /** The text that could not be read since {@link #clear}, cut; or null. */
    public @Nullable String sample() {
        return samples[0];
    }

    /** Nothing was counted of an expression. */
    static List<Long> noCounts() {
        return Collections.nCopies(REASONS, 0L);
    }
}
