package io.summarizer.core.ledger;

/**
 * What became of the messages of one event type: for one parser worker and one generation of definitions.
 * A program counts by mapping what it applied and filtered; this finds out what that means for the message, and counts the rest.
 *
 * <p>Cost: a load and a comparison for each mapping of the event type, and two additions, for each message.
 */
public final class EventTally {
    private static final int RECEIVED = AccountCounter.RECEIVED;
    private static final int APPLIED = AccountCounter.slot(Fate.APPLIED);
    private static final int FILTERED = AccountCounter.slot(Fate.FILTERED);
    private static final int UNMATCHED = AccountCounter.slot(Fate.UNMATCHED);
    private static final int PAYLOAD = AccountCounter.slot(Fate.PAYLOAD);

    /** Number of its first mapping. */
    private final int firstMapping;

    /** What the program counts. */
    private final ProgramCounts counts;

    private final long[] applied;

    private final long[] filtered;

    /** What it had counted as applied before the message at hand. */
    private final long[] appliedBefore;

    /** Keys and texts that were too long before the message at hand. */
    private long tooLongBefore;

    /** By mapping, messages whose topic it is not for. */
    private final long[] skipped;

    /** Whether there are such topics. */
    private final boolean narrow;

    /** Messages that the program took. */
    private long taken;

    private final long[] row;
    private final long[][] mappingRows;

    /**
     * The tally of event type {@code event}.
     *
     * @param worker whose program it is of, and whose rows it adds to
     */
    EventTally(Books books, int event, int worker) {
        counts = books.programs[worker][event];
        applied = counts.applied;
        filtered = counts.filtered;
        tooLongBefore = counts.tooLong;
        appliedBefore = applied.clone();
        skipped = new long[applied.length];
        narrow = books.chart.events().get(event).mappings().stream().anyMatch(Chart.Mapping::narrow);
        firstMapping = books.firstMapping[event];
        row = books.events[event].row(worker);
        mappingRows = new long[applied.length][];
        for (int mapping = 0; mapping < applied.length; mapping++) {
            mappingRows[mapping] = books.mappings[firstMapping + mapping].row(worker);
        }
    }

    /** The program took a message; returns whether any mapping applied it. */
    public boolean took(boolean[] active) {
        taken++;
        long[] applied = this.applied;
        long[] before = appliedBefore;
        boolean any = false;
        for (int mapping = 0; mapping < before.length; mapping++) {
            long now = applied[mapping];
            if (now != before[mapping]) {
                before[mapping] = now;
                any = true;
            }
        }
        if (narrow) {
            skip(active);
        }
        row[RECEIVED]++;
        row[any ? APPLIED : FILTERED]++;
        return any;
    }

    /** Whether a key or text of the message at hand was too long and is refused. Asked once. */
    public boolean hadTooLong() {
        long now = counts.tooLong;
        boolean had = now != tooLongBefore;
        tooLongBefore = now;
        return had;
    }

    private void skip(boolean[] active) {
        for (int mapping = 0; mapping < active.length; mapping++) {
            if (!active[mapping]) {
                skipped[mapping]++;
                mappingRows[mapping][UNMATCHED]++;
            }
        }
    }

    /** The program refused a message, and counted nothing of it by mapping. */
    public void refused(boolean[] active) {
        tooLongBefore = counts.tooLong; // what it was about is refused as a whole
        row[RECEIVED]++;
        row[PAYLOAD]++;
        for (int mapping = 0; mapping < active.length; mapping++) {
            mappingRows[mapping][active[mapping] ? PAYLOAD : UNMATCHED]++;
        }
    }

    /** The program ended with a fault; nothing of the message is with an owner, and it counts as refused. */
    public void takenBack(boolean[] active) {
        for (int mapping = 0; mapping < active.length; mapping++) {
            applied[mapping] = appliedBefore[mapping];
            filtered[mapping] = filteredBefore(mapping);
        }
        refused(active);
    }

    /**
     * The program ended with a fault when owners had a part of the message already. Counts it as applied in all mappings that it
     * was not filtered by, for the caller to {@linkplain Ledger#find find} otherwise.
     *
     * @param mapped set for each mapping that counts it as applied now
     */
    public void brokenOff(boolean[] active, boolean[] mapped) {
        for (int mapping = 0; mapping < active.length; mapping++) {
            mapped[mapping] = active[mapping] && filtered[mapping] == filteredBefore(mapping);
            if (mapped[mapping]) {
                applied[mapping] = appliedBefore[mapping] + 1;
            }
        }
        tooLongBefore = counts.tooLong;
        boolean unused = took(active); // the mapping that was at work, at least
    }

    /** Number of mapping {@code mapping} of the event type. */
    public int number(int mapping) {
        return firstMapping + mapping;
    }

    /** Each message that the program took was applied, filtered or skipped by each mapping. */
    private long filteredBefore(int mapping) {
        return taken - skipped[mapping] - appliedBefore[mapping];
    }
}
