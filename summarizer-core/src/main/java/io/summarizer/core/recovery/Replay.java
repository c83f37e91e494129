package io.summarizer.core.recovery;

import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.Journal.NumberedControl;
import io.summarizer.core.journal.Lost;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineTopics;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * Replays the part of a journal that is not in a checkpoint. Replays each message once, with the definitions that were
 * in force for the message. Each message comes before or after the same resets as in the earlier run.
 *
 * <p>When a control took effect, some pipelines were ahead of others, so the control has a different position in each
 * pipeline. The journal is therefore read in phases; a phase goes from one control to the next. For each pipeline, the
 * phase first replays the messages between the positions of these two controls. When workers have processed all these
 * messages, the phase performs the second control. Records between the lowest and the highest position of a control are
 * read twice, and all other records once. Positions refer to the pipelines of the earlier run; the engine chooses one
 * of its current pipelines for each message.
 *
 * <p>Cost of a message: one thread unpacks it, another parses its envelope; the rest costs the same as for a received
 * message. A replay is used once, by one thread; another thread reads ahead.
 */
final class Replay {
    private final Pipeline pipeline;
    private final Journal journal;
    private final RangeSource ranges;
    private final RecoveryProgress progress;
    private final Map<TopicRule, EnvelopeParser> parsers = new EnumMap<>(TopicRule.class);
    /** The sequence before which all messages are in the checkpoint or were counted as lost. */
    private long accounted;

    /** The greatest first stamp of a batch that was handed over. */
    private long stamp;

    /** Performs a control when workers have processed all messages before it. */
    @FunctionalInterface
    interface Action {
        /**
         * Performs a control.
         *
         * @param stamp the greatest first arrival stamp of a batch before the control; 0 when there was none
         */
        void perform(NumberedControl control, long stamp) throws IOException, InterruptedException;
    }

    Replay(Pipeline pipeline, Journal journal, RangeSource ranges, RecoveryProgress progress) {
        this.pipeline = pipeline;
        this.journal = journal;
        this.ranges = ranges;
        this.progress = progress;
        for (TopicRule rule : TopicRule.values()) {
            parsers.put(rule, new EnvelopeParser(rule));
        }
    }

    /**
     * Replays all of the journal that is not in a checkpoint.
     *
     * @return the pipelines of the last process
     */
    PipelineTopics run(CheckpointInfo checkpoint, Action action) throws IOException, InterruptedException {
        progress.begin(checkpoint.from(), journal.endSequence());
        accounted = checkpoint.from();
        PipelineTopics topics = checkpoint.topics();
        Moment after = new Moment(topics, checkpoint.positions());
        for (NumberedControl numbered : journal.controls(checkpoint.from())) {
            if (numbered.number() < checkpoint.controls()) {
                continue;
            }
            if (numbered.control().kind() == Control.Kind.PIPELINES) {
                topics = PipelineTopics.parse(numbered.control().name());
            }
            Moment before = moment(topics, numbered);
            feed(after, before);
            pipeline.drain();
            action.perform(numbered, stamp);
            after = before;
        }
        feed(after, Moment.last());
        pipeline.drain();
        return topics;
    }

    private static Moment moment(PipelineTopics topics, NumberedControl numbered) throws IOException {
        try {
            return new Moment(topics, numbered.control().positions());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "control " + numbered.number() + " of the journal is for other pipelines: " + e.getMessage(), e);
        }
    }

    /** Hands over the messages that entered the rows after moment {@code after} and before moment {@code before}. */
    private void feed(Moment after, Moment before) throws IOException, InterruptedException {
        if (after.from() >= Math.min(before.end(), journal.endSequence())) {
            return;
        }
        try (ReadAhead records = new ReadAhead(journal.read(after.from()), before.end(), pipeline, ranges)) {
            while (true) {
                ReadAhead.Item item = records.take();
                if (item.isLast()) {
                    return;
                }
                Lost lost = item.lost();
                if (lost != null) {
                    count(lost);
                }
                MessageBatch batch = item.batch();
                if (batch == null) {
                    continue;
                }
                TopicRule rule = item.rule();
                if (rule == null) {
                    countMissing(batch, item.end());
                } else {
                    peel(batch, rule);
                }
                long end = item.end();
                MessageBatch wanted = wanted(batch, after, before);
                int messages = wanted.count();
                if (messages > 0) {
                    stamp = Math.max(stamp, wanted.firstStamp());
                    pipeline.expect(wanted);
                    pipeline.put(wanted);
                } else {
                    pipeline.release(wanted);
                }
                progress.handedOver(messages, Math.min(end, before.from()));
            }
        }
    }

    /** Counts a loss. If two phases read the same loss, counts it only once. */
    private void count(Lost lost) {
        long messages = lost.to() - Math.max(lost.from(), accounted);
        if (messages > 0) {
            pipeline.ledger().lost(lost.listener(), messages);
            accounted = lost.to();
        }
    }

    /**
     * Counts the messages of a range that are missing from a batch. If two phases read the same range, counts these
     * messages only once.
     */
    private void countMissing(MessageBatch batch, long end) {
        long next = Math.max(batch.firstSequence(), accounted);
        long missing = Math.max(0, end - next);
        for (int i = batch.count() - 1; i >= 0 && batch.sequence(i) >= next; i--) {
            missing--;
        }
        if (missing > 0) {
            pipeline.ledger().lost(batch.listener(), missing);
            accounted = end;
        }
    }

    private void peel(MessageBatch batch, TopicRule rule) {
        EnvelopeParser parser = parsers.get(rule);
        if (parser == null) {
            throw new IllegalStateException("no parser for " + rule);
        }
        int count = batch.count();
        for (int i = 0; i < count; i++) {
            if (batch.message(i).rejectReason() == RejectReason.NONE) {
                parser.parse(batch, i);
            }
        }
    }

    /**
     * The batch itself when all its messages are wanted, which is usual; otherwise a new batch with the wanted
     * messages.
     */
    private MessageBatch wanted(MessageBatch batch, Moment after, Moment before) {
        if (batch.firstSequence() >= after.end() && batch.endSequence() <= before.from()) {
            return batch;
        }
        MessageBatch wanted = pipeline.acquire();
        wanted.firstSequence(batch.firstSequence());
        wanted.firstStamp(batch.firstStamp());
        wanted.listener(batch.listener());
        wanted.partition(batch.partition());
        int count = batch.count();
        for (int i = 0; i < count; i++) {
            if (before.has(batch, i) && !after.has(batch, i)) {
                wanted.appendFrom(batch, i);
            }
        }
        pipeline.release(batch);
        return wanted;
    }
}
