package io.summarizer.bench.window;

import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.JournalWriter;
import io.summarizer.core.journal.SimulatedJournals;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.WindowOptions;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.recovery.Checkpoints;
import io.summarizer.core.recovery.DurableControls;
import io.summarizer.core.recovery.PipelineRecovery;
import io.summarizer.core.recovery.RangeSource;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.core.recovery.WindowCloser;
import io.summarizer.core.recovery.WindowFolders;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.text.TimestampText;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A pipeline with windows, whose boundary is looked at after each message. */
final class OurWindows {
    /** Maximum time by which an event's time may be after its arrival, in µs. */
    static final long AHEAD_MICROS = WindowOptions.DEFAULT.aheadMicros();

    private static final String SUMMARY = "Events";
    private static final PipelineOptions OPTIONS = PipelineOptions.DEFAULT.withMode(PipelineMode.LOCKED, 1);
    private static final EnvelopeParser PARSER = new EnvelopeParser(TopicRule.MSGID);

    private OurWindows() {}

    /** The late events, the number of early events, and the number of rows of each window by its start. */
    record Fates(Set<Long> late, long early, Map<Long, Long> rowsByWindow) {}

    static Fates fates(TumblingWidth width, List<TimedEvent> events) throws Exception {
        SimulatedDisk disk = new SimulatedDisk(new Random(0));
        Plan plan = plan(width);
        Set<Long> late = new TreeSet<>();
        try (Journal journal = SimulatedJournals.open(
                disk.folder("journal"), new JournalOptions(1 << 20, 16 << 20, Compression.NONE), () -> 0)) {
            Checkpoints checkpoints = Checkpoints.open(disk.folder("checkpoints"), 1, note -> {});
            PipelineRecovery recovery = PipelineRecovery.open(
                    checkpoints,
                    journal,
                    name -> plan,
                    () -> new PipelineRecovery.Beginning("one", plan, plan.newSummaries(OPTIONS.maxRows())),
                    OPTIONS,
                    RejectSink.NONE,
                    1,
                    new RecoveryProgress(),
                    note -> {});
            try (Pipeline pipeline = recovery.pipeline()) {
                recovery.replay(null, RangeSource.NONE, recovery.pipeline().plan(), 0);
                try (JournalWriter writer = JournalWriter.start(
                        journal, pipeline.clock(), listener -> TopicRule.MSGID, pipeline::put, () -> {}, 4, 1 << 20)) {
                    DurableControls controls = new DurableControls(
                            recovery, checkpoints, journal, writer, names -> {}, () -> {}, () -> {});
                    controls.begin();
                    WindowFolders folders = WindowFolders.open(List.of(SUMMARY), disk::folder, 1, note -> {});
                    pipeline.useFiles(folders);
                    WindowCloser closer = new WindowCloser(controls, folders, true);
                    closer.begin();
                    for (TimedEvent event : events) {
                        send(pipeline, event);
                        if (count(pipeline, Fate.LATE) > late.size()) {
                            late.add(event.number());
                        }
                        closer.closeDue(0);
                        closer.write(event.arrival());
                    }
                    return new Fates(late, count(pipeline, Fate.EARLY), rows(pipeline));
                }
            }
        }
    }

    private static Plan plan(TumblingWidth width) {
        CheckResult result = DefinitionsCompiler.check(
                Map.of("event.proto", """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Event {
                  google.protobuf.Timestamp time = 1;
                  int64 number = 2;
                }
                """, "events.summ", """
                import "event.proto";
                event Event on "event" as csv;
                summary Events {
                    window start every %ds close after %ds;
                    key { timestamp start = 1; int64 number = 2; }
                    value { count events = 1; }
                }
                map Event into Events {
                    key { start = time; number; }
                    events += 1;
                }
                """.formatted(width.seconds(), width.closeAfterSeconds())));
        return PlanCompiler.compile(result.definitions().orElseThrow(() -> new IllegalStateException(result.render())));
    }

    private static void send(Pipeline pipeline, TimedEvent event) throws InterruptedException {
        String payload = TimestampText.toString(event.time()) + "," + event.number();
        byte[] text = ("<134>1 - host app - event - " + payload).getBytes(StandardCharsets.UTF_8);
        MessageBatch batch = pipeline.acquire();
        batch.ensureCapacity(text.length);
        System.arraycopy(text, 0, batch.bytes(), 0, text.length);
        batch.limit(text.length);
        PARSER.parse(batch, batch.append(0, text.length));
        batch.firstStamp(event.arrival());
        pipeline.put(batch);
        pipeline.drain();
    }

    private static long count(Pipeline pipeline, Fate fate) throws InterruptedException {
        Cut cut = pipeline.cut();
        try {
            return LedgerCounts.of(cut).intoSummary(SUMMARY).count(fate);
        } finally {
            cut.release();
        }
    }

    private static Map<Long, Long> rows(Pipeline pipeline) throws InterruptedException {
        Map<Long, Long> rows = new TreeMap<>();
        Cut cut = pipeline.cut();
        try {
            SummaryView view = cut.summary(SUMMARY).orElseThrow();
            for (StoreView part : view.partitions()) {
                rows.merge(part.window(), part.rows(), Long::sum);
            }
            for (ClosedWindow file : view.closed().files()) {
                rows.merge(file.start(), file.rows(), Long::sum);
            }
        } finally {
            cut.release();
        }
        return rows;
    }
}
