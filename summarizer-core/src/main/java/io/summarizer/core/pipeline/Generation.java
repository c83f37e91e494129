package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.DedupRule;
import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.ledger.Books;
import io.summarizer.core.ledger.EventTally;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.ledger.SummaryTally;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.core.window.LateFlag;
import io.summarizer.core.window.WindowInput;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All objects that depend on the definitions in force and are replaced when definitions change: the plan, its programs
 * for each parser worker, the stores, the owner of each partition. Counts are carried over from one generation to the
 * next.
 *
 * <p>Immutable, except for the counts of programs and owners. One thread at a time makes generations and switches to
 * them.
 */
final class Generation {
    final Plan plan;
    final Summaries summaries;

    /** The ids of events, by position in the plan's dedups. */
    final SeenIds ids;

    /** The owner of each partition of each summary, by {@link Partitions#cell}. */
    final int[] owners;

    /** The owners and the counts of each summary. */
    private final Placed[] placed;

    /** For each summary, the summary that takes its overflow, or -1. */
    final int[] overflows;

    /**
     * The counts of messages. The next generation takes these counts over when the programs of this generation have
     * stopped counting.
     */
    Books books;

    /** Bounds on keys and texts. */
    private final ValueLimits values;

    /** The windows of each summary by worker; null for a summary without windows. */
    private final @Nullable WindowInput[][] inputs;

    /** For each worker, a flag that is set when an event of the current message belongs to a closed window. */
    private final LateFlag[] late;

    private final WindowOptions windows;

    private final TopicRouter[] routers;
    /** The programs by worker and event type. */
    private final EventProgram[][] programs;

    /**
     * The owners and the counts of a summary, kept for as long as the summary is defined, even if its position changes.
     *
     * @param pipeline the pipeline whose owners have the partitions of the summary. The pipeline and {@code shift}
     *     never change for a summary, so the stores of the summary stay with their owners
     * @param shift offset by which the partitions are distributed over these owners
     */
    private record Placed(int pipeline, int shift, SummaryTally tally) {}

    private Generation(
            Plan plan,
            Summaries summaries,
            SeenIds ids,
            Placed[] placed,
            ValueLimits values,
            WindowOptions windows,
            int workers,
            Placement placement) {
        this.plan = plan;
        this.windows = windows;
        this.summaries = summaries;
        this.ids = ids;
        this.values = values;
        this.placed = placed;
        overflows = plan.summaries().stream()
                .mapToInt(layout ->
                        layout.overflows() ? SummaryLayout.indexOf(plan.summaries(), layout.overflowName()) : -1)
                .toArray();
        Partitions here = summaries.here();
        owners = new int[here.cell(placed.length, 0)];
        for (int summary = 0; summary < placed.length; summary++) {
            for (int partition = 0; partition < here.count(); partition++) {
                owners[here.cell(summary, partition)] =
                        placement.owner(here, placed[summary].pipeline, placed[summary].shift, partition);
            }
        }
        TopicRouter.Table routes = Plan.routes(plan.events());
        routers = new TopicRouter[workers];
        inputs = new WindowInput[workers][];
        late = new LateFlag[workers];
        programs = new EventProgram[workers][plan.events().size()];
        for (int worker = 0; worker < workers; worker++) {
            routers[worker] = routes.newRouter();
            LateFlag flag = new LateFlag();
            late[worker] = flag;
            @Nullable
            WindowInput[] ofWorker = plan.summaries().stream()
                    .map(SummaryLayout::window)
                    .map(window -> window == null ? null : new WindowInput(window, windows.aheadMicros(), flag))
                    .toArray(WindowInput[]::new);
            inputs[worker] = ofWorker;
            for (int event = 0; event < programs[worker].length; event++) {
                programs[worker][event] = plan.newProgram(event);
                programs[worker][event].useIdKey(ids.key());
                programs[worker][event].useLimits(values);
                programs[worker][event].useWindows(summary -> ofWorker[summary]);
            }
        }
        books = Books.first(plan.chart(), workers + placement.owners(), counts(), tallies());
        for (int summary = 0; summary < placed.length; summary++) {
            closeBefore(summary, summaries.boundary(summary));
        }
    }

