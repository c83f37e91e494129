package io.summarizer.core.pipeline;

import io.summarizer.core.message.RejectReason;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a pipeline has counted since it started. Workers add once a batch; anyone may read at any time and sees whole
 * batches only.
 */
public final class PipelineCounters {
    final LongAdder received = new LongAdder();
    final LongAdder unmatched = new LongAdder();
    final LongAdder duplicates = new LongAdder();
    final LongAdder batches = new LongAdder();
    final LongAdder failures = new LongAdder();
    private final LongAdder[] rejected = new LongAdder[RejectReason.values().length];

    PipelineCounters() {
        for (int i = 0; i < rejected.length; i++) {
            rejected[i] = new LongAdder();
        }
    }

    LongAdder rejected(int reason) {
        return rejected[reason];
    }

    /** Messages taken off the parse queue, rejected ones included. */
    public long received() {
        return received.sum();
    }

    /** Messages whose topic no event type takes. */
    public long unmatched() {
        return unmatched.sum();
    }

    /**
     * Messages refused for {@code reason}. For {@link RejectReason#LIMIT}: messages not applied in full to a summary because
     * it was full, once for each such summary.
     */
    public long rejected(RejectReason reason) {
        return rejected[reason.ordinal()].sum();
    }

    /** Updates not applied because their event was seen before: once for each mapping of it. */
    public long duplicates() {
        return duplicates.sum();
    }

    /** Message batches processed. */
    public long batches() {
        return batches.sum();
    }

    /** Messages or updates lost to a fault of this program; always 0 unless there is a bug, and logged each time. */
    public long failures() {
        return failures.sum();
    }
}
