package io.summarizer.core.recovery;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.PipelineTopics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The moment of a checkpoint, a reload or a reset in an earlier run. A moment determines which journalled messages were
 * in the rows: for each pipeline of that run, all messages before a certain sequence. One thread.
 */
final class Moment {
    private static final long NEVER = Long.MAX_VALUE;

    private final PipelineTopics.@Nullable Router router;
    private final long[] positions;
    private final long from;
    private final long end;

    /** The moment with these places of the pipelines. */
    Moment(PipelineTopics topics, List<Long> positions) {
        if (positions.size() != topics.pipelines()) {
            throw new IllegalArgumentException("pipelines=" + topics.pipelines() + " positions=" + positions.size());
        }
        router = topics.newRouter();
        this.positions = positions.stream().mapToLong(Long::longValue).toArray();
        long min = NEVER;
        long max = 0;
        for (long position : this.positions) {
            min = Math.min(min, position);
            max = Math.max(max, position);
        }
        from = min;
        end = max;
    }

    private Moment() {
        router = null;
        positions = new long[0];
        from = NEVER;
        end = NEVER;
    }

    /** The moment at the end of the journal, after all messages. */
    static Moment last() {
        return new Moment();
    }

    /** The lowest position: all messages before this sequence were in the rows. */
    long from() {
        return from;
    }

    /** The highest of the positions. No message at or after this sequence was in the rows. */
    long end() {
        return end;
    }

    /**
     * Whether a message was in the rows at this moment. Call this method after the envelope of the message was parsed.
     */
    boolean has(MessageBatch batch, int message) {
        long sequence = batch.sequence(message);
        return sequence < from
                || (router != null && sequence < end && sequence < positions[router.pipeline(batch, message)]);
    }
}
