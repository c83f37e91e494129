package io.summarizer.bench.command;

import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.FileDisk;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.recovery.Checkpoints;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.PlanLoader;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How fast a start takes up what is in the journal: v1 events, journalled as a listener's batches are, then read, unpacked, peeled,
 * decoded and added to rows.
 * <pre>
 *   bin/bench recovery [--events N] [--rounds N] [--workers N] [--compression zstd|none] [--data DIR]
 * </pre>
 * The journal lies in a new folder below {@code --data} (the system's temporary files), which is deleted in the end.
 */
public final class Recovery {
    /** Generated, and journalled again and again. */
    private static final int DIFFERENT = 200_000;

    private static final int SYNC_BYTES = 4 << 20;
    private static final long SEGMENT_BYTES = 64 << 20;

    private final Path home = Path.of(System.getProperty("summarizer.home", "."));
    private long events = 5_000_000;
    private int rounds = 3;
    private int workers = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    private Compression compression = Compression.ZSTD;
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    private long stamp = 1_000_000;

    private Recovery() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, DefinitionsException {
        Recovery benchmark = new Recovery();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            benchmark.set(arguments[i], arguments[i + 1]);
        }
        benchmark.measure();
    }

    private void set(String option, String value) {
        switch (option) {
            case "--events" -> events = Long.parseLong(value);
            case "--rounds" -> rounds = Integer.parseInt(value);
            case "--workers" -> workers = Integer.parseInt(value);
            case "--compression" -> compression = Compression.valueOf(value.toUpperCase(Locale.ROOT));
            case "--data" -> data = Path.of(value);
            default -> throw new IllegalArgumentException("unknown option: " + option);
        }
    }

    private void measure() throws IOException, InterruptedException, DefinitionsException {
        Path folder = Files.createTempDirectory(data, "summarizer-recovery");
        try {
            fill(folder.resolve("journal"));
            for (int round = 0; round < rounds; round++) {
                recover(folder);
            }
        } finally {
            delete(folder);
        }
    }

    private JournalOptions options() {
        return new JournalOptions(SEGMENT_BYTES, 1L << 40, compression);
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private void fill(Path folder) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        AdsWorkload.v1(1).writeTo(lines, DIFFERENT);
        byte[] bytes = lines.toByteArray();
        try (Journal journal = Journal.open(new FileDisk(folder), options(), Recovery::say)) {
            while (journal.endSequence() < events) {
                append(new ByteArrayInputStream(bytes), journal);
            }
            journal.sync();
            System.out.printf(
                    Locale.ROOT,
                    "journalled %,d events, %.1f bytes each, %.1f as lines%n",
                    journal.endSequence(),
                    (double) journal.counters().writtenBytes.sum() / journal.endSequence(),
                    (double) bytes.length / DIFFERENT);
        }
    }

    private void append(InputStream in, Journal journal) throws IOException {
        SyslogFramer framer = new SyslogFramer(Framing.LF, 256 * 1024, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME));
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        MessageBatch next = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        framer.begin(batch);
        while (true) {
            boolean room = framer.reserve(batch);
            int read = room ? in.read(batch.bytes(), batch.limit(), batch.bytes().length - batch.limit()) : 0;
            if (read < 0) {
                append(batch, journal);
                return;
            }
            batch.limit(batch.limit() + read);
            boolean full = !room || framer.frame(batch) == SyslogFramer.Outcome.FULL;
            if (full) {
                next = framer.carryOver(batch, next);
                append(batch, journal);
                MessageBatch appended = batch;
                batch = next;
                next = appended;
                next.clear();
            }
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

    private void recover(Path folder) throws IOException, InterruptedException, DefinitionsException {
        Plan plan = PlanLoader.load(home.resolve("schemas"), List.of(ZoneOffset.UTC))
                .plan();
        PipelineOptions.Stage stage = new PipelineOptions.Stage(QueueKind.LBQ, 256, workers, WaitPolicy.BLOCKING);
        PipelineOptions pipelineOptions = PipelineOptions.queued(stage, stage);
        RecoveryProgress progress = new RecoveryProgress();
        try (Journal journal = Journal.open(new FileDisk(folder.resolve("journal")), options(), Recovery::say)) {
            var recovery = io.summarizer.core.recovery.Recovery.open(
                    Checkpoints.open(folder.resolve("checkpoints"), 1, Recovery::say),
                    journal,
                    name -> plan,
                    () -> new io.summarizer.core.recovery.Recovery.Beginning(
                            "ads", plan, Pipeline.newSummaries(plan, pipelineOptions.maxRows())),
                    pipelineOptions,
                    RejectSink.NONE,
                    1,
                    progress,
                    System.out::println);
            try (Pipeline pipeline = recovery.pipeline()) {
                recovery.replay();
                long received = pipeline.counters().received();
                if (received != journal.endSequence()) {
                    throw new IllegalStateException("received=" + received + " of " + journal.endSequence());
                }
                System.out.printf(
                        Locale.ROOT,
                        "replayed %,d events in %.2f s: %.2f M/s%n",
                        received,
                        progress.seconds(),
                        received / progress.seconds() / 1e6);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
