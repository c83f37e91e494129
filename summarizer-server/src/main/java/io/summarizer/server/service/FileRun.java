package io.summarizer.server.service;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineGauges;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.reject.RejectLog;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryView;
import io.summarizer.server.config.ServerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Summaries of files, without a server: one pipeline, fed from streams, cut once at the end. Used by one thread. */
public final class FileRun implements AutoCloseable {
    /** The name of the files in the ledger. */
    private static final String LISTENER = "files";

    private final Supplier<SyslogFramer> framers;
    private final Teardown teardown = new Teardown();
    private final Pipeline pipeline;
    private final DiscardSample discards;
    private final long updatesBefore;

    /**
     * The result.
     *
     * @param updates (event, mapping) pairs that were applied in this run
     * @param filtered (event, mapping) pairs that a {@code where} excluded
     * @param duplicates (event, mapping) pairs that were not applied because an event with the same id was applied
     *     before
     * @param rejected reasons that occurred
     * @param topics of the first unmatched messages, the most frequent first; the empty topic stands for messages
     *     without a topic
     * @param refusals reasons of the first rejected messages, the most frequent first
     * @param lost counts of values that could not be computed, or not be written or added exactly
     */
    public record Result(
            Cut cut,
            long received,
            long updates,
            long filtered,
            long duplicates,
            long unmatched,
            Map<RejectReason, Long> rejected,
            List<Common> topics,
            List<Common> refusals,
            Losses lost,
            long failures) {
        /** Whether there were messages, and none of them was an event of these definitions. */
        public boolean isAllDiscarded() {
            long discarded = unmatched + failures;
            for (Map.Entry<RejectReason, Long> reason : rejected.entrySet()) {
                discarded += reason.getKey() == RejectReason.LIMIT ? 0 : reason.getValue();
            }
            return received > 0 && updates == 0 && discarded >= received;
        }
    }

    /** A text and its frequency. */
    public record Common(String what, long count) {}

    /** Values of events that no summary has unchanged. */
    public record Losses(long extractsAbandoned, long invalidUtf8, long saturations) {}

    /**
     * Starts a pipeline.
     *
     * @param framers makes one for each stream
     * @param rejects folder for rejected messages, or null for none
     * @param initial the rows at the start
     * @throws IOException when that folder cannot be used
     */
    public FileRun(
            ServerConfig config, Plan plan, Supplier<SyslogFramer> framers, @Nullable Path rejects, Summaries initial)
            throws IOException {
        this.framers = framers;
        RejectSink sink = RejectSink.NONE;
        if (rejects != null) {
            RejectLog log =
                    new RejectLog(rejects, config.rejectsBytesMax(), config.unmatched() == ServerConfig.Unmatched.KEEP);
            teardown.add("the log of rejected messages", log::close);
            sink = log;
        }
        discards = new DiscardSample(sink);
        updatesBefore = IntStream.range(0, initial.layouts().size())
                .filter(summary -> !initial.layouts().get(summary).isKeyless())
                .mapToLong(initial::updates)
                .sum();
        pipeline = Pipeline.start(plan, PipelineSetup.options(config), discards, initial, SavedIds.none());
        teardown.add("the pipeline", pipeline::close);
        pipeline.ledger().name(0, LISTENER);
    }

    /**
     * Reads all of a stream.
     *
     * @return null, or why it could not be read to its end: its framing was lost
     */
    public @Nullable String read(InputStream in) throws IOException, InterruptedException {
        return new FileFeed(pipeline, framers.get()).read(in);
    }

    /** Waits until all messages are processed, and returns the result. */
    public Result finish() throws InterruptedException {
        pipeline.drain();
        PipelineGauges gauges = pipeline.gauges();
        Cut cut = pipeline.cut(CutLease.Kind.CHECKPOINT);
        Map<RejectReason, Long> rejected = new EnumMap<>(RejectReason.class);
        for (RejectReason reason : RejectReason.values()) {
            long count = pipeline.ledger().rejected(reason);
            if (count > 0) {
                rejected.put(reason, count);
            }
        }
        return new Result(
                cut,
                pipeline.ledger().processed(),
                cut.summaries().stream()
                                .filter(summary -> !summary.layout().isKeyless()) // has a part of those of another one
                                .mapToLong(SummaryView::updates)
                                .sum()
                        - updatesBefore,
                cut.summaries().stream()
                        .mapToLong(summary -> gauges.filtered(summary.layout().name()))
                        .sum(),
                cut.summaries().stream()
                        .mapToLong(summary -> gauges.duplicates(summary.layout().name()))
                        .sum(),
                pipeline.ledger().unmatched(),
                rejected,
                discards.topics(),
                discards.refusals(),
                new Losses(gauges.extractsAbandoned(), gauges.invalidUtf8(), gauges.saturations()),
                pipeline.gauges().failures());
    }

    /** Ends the pipeline's threads. */
    @Override
    public void close() {
        teardown.run();
    }
}
