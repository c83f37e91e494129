package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.ledger.Books;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.OpenWindows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.window.Watermarks;
import io.summarizer.core.window.WindowInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of a pipeline for gauges and counters, read without a cut. They are approximate while messages are processed,
 * and exact otherwise. All numbers of a summary that is not defined are 0.
 *
 * <p>Any thread. No method waits for a cut or a reload.
 */
public final class PipelineGauges {
    private final Flow flow;
    private final CutCoordinator coordinator;
    private final Watermarks watermarks;
    private final Faults faults;
    private final CutMemory cutMemory;

    PipelineGauges(Flow flow, CutCoordinator coordinator, Watermarks watermarks, Faults faults, CutMemory cutMemory) {
        this.watermarks = watermarks;
        this.flow = flow;
        this.coordinator = coordinator;
        this.faults = faults;
        this.cutMemory = cutMemory;
    }

    /**
     * A number that grows with each processed batch, each reload and each reset. While the number stays the same, the
     * rows stay the same. A worker that has processed a batch increases the number before the worker leaves the gate.
     * Therefore, if the number has grown for a batch, every later cut includes the batch.
     */
    public long version() {
        return batches() + coordinator.changes();
    }

    /** Number of processed message batches. */
    public long batches() {
        return flow.processors().stream().mapToLong(MessageProcessor::batches).sum();
    }

    /**
     * Number of messages or updates lost by a fault of this program. The number is 0 unless there is a bug. Each such
     * fault is counted, but only the first ones are logged.
     */
    public long failures() {
        return faults.count();
    }

    /** A gauge of fill and capacity for each queue. The list has the same queues as long as the pipeline runs. */
    public List<QueueGauge> queues() {
        List<QueueGauge> queues = new ArrayList<>();
        flow.queues(queues::add);
        return queues;
    }

    /** A table: a summary, or a summary nested in it. */
    private record Table(Generation generation, int summary, List<Integer> path, SummaryLayout layout) {}

    /**
     * The table of a summary when {@code fields} is empty, otherwise the table of a summary nested in it; null when
     * there is no such table.
     */
    private @Nullable Table table(String summary, List<String> fields) {
        Generation generation = coordinator.generation();
        int number = generation.summary(summary);
        if (number < 0) {
            return null;
        }
        SummaryLayout layout = generation.plan.summaries().get(number);
        List<Integer> path = new ArrayList<>();
        for (String field : fields) {
            int position = SummaryLayout.indexOf(layout.nested(), field);
            if (position < 0) {
                return null;
            }
            path.add(position);
            layout = layout.nested().get(position);
        }
        return new Table(generation, number, path, layout);
    }

    /**
     * Number of rows of a summary when {@code fields} is empty, otherwise number of rows of a summary nested in it.
     * While the rows of a summary get a new layout, the number starts from 0 again.
     *
     * @param fields names of nested summaries, from the outermost on
     */
    public long rows(String summary, List<String> fields) {
        Table table = table(summary, fields);
        return table == null ? 0 : table.generation.rows(table.summary, table.path);
    }

    /**
     * Approximate number of different values that a key column had in refused keys, since the summary or nested summary
     * was last empty. The number is 0 when no key was refused, or when there is no such column.
     */
    public long refusedKeys(String summary, List<String> fields, String column) {
        Table table = table(summary, fields);
        if (table == null) {
            return 0;
        }
        int key = table.layout.keys().stream().map(KeyColumn::name).toList().indexOf(column);
        return key < 0 ? 0 : table.generation.summaries.refusedKeys(table.summary, table.path, key);
    }

    /**
     * The bytes that a summary uses, and the summary's bound on bytes. Empty when there is no such summary, or when the
     * summary has no such bound.
     */
    public Optional<ByteBudget> bytes(String summary) {
        return Optional.ofNullable(table(summary, List.of()))
                .map(table -> table.generation.summaries.limit(table.summary).bytes())
                .filter(ByteBudget::isBounded);
    }

