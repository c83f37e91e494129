package io.summarizer.flink.evaluate;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.pipeline.Evaluator;
import io.summarizer.core.pipeline.WindowOptions;
import io.summarizer.core.receive.RecordFramer;
import io.summarizer.core.store.KeySeed;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.window.WindowInput;
import io.summarizer.flink.job.JobDefinition;
import io.summarizer.flink.job.JobKeys;
import io.summarizer.flink.job.JobPlan;
import io.summarizer.flink.job.LedgerMetrics;
import io.summarizer.flink.record.GroupUpdates;
import io.summarizer.flink.record.Progress;
import io.summarizer.flink.result.ResultFolder;
import io.summarizer.flink.source.SourceRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Turns records of the source into updates by key group: parses envelopes, routes, decodes and evaluates. Runs chained
 * to the source, on the thread of its task.
 *
 * <p>The operator gathers records into batches of one partition. So hundreds of messages share the cost of a batch, and
 * the progress of each partition is known. It also gathers updates by key group. It evaluates the batch and sends the
 * updates when there are enough records or updates, but at least every {@value #LINGER_MILLIS} ms, and also before each
 * barrier.
 *
 * <p>The state has the last stamp of each partition and the {@link JobKeys}. At a restore, every subtask reads all
 * stamps and keys, because partitions move between subtasks. The state also has the ledger of each subtask. At a
 * restore, each ledger goes to one subtask, which adds its own counts to the ledger.
 */
public final class EvaluateOperator extends AbstractStreamOperator<GroupUpdates>
        implements OneInputStreamOperator<SourceRecord, GroupUpdates>, BoundedOneInput {
    private static final long serialVersionUID = 1;

    private static final long LINGER_MILLIS = 100;
    /**
     * Maximum age of a record that counts as new. The mark of an idle input stays behind the clock by the time after
     * which an input is idle. So it cannot overtake events that wait for half of this time.
     */
    private static final long CURRENT_MILLIS = TimeUnit.MICROSECONDS.toMillis(WindowOptions.DEFAULT.idleMicros() / 2);

    private static final int BATCH_BYTES = 48 * 1024;
    private static final int BATCH_MESSAGES = 512;

    /** The listener of all records. */
    private static final int LISTENER = 0;

    private final JobDefinition job;
    private final OutputTag<Progress> progressTag;

    @SuppressWarnings("NullAway.Init") // initializeState sets this field and the next ones
    private transient Evaluator evaluator;

    @SuppressWarnings("NullAway.Init")
    private transient GroupUpdates.Packer packer;

    @SuppressWarnings("NullAway.Init")
    private transient RecordFramer framer;

    @SuppressWarnings("NullAway.Init")
    private transient MessageBatch batch;

    @SuppressWarnings("NullAway.Init")
    private transient RejectedFrames rejected;

    @SuppressWarnings("NullAway.Init")
    private transient List<SourcePartition> partitions;

    /** The partition of the records in the batch. */
    private transient @Nullable SourcePartition current;

    /** Positions of the summaries that have windows. */
    @SuppressWarnings("NullAway.Init")
    private transient int[] windowed;

    private transient int summaries;

    @SuppressWarnings("NullAway.Init")
    private transient JobKeys keys;

    @SuppressWarnings("NullAway.Init")
    private transient StreamRecord<GroupUpdates> emitted;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<byte[]> stamps;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<byte[]> ledgers;

    @SuppressWarnings("NullAway.Init")
    private transient ResultFolder results;

    private transient long tickedAt;

    /**
     * An operator for a job.
     *
     * @param progressTag side output for the progress of partitions
     */
    public EvaluateOperator(JobDefinition job, OutputTag<Progress> progressTag) {
        this.job = job;
        this.progressTag = progressTag;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        stamps = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("stamps", BytePrimitiveArraySerializer.INSTANCE));
        ledgers = context.getOperatorStateStore()
                .getListState(new ListStateDescriptor<>("ledger", BytePrimitiveArraySerializer.INSTANCE));
        keys = job.keys();
        partitions = new ArrayList<>();
        List<SummaryLayout> layouts = JobPlan.layouts(job.definitions());
        summaries = layouts.size();
        for (byte[] saved : stamps.get()) {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
            keys = JobKeys.readFrom(in);
            for (int left = in.readInt(); left > 0; left--) {
                restore(SourcePartition.readFrom(in, layouts.size(), job.inputs()));
            }
        }
        KeySeed.use(keys.hashSeed());
        JobPlan plan = JobPlan.compile(job.definitions(), job.options(), 1);
        windowed = IntStream.range(0, layouts.size())
                .filter(summary -> plan.summaries().get(summary).window() != null
                        && !plan.summaries().get(summary).isKeyless())
                .toArray();
        packer = new GroupUpdates.Packer();
        emitted = new StreamRecord<>(new GroupUpdates());
        rejected = new RejectedFrames();
        framer = new RecordFramer(job.recordRule());
        evaluator = new Evaluator(
                plan,
                plan.options(JobDefinition.subtasks(getContainingTask().getEnvironment())),
                Partitions.of(job.options().keyGroups()),
                SavedIds.none(keys.idKey()),
                this::emit,
                rejected);
        evaluator.name(LISTENER, job.listener());
        LedgerCounts counts = LedgerCounts.NONE;
        for (byte[] saved : ledgers.get()) {
            counts = counts.plus(LedgerCounts.read(saved));
        }
        evaluator.restore(counts);
        batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        results = new ResultFolder(job.options().exports());
        LedgerMetrics.ofMessages(getMetricGroup(), evaluator::counts, evaluator::faults);
    }

    private void restore(SourcePartition saved) {
        for (SourcePartition partition : partitions) {
            if (partition.name().equals(saved.name())) {
                partition.goOn(saved.lastStamp());
                return;
            }
        }
        partitions.add(saved);
    }

    @Override
    public void open() throws Exception {
        super.open();
        tickedAt = getProcessingTimeService().getCurrentProcessingTime();
        var unused = getProcessingTimeService().scheduleWithFixedDelay(this::tick, LINGER_MILLIS, LINGER_MILLIS);
    }

    /** Hands over what is gathered, and reports progress. */
    private void tick(long now) throws Exception {
        // If owners held up this task, records may be waiting that the task has not seen yet.
        long passed = Math.min(now - tickedAt, 2 * LINGER_MILLIS);
        tickedAt = now;
        for (SourcePartition partition : partitions) {
            partition.tick(passed, now - CURRENT_MILLIS);
        }
        handOver();
    }

    @Override
    public void processElement(StreamRecord<SourceRecord> element) throws Exception {
        SourceRecord record = element.getValue();
        SourcePartition partition = current;
        if (partition == null || !partition.has(record)) {
            evaluate();
            partition = find(record);
            current = partition;
        }
        MessageBatch batch = this.batch;
        long stamp = partition.nextStamp(record.timestampMillis());
        if (batch.count() > 0 && !batch.canStamp(stamp)) {
            evaluate();
        }
        if (batch.count() == 0) {
            batch.listener(LISTENER);
            batch.firstStamp(stamp);
            batch.source(partition.source);
        }
        int message = batch.count();
        take(record, partition, batch);
        batch.ordinal(message, (int) (stamp - batch.firstStamp()));
        if (batch.limit() >= BATCH_BYTES || batch.count() >= BATCH_MESSAGES) {
            evaluate();
        }
    }

    private void take(SourceRecord record, SourcePartition partition, MessageBatch batch) {
        ByteBuffer value = record.isNull() ? null : ByteBuffer.wrap(record.bytes(), record.offset(), record.length());
        if (record.rejectReason() == RejectReason.NONE) {
            framer.take(batch, value, job.topicOf(record.header(), partition.topicBytes));
            return;
        }
        int from = batch.limit();
        batch.ensureCapacity(from + record.length());
        System.arraycopy(record.bytes(), record.offset(), batch.bytes(), from, record.length());
        batch.limit(from + record.length());
        batch.reject(batch.append(from, record.length()), record.rejectReason());
    }

    private SourcePartition find(SourceRecord record) {
        for (SourcePartition partition : partitions) {
            if (partition.has(record)) {
                return partition;
            }
        }
        SourcePartition added = new SourcePartition(record.topic(), record.partition(), summaries, job.inputs());
        partitions.add(added);
        return added;
    }

    private void evaluate() throws InterruptedException {
        SourcePartition partition = current;
        if (partition == null || batch.count() == 0) {
            return;
        }
        evaluator.process(batch);
        batch.clear();
        for (int summary : windowed) {
            long progress = evaluator.takeProgress(summary);
            if (progress != WindowInput.NONE) {
                partition.progress(summary, progress);
            }
        }
    }

    private void emit(int keyGroup, UpdateBatch updates) {
        output.collect(emitted.replace(packer.pack(keyGroup, updates)));
    }

    private void handOver() throws InterruptedException {
        evaluate();
        evaluator.flush();
        for (SourcePartition partition : partitions) {
            Progress progress = partition.report();
            if (progress != null) {
                output.collect(progressTag, new StreamRecord<>(progress));
            }
        }
    }

    @Override
    public void endInput() throws Exception {
        handOver();
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        handOver();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        keys.writeTo(out);
        out.writeInt(partitions.size());
        for (SourcePartition partition : partitions) {
            partition.writeTo(out);
        }
        stamps.update(List.of(bytes.toByteArray()));
        ledgers.update(List.of(written(evaluator.counts())));
    }

    private static byte[] written(LedgerCounts counts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        counts.writeTo(bytes);
        return bytes.toByteArray();
    }

    /** In the asynchronous part, also writes the ledger and the rejected messages to the folder of results. */
    @Override
    public OperatorSnapshotFutures snapshotState(
            long checkpointId, long timestamp, CheckpointOptions options, CheckpointStreamFactory factory)
            throws Exception {
        OperatorSnapshotFutures futures = super.snapshotState(checkpointId, timestamp, options, factory);
        byte[] ledger = written(evaluator.counts());
        rejected.take(checkpointId);
        int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        futures.setOperatorStateRawFuture(new FutureTask<>(() -> {
            results.writeLedger(checkpointId, "evaluate", subtask, subtasks, ledger);
            rejected.write(checkpointId, (number, frames) -> results.writeRejected(number, subtask, subtasks, frames));
            return SnapshotResult.empty();
        }));
        return futures;
    }

    @Override
    public void close() throws Exception {
        if (packer != null) {
            packer.close();
        }
        super.close();
    }
}
