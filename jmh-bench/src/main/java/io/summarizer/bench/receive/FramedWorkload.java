package io.summarizer.bench.receive;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.server.workload.Workload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Makes batches of events of the reference workload, framed and sliced as a listener does it. Stateless. */
public final class FramedWorkload {
    private FramedWorkload() {}

    /**
     * Makes one batch of {@code count} events of a workload, from {@code from} on, at most {@link
     * SyslogFramer#MESSAGES_MAX} of them.
     */
    public static MessageBatch batch(Workload workload, long from, int count) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        workload.writeTo(lines, from, from + count);
        byte[] bytes = lines.toByteArray();
        MessageBatch batch = new MessageBatch(2 * bytes.length);
        SyslogFramer framer =
                new SyslogFramer(Framing.LF, bytes.length, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME));
        framer.begin(batch);
        System.arraycopy(bytes, 0, batch.bytes(), 0, bytes.length);
        batch.limit(bytes.length);
        if (framer.frame(batch) != SyslogFramer.Outcome.MORE || batch.count() != count) {
            throw new IllegalStateException("messages=" + batch.count() + " of " + count);
        }
        return batch;
    }
}
