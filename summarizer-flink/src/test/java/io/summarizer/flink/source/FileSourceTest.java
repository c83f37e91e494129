package io.summarizer.flink.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.receive.Framing;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connector's reader over our frames: its snapshots agree with what it emitted, at each record. */
class FileSourceTest {
    private static final int LINES = 20_000;

    @TempDir
    Path folder;

    @Test
    void aReaderThatIsMadeFromASnapshotEmitsWhatTheFirstDidNot() throws Exception {
        long seed = Seeds.first();
        Random random = new Random(seed);
        List<String> lines =
                IntStream.range(0, LINES).mapToObj(line -> "<13>line " + line).toList();
        Path file = Files.write(folder.resolve("lines"), lines);
        FileSource<SourceRecord> source =
                Sources.files(new Input.Files(List.of(file.toUri().toString()), Framing.AUTO), 1 << 18);
        List<FileSourceSplit> splits = new ArrayList<>(new WholeFiles()
                .enumerateSplits(
                        new org.apache.flink.core.fs.Path[] {new org.apache.flink.core.fs.Path(file.toUri())}, 1));
        List<String> emitted = new ArrayList<>();
        while (emitted.size() < LINES) {
            int most = 1 + random.nextInt(LINES / 5);
            splits = new ArrayList<>(read(source, splits, most, emitted));
        }
        assertThat(emitted).as(Seeds.replay(seed)).isEqualTo(lines);
    }

    @Test
    void aJobThatEndsHasNoSubtaskWithoutAFile() {
        for (int[] expected : new int[][] {{8, 3}, {3, 3}, {2, 2}}) {
            StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
            environment.setParallelism(expected[0]);
            JobOptions options = new JobOptions(
                    new Input.Files(List.of("file:///a", "file:///b", "file:///c"), Framing.AUTO),
                    false,
                    "",
                    1,
                    Duration.ofSeconds(1),
                    null,
                    null,
                    expected[0],
                    JobOptions.KEY_GROUPS_DEFAULT,
                    ZoneOffset.UTC,
                    1 << 18);
            assertThat(Sources.connect(environment, options, Map.of()).getParallelism())
                    .isEqualTo(expected[1]);
        }
    }

    /** Reads at most so many records; returns the snapshot, as it is after it was serialized. */
    @SuppressWarnings("try") // Flink declares that closing may be interrupted
    private static List<FileSourceSplit> read(
            FileSource<SourceRecord> source, List<FileSourceSplit> splits, int most, List<String> emitted)
            throws Exception {
        Output output = new Output(emitted);
        try (SourceReader<SourceRecord, FileSourceSplit> reader = source.createReader(new Context())) {
            reader.start();
            reader.addSplits(splits);
            reader.notifyNoMoreSplits();
            int end = emitted.size() + most;
            InputStatus status = InputStatus.MORE_AVAILABLE;
            while (emitted.size() < end && status != InputStatus.END_OF_INPUT) {
                status = reader.pollNext(output);
                if (status == InputStatus.NOTHING_AVAILABLE) {
                    var unused = reader.isAvailable().get();
                }
            }
            List<FileSourceSplit> snapshot = new ArrayList<>();
            var serializer = source.getSplitSerializer();
            for (FileSourceSplit split : reader.snapshotState(1)) {
                snapshot.add(serializer.deserialize(serializer.getVersion(), serializer.serialize(split)));
            }
            return snapshot;
        }
    }

    private record Output(List<String> emitted) implements ReaderOutput<SourceRecord> {
        @Override
        public void collect(SourceRecord record) {
            emitted.add(Recorder.text(record));
        }

        @Override
        public void collect(SourceRecord record, long timestamp) {
            collect(record);
        }

        @Override
        public void emitWatermark(Watermark watermark) {}

        @Override
        public void markIdle() {}

        @Override
        public void markActive() {}

        @Override
        public SourceOutput<SourceRecord> createOutputForSplit(String splitId) {
            return this;
        }

        @Override
        public void releaseOutputForSplit(String splitId) {}
    }

    private static final class Context implements SourceReaderContext {
        @Override
        public SourceReaderMetricGroup metricGroup() {
            return UnregisteredMetricsGroup.createSourceReaderMetricGroup();
        }

        @Override
        public Configuration getConfiguration() {
            return new Configuration();
        }

        @Override
        public String getLocalHostName() {
            return "localhost";
        }

        @Override
        public int getIndexOfSubtask() {
            return 0;
        }

        @Override
        public void sendSplitRequest() {}

        @Override
        public void sendSourceEventToCoordinator(SourceEvent event) {}

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return SimpleUserCodeClassLoader.create(FileSourceTest.class.getClassLoader());
        }
    }
}
