package io.summarizer.bench.journal;

import io.summarizer.bench.receive.FramedWorkload;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.server.demo.TemporaryFolder;
import io.summarizer.server.workload.AdsWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of journalling an event of the flat workload. Events come in groups of 20 batches; each batch is a
 * full read. One figure is the time to gather, compress, checksum and write an event. The journal's file is in memory,
 * or on a disk; on a disk, it is forced after each group. The other figure is the time to read an event back. The
 * benchmark also prints the number of bytes that an event takes.
 *
 * <pre>bin/bench jmh JournalBenchmark [-p folder=/where/the/disk/is]</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 4, time = 1)
public class JournalBenchmark {
    private static final int BATCHES = 20;
    private static final int MESSAGES = 400;

    /** Level of the Zstandard compression, or {@code none}. */
    @Param({"none", "-7", "-5", "-3", "-1", "1"})
    public String level = "none";

    /** Whether the files are in memory. On machines without {@code /dev/shm}, files are always on a disk. */
    @Param({"true", "false"})
    public boolean memory;

    /** Folder of files on a disk; empty for the system's folder of temporary files. */
    @Param("")
    public String folder = "";

    private final List<MessageBatch> batches = new ArrayList<>();
    private final MessageBatch read = new MessageBatch(2 * MessageBatch.DEFAULT_BYTES);
    private @Nullable TemporaryFolder path;
    private @Nullable Journal journal;
    private @Nullable Disk files;

    @Setup
    public void setup() throws IOException {
        for (int i = 0; i < BATCHES; i++) {
            batches.add(FramedWorkload.batch(AdsWorkload.v1(1), (long) i * MESSAGES, MESSAGES));
        }
        JournalOptions options = level.equals("none")
                ? new JournalOptions(64 << 20, 1L << 30, Compression.NONE)
                : new JournalOptions(64 << 20, 1L << 30, Compression.ZSTD, Integer.parseInt(level));
        TemporaryFolder made = memory
                ? TemporaryFolder.createInMemory("journal")
                : folder.isEmpty()
                        ? TemporaryFolder.create("journal")
                        : TemporaryFolder.createIn(Path.of(folder), "journal");
        path = made;
        journal = Journal.open(new FileDisk(made.path().resolve("written")), options, note -> {});
        files = new FileDisk(made.path().resolve("read"));
        try (Journal toRead = Journal.open(files, options, note -> {})) {
            for (MessageBatch batch : batches) {
                toRead.append(batch, TopicRule.MSGID_OR_APP_NAME);
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCHES * MESSAGES)
    public long append() throws IOException {
        Journal journal = Objects.requireNonNull(this.journal);
        for (MessageBatch batch : batches) {
            journal.append(batch, TopicRule.MSGID_OR_APP_NAME);
        }
        journal.sync();
        journal.release(journal.syncedSequence(), 0);
        return journal.endSequence();
    }

    @TearDown
    public void tearDown() throws IOException {
        Journal journal = Objects.requireNonNull(this.journal);
        journal.close();
        System.out.printf(
                Locale.ROOT,
                "%n%.1f bytes an event of %.1f, a force took %.2f ms%n",
                journal.counters().writtenBytes.sum()
                        / (double) journal.counters().messages.sum(),
                journal.counters().plainBytes.sum()
                        / (double) journal.counters().messages.sum(),
                journal.counters().syncNanos.sum()
                        / 1e6
                        / journal.counters().syncs.sum());
        Objects.requireNonNull(path).close();
    }

    /** Reads the events that {@link #setup} wrote: decompresses the entries and finds the frames. */
    @Benchmark
    @OperationsPerInvocation(BATCHES * MESSAGES)
    public long read() throws IOException {
        long messages = 0;
        try (JournalReader reader = Journal.inspect(Objects.requireNonNull(files), 0, true)) {
            while (reader.next() != JournalReader.Entry.END) {
                reader.fill(read);
                messages += read.count();
            }
        }
        return messages;
    }
}
