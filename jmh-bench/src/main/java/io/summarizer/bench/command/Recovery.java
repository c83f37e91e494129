package io.summarizer.bench.command;

import io.summarizer.bench.receive.FramedWorkload;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.recovery.Checkpoints;
import io.summarizer.core.recovery.PipelineRecovery;
import io.summarizer.core.recovery.RangeSource;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.server.demo.TemporaryFolder;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.PlanLoader;
import io.summarizer.server.workload.AdsWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the time that a start needs to recover the journal. */
@Command(
        description = {
            "Measures how fast a start recovers the journal. The command journals v1 events in batches like a listener."
                    + " Then it reads the messages back, unpacks and decodes them, and adds the events to rows."
        })
public final class Recovery extends BenchCommand {
    /** Number of generated batches, which are journalled repeatedly. */
    private static final int BATCHES = 400;

    private static final int BATCH = 500;
    private static final int SYNC_BYTES = 4 << 20;
    private static final long SEGMENT_BYTES = 64 << 20;

    @Option(names = "--events", paramLabel = "N", description = "Fewest events to journal. Default: ${DEFAULT-VALUE}.")
    private long events = 5_000_000;

    @Option(names = "--rounds", paramLabel = "N", description = "Number of starts. Default: ${DEFAULT-VALUE}.")
    private int rounds = 3;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Workers of each stage. Default: half of the processors, ${DEFAULT-VALUE} here.")
    private int workers = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    @Option(names = "--compression", paramLabel = "zstd|none", description = "Journal's compression. Default: zstd.")
    private Compression compression = Compression.ZSTD;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Make the journal in a new folder in DIR, which is deleted at the end."
                    + " Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Mixin
    private final Recording record = new Recording();

    private final List<String> rows = new ArrayList<>();
    private long stamp = 1_000_000;

    @Override
    public Integer call() throws IOException, InterruptedException, DefinitionsException {
        atLeast(1, "--events", events);
        atLeast(1, "--rounds", rounds);
        atLeast(1, "--workers", workers);
        try (TemporaryFolder scratch = TemporaryFolder.createIn(data, "summarizer-recovery")) {
            Path folder = scratch.path();
            fill(folder.resolve("journal"));
            for (int round = 0; round < rounds; round++) {
                recover(folder, round);
            }
        }
        record.add(home, "events,round,workers,compression,journal_bytes,seconds,per_s", rows);
        return 0;
    }

    private JournalOptions options() {
        return new JournalOptions(SEGMENT_BYTES, 1L << 40, compression);
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private void fill(Path folder) throws IOException {
        List<MessageBatch> batches = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < BATCHES; i++) {
            batches.add(FramedWorkload.batch(AdsWorkload.v1(1), (long) i * BATCH, BATCH));
            bytes += batches.get(i).limit();
        }
        try (Journal journal = Journal.open(new FileDisk(folder), options(), Recovery::say)) {
            while (journal.endSequence() < events) {
                for (MessageBatch batch : batches) {
                    append(batch, journal);
                }
            }
            journal.sync();
            System.out.printf(
                    Locale.ROOT,
                    "journalled %,d events, %.1f bytes each, %.1f as lines%n",
                    journal.endSequence(),
                    (double) journal.counters().writtenBytes.sum() / journal.endSequence(),
                    (double) bytes / BATCHES / BATCH);
        }
    }

    private void append(MessageBatch batch, Journal journal) throws IOException {
        batch.firstStamp(stamp);
        stamp += batch.count();
        journal.append(batch, TopicRule.MSGID_OR_APP_NAME);
        if (journal.pendingBytes() > SYNC_BYTES) {
            journal.sync();
        }
    }

    private void recover(Path folder, int round) throws IOException, InterruptedException, DefinitionsException {
        Plan plan = PlanLoader.load(home.resolve("schemas"), List.of(ZoneOffset.UTC))
                .plan();
        PipelineOptions.Stage stage = new PipelineOptions.Stage(QueueKind.LBQ, 256, workers, WaitPolicy.BLOCKING);
        PipelineOptions pipelineOptions = PipelineOptions.queued(stage, stage);
        RecoveryProgress progress = new RecoveryProgress();
        try (Journal journal = Journal.open(new FileDisk(folder.resolve("journal")), options(), Recovery::say)) {
            var recovery = PipelineRecovery.open(
                    Checkpoints.open(new FileDisk(folder.resolve("checkpoints")), 1, Recovery::say),
                    journal,
                    name -> plan,
                    () -> new PipelineRecovery.Beginning("ads", plan, plan.newSummaries(pipelineOptions.maxRows())),
                    pipelineOptions,
                    RejectSink.NONE,
                    1,
                    progress,
                    System.out::println);
            try (Pipeline pipeline = recovery.pipeline()) {
                recovery.replay(null, RangeSource.NONE, recovery.pipeline().plan(), 0);
                long received = pipeline.ledger().processed();
                if (received != journal.endSequence()) {
                    throw new IllegalStateException("received=" + received + " of " + journal.endSequence());
                }
                System.out.printf(
                        Locale.ROOT,
                        "replayed %,d events in %.2f s: %.2f M/s%n",
                        received,
                        progress.seconds(),
                        received / progress.seconds() / 1e6);
                rows.add(String.format(
                        Locale.ROOT,
                        "%d,%d,%d,%s,%d,%.3f,%.0f",
                        received,
                        round,
                        workers,
                        compression.name().toLowerCase(Locale.ROOT),
                        journal.liveBytes(),
                        progress.seconds(),
                        received / progress.seconds()));
            }
        }
    }
}
