package io.summarizer.flink.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A job that counts numbers without end, and writes its count to a file after each recovery. {@link FlinkClusterTest}
 * packs it into a jar.
 */
public final class CountingJob {
    private CountingJob() {}

    /** Submits the job; its arguments are the folders of recovered counts and of checkpoints. */
    public static void main(String[] arguments) throws Exception {
        Configuration settings = new Configuration();
        settings.setString(CheckpointingOptions.CHECKPOINTING_INTERVAL.key(), "100ms");
        settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, arguments[1]);
        settings.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(settings);
        environment
                .fromSequence(0, Long.MAX_VALUE)
                .uid("numbers")
                .map(new Counter(arguments[0]))
                .uid("counter")
                .sinkTo(new DiscardingSink<>());
        environment.execute("counting");
    }

    private static final class Counter extends RichMapFunction<Long, Long> implements CheckpointedFunction {
        private static final long serialVersionUID = 1;

        private final String folder;
        private transient long count;

        @SuppressWarnings("NullAway.Init") // Flink initializes the state
        private transient ListState<Long> state;

        Counter(String folder) {
            this.folder = folder;
        }

        @Override
        public Long map(Long number) {
            count++;
            return number;
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            state.update(List.of(count));
        }

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("count", Types.LONG));
            for (long part : state.get()) {
                count += part;
            }
            if (context.isRestored()) {
                Path file = Files.createTempFile(Path.of(folder), "recovered", "");
                Files.writeString(file, Long.toString(count));
            }
        }
    }
}
