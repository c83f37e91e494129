package io.summarizer.flink.coordinate;

import io.summarizer.core.pipeline.WindowOptions;
import io.summarizer.core.result.ResultException;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.window.WindowInput;
import io.summarizer.flink.job.JobDefinition;
import io.summarizer.flink.job.JobPlan;
import io.summarizer.flink.job.LedgerMetrics;
import io.summarizer.flink.record.Decision;
import io.summarizer.flink.record.Progress;
import io.summarizer.flink.result.ResultCommitter;
import io.summarizer.flink.result.ResultFolder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Closes windows, and commits results. Has one subtask. Sends boundaries to all owners before each barrier. The
 * boundaries take effect at this barrier, so all owners have the same boundaries at each checkpoint. Also tells the
 * owners about each commit, because they keep the rows of closed windows until the commit. Flink's own notification of
 * a complete checkpoint is not enough. If it reached the owners and not this operator, the owners would drop rows that
 * are not committed.
 */
public final class CoordinateOperator extends AbstractStreamOperator<Decision>
        implements OneInputStreamOperator<Progress, Decision> {
    private static final long serialVersionUID = 1;

    private static final long TICK_MILLIS = 200;

    private final JobDefinition job;

    @SuppressWarnings("NullAway.Init") // initializeState sets this field and the next ones
    private transient Timekeeper timekeeper;

    @SuppressWarnings("NullAway.Init")
    private transient ResultCommitter committer;

    @SuppressWarnings("NullAway.Init")
    private transient ListState<byte[]> saved;

    /** The start in µs of each checkpoint that is not complete yet, by the number of the checkpoint. */
    @SuppressWarnings("NullAway.Init")
    private transient TreeMap<Long, Long> pending;

    /** Whether the input has ended. After that, no decisions are sent to owners. */
    private transient boolean finished;

    /** An operator for a job. */
    public CoordinateOperator(JobDefinition job) {
        this.job = job;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        List<SummaryLayout> layouts = JobPlan.layouts(job.definitions());
        timekeeper = new Timekeeper(layouts, job.inputs(), WindowOptions.DEFAULT.idleMicros());
        pending = new TreeMap<>();
        committer = new ResultCommitter(
                new ResultFolder(job.options().exports()),
                JobDefinition.NAME,
                job.hash(),
                job.options().keyGroups(),
                job.options().keep(),
                layouts);
        saved = context.getOperatorStateStore()
                .getListState(new ListStateDescriptor<>("timekeeper", BytePrimitiveArraySerializer.INSTANCE));
        for (byte[] bytes : saved.get()) {
            timekeeper.restore(new DataInputStream(new ByteArrayInputStream(bytes)), job::reads);
        }
        if (context.getRestoredCheckpointId().isPresent()) {
            try {
                committer.restore(context.getRestoredCheckpointId().getAsLong(), now(), timekeeper.boundaries());
            } catch (ResultException e) {
                throw new SuppressRestartsException(e); // it would be the same again
            }
        } else {
            begin();
        }
        for (int summary = 0; summary < layouts.size(); summary++) {
            if (layouts.get(summary).window() != null && !layouts.get(summary).isKeyless()) {
                int position = summary;
                LedgerMetrics.gauge(
                        getMetricGroup()
                                .addGroup("summary", layouts.get(summary).name()),
                        "summarizer_watermark_lag_seconds",
                        () -> lag(position));
            }
        }
    }

    private void begin() throws IOException {
        String refusal = committer.begin();
        if (!refusal.isEmpty()) {
            throw new SuppressRestartsException(new IOException(refusal)); // a restart would fail, too
        }
    }

    private long lag(int summary) {
        long watermark = timekeeper.watermark(summary);
        return watermark == WindowInput.NONE ? 0 : TimeUnit.MICROSECONDS.toSeconds(now() - watermark);
    }

    private static long clock() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
    }

    private long now() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    }

    @Override
    public void open() throws Exception {
        super.open();
        var unused = getProcessingTimeService().scheduleWithFixedDelay(now -> advance(), TICK_MILLIS, TICK_MILLIS);
    }

    private void advance() {
        for (Decision.Boundary boundary :
                job.closesWindows() ? timekeeper.advance(clock()) : List.<Decision.Boundary>of()) {
            output.collect(new StreamRecord<>(boundary));
        }
    }

    @Override
    public void processElement(StreamRecord<Progress> progress) {
        timekeeper.take(progress.getValue());
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        timekeeper.start(clock()); // Flink begins a checkpoint only when all subtasks run
        advance();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        timekeeper.writeTo(new DataOutputStream(bytes));
        saved.update(List.of(bytes.toByteArray()));
        pending.put(context.getCheckpointId(), TimeUnit.MILLISECONDS.toMicros(context.getCheckpointTimestamp()));
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        Long time = pending.get(checkpointId);
        pending.headMap(checkpointId, true).clear();
        if (time != null) {
            try {
                committer.commit(checkpointId, time);
            } catch (ResultException e) {
                throw new SuppressRestartsException(e); // it would be the same again
            }
            if (!finished) {
                output.collect(new StreamRecord<>(new Decision.Committed(checkpointId)));
            }
        }
    }

    @Override
    public void finish() throws Exception {
        super.finish();
        finished = true;
    }
}
