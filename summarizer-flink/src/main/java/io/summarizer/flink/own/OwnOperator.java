package io.summarizer.flink.own;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.RangeOwner;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultNames;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.SectionWindows;
import io.summarizer.core.state.StateException;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeySeed;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.window.LateUpdates;
import io.summarizer.flink.job.JobDefinition;
import io.summarizer.flink.job.JobKeys;
import io.summarizer.flink.job.JobPlan;
import io.summarizer.flink.job.LedgerMetrics;
import io.summarizer.flink.record.Decision;
import io.summarizer.flink.record.GroupUpdates;
import io.summarizer.flink.result.OwnerFiles;
import io.summarizer.flink.result.ResultFolder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Applies updates to the rows of the key groups of this subtask. The second input has the decisions of the coordinator.
 * A boundary takes effect only at the next barrier, because boundaries and updates come through different channels. At
 * this barrier, all updates that were sent before the boundary was decided have arrived. So all owners close the same
 * windows at the same barrier.
 *
 * <p>At a barrier the operator freezes its rows, at a cost that does not depend on the number of rows. The asynchronous
 * part then writes the rows twice: as raw keyed state by key group, and as files of a result. Rows of closed windows
 * are written to files only; they leave memory when the coordinator has committed a result that names the files.
 *
 * <p>Besides the rows, the state has the {@link JobKeys}, and for each subtask a ledger of the refused updates and the
 * number of late updates of each closed window. At a restore, the ledger and the numbers of an earlier subtask go to
 * one of the new subtasks, which continues both.
 */
