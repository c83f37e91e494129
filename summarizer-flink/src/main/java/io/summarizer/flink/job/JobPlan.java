package io.summarizer.flink.job;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.flink.options.JobOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The plan of a job, compiled on each worker. Two things differ from the plan of a service: bounds are divided among
 * key groups, and the windows of {@code dedup} have the unit of {@link
 * io.summarizer.core.message.IMessage#eventStamp()}. Immutable.
 */
public final class JobPlan implements Plan {
    /**
     * Time by which partitions may be apart, in µs: for so long, a job keeps ids after the window of {@code dedup}.
     */
    static final long DEDUP_LAG_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final Plan plan;
    private final List<SummaryLayout> summaries;
    private final List<Dedup> dedups;
    private final double share;

    private JobPlan(Plan plan, double share) {
        this.plan = plan;
        this.share = share;
        summaries = plan.summaries().stream().map(this::ofShare).toList();
        dedups = plan.dedups().stream()
                .map(dedup -> new Dedup(
                        dedup.event(),
                        dedup.summary(),
                        dedup.by(),
                        Math.min(dedup.windowMicros(), Long.MAX_VALUE >> MessageBatch.SOURCE_BITS)
                                << MessageBatch.SOURCE_BITS))
                .toList();
    }

    /**
     * Compiles definitions that the client has checked.
     *
     * @param share share of the key groups whose rows a worker has, from 0 to 1
     */
    public static JobPlan compile(Map<String, String> definitions, JobOptions options, double share) {
        CheckResult checked = DefinitionsCompiler.check(new TreeMap<>(definitions));
        Plan plan = PlanCompiler.compile(
                checked.definitions().orElseThrow(() -> new IllegalStateException(checked.render())),
                new PlanCompiler.Options(List.of(options.timezone())));
        return new JobPlan(plan, share);
    }

    /** The layouts of definitions, without compiling programs. */
    public static List<SummaryLayout> layouts(Map<String, String> definitions) {
        return DefinitionsCompiler.check(new TreeMap<>(definitions))
                .definitions()
                .orElseThrow()
                .summaries();
    }

    private long ofShare(long bound) {
        return bound == 0 ? 0 : Math.max(1, (long) Math.ceil(bound * share));
    }

    private SummaryLayout ofShare(SummaryLayout layout) {
        SummaryLimit limit = layout.limit();
        return new SummaryLayout(
                layout.name(),
                layout.number(),
                layout.keys(),
                layout.values(),
                layout.nested().stream().map(this::ofShare).toList(),
                new SummaryLimit(ofShare(limit.keys()), ofShare(limit.bytes()), limit.overflow()),
                layout.window());
    }

    /**
     * Bounds of one subtask.
     *
     * @param subtasks number of subtasks that share the heap of a process
     */
    public PipelineOptions options(int subtasks) {
        PipelineOptions whole = PipelineOptions.DEFAULT;
        return whole.withMaxRows(ofShare(SummaryLimit.DEFAULT_KEYS))
                .withDedupIds(Math.max(1, ofShare(whole.dedupIds())))
                .withDedupLag(DEDUP_LAG_MICROS << MessageBatch.SOURCE_BITS)
                .withStateBytesMax(whole.stateBytesMax() / subtasks)
                .withCutBytesMax(whole.cutBytesMax() / subtasks);
    }

    @Override
    public List<SummaryLayout> summaries() {
        return summaries;
    }

    @Override
    public RowCode.Tree rowCode(int summary) {
        return plan.rowCode(summary);
    }

    @Override
    public List<Event> events() {
        return plan.events();
    }

    @Override
    public List<Dedup> dedups() {
        return dedups;
    }

    @Override
    public EventProgram newProgram(int event) {
        return plan.newProgram(event);
    }
}
