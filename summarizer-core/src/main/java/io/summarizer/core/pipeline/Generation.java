package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.DedupRule;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.NullValues;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.state.LayoutMatch;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.ValueLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All that depends on the definitions in force, and is replaced with them: the plan, its programs for each parser worker,
 * the stores, who owns which. What was counted is carried over from one generation to the next.
 *
 * <p>Immutable, but for what programs and owners count; made and switched to by one thread at a time.
 */
final class Generation {
    final Plan plan;
    final Summaries summaries;

    /** By the plan's dedups. */
    final SeenIds ids;

    /** Owner of partition p of summary s at s * COUNT + p. */
    final int[] owners;

    /** By summary. */
    final Tally[] tallies;

    /** By summary, the one that takes its overflow, or -1. */
    final int[] overflows;

    /** What becomes of messages, by event type and mapping. Of the next generation, complete once it took what was counted. */
    PlanAccounts accounts;

    /** Bounds on keys and texts. */
    private final ValueLimits values;

    private final TopicRouter[] routers;
    /** By worker and event type. */
    private final EventProgram[][] programs;

    /** What the programs of earlier generations counted, by summary and in all; complete before anybody else sees this. */
    private final long[] appliedBefore;

    private final long[] filteredBefore;
    private final EventProgram.Counts before = new EventProgram.Counts(0);
    /** What expressions came to before: under earlier generations, and in earlier processes. */
    private final Map<List<String>, NullValues> nullsBefore = new HashMap<>();

    /** What is known of a summary for as long as it is defined, whatever its place among the others. */
    static final class Tally {
        /** The lane whose owners have it, and what shifts its partitions among them; kept, so that its stores stay there. */
        final int lane;

        final int shift;

        /** For each owner: updates that came to nothing, or not in full, as it was the first to find. Written by it only. */
        final long[] refused;

        /** For each owner: those of the refused ones whose event was seen before. Written by it only. */
        final long[] duplicates;

        /** What a cut's updates have beyond those counted: loaded with its rows, less those reset. Guarded by the coordinator. */
        private long updatesBefore;

        Tally(int lane, int shift, int owners, long updatesBefore) {
            this.lane = lane;
            this.shift = shift;
            this.updatesBefore = updatesBefore;
            refused = new long[owners];
            duplicates = new long[owners];
        }

        private long refused() {
            return Arrays.stream(refused).sum();
        }

        private long duplicates() {
            return Arrays.stream(duplicates).sum();
        }
    }

    private Generation(
            Plan plan,
            Summaries summaries,
            SeenIds ids,
            Tally[] tallies,
            ValueLimits values,
            int workers,
            Placement placement) {
        this.plan = plan;
        this.summaries = summaries;
        this.ids = ids;
        this.values = values;
        this.tallies = tallies;
        overflows = plan.summaries().stream()
                .mapToInt(layout -> layout.overflows() ? named(plan, layout.overflowName()) : -1)
                .toArray();
        owners = new int[tallies.length * Partitions.COUNT];
        for (int i = 0; i < owners.length; i++) {
            Tally tally = tallies[i / Partitions.COUNT];
            owners[i] = placement.owner(tally.lane, tally.shift, i % Partitions.COUNT);
        }
        TopicRouter.Table routes = Plan.routes(plan.events());
        routers = new TopicRouter[workers];
        programs = new EventProgram[workers][plan.events().size()];
        for (int worker = 0; worker < workers; worker++) {
            routers[worker] = routes.newRouter();
            for (int event = 0; event < programs[worker].length; event++) {
                programs[worker][event] = plan.newProgram(event);
                programs[worker][event].useIdKey(ids.key());
                programs[worker][event].useLimits(values);
            }
        }
        accounts = PlanAccounts.first(plan, workers + placement.owners());
        appliedBefore = new long[tallies.length];
        filteredBefore = new long[tallies.length];
    }

    /** The first one, going on from what is in {@code summaries}. */
    static Generation first(
            Plan plan, Summaries summaries, SavedIds saved, PipelineOptions options, int workers, Placement placement) {
        Tally[] tallies = IntStream.range(0, plan.summaries().size())
                .mapToObj(summary -> {
                    int with = keptWith(plan, summary);
                    return new Tally(placement.lane(plan, with), with, placement.owners(), summaries.updates(summary));
                })
                .toArray(Tally[]::new);
        SeenIds ids = SeenIds.of(rules(plan), saved, options.dedupIds(), Partitions.COUNT, summaries.budget());
        return new Generation(plan, summaries, ids, tallies, options.values(), workers, placement);
    }

