package io.summarizer.flink.submit;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.flink.coordinate.CoordinateOperator;
import io.summarizer.flink.evaluate.EvaluateOperator;
import io.summarizer.flink.job.JobDefinition;
import io.summarizer.flink.job.JobKeys;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.own.OwnOperator;
import io.summarizer.flink.record.Decision;
import io.summarizer.flink.record.GroupUpdates;
import io.summarizer.flink.record.KeyGroups;
import io.summarizer.flink.record.Progress;
import io.summarizer.flink.record.RecordType;
import io.summarizer.flink.source.SourceRecord;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.TwoInputTransformation;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a job.
 *
 * <pre>
 *   source -- records --> evaluate ==updates by key group==> own -- files --> results
 *                            |                                ^
 *                            +-- progress --> coordinate -----+ decisions, to all
 * </pre>
 *
 * <p>Evaluation is chained to the source. The coordinator has one subtask.
 */
final class JobTopology {
    private static final OutputTag<Progress> PROGRESS = new OutputTag<>("progress", RecordType.PROGRESS);

    private JobTopology() {}

    /**
     * Adds the operators after the source to a job. Runs on the client.
     *
     * @param records the records of the source; {@link SourceRecord} says who may keep a record
     * @param definitions texts of the checked definitions, by path from the definitions folder; each worker compiles
     *     the texts again
     * @param inputs names of the partitions that the source has now, each in the form {@code TOPIC-PARTITION}
     * @throws RefusedException when the definitions cannot work on a cluster
     */
    static void connect(
            DataStream<SourceRecord> records, JobOptions options, Map<String, String> definitions, List<String> inputs)
            throws RefusedException {
        JobDefinition job = new JobDefinition(definitions, options, JobKeys.draw(), inputs);
        refuse(job);
        SingleOutputStreamOperator<GroupUpdates> updates = records.transform(
                        "evaluate", RecordType.UPDATES, new EvaluateOperator(job, PROGRESS))
                .setParallelism(records.getParallelism())
                .uid("evaluate");
        KeyedStream<GroupUpdates, Integer> byKeyGroup = updates.keyBy(new GroupKey(options.keyGroups()), Types.INT);
        DataStream<Decision> decisions = updates.getSideOutput(PROGRESS)
                .global()
                .transform("coordinate", RecordType.DECISION, new CoordinateOperator(job))
                .setParallelism(1)
                .setMaxParallelism(1)
                .uid("coordinate")
                .broadcast();
        TwoInputTransformation<GroupUpdates, Decision, Void> own = new TwoInputTransformation<>(
                byKeyGroup.getTransformation(),
                decisions.getTransformation(),
                "own",
                new OwnOperator(job),
                Types.VOID,
                records.getExecutionEnvironment().getParallelism());
        own.setUid("own");
        own.setStateKeySelectors(byKeyGroup.getKeySelector(), null);
        own.setStateKeyType(Types.INT);
        new Owned(records, own).sinkTo(new DiscardingSink<>()).name("end").uid("end");
    }

    /** Refuses definitions that cannot work on a cluster. */
    private static void refuse(JobDefinition job) throws RefusedException {
        boolean dedups = !DefinitionsCompiler.check(job.definitions())
                .definitions()
                .orElseThrow()
                .countedOnce()
                .isEmpty();
        int most = 1 << MessageBatch.SOURCE_BITS;
        if (dedups && job.inputs().size() > most) {
            throw new RefusedException("dedup works with at most " + most + " partitions, and the topics have "
                    + job.inputs().size() + "; remove dedup, or read fewer partitions");
        }
    }

    /** The stream after the owners, which has no records. */
    private static final class Owned extends DataStream<Void> {
        Owned(DataStream<?> records, TwoInputTransformation<GroupUpdates, Decision, Void> own) {
            super(records.getExecutionEnvironment(), own);
        }
    }

    /** The key of updates: a number that Flink assigns to their key group. */
    private static final class GroupKey implements KeySelector<GroupUpdates, Integer> {
        private static final long serialVersionUID = 1;

        private final int keyGroups;
        private transient Integer @Nullable [] representatives;

        GroupKey(int keyGroups) {
            this.keyGroups = keyGroups;
        }

        @Override
        public Integer getKey(GroupUpdates updates) {
            Integer[] all = representatives;
            if (all == null) {
                all = KeyGroups.representatives(keyGroups);
                representatives = all;
            }
            return all[updates.keyGroup()];
        }
    }
}
