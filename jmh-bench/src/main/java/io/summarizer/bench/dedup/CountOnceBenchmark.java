package io.summarizer.bench.dedup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.summarizer.bench.state.Owner;
import io.summarizer.bench.state.Updates;
import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.dedup.DedupRule;
import io.summarizer.core.dedup.IdHash;
import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.dedup.KeyWords;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.RowSources;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of {@code dedup} per event. One figure is the time in the worker to hash a UUID and four int64
 * keys. The other figures are the times of an update in the owner, with and without a guard. A guard is a record that
 * checks the id of the event. Either all ids are new, or each id comes twice. About 3 million ids are kept. {@code
 * bin/bench jmh CountOnceBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class CountOnceBenchmark {
    private static final int BATCH = 256;
    private static final int BATCHES = 1024;
    private static final long PASS = (long) BATCH * BATCHES;
    private static final int ROWS = 280_000;

    /**
     * Microseconds between events, at 50,000 events per second. An id is kept for one minute: the window of 50 seconds,
     * and ten more seconds. So about 3 million ids are kept.
     */
    private static final long STAMP_STEP = 20;

    private static final long WINDOW_MICROS = 50_000_000;
    private static final long LAG_MICROS = 10_000_000;

    /** Guards before the records: none, guards with new ids, or guards with ids that all come twice. */
    @Param({"none", "new", "twice"})
    String guards = "none";

    private final UpdateBatch[] batches = new UpdateBatch[BATCHES];
    private final Updates rows = Updates.reference(false);
    private final SummaryLayout layout = rows.layout();
    private final KeyWords words = new KeyWords(layout.keys());
    private final IdHash hash = new IdHash(new IdKey(1, 2));
    private final byte[][] uuids = new byte[1024][];
    private final byte[][] keys = new byte[1024][];

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private UpdateApplier owned;

    private int next;
    private long events;

    /** Makes updates of random rows, and fills the window. */
    @Setup
    public void setUp() {
        RowCode.Tree code = RowSources.compile(layout);
        Summaries summaries = new Summaries(List.of(layout), List.of(code), Long.MAX_VALUE);
        DedupRule rule = new DedupRule("E", "Campaigns", "id", WINDOW_MICROS);
        SeenIds seen = SeenIds.of(
                List.of(rule), SavedIds.none(), LAG_MICROS, 5_000_000, Partitions.COUNT, ByteBudget.unbounded());
        owned = UpdateApplier.ofAll(summaries, seen, Owner.STRICT);
        Random random = new Random(1);
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        for (int i = 0; i < BATCHES; i++) {
            batches[i] = new UpdateBatch(BATCH * 160);
            for (int j = 0; j < BATCH; j++) {
                append(batches[i], random.nextInt(ROWS));
            }
        }
        for (int i = 0; i < uuids.length; i++) {
            uuids[i] = new UUID(random.nextLong(), random.nextLong()).toString().getBytes(US_ASCII);
            Updates.fill(key, random.nextInt(ROWS));
            keys[i] = key.bytes().clone();
        }
        for (int i = 0; i < 16 * BATCHES; i++) {
            updates();
        }
    }

    private void append(UpdateBatch batch, int row) {
        if (!guards.equals("none")) {
            batch.guard(0, true, 0);
        }
        rows.append(batch, row, 0, 0);
    }

    /** Hashes an id and the key of its row. */
    @Benchmark
    public long hash() {
        int number = next++ & 1023;
        byte[] uuid = uuids[number];
        hash.ofText(uuid, 0, uuid.length);
        hash.beginRow();
        words.addTo(hash, keys[number], 0);
        hash.endRow();
        return hash.high() ^ hash.low();
    }

    /**
     * Gives each update of a batch an id and a stamp, and applies the batch. Setting the id and the stamp takes about 2
     * ns of the result.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int updates() {
        UpdateBatch batch = batches[next++ & (BATCHES - 1)];
        byte[] bytes = batch.bytes();
        if (!guards.equals("none")) {
            boolean repeats = guards.equals("twice");
            for (int at = 0; at < batch.limit(); at += Bytes.getInt(bytes, at)) {
                if (UpdateBatch.isGuard(bytes, at)) {
                    long event = events++;
                    // A repeated id came with the same row in the previous pass, so the partition of the row has this
                    // id.
                    boolean repeated = repeats && ((event / PASS) & 1) != 0;
                    long id = repeated ? event - PASS : event;
                    Bytes.putLong(bytes, at + UpdateBatch.STAMP_OFFSET, event * STAMP_STEP + 1);
                    Bytes.putLong(bytes, at + UpdateBatch.STAMP_OFFSET + 8, id * 0x9E3779B97F4A7C15L);
                    Bytes.putLong(
                            bytes,
                            at + UpdateBatch.STAMP_OFFSET + 16,
                            Long.reverseBytes(id * 0xD6E8FEB86659FD93L) * 0x9E3779B97F4A7C15L);
                }
            }
        }
        owned.apply(batch);
        return next;
    }
}
