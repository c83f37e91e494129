package io.summarizer.core.pipeline;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.NullValues;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The accounts of the event types and mappings of one generation. Those of the same names in the next one go on where these end:
 * threads that are at the older generation still count for both.
 *
 * <p>Mappings are numbered as {@link Plan#events()} has them, those of earlier event types first.
 */
final class PlanAccounts {
    private static final String FORMER = "former";

    final AccountCounter[] events;
    final AccountCounter[] mappings;

    /** By mapping, its event type and its summary. */
    final int[] eventOf;

    final int[] summaryOf;

    /** By event type, the number of its first mapping; one more entry for the end. */
    final int[] firstMapping;

    private final Plan plan;
    private final int threads;

    /** By mapping, what its event type had received when the mapping came to be. */
    private final long[] born;

    /** By mapping, its account at the last reset of its summary. Guarded by the coordinator; read at any time, too. */
    private final Account[] atReset;

    /** Event types that are not defined any more: those that went at the last change, and what the others came to. */
    private final List<AccountCounter> gone = new ArrayList<>();

    private final AccountCounter former;

    private PlanAccounts(Plan plan, int threads, AccountCounter[] events, AccountCounter[] mappings) {
        this.plan = plan;
        this.threads = threads;
        this.events = events;
        this.mappings = mappings;
        firstMapping = new int[events.length + 1];
        eventOf = new int[mappings.length];
        summaryOf = new int[mappings.length];
        for (int event = 0; event < events.length; event++) {
            int mapping = firstMapping[event];
            for (Plan.Mapping of : plan.events().get(event).mappings()) {
                eventOf[mapping] = event;
                summaryOf[mapping++] = of.summary();
            }
            firstMapping[event + 1] = mapping;
        }
        born = new long[mappings.length];
        atReset = Stream.of(mappings)
                .map(mapping -> LedgerCounts.none(mapping.name()))
                .toArray(Account[]::new);
        former = new AccountCounter(FORMER, threads);
    }

    /** Those of a plan that none came before. */
    static PlanAccounts first(Plan plan, int threads) {
        return new PlanAccounts(
                plan,
                threads,
                plan.events().stream()
                        .map(event -> new AccountCounter(event.name(), threads))
                        .toArray(AccountCounter[]::new),
                mappings(plan).stream()
                        .map(mapping -> new AccountCounter(mapping.name(), threads))
                        .toArray(AccountCounter[]::new));
    }

    private static List<Plan.Mapping> mappings(Plan plan) {
        return plan.events().stream()
                .flatMap(event -> event.mappings().stream())
                .toList();
    }

    /**
     * Those of the plan that follows. While the gate is closed.
     *
     * @param counted for each mapping of this plan, what its programs counted; no more will be
     */
    PlanAccounts next(Plan next, List<long[]> counted) {
        List<Integer> kept = new ArrayList<>();
        AccountCounter[] nextEvents = next.events().stream()
                .map(event -> {
                    int same = event(event.name());
                    kept.add(same);
                    return same < 0 ? new AccountCounter(event.name(), threads) : events[same].successor();
                })
                .toArray(AccountCounter[]::new);
        List<Integer> sources = sources(next);
        List<Plan.Mapping> mappingsOfNext = mappings(next);
        AccountCounter[] nextMappings = IntStream.range(0, sources.size())
                .mapToObj(mapping -> successor(mappingsOfNext.get(mapping).name(), sources.get(mapping), counted))
                .toArray(AccountCounter[]::new);
        PlanAccounts accounts = new PlanAccounts(next, threads, nextEvents, nextMappings);
        for (int mapping = 0; mapping < nextMappings.length; mapping++) {
            int source = sources.get(mapping);
            if (source >= 0) {
                accounts.atReset[mapping] = atReset[source];
            }
            accounts.born[mapping] =
                    source >= 0 ? born[source] : received(nextEvents[accounts.eventOf[mapping]].sums());
        }
        accounts.former.add(former.sums());
        gone.forEach(counter -> accounts.former.add(counter.sums())); // nobody adds to them since the last change
        for (int event = 0; event < events.length; event++) {
            if (!kept.contains(event)) {
                accounts.gone.add(events[event]);
            }
        }
        return accounts;
    }

    private AccountCounter successor(String name, int source, List<long[]> counted) {
        if (source < 0) {
            return new AccountCounter(name, threads);
        }
        AccountCounter successor = mappings[source].successor();
        successor.add(counted.get(source));
        return successor;
    }

    /** For each mapping of the next plan, which one of this it is, or -1. */
    private List<Integer> sources(Plan next) {
        List<Integer> sources = new ArrayList<>();
        for (Plan.Event event : next.events()) {
            int same = event(event.name());
            for (Plan.Mapping mapping : event.mappings()) {
                sources.add(same < 0 ? -1 : mapping(same, mapping.name()));
            }
        }
        return sources;
    }

    private int event(String name) {
        for (int event = 0; event < events.length; event++) {
            if (events[event].name().equals(name)) {
                return event;
            }
        }
        return -1;
    }

    private int mapping(int event, String name) {
        for (int mapping = firstMapping[event]; mapping < firstMapping[event + 1]; mapping++) {
            if (mappings[mapping].name().equals(name)) {
                return mapping;
            }
        }
        return -1;
    }

    /** Goes on from what an earlier process counted; before anything is counted here. */
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
    }

    /** A summary was emptied at a cut with these counts of this plan. Under the coordinator's monitor. */
    void reset(int summary, LedgerCounts counts) {
        for (int mapping = 0; mapping < mappings.length; mapping++) {
            if (summaryOf[mapping] == summary) {
                atReset[mapping] = counts.mappings().get(mapping).account();
            }
        }
    }

    private static long received(long[] sums) {
        return sums[AccountCounter.RECEIVED];
    }

    /** All counters, for sums of each: first those of event types, then of mappings, then of what is not defined any more. */
    List<AccountCounter> counters() {
        List<AccountCounter> counters = new ArrayList<>(List.of(events));
        counters.addAll(List.of(mappings));
        counters.add(former);
        counters.addAll(gone);
        return counters;
    }

    /**
     * The accounts.
     *
     * @param sums of {@link #counters()}, and what programs counted
     * @param listeners those of the listeners
     * @param nulls what expressions came to
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
                    plan.summaries().get(summaryOf[mapping]).name(),
                    account,
                    account.minus(atReset[mapping])));
        }
        Account notDefined = LedgerCounts.none(FORMER);
        for (long[] counted : sums.subList(events.length + mappings.length, sums.size())) {
            notDefined = notDefined.plus(AccountCounter.account(FORMER, received(counted), counted));
        }
        return new LedgerCounts(listeners, ofEvents, ofMappings, notDefined, nulls);
    }
}