    /**
     * The one that follows this one: kept summaries with their stores, rebuilt ones with empty stores. It is complete when
     * it has {@link #takeCounts taken} what was counted.
     *
     * @param match of this one's summaries to those of {@code next}; they go together
     */
    Generation next(Plan next, LayoutMatch match, int workers, Placement placement) {
        int count = next.summaries().size();
        int[] kept = new int[count];
        @Nullable Tally[] tallies = new Tally[count];
        for (int summary = 0; summary < count; summary++) {
            int source = match.source(summary);
            kept[summary] = match.fate(summary) == LayoutMatch.Fate.KEPT ? source : -1;
            tallies[summary] = source >= 0 ? this.tallies[source] : null;
        }
        for (int summary = 0; summary < count; summary++) {
            if (tallies[summary] == null && keptWith(next, summary) == summary) {
                tallies[summary] =
                        new Tally(placement.lane(next, summary), unusedShift(tallies), placement.owners(), 0);
            }
        }
        for (int summary = 0; summary < count; summary++) {
            Tally other = tallies[keptWith(next, summary)];
            if (tallies[summary] == null && other != null) {
                tallies[summary] = new Tally(other.lane, other.shift, placement.owners(), 0);
            }
        }
        return new Generation(
                next,
                summaries.successor(next.summaries(), next.rowCodes(), kept),
                nextIds(next, match),
                Arrays.stream(tallies).toArray(Tally[]::new),
                values,
                workers,
                placement);
    }

    /** The summary whose owners a summary has: its own, but for one that takes the overflow of another one. */
    private static int keptWith(Plan plan, int summary) {
        SummaryLayout layout = plan.summaries().get(summary);
        return layout.isKeyless() ? named(plan, layout.overflowOf()) : summary;
    }

    private static int named(Plan plan, String name) {
        for (int summary = 0; summary < plan.summaries().size(); summary++) {
            if (plan.summaries().get(summary).name().equals(name)) {
                return summary;
            }
        }
        throw new IllegalArgumentException("the plan has no summary " + name);
    }

    private static List<DedupRule> rules(Plan plan) {
        return plan.dedups().stream()
                .map(dedup -> new DedupRule(
                        plan.events().get(dedup.event()).name(),
                        plan.summaries().get(dedup.summary()).name(),
                        dedup.by(),
                        dedup.windowMicros()))
                .toList();
    }

    /** Ids go on with their summary; where its keys fall into other partitions, they are inherited. */
    private SeenIds nextIds(Plan next, LayoutMatch match) {
        List<DedupRule> rules = rules(next);
        int[] sources = new int[rules.size()];
        boolean[] kept = new boolean[rules.size()];
        for (int table = 0; table < sources.length; table++) {
            sources[table] = ids.find(rules.get(table));
            int summary = next.dedups().get(table).summary();
            int source = match.source(summary);
            kept[table] = source >= 0
                    && KeyLayout.isSame(
                            match.from().get(source).keys(),
                            match.to().get(summary).keys());
        }
        return ids.successor(rules, sources, kept);
    }

    private static int unusedShift(@Nullable Tally[] tallies) {
        return IntStream.iterate(0, shift -> shift + 1)
                .filter(shift -> Arrays.stream(tallies).noneMatch(tally -> tally != null && tally.shift == shift))
                .findFirst()
                .orElseThrow();
    }

    /** Takes over what the programs of the generation before counted, which no worker uses any more. */
    void takeCounts(Generation ended, LayoutMatch match) {
        long[] applied = ended.applied();
        long[] filtered = ended.filtered();
        for (int summary = 0; summary < appliedBefore.length; summary++) {
            int source = match.source(summary);
            if (source >= 0) {
                appliedBefore[summary] = applied[source];
                filteredBefore[summary] = filtered[source];
            }
        }
        accounts = ended.accounts.next(plan, ended.counted());
        before.invalidUtf8 = ended.total(counts -> counts.invalidUtf8);
        ended.nulls().forEach(this::addBefore);
        before.extractsAbandoned = ended.total(counts -> counts.extractsAbandoned);
        before.withoutId = ended.total(counts -> counts.withoutId);
    }

    TopicRouter router(int worker) {
        return routers[worker];
    }

    /** The programs of a worker, by event type, with what they come to; for one user. */
    EventTally[] tallies(int worker) {
        EventTally[] tallies = new EventTally[plan.events().size()];
        for (int event = 0; event < tallies.length; event++) {
            tallies[event] =
                    new EventTally(programs[worker][event], plan.events().get(event), event, accounts, worker);
        }
        return tallies;
    }

    /** Partitions of all summaries. */
    int partitions() {
        return owners.length;
    }

    /** The place of the summary of this name, or -1. */
    int summary(String name) {
        for (int summary = 0; summary < tallies.length; summary++) {
            if (plan.summaries().get(summary).name().equals(name)) {
                return summary;
            }
        }
        return -1;
    }