    /** The first generation, which continues with the rows of {@code summaries}. */
    static Generation first(
            Plan plan, Summaries summaries, SavedIds saved, PipelineOptions options, int workers, Placement placement) {
        Placed[] placed = IntStream.range(0, plan.summaries().size())
                .mapToObj(summary -> {
                    int with = keptWith(plan, summary);
                    return new Placed(
                            placement.pipeline(plan, with),
                            with,
                            new SummaryTally(placement.owners(), summaries.updates(summary)));
                })
                .toArray(Placed[]::new);
        SeenIds ids = SeenIds.of(
                rules(plan),
                saved,
                options.dedupLag(),
                options.dedupIds(),
                summaries.here().count(),
                summaries.budget());
        return new Generation(plan, summaries, ids, placed, options.values(), options.windows(), workers, placement);
    }

    /**
     * The boundary for a summary that had other windows before. The window that has the former boundary in it is not
     * closed, because it may end later than the former windows.
     */
    private static long boundary(@Nullable SummaryWindow window, long former) {
        return window == null || former == ClosedWindows.NO_BOUNDARY
                ? former
                : window.windows().start(former);
    }

    /**
     * Makes the next generation, in which kept summaries have their present stores, and rebuilt summaries have empty
     * stores. The new generation is complete after {@link #follow}.
     *
     * @param match matches the summaries of this generation to the summaries of {@code next}; no change may be
     *     incompatible
     */
    Generation next(Plan next, LayoutMatch match, int workers, Placement placement) {
        int count = next.summaries().size();
        int[] kept = new int[count];
        @Nullable Placed[] placed = new Placed[count];
        for (int summary = 0; summary < count; summary++) {
            int source = match.source(summary);
            kept[summary] = match.outcome(summary) == LayoutMatch.Outcome.KEPT ? source : -1;
            placed[summary] = source >= 0 ? this.placed[source] : null;
        }
        for (int summary = 0; summary < count; summary++) {
            if (placed[summary] == null && keptWith(next, summary) == summary) {
                placed[summary] = new Placed(
                        placement.pipeline(next, summary),
                        unusedShift(placed),
                        new SummaryTally(placement.owners(), 0));
            }
        }
        for (int summary = 0; summary < count; summary++) {
            Placed other = placed[keptWith(next, summary)];
            if (placed[summary] == null && other != null) {
                placed[summary] = new Placed(other.pipeline, other.shift, new SummaryTally(placement.owners(), 0));
            }
        }
        Summaries nextSummaries = summaries.successor(next.summaries(), next.rowCodes(), kept);
        for (int summary = 0; summary < count; summary++) {
            if (kept[summary] < 0 && match.source(summary) >= 0) {
                nextSummaries.closeBefore(
                        summary,
                        boundary(next.summaries().get(summary).window(), summaries.boundary(match.source(summary))));
            }
        }
        SeenIds nextIds = nextIds(next, match);
        try {
            return new Generation(
                    next,
                    nextSummaries,
                    nextIds,
                    Arrays.stream(placed).toArray(Placed[]::new),
                    values,
                    windows,
                    workers,
                    placement);
        } catch (RuntimeException | Error e) {
            nextIds.retire();
            throw e;
        }
    }

