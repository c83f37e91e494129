package io.summarizer.server.service;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineGauges;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.recovery.FinalClose;
import io.summarizer.core.recovery.WindowFolders;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A run over files without a server. One pipeline is fed from streams and cut once at the end. Used by one thread. */
public final class FileRun implements AutoCloseable {
    /** The name of the files in the ledger, where all files together count as one listener. */
    private static final String LISTENER = "files";

    private final Function<Framing, SyslogFramer> framers;
    private final Framing framing;
    private final Teardown teardown = new Teardown();
    private final Pipeline pipeline;
    private final DiscardSample discards;
    private final long updatesBefore;

    /**
     * The result.
     *
     * @param topics topics of the first unmatched messages, the most frequent first; the empty topic stands for
     *     messages without a topic
     * @param refusals reasons of the first rejected messages, the most frequent first
     * @param examples descriptions of the first rejected message of each reason: its fault, topic and beginning
     */
    public record Result(Cut cut, Counts counts, List<Common> topics, List<Common> refusals, List<String> examples) {}

    /**
     * The counts of a run. Also JSON.
     *
     * @param updates number of pairs of an event and a mapping that were applied in this run; {@code filtered} and
     *     {@code duplicate} also count pairs of an event and a mapping
     * @param rejected number of rejected messages by reason, with all reasons
     * @param abandonedExtracts number of {@code extract}s that were null because the match took too many steps
     * @param repairedTexts number of texts in which U+FFFD replaces bytes that are not UTF-8
     * @param saturated number of observations beyond the bounds of a sum
     * @param failures number of messages lost because of a fault in this program
     */
    public record Counts(
            long received,
            long updates,
            long filtered,
            long duplicate,
            long unmatched,
            Map<String, Long> rejected,
            long abandonedExtracts,
            long repairedTexts,
            long saturated,
            long failures) {
        /** Messages that were rejected as a whole. */
        public long refused() {
            return Fate.rejections().stream()
                    .filter(reason -> !reason.isOfUpdates())
                    .mapToLong(reason -> rejected.getOrDefault(reason.label(), 0L))
                    .sum();
        }

        /** Whether there were messages, but none of them was an event of these definitions. */
        public boolean isAllDiscarded() {
            return received > 0 && updates == 0 && unmatched + failures + refused() >= received;
        }
    }

    /** A text and its frequency. */
    public record Common(String what, long count) {}

    /**
     * Starts a pipeline.
     *
     * @param framers makes a framer for each stream
     * @param framing framing of the streams
     * @param rejects folder for rejected messages, or null when rejected messages are not kept
     * @param initial the rows at the start
     * @throws IOException when the folder {@code rejects} cannot be used
     */
    public FileRun(
            ServerConfig config,
            Plan plan,
            Function<Framing, SyslogFramer> framers,
            Framing framing,
            @Nullable Path rejects,
            Summaries initial)
            throws IOException {
        this.framers = framers;
        this.framing = framing;
        RejectSink sink = RejectSink.NONE;
        if (rejects != null) {
            RejectLog log = new RejectLog(
                    rejects, config.refused().bytesMax(), config.refused().unmatched() == ServerConfig.Unmatched.KEEP);
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
     * @return null, or the reason why the stream could not be read to its end because its framing was lost
     */
    public @Nullable String read(InputStream in) throws IOException, InterruptedException {
        return new FileFeed(pipeline, framers.apply(framing)).read(in);
    }

    /** Reads one message with its arrival stamp; see {@link LateMessages.Receiver} for the parameters. */
    public void read(byte[] frame, long stamp) throws InterruptedException {
        new FileFeed(pipeline, framers.apply(Framing.OCTET).withoutCompression()).read(frame, stamp);
    }

    /** Waits until all messages are processed, and returns the result. */
    public Result finish() throws InterruptedException {
        pipeline.drain();
        PipelineGauges gauges = pipeline.gauges();
        Cut cut = pipeline.cut(CutLease.Kind.CHECKPOINT);
        Ledger ledger = pipeline.ledger();
        Map<String, Long> rejected = new LinkedHashMap<>();
        for (Fate reason : Fate.rejections()) {
            rejected.put(reason.label(), ledger.rejected(reason));
        }
        Counts counts = new Counts(
                ledger.processed(),
                cut.summaries().stream()
                                .filter(summary -> !summary.layout().isKeyless()) // part of another summary's updates
                                .mapToLong(SummaryView::updates)
                                .sum()
                        - updatesBefore,
                sum(cut, gauges::filtered),
                sum(cut, gauges::duplicates),
                ledger.unmatched(),
                rejected,
                gauges.extractsAbandoned(),
                gauges.invalidUtf8(),
                gauges.saturations(),
                gauges.failures());
        return new Result(cut, counts, discards.topics(), discards.refusals(), discards.examples());
    }

    /**
     * Closes all windows, and writes each of them to a file, as a service does in its data folder. Call it after {@link
     * #finish}.
     *
     * @param folder folder in which each summary gets a folder; made when it is missing
     * @return a cut of the rows outside of windows, for a state file in which all windows are closed
     */
    public Cut closeWindows(Path folder) throws IOException, InterruptedException {
        // Nothing is reported: the folder has no older files, and damage to a new file throws an exception.
        WindowFolders folders = WindowData.in(folder, StateLoading.threads(), note -> {});
        FinalClose.closeAll(pipeline, folders);
        return pipeline.cut(CutLease.Kind.CHECKPOINT);
    }

    private static long sum(Cut cut, ToLongFunction<String> ofSummary) {
        return cut.summaries().stream()
                .mapToLong(summary -> ofSummary.applyAsLong(summary.layout().name()))
                .sum();
    }

    /** Whether a summary has as many open windows as {@code limits.open-windows} allows. */
    public boolean hasAllWindows(String summary) {
        return pipeline.gauges().hasAllWindows(summary);
    }

    /** Ends the pipeline's threads. */
    @Override
    public void close() {
        teardown.run();
    }
}