    /** By summary, (event, mapping) pairs emitted: exact while the gate is closed, otherwise about as of now. */
    long[] applied() {
        return bySummary(appliedBefore, counts -> counts.applied);
    }

    /** By summary, how often a {@code where} did not hold; as {@link #applied}. */
    long[] filtered() {
        return bySummary(filteredBefore, counts -> counts.filtered);
    }

    /** By mapping, in the numbers of {@link #accounts}, what the programs of this generation applied and filtered. */
    List<long[]> counted() {
        List<long[]> counted = new ArrayList<>();
        for (int event = 0; event < plan.events().size(); event++) {
            for (int mapping = 0; mapping < plan.events().get(event).mappings().size(); mapping++) {
                long[] sums = AccountCounter.newSums();
                for (EventProgram[] ofWorker : programs) {
                    EventProgram.Counts counts = ofWorker[event].counts();
                    sums[AccountCounter.slot(Fate.APPLIED)] += counts.applied[mapping];
                    sums[AccountCounter.slot(Fate.FILTERED)] += counts.filtered[mapping];
                }
                counted.add(sums);
            }
        }
        return counted;
    }

    /** How often expressions that may fail did: exact while the gate is closed, otherwise about as of now. */
    List<NullValues> nulls() {
        List<NullValues> all = new ArrayList<>();
        for (int event = 0; event < plan.events().size(); event++) {
            List<NullSite> sites = programs[0][event].counts().nulls.sites();
            for (int site = 0; site < sites.size(); site++) {
                all.add(nulls(event, site, sites.get(site)));
            }
        }
        return all;
    }

    private NullValues nulls(int event, int site, NullSite of) {
        Plan.Event type = plan.events().get(event);
        String mapping =
                of.mapping() < 0 ? "" : type.mappings().get(of.mapping()).name();
        NullValues sum = new NullValues(type.name(), mapping, of.expression(), of.at(), 0, NullTally.noCounts(), "");
        NullValues earlier = nullsBefore.get(sum.key());
        if (earlier != null) {
            sum = sum.after(earlier);
        }
        for (EventProgram[] ofWorker : programs) {
            sum = ofWorker[event]
                    .counts()
                    .nulls
                    .values(site, type.name(), mapping)
                    .after(sum);
        }
        return sum;
    }

    /** Goes on from what an earlier process counted; before anything is counted here. */
    void restore(LedgerCounts counts) {
        accounts.restore(counts);
        counts.nulls().forEach(this::addBefore);
    }

    private void addBefore(NullValues values) {
        nullsBefore.put(values.key(), values);
    }

    /**
     * By summary, how many updates its rows came about by at a cut. Under the coordinator's monitor.
     *
     * @param applied what {@link #applied} was at the cut
     * @param refused those of them that came to nothing, or not in full
     */
    long[] updates(long[] applied, AtomicLongArray refused) {
        long[] updates = applied.clone();
        for (int summary = 0; summary < updates.length; summary++) {
            updates[summary] += tallies[summary].updatesBefore - refused.get(summary);
        }
        return updates;
    }

    /**
     * A summary was emptied at a cut, so that its updates begin at 0. Under the coordinator's monitor.
     *
     * @param updates of its rows at the cut
     * @param counts of the cut
     */
    void reset(int summary, long updates, LedgerCounts counts) {
        tallies[summary].updatesBefore -= updates;
        if (overflows[summary] >= 0) {
            tallies[overflows[summary]].updatesBefore = 0; // the others are counted with the stores
        }
        accounts.reset(summary, counts);
    }

    /** About as many updates as were applied to a summary by now. */
    long updates(int summary) {
        return applied()[summary] - tallies[summary].refused();
    }

    /** About as many updates as were not applied to a summary by now, as their events were seen before. */
    long duplicates(int summary) {
        return tallies[summary].duplicates();
    }

    /** Something that all programs count. */
    long total(ToLongFunction<EventProgram.Counts> count) {
        long total = count.applyAsLong(before);
        for (EventProgram[] ofWorker : programs) {
            for (EventProgram program : ofWorker) {
                total += count.applyAsLong(program.counts());
            }
        }
        return total;
    }

    private long[] bySummary(long[] earlier, Function<EventProgram.Counts, long[]> byMapping) {
        long[] sums = earlier.clone();
        for (int event = 0; event < plan.events().size(); event++) {
            List<Plan.Mapping> mappings = plan.events().get(event).mappings();
            for (EventProgram[] ofWorker : programs) {
                long[] counts = byMapping.apply(ofWorker[event].counts());
                for (int i = 0; i < counts.length; i++) {
                    sums[mappings.get(i).summary()] += counts[i];
                }
            }
        }
        return sums;
    }
}
