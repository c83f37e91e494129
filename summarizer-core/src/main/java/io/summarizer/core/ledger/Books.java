package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The counts of one generation of definitions: accounts of event types and mappings, tallies of summaries, and the
 * counts of programs. In the next generation, the account with the same name continues the account of this generation.
 * The two accounts share the rows of their counts. So if a thread still counts for this generation, both generations
 * have its counts.
 *
 * <p>Mappings are numbered in the order of {@link Chart#events()}. Each parser worker and each owner writes its own
 * rows. The coordinator makes the books of each generation. Any thread may read approximate numbers.
 */
public final class Books {
    final AccountCounter[] events;
    final AccountCounter[] mappings;
    private final SummaryTally[] summaries;

    /** The counts of programs, by worker and event type. */
    final ProgramCounts[][] programs;

    /** For each mapping, the event type and the summary. */
    final int[] eventOf;

    final int[] summaryOf;

    /** For each event type, the number of its first mapping; one more entry marks the end. */
    final int[] firstMapping;

    final Chart chart;
    private final int threads;

    /** For each mapping, the number of messages that its event type had received before the mapping was defined. */
    private final long[] born;

    /**
     * For each mapping, the mapping's account at the last reset of the summary. Only the coordinator writes these
     * accounts; any thread may read them.
     */
    private final Account[] atReset;

    /**
     * Event types that the last change of definitions removed. {@code former} has the sums for event types that earlier
     * changes removed.
     */
    private final List<AccountCounter> gone = new ArrayList<>();

    private final AccountCounter former;

    /**
     * Mappings that the last change of definitions removed. For mappings that earlier changes removed, {@code
     * rejectedBefore} has the numbers of refused messages, by fate.
     */
    private final List<AccountCounter> goneMappings = new ArrayList<>();

    private final long[] rejectedBefore = new long[Fate.all().size()];

    /** Counts of the programs of earlier generations, by summary and in total. */
    private final long[] appliedBefore;

    private final long[] filteredBefore;
    private final ProgramCounts before = new ProgramCounts(0);
    /** Null counts of expressions from earlier generations and earlier processes. */
    private final Map<List<String>, NullValues> nullsBefore = new HashMap<>();

    private Books(
            Chart chart,
            int threads,
            ProgramCounts[][] programs,
            SummaryTally[] summaries,
            AccountCounter[] events,
            AccountCounter[] mappings) {
        this.chart = chart;
        this.threads = threads;
        this.programs = programs;
        this.summaries = summaries;
        this.events = events;
        this.mappings = mappings;
        firstMapping = new int[events.length + 1];
        eventOf = new int[mappings.length];
        summaryOf = new int[mappings.length];
        for (int event = 0; event < events.length; event++) {
            int mapping = firstMapping[event];
            for (Chart.Mapping of : chart.events().get(event).mappings()) {
                eventOf[mapping] = event;
                summaryOf[mapping++] = of.summary();
            }
            firstMapping[event + 1] = mapping;
        }
        born = new long[mappings.length];
        atReset = Stream.of(mappings)
                .map(mapping -> LedgerCounts.none(mapping.name()))
                .toArray(Account[]::new);
        former = new AccountCounter(LedgerCounts.FORMER, threads);
        appliedBefore = new long[summaries.length];
        filteredBefore = new long[summaries.length];
    }

    /**
     * Books without predecessors.
     *
     * @param threads number of workers and owners
     * @param programs counts of programs, by worker and event type
     * @param summaries the tally of each summary
     */
    public static Books first(Chart chart, int threads, ProgramCounts[][] programs, SummaryTally[] summaries) {
        return new Books(
                chart,
                threads,
                programs,
                summaries,
                chart.events().stream()
                        .map(event -> new AccountCounter(event.name(), threads))
                        .toArray(AccountCounter[]::new),
                chart.mappings().stream()
                        .map(mapping -> new AccountCounter(mapping.name(), threads))
                        .toArray(AccountCounter[]::new));
    }

    /**
     * Makes the books of the next definitions. Call this method while the gate is closed. The next books copy the
     * counts of the present programs, so they lack everything that these programs count after this call.
     *
     * @param sources for each of {@code summaries}, the position of the summary in these books, or -1
     */
    public Books next(Chart next, ProgramCounts[][] programs, SummaryTally[] summaries, int[] sources) {
        List<Integer> keptEvents = new ArrayList<>();
        AccountCounter[] nextEvents = next.events().stream()
                .map(event -> {
                    int same = event(event.name());
                    keptEvents.add(same);
                    return same < 0 ? new AccountCounter(event.name(), threads) : events[same].successor();
                })
                .toArray(AccountCounter[]::new);
        List<long[]> counted = counted();
        List<Integer> keptMappings = mappingsOf(next);
        List<Chart.Mapping> mappingsOfNext = next.mappings();
        AccountCounter[] nextMappings = IntStream.range(0, keptMappings.size())
                .mapToObj(mapping -> successor(mappingsOfNext.get(mapping).name(), keptMappings.get(mapping), counted))
                .toArray(AccountCounter[]::new);
        Books books = new Books(next, threads, programs, summaries, nextEvents, nextMappings);
        for (int mapping = 0; mapping < nextMappings.length; mapping++) {
            int source = keptMappings.get(mapping);
            if (source >= 0) {
                books.atReset[mapping] = atReset[source];
            }
            books.born[mapping] = source >= 0 ? born[source] : received(nextEvents[books.eventOf[mapping]].sums());
        }
        books.former.add(former.sums());
        gone.forEach(counter -> books.former.add(counter.sums())); // nobody has added to them since
        addWithout(keptEvents, events, books.gone);
        for (Fate fate : Fate.all()) {
            books.rejectedBefore[fate.ordinal()] =
                    rejectedBefore[fate.ordinal()] + rejected(goneMappings.stream(), fate);
        }
        addWithout(keptMappings, mappings, books.goneMappings);
        long[] applied = applied();
        long[] filtered = filtered();
        for (int summary = 0; summary < sources.length; summary++) {
            if (sources[summary] >= 0) {
                books.appliedBefore[summary] = applied[sources[summary]];
                books.filteredBefore[summary] = filtered[sources[summary]];
            }
        }
        books.before.countInvalidUtf8(total(ProgramCounts::invalidUtf8));
        books.before.countExtractsAbandoned(total(ProgramCounts::extractsAbandoned));
        books.before.countWithoutId(total(ProgramCounts::withoutId));
        books.addNullsBefore(nulls());
        return books;
    }

    private static void addWithout(List<Integer> kept, AccountCounter[] counters, List<AccountCounter> gone) {
        for (int i = 0; i < counters.length; i++) {
            if (!kept.contains(i)) {
                gone.add(counters[i]);
            }
        }
    }

    private AccountCounter successor(String name, int source, List<long[]> counted) {
        if (source < 0) {
            return new AccountCounter(name, threads);
        }
        AccountCounter successor = mappings[source].successor();
        successor.add(counted.get(source));
        return successor;
    }

    /** For each mapping of the next chart, the position of the mapping in these books, or -1. */
    private List<Integer> mappingsOf(Chart next) {
        List<Integer> sources = new ArrayList<>();
        for (Chart.EventType event : next.events()) {
            int same = event(event.name());
            for (Chart.Mapping mapping : event.mappings()) {
                sources.add(same < 0 ? -1 : mapping(same, mapping.name()));
            }
        }
        return sources;
    }

    private int event(String name) {
        return named(name, events, 0, events.length);
    }

    private int mapping(int event, String name) {
        return named(name, mappings, firstMapping[event], firstMapping[event + 1]);
    }

    private static int named(String name, AccountCounter[] counters, int from, int to) {
        return IntStream.range(from, to)
                .filter(i -> counters[i].name().equals(name))
                .findFirst()
                .orElse(-1);
    }

    /** Continues the counts of an earlier process. Call this method before anything is counted in these books. */
    void restore(LedgerCounts counts) {
        former.add(counts.former());
        for (Account account : counts.events()) {
            int event = event(account.name());
            (event < 0 ? former : events[event]).add(account.settled());
        }
        for (int mapping = 0; mapping < mappings.length; mapping++) {
            born[mapping] = received(events[eventOf[mapping]].sums());
        }
        for (LedgerCounts.OfMapping restored : counts.mappings()) {
            int event = event(restored.event());
            int mapping = event < 0 ? -1 : mapping(event, restored.name());
            if (mapping >= 0) {
                mappings[mapping].add(restored.account());
                born[mapping] -= restored.account().decided();
                atReset[mapping] = restored.account().minus(restored.sinceReset());
            }
        }
        addNullsBefore(counts.nulls());
    }

    private void addNullsBefore(List<NullValues> nulls) {
        nulls.forEach(values -> nullsBefore.put(values.key(), values));
    }

    /** The tally of one worker for an event type. */
    public EventTally tally(int event, int worker) {
        return new EventTally(this, event, worker);
    }

    /** The tally of a summary. */
    public SummaryTally summary(int summary) {
        return summaries[summary];
    }

    /** The summary that a mapping is into. */
    public int summaryOf(int mapping) {
        return summaryOf[mapping];
    }

    /**
     * Number of messages that mappings did not apply in full because of {@code fate}, since the process began. A
     * message is counted once for each mapping that did not apply it in full.
     */
    long rejected(Fate fate) {
        return rejectedBefore[fate.ordinal()]
                + rejected(Stream.concat(Stream.of(mappings), goneMappings.stream()), fate);
    }

    private static long rejected(Stream<AccountCounter> counters, Fate fate) {
        return counters.mapToLong(counter -> counter.here(fate)).sum();
    }

    /**
     * For each summary, how often a mapping into it emitted the updates of an event. Exact while the gate is closed,
     * otherwise approximate.
     */
    public long[] applied() {
        return bySummary(appliedBefore, counts -> counts.applied);
    }

    /**
     * For each summary, how often the {@code where} of a mapping into it was false. Exact while the gate is closed,
     * otherwise approximate.
     */
    public long[] filtered() {
        return bySummary(filteredBefore, counts -> counts.filtered);
    }

    private long[] bySummary(long[] earlier, Function<ProgramCounts, long[]> byMapping) {
        long[] sums = earlier.clone();
        for (int event = 0; event < events.length; event++) {
            for (ProgramCounts[] ofWorker : programs) {
                long[] counts = byMapping.apply(ofWorker[event]);
                for (int i = 0; i < counts.length; i++) {
                    sums[summaryOf[firstMapping[event] + i]] += Opaque.get(counts, i);
                }
            }
        }
        return sums;
    }

    /** Approximate number of updates that were applied to a summary so far. */
    public long updates(int summary) {
        return applied()[summary] - Opaque.sum(summaries[summary].refused);
    }

    /** Approximate number of updates that were not applied to a summary so far because their events were duplicates. */
    public long duplicates(int summary) {
        return Opaque.sum(summaries[summary].duplicates);
    }

    /**
     * The number of updates in the rows of each summary at a cut. Called by the coordinator.
     *
     * @param applied the result of {@link #applied} at the cut
     * @param refused by summary, the number of updates that were not applied, or not in full
     */
    public long[] updates(long[] applied, AtomicLongArray refused) {
        long[] updates = applied.clone();
        for (int summary = 0; summary < updates.length; summary++) {
            updates[summary] += summaries[summary].before - refused.get(summary);
        }
        return updates;
    }

    /** The numbers of applied and filtered messages that programs counted, by mapping. */
    List<long[]> counted() {
        List<long[]> counted = new ArrayList<>();
        for (int mapping = 0; mapping < mappings.length; mapping++) {
            int event = eventOf[mapping];
            int position = mapping - firstMapping[event];
            long[] sums = AccountCounter.newSums();
            for (ProgramCounts[] ofWorker : programs) {
                sums[AccountCounter.slot(Fate.APPLIED)] += Opaque.get(ofWorker[event].applied, position);
                sums[AccountCounter.slot(Fate.FILTERED)] += Opaque.get(ofWorker[event].filtered, position);
            }
            counted.add(sums);
        }
        return counted;
    }

    /** The sum of one count of all programs. */
    public long total(ToLongFunction<ProgramCounts> count) {
        long total = count.applyAsLong(before);
        for (ProgramCounts[] ofWorker : programs) {
            for (ProgramCounts counts : ofWorker) {
                total += count.applyAsLong(counts);
            }
        }
        return total;
    }

    /**
     * The counts of failures for each expression that may fail. Exact while the gate is closed, otherwise approximate.
     */
    List<NullValues> nulls() {
        List<NullValues> all = new ArrayList<>();
        for (int event = 0; event < events.length; event++) {
            List<NullSite> sites = programs[0][event].nulls.sites();
            for (int site = 0; site < sites.size(); site++) {
                all.add(nulls(event, site, sites.get(site)));
            }
        }
        return all;
    }

    private NullValues nulls(int event, int site, NullSite of) {
        Chart.EventType type = chart.events().get(event);
        String mapping =
                of.mapping() < 0 ? "" : type.mappings().get(of.mapping()).name();
        NullValues sum = new NullValues(type.name(), mapping, of.expression(), of.at(), 0, NullTally.noCounts(), "");
        NullValues earlier = nullsBefore.get(sum.key());
        if (earlier != null) {
            sum = sum.after(earlier);
        }
        for (ProgramCounts[] ofWorker : programs) {
            sum = ofWorker[event].nulls.values(site, type.name(), mapping).after(sum);
        }
        return sum;
    }

    /**
     * Records that a summary was emptied at a cut. From then on, the summary's number of updates starts again at 0.
     * Called by the coordinator.
     *
     * @param overflow the overflow summary of the emptied summary, or -1
     * @param updates number of updates in the rows of the emptied summary at the cut
     * @param counts the counts of the cut
     */
    public void reset(int summary, int overflow, long updates, LedgerCounts counts) {
        summaries[summary].before -= updates;
        if (overflow >= 0) {
            summaries[overflow].before = 0; // the stores count the other updates
        }
        for (int mapping = 0; mapping < mappings.length; mapping++) {
            if (summaryOf[mapping] == summary) {
                atReset[mapping] = counts.mappings().get(mapping).account();
            }
        }
    }

    private static long received(long[] sums) {
        return sums[AccountCounter.RECEIVED];
    }

    /**
     * All counters, in the order of a snapshot: first the counters of event types, then the counters of mappings, then
     * the counters of event types that are no longer defined.
     */
    List<AccountCounter> counters() {
        List<AccountCounter> counters = new ArrayList<>(List.of(events));
        counters.addAll(List.of(mappings));
        counters.add(former);
        counters.addAll(gone);
        return counters;
    }

    /**
     * Makes the accounts.
     *
     * @param sums the sums of {@link #counters()}, followed by the counts of programs
     * @param listeners the accounts of the listeners
     * @param nulls null counts of expressions
     */
    LedgerCounts counts(List<long[]> sums, List<Account> listeners, List<NullValues> nulls) {
        List<Account> ofEvents = new ArrayList<>();
        for (int event = 0; event < events.length; event++) {
            long[] counted = sums.get(event);
            ofEvents.add(AccountCounter.account(events[event].name(), received(counted), counted));
        }
        List<LedgerCounts.OfMapping> ofMappings = new ArrayList<>();
        for (int mapping = 0; mapping < mappings.length; mapping++) {
            long received = received(sums.get(eventOf[mapping])) - born[mapping];
            Account account =
                    AccountCounter.account(mappings[mapping].name(), received, sums.get(events.length + mapping));
            ofMappings.add(new LedgerCounts.OfMapping(
                    events[eventOf[mapping]].name(),
                    chart.summaries().get(summaryOf[mapping]),
                    account,
                    account.minus(atReset[mapping])));
        }
        Account notDefined = LedgerCounts.none(LedgerCounts.FORMER);
        for (long[] counted : sums.subList(events.length + mappings.length, sums.size())) {
            notDefined = notDefined.plus(AccountCounter.account(LedgerCounts.FORMER, received(counted), counted));
        }
        return new LedgerCounts(listeners, ofEvents, ofMappings, notDefined, nulls);
    }
}
