package io.summarizer.core.recovery;

import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.MessageBatch;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Reads Kafka records again. The journal has only the ranges of these records, not their bytes. */
@FunctionalInterface
public interface RangeSource {
    /** The source of a service without Kafka: it has no records. */
    RangeSource NONE = (range, batch, cancelled) -> {
        throw new IOException("the journal has records of the Kafka topic "
                + range.partition().topic()
                + " that no checkpoint covers, and only the brokers have their bytes: set listen.kafka.brokers again, and"
                + " start the service once with it");
    };

    /**
     * Puts the messages of a range into an empty batch, with their envelopes parsed. Leaves out records that are gone
     * for good; the ordinals of the other messages are still their positions in the range. Waits while the records
     * cannot be read. One thread at a time.
     *
     * @param cancelled returns whether the records are no longer wanted; called while the method waits
     * @throws IOException when the call was cancelled, or when the records can never be read
     */
    void read(KafkaRange range, MessageBatch batch, BooleanSupplier cancelled) throws IOException, InterruptedException;
}
