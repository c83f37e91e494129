package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;

/**
 * Counts the fates of the messages of one event type, for one parser worker and one generation of definitions. A
 * program counts applied and filtered messages by mapping. After each message, the tally sees from the changes of these
 * counts what became of the message. The tally itself counts the messages by fate.
 *
 * <p>Cost of a message: two additions, plus a load and a comparison for each mapping of the event type.
 */
public final class EventTally {
    private static final int RECEIVED = AccountCounter.RECEIVED;
    private static final int APPLIED = AccountCounter.slot(Fate.APPLIED);
    private static final int FILTERED = AccountCounter.slot(Fate.FILTERED);
    private static final int UNMATCHED = AccountCounter.slot(Fate.UNMATCHED);
    private static final int PAYLOAD = AccountCounter.slot(Fate.PAYLOAD);

    /** Number of the first mapping of the event type. */
    private final int firstMapping;

    /** The program's counts. */
    private final ProgramCounts counts;

    private final long[] applied;

    private final long[] filtered;

    /** The program's applied counts before the current message. */
    private final long[] appliedBefore;

    /** The number of oversized keys and texts before the current message. */
    private long tooLongBefore;

    /** For each mapping, the number of messages whose topic the mapping does not take. */
    private final long[] skipped;

    /** Whether any mapping takes only some topics of the event type. */
    private final boolean narrow;

    /** Number of messages that the program took. */
    private long taken;

    private final long[] row;
    private final long[][] mappingRows;

    /**
     * The tally of event type {@code event}.
     *
     * @param worker the parser worker that runs the program; the tally adds to this worker's rows
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

    /** Counts a message that the program took. Returns whether any mapping applied the message. */
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
        Opaque.add(row, RECEIVED, 1);
        Opaque.add(row, any ? APPLIED : FILTERED, 1);
        return any;
    }

    /**
     * Whether the program refused a key or text in the current message because it was too long. Call this method once
     * per message.
     */
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
                Opaque.add(mappingRows[mapping], UNMATCHED, 1);
            }
        }
    }

    /** Counts a message that the program refused without counting it for any mapping. */
    public void refused(boolean[] active) {
        tooLongBefore = counts.tooLong; // the whole message is refused
        Opaque.add(row, RECEIVED, 1);
        Opaque.add(row, PAYLOAD, 1);
        for (int mapping = 0; mapping < active.length; mapping++) {
            Opaque.add(mappingRows[mapping], active[mapping] ? PAYLOAD : UNMATCHED, 1);
        }
    }

    /** Counts a message as refused: the program ended with a fault before any owner got updates of the message. */
    public void takenBack(boolean[] active) {
        for (int mapping = 0; mapping < active.length; mapping++) {
            Opaque.set(applied, mapping, appliedBefore[mapping]);
            Opaque.set(filtered, mapping, filteredBefore(mapping));
        }
        refused(active);
    }

    /**
     * Counts a message for which the program ended with a fault after owners got some updates. Counts the message as
     * applied for all mappings that did not filter it. The caller has to {@linkplain Ledger#find correct} these counts.
     *
     * @param mapped result: true for each mapping for which the message is now counted as applied
     */
    public void brokenOff(boolean[] active, boolean[] mapped) {
        for (int mapping = 0; mapping < active.length; mapping++) {
            mapped[mapping] = active[mapping] && filtered[mapping] == filteredBefore(mapping);
            if (mapped[mapping]) {
                Opaque.set(applied, mapping, appliedBefore[mapping] + 1);
            }
        }
        tooLongBefore = counts.tooLong;
        boolean unused = took(active); // at least the mapping that failed
    }

    /** Number of mapping {@code mapping} of the event type. */
    public int number(int mapping) {
        return firstMapping + mapping;
    }

    /**
     * Number of messages that a mapping had filtered before the current message. Each message is applied, filtered or
     * skipped, so this number follows from the other counts.
     */
    private long filteredBefore(int mapping) {
        return taken - skipped[mapping] - appliedBefore[mapping];
    }
}