public final class OwnOperator extends AbstractStreamOperator<Void>
        implements TwoInputStreamOperator<GroupUpdates, Decision, Void> {
    private static final long serialVersionUID = 1;

    private final JobDefinition job;

    @SuppressWarnings("NullAway.Init") // initializeState sets this field and the next ones
    private transient RangeOwner owner;

    @SuppressWarnings("NullAway.Init")
    private transient JobPlan plan;

    @SuppressWarnings("NullAway.Init")
    private transient KeyGroupRange range;

    @SuppressWarnings("NullAway.Init")
    private transient GroupUpdates.Unpacker unpacker;

    @SuppressWarnings("NullAway.Init")
    private transient JobKeys keys;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<byte[]> savedKeys;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<byte[]> ledgers;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<byte[]> late;

    @SuppressWarnings("NullAway.Init")
    private transient ResultFolder results;

    /** A random number in the names of closed windows' files. */
    private transient int run;

    /** The state of a checkpoint during its synchronous part. */
    private transient RangeOwner.@Nullable Frozen frozen;

    /**
     * Boundaries that take effect at the next barrier; the coordinator sends at most one for each summary in 200 ms.
     */
    @SuppressWarnings("NullAway.Init")
    private transient List<Decision.Boundary> closing;

    /**
     * The boundaries of all summaries at each checkpoint without a committed result, by the number of the checkpoint.
     */
    @SuppressWarnings("NullAway.Init")
    private transient TreeMap<Long, long[]> boundaries;

    /** An operator for a job. */
    public OwnOperator(JobDefinition job) {
        this.job = job;
    }

    @Override
    protected boolean isUsingCustomRawKeyedState() {
        return true;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        savedKeys = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("keys", BytePrimitiveArraySerializer.INSTANCE));
        ledgers = context.getOperatorStateStore()
                .getListState(new ListStateDescriptor<>("ledger", BytePrimitiveArraySerializer.INSTANCE));
        late = context.getOperatorStateStore()
                .getListState(new ListStateDescriptor<>("late", BytePrimitiveArraySerializer.INSTANCE));
        keys = job.keys();
        for (byte[] saved : savedKeys.get()) {
            keys = JobKeys.readFrom(new DataInputStream(new ByteArrayInputStream(saved)));
        }
        KeySeed.use(keys.hashSeed());
        int keyGroups = job.options().keyGroups();
        range = KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                keyGroups,
                getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks(),
                getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
        plan = JobPlan.compile(job.definitions(), job.options(), (double) range.getNumberOfKeyGroups() / keyGroups);
        PipelineOptions options =
                plan.options(JobDefinition.subtasks(getContainingTask().getEnvironment()));
        Summaries state = plan.newSummaries(
                Partitions.of(keyGroups).range(range.getStartKeyGroup(), range.getEndKeyGroup() + 1), options);
        Map<Integer, SavedIds> ids = restore(context, state);
        owner = new RangeOwner(plan, options, state, SavedIds.none(keys.idKey()));
        ids.forEach(owner::load);
        LedgerCounts counts = LedgerCounts.NONE;
        for (byte[] saved : ledgers.get()) {
            counts = counts.plus(LedgerCounts.read(saved));
        }
        owner.restore(counts);
        for (byte[] saved : late.get()) {
            owner.restore(LateUpdates.read(saved));
        }
        unpacker = new GroupUpdates.Unpacker();
        results = new ResultFolder(job.options().exports());
        run = ThreadLocalRandom.current().nextInt();
        boundaries = new TreeMap<>();
        closing = new ArrayList<>();
        LedgerMetrics.ofUpdates(getMetricGroup(), owner::counts, owner::faults);
    }

    private Map<Integer, SavedIds> restore(StateInitializationContext context, Summaries state)
            throws IOException, InterruptedException {
        try {
            return KeyGroupState.read(
                    context.getRawKeyedStateInputs(),
                    state,
                    Path.of(getContainingTask()
                            .getEnvironment()
                            .getTaskManagerInfo()
                            .getTmpDirectories()[0]));
        } catch (StateException e) {
            throw new SuppressRestartsException(e); // a restart would fail, too
        }
    }

    @Override
    public void processElement1(StreamRecord<GroupUpdates> updates) {
        owner.apply(unpacker.unpack(updates.getValue()));
    }

    @Override
    public void processElement2(StreamRecord<Decision> decision) {
        if (decision.getValue() instanceof Decision.Boundary boundary) {
            closing.add(boundary);
        } else {
            drop(((Decision.Committed) decision.getValue()).checkpoint());
        }
    }

    /** Removes the closed windows that a result has from memory. */
    private void drop(long committed) {
        long[] closed = null;
        while (!boundaries.isEmpty() && boundaries.firstKey() <= committed) {
            closed = boundaries.pollFirstEntry().getValue();
        }
        for (int summary = 0; closed != null && summary < closed.length; summary++) {
            long[] inMemory = owner.windows(summary);
            if (inMemory.length > 0 && inMemory[0] < closed[summary]) {
                owner.dropBefore(summary, closed[summary]);
            }
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        keys.writeTo(new DataOutputStream(bytes));
        savedKeys.update(List.of(bytes.toByteArray()));
        RangeOwner.Frozen state = Objects.requireNonNull(frozen);
        ledgers.update(List.of(written(state.counts())));
        late.update(List.of(state.late().toBytes()));
        frozen = null;
    }

    private static byte[] written(LedgerCounts counts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        counts.writeTo(bytes);
        return bytes.toByteArray();
    }

    @Override
    public OperatorSnapshotFutures snapshotState(
            long checkpointId, long timestamp, CheckpointOptions options, CheckpointStreamFactory factory)
            throws Exception {
        closing.forEach(boundary -> owner.closeBefore(boundary.summary(), boundary.before()));
        closing.clear();
        forgetLate(TimeUnit.MILLISECONDS.toMicros(timestamp));
        RangeOwner.Frozen state = owner.freeze();
        frozen = state;
        OperatorSnapshotFutures futures;
        try {
            futures = super.snapshotState(checkpointId, timestamp, options, factory);
        } catch (Exception | Error e) {
            state.release();
            throw e;
        }
        boundaries.put(checkpointId, state.boundaries());
        int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        futures.setKeyedStateRawFuture(new Writing(state, () -> {
            long time = TimeUnit.MILLISECONDS.toMicros(timestamp);
            KeyedStateHandle handle = KeyGroupState.write(state, range, checkpointId, time, factory);
            writeResult(state, checkpointId, time, subtask, subtasks);
            return SnapshotResult.of(handle);
        }));
        return futures;
    }

    /** Forgets late updates of windows that results no longer have. */
    private void forgetLate(long time) {
        for (int summary = 0; summary < plan.summaries().size(); summary++) {
            SummaryWindow window = plan.summaries().get(summary).window();
            if (window != null && window.keepMicros() != SummaryWindow.FOR_EVER) {
                owner.forgetLateBefore(summary, window.windows().start(time - window.keepMicros()));
            }
        }
    }

    /** The asynchronous part of a checkpoint. At its end, it releases the frozen state, even when it is cancelled. */
    private static final class Writing extends FutureTask<SnapshotResult<KeyedStateHandle>> {
        private final RangeOwner.Frozen state;

        Writing(RangeOwner.Frozen state, Callable<SnapshotResult<KeyedStateHandle>> work) {
            super(work);
            this.state = state;
        }

        @Override
        protected void done() {
            state.release();
        }
    }

    private void writeResult(RangeOwner.Frozen state, long checkpoint, long time, int subtask, int subtasks)
            throws IOException, InterruptedException {
        List<RangeOwner.Frozen.ClosedRows> allClosed = state.closed(checkpoint, time);
        List<String> names = allClosed.stream()
                .map(closed -> ResultNames.window(closed.summary(), closed.start(), checkpoint, subtask, subtasks, run))
                .toList();
        if (!names.isEmpty()) {
            results.writeWindowNames(checkpoint, subtask, subtasks, run, names);
        }
        List<OwnerFiles.WindowFile> windows = new ArrayList<>();
        for (int window = 0; window < names.size(); window++) {
            RangeOwner.Frozen.ClosedRows closed = allClosed.get(window);
            String name = names.get(window);
            long bytes = results.write(
                    name, out -> StateWriter.write(closed.cut(), new FileWindow(closed.start(), closed.end()), out, 1));
            windows.add(new OwnerFiles.WindowFile(
                    closed.summary(), closed.start(), closed.end(), closed.rows(), file(name, bytes)));
        }
        String name = ResultNames.rows(checkpoint, subtask, subtasks);
        Cut rows = state.rows(range.getStartKeyGroup(), range.getEndKeyGroup() + 1, checkpoint, time);
        long bytes = results.write(name, out -> StateWriter.write(rows, out, 1, List.of(SectionWindows.of(rows))));
        long[] ofSummaries = state.boundaries();
        List<OwnerFiles.SummaryBoundary> closedBefore = new ArrayList<>();
        for (int summary = 0; summary < ofSummaries.length; summary++) {
            closedBefore.add(
                    new OwnerFiles.SummaryBoundary(plan.summaries().get(summary).name(), ofSummaries[summary]));
        }
        results.writeLedger(checkpoint, "own", subtask, subtasks, written(state.counts()));
        results.writeOwner(
                checkpoint, subtask, subtasks, new OwnerFiles(file(name, bytes), closedBefore, windows, state.late()));
    }

    private Manifest.RowFile file(String name, long bytes) {
        return new Manifest.RowFile(name, range.getStartKeyGroup(), range.getEndKeyGroup(), bytes);
    }

    @Override
    public void close() throws Exception {
        if (unpacker != null) {
            unpacker.close();
        }
        super.close();
    }
}