    /**
     * The summary that determines the owners of a summary: for an overflow summary, the summary whose overflow it
     * takes; otherwise, the summary itself.
     */
    private static int keptWith(Plan plan, int summary) {
        SummaryLayout layout = plan.summaries().get(summary);
        return layout.isKeyless() ? SummaryLayout.indexOf(plan.summaries(), layout.overflowOf()) : summary;
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

    /**
     * Moves ids together with their summary. If the keys of the summary fall into other partitions, the new partitions
     * inherit the ids.
     */
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

    private static int unusedShift(@Nullable Placed[] placed) {
        return IntStream.iterate(0, shift -> shift + 1)
                .filter(shift -> Arrays.stream(placed).noneMatch(other -> other != null && other.shift == shift))
                .findFirst()
                .orElseThrow();
    }

    /** Takes over the counts of the previous generation, whose programs no worker uses any more. */
    void follow(Generation ended, LayoutMatch match) {
        int[] sources = IntStream.range(0, placed.length).map(match::source).toArray();
        books = ended.books.next(plan.chart(), counts(), tallies(), sources);
        for (int worker = 0; worker < inputs.length; worker++) {
            for (int summary = 0; summary < sources.length; summary++) {
                WindowInput input = inputs[worker][summary];
                WindowInput before = sources[summary] < 0 ? null : ended.inputs[worker][sources[summary]];
                if (input != null && before != null) {
                    input.goOn(before);
                }
            }
        }
    }

    /**
     * Declares that the windows of a summary that begin before {@code boundary} are closed. The caller has to tell the
     * owners of the summary's partitions, too. Call this method while no worker processes a message.
     */
    void closeBefore(int summary, long boundary) {
        summaries.closeBefore(summary, boundary);
        for (WindowInput[] ofWorker : inputs) {
            WindowInput input = ofWorker[summary];
            if (input != null) {
                input.closeBefore(summaries.boundary(summary));
            }
        }
    }

    /** Tells whether an event of a worker's current message belongs to a closed window. */
    LateFlag late(int worker) {
        return late[worker];
    }

    private ProgramCounts[][] counts() {
        return Stream.of(programs)
                .map(ofWorker -> Stream.of(ofWorker).map(EventProgram::counts).toArray(ProgramCounts[]::new))
                .toArray(ProgramCounts[][]::new);
    }

    private SummaryTally[] tallies() {
        return Stream.of(placed).map(Placed::tally).toArray(SummaryTally[]::new);
    }

    TopicRouter router(int worker) {
        return routers[worker];
    }

    /** The programs of a worker, by event type. Only one thread may use them. */
    EventProgram[] programs(int worker) {
        return programs[worker];
    }

    /** The tallies of the event types, for a worker. */
    EventTally[] tallies(int worker) {
        return IntStream.range(0, plan.events().size())
                .mapToObj(event -> books.tally(event, worker))
                .toArray(EventTally[]::new);
    }

    /**
     * The progress of a summary according to one worker, as {@link WindowInput#progress} returns it. The progress
     * leaves out messages from Kafka.
     */
    long progress(int worker, int summary) {
        WindowInput input = inputs[worker][summary];
        return input == null ? WindowInput.NONE : input.progress();
    }

    /** The windows that one worker uses, for each summary that has windows. */
    WindowInput[] windows(int worker) {
        return Stream.of(inputs[worker]).filter(Objects::nonNull).toArray(WindowInput[]::new);
    }

    /**
     * Visits the progress of each Kafka partition that had events of a summary. If several workers processed events of
     * a Kafka partition, visits the partition once for each of these workers.
     */
    void partitions(int summary, ObjLongConsumer<Partition> visitor) {
        for (WindowInput[] ofWorker : inputs) {
            WindowInput input = ofWorker[summary];
            if (input != null) {
                input.partitions(visitor);
            }
        }
    }

    /**
     * The progress of a summary since the last call, as {@link WindowInput#takeProgress} returns it. Called on the
     * worker's thread.
     */
    long takeProgress(int worker, int summary) {
        WindowInput input = inputs[worker][summary];
        return input == null ? WindowInput.NONE : input.takeProgress();
    }

    /** The owner of a partition. */
    int owner(int summary, int partition) {
        return owners[summaries.here().cell(summary, partition)];
    }

    /** An empty table. Its rows are the summaries; each row has a cell for each partition. */
    PartitionTable<SummaryPartition> newPartitions() {
        return new PartitionTable<>(summaries.here(), placed.length, SummaryPartition[]::new);
    }

    /** An empty table. Its rows are the tables of ids; each row has a cell for each partition. */
    PartitionTable<RecentIds> newIds() {
        return new PartitionTable<>(summaries.here(), ids.tables(), RecentIds[]::new);
    }

    /** The position of the summary of this name, or -1. */
    int summary(String name) {
        return SummaryLayout.indexOf(plan.summaries(), name);
    }

    /**
     * Current number of rows of a summary, or of a summary nested in it.
     *
     * @param path positions of nested summaries, from the outermost on; empty for the summary itself
     */
    long rows(int summary, List<Integer> path) {
        RowLimit limit = summaries.limit(summary);
        for (int position : path) {
            limit = limit.nested(position);
        }
        return plan.summaries().get(summary).isKeyless() ? Math.min(limit.rows(), 1) : limit.rows();
    }
}