    /** Number of windows of a summary that have rows in memory; 0 when it has no windows. */
    public int openWindows(String summary) {
        OpenWindows open = windows(summary);
        return open == null ? 0 : open.count();
    }

    /** Whether a summary has as many windows with rows in memory as it may have; false when it has no windows. */
    public boolean hasAllWindows(String summary) {
        OpenWindows open = windows(summary);
        return open != null && open.isFull();
    }

    private @Nullable OpenWindows windows(String summary) {
        Generation generation = coordinator.generation();
        int number = generation.summary(summary);
        return number < 0 ? null : generation.summaries.openWindows(number);
    }

    /**
     * The watermark of a summary, in µs since the epoch; {@link WindowInput#NONE} before the first event, or when the
     * summary has no windows.
     */
    public long watermark(String summary) {
        return watermarks.of(summary);
    }

    /** Number of updates that were applied to the summary of this name; a cut has the exact number. */
    public long updates(String summary) {
        return ofSummary(summary, Books::updates);
    }

    /** Number of times that the {@code where} of a mapping into a summary of this name was false. */
    public long filtered(String summary) {
        return ofSummary(summary, (books, number) -> books.filtered()[number]);
    }

    /** Number of updates to a summary of this name that were not applied because their events were duplicates. */
    public long duplicates(String summary) {
        return ofSummary(summary, Books::duplicates);
    }

    private long ofSummary(String summary, ToLongBiFunction<Books, Integer> count) {
        Generation generation = coordinator.generation();
        int number = generation.summary(summary);
        return number < 0 ? 0 : count.applyAsLong(generation.books, number);
    }

    /**
     * Number of events that had no id although their event type has {@code dedup}. Each of these events was counted.
     */
    public long eventsWithoutId() {
        return coordinator.generation().books.total(ProgramCounts::withoutId);
    }

    /** Number of used strings in which invalid UTF-8 became U+FFFD. */
    public long invalidUtf8() {
        return coordinator.generation().books.total(ProgramCounts::invalidUtf8);
    }

    /** Number of times that {@code extract} gave up because matching took too many steps. */
    public long extractsAbandoned() {
        return coordinator.generation().books.total(ProgramCounts::extractsAbandoned);
    }

    /**
     * Ids of events that are counted once.
     *
     * @param held number of ids that are kept exactly
     * @param evicted number of ids lost to the bound since the start: ids that were evicted within their window, and
     *     saved ids that were left out at the start
     * @param bytes memory of all ids
     */
    public record SeenIdCounts(long held, long evicted, long bytes) {}

    /** Ids of events that are counted once. */
    public SeenIdCounts seenIds() {
        List<OwnerGauges> owners = flow.published();
        SeenIds ids = coordinator.generation().ids;
        return new SeenIdCounts(
                owners.stream().mapToLong(OwnerGauges::ids).sum() + ids.inherited(),
                owners.stream().mapToLong(OwnerGauges::idsEvicted).sum() + ids.forgotten(),
                owners.stream().mapToLong(OwnerGauges::idBytes).sum() + ids.inheritedBytes());
    }

    /**
     * The maximum number of ids that are kept exactly for one event type in one summary; at most the configured number.
     */
    public long dedupIds() {
        return coordinator.generation().ids.idsMax();
    }

    /**
     * Number of observations that were not added to a sum of a summary or nested summary, because the sum was at the
     * bound of doubles or of 128 bits. The number may be about a second old. After a cut, the number is exact until the
     * next message is processed.
     */
    public long saturations() {
        return flow.published().stream().mapToLong(OwnerGauges::saturations).sum();
    }

    /** Bytes of rows, indexes, texts and sets, as the owners last published them; may be about a second old. */
    public long stateBytes() {
        return flow.published().stream().mapToLong(OwnerGauges::stateBytes).sum();
    }

    /** The bound on all state, and the bytes in use: rows, indexes, texts, sets and ids. */
    public ByteBudget stateBudget() {
        return coordinator.generation().summaries.budget();
    }

    /** The memory that cuts hold, and the number of cuts that ended in each way. */
    public CutMemory cutMemory() {
        return cutMemory;
    }
}
