package io.summarizer.flink.source;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Keeps the number of records of each partition and the sum of their texts' hashes, in its state, and publishes them at
 * the end of its input. It fails until it went on from a checkpoint once, unless its patience is 0: so a run that ends
 * has been through a recovery in the midst of its input.
 */
@SuppressWarnings("NullAway.Init") // Flink initializes the state
final class Recorder extends AbstractStreamOperator<SourceRecord>
        implements OneInputStreamOperator<SourceRecord, SourceRecord>, BoundedOneInput {
    private static final long serialVersionUID = 1;
    private static final Map<String, Run> RUNS = new ConcurrentHashMap<>();

    private final String run;
    private final int patience;
    private transient ListState<String> state;
    private transient Digest seen;
    private transient boolean resumed;
    private transient boolean completed;
    private transient int sinceStart;

    /** Records by partition, whatever their order and the task that they came through. */
    static final class Digest {
        private final Map<String, long[]> partitions = new TreeMap<>();

        /** Adds records, given as {@code PARTITION TEXT}. */
        static Digest of(List<String> records) {
            Digest digest = new Digest();
            records.forEach(record -> {
                int space = record.indexOf(' ');
                digest.add(record.substring(0, space), 1, hash(record.substring(space + 1)));
            });
            return digest;
        }

        private static long hash(String text) {
            return 0x9E37_79B9_7F4A_7C15L * (text.hashCode() | 1L << 40);
        }

        void add(String partition, long count, long hashes) {
            long[] sums = partitions.computeIfAbsent(partition, unused -> new long[2]);
            sums[0] += count;
            sums[1] += hashes;
        }

        List<String> lines() {
            return partitions.entrySet().stream()
                    .map(entry -> entry.getKey() + " " + entry.getValue()[0] + " " + entry.getValue()[1])
                    .toList();
        }

        void addLine(String line) {
            String[] words = line.split(" ");
            add(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]));
        }
    }

    /** A run of a test, which its operators reach by name. */
    static final class Run {
        private final Digest digest = new Digest();
        private final Runnable beforeFailure;
        private int failures;

        private Run(Runnable beforeFailure) {
            this.beforeFailure = beforeFailure;
        }

        synchronized List<String> lines() {
            return digest.lines();
        }

        synchronized int failures() {
            return failures;
        }

        private synchronized void publish(Digest some) {
            some.lines().forEach(digest::addLine);
        }

        private synchronized void fail() {
            if (failures++ == 0) {
                beforeFailure.run();
            }
            throw new IllegalStateException("fails until it went on from a checkpoint");
        }
    }

    /**
     * Records a run.
     *
     * @param patience records after which the operator fails also when no checkpoint completed; 0 never fails
     */
    Recorder(String run, int patience) {
        this.run = run;
        this.patience = patience;
    }

    /** Begins a run; its operators call {@code beforeFailure} before the first of them fails. */
    static Run begin(String name, Runnable beforeFailure) {
        Run run = new Run(beforeFailure);
        RUNS.put(name, run);
        return run;
    }

    private Run known() {
        return Objects.requireNonNull(RUNS.get(run), run);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        seen = new Digest();
        state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("seen", Types.STRING));
        for (String line : state.get()) {
            seen.addLine(line);
            resumed = true;
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        state.update(seen.lines());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        completed = true;
    }

    @Override
    public void processElement(StreamRecord<SourceRecord> element) {
        SourceRecord record = element.getValue();
        seen.add(partition(record), 1, Digest.hash(text(record)));
        sinceStart++;
        if (patience > 0 && !resumed && (completed || sinceStart == patience)) {
            known().fail();
        }
        output.collect(element);
    }

    @Override
    public void endInput() {
        known().publish(seen);
    }

    private static String partition(SourceRecord record) {
        return record.topic() + "-" + record.partition();
    }

    /** All of a record that is the same in each run. */
    static String text(SourceRecord record) {
        byte[] header = record.header();
        String value = record.isNull()
                ? "null"
                : new String(record.bytes(), record.offset(), record.length(), StandardCharsets.UTF_8);
        return record.topic() == null
                ? value
                : "@" + record.position() + " " + value
                        + (header == null ? "" : " " + new String(header, StandardCharsets.UTF_8))
                        + " " + record.timestampMillis();
    }
}
