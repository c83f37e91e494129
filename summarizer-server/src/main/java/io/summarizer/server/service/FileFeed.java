package io.summarizer.server.service;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.receive.StreamFramer;
import io.summarizer.core.receive.SyslogFramer;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a stream of syslog messages to a pipeline, as fast as the pipeline takes them and in bounded memory. The bytes
 * are read directly into the arrays from which the parser workers decode. Used by one thread.
 */
record FileFeed(Pipeline pipeline, SyslogFramer framer) {
    /**
     * Reads all of a stream.
     *
     * @return null if the stream was read to its end; otherwise the reason why its framing was lost
     * @throws IOException when the stream fails; the complete messages before the failure are in the pipeline
     */
    @Nullable
    String read(InputStream in) throws IOException, InterruptedException {
        MessageBatch batch = pipeline.acquire();
        framer.begin(batch);
        boolean open = true;
        while (open) {
            if (!framer.reserve(batch)) {
                batch = handOver(batch);
                continue;
            }
            int room = batch.bytes().length - batch.limit();
            int read;
            try {
                read = in.read(batch.bytes(), batch.limit(), room);
            } catch (IOException e) {
                give(batch);
                throw e;
            }
            if (read < 0) {
                framer.end(batch);
                break;
            }
            batch.limit(batch.limit() + read);
            StreamFramer.Outcome outcome;
            while ((outcome = framer.frame(batch)) == StreamFramer.Outcome.FULL) {
                batch = handOver(batch);
            }
            open = outcome != StreamFramer.Outcome.CLOSED;
        }
        give(batch);
        return framer.closeReason();
    }

    /**
     * Feeds one message that has its arrival stamp already.
     *
     * @param frame the message as an octet-counted frame
     */
    void read(byte[] frame, long stamp) throws InterruptedException {
        MessageBatch batch = pipeline.acquire();
        framer.begin(batch);
        batch.ensureCapacity(frame.length);
        System.arraycopy(frame, 0, batch.bytes(), 0, frame.length);
        batch.limit(frame.length);
        var unused = framer.frame(batch);
        framer.end(batch);
        batch.firstStamp(stamp);
        give(batch);
    }

    private void give(MessageBatch batch) throws InterruptedException {
        if (batch.count() > 0) {
            pipeline.put(batch);
        } else {
            pipeline.release(batch);
        }
    }

    private MessageBatch handOver(MessageBatch full) throws InterruptedException {
        MessageBatch next = framer.carryOver(full, pipeline.acquire());
        pipeline.put(full);
        return next;
    }
}
