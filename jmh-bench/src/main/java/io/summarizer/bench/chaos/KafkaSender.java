package io.summarizer.bench.chaos;

import io.summarizer.server.demo.KafkaBroker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A producer of events to a topic of Kafka. The sender sends an event again if no broker took the event, and never adds
 * an event twice. One thread hands events to the sender; Kafka's client sends them on a thread of its own.
 */
final class KafkaSender extends Sender {
    private static final int IDLE_MS = 5;
    /** Time limit of a delivery: longer than any broker is away. */
    private static final int PATIENCE_MS = 600_000;

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final Thread feeder;
    /** Number of acknowledged events. */
    private final AtomicLong acknowledged = new AtomicLong();

    private volatile @Nullable Exception failure;

    /**
     * Starts a sender.
     *
     * @param ratePerSecond maximum number of events per second, on average
     * @param messages the message of each event, by its number
     */
    KafkaSender(KafkaBroker broker, String topic, long ratePerSecond, LongFunction<byte[]> messages) {
        super(ratePerSecond, messages);
        this.topic = topic;
        producer = broker.producer(Map.of(
                "acks",
                "all",
                "enable.idempotence",
                true,
                "compression.type",
                "lz4",
                "linger.ms",
                20,
                "max.block.ms",
                PATIENCE_MS,
                "delivery.timeout.ms",
                PATIENCE_MS));
        feeder = start("chaos-producer");
    }

    @Override
    void run() {
        try {
            while (!closed) {
                if (sent >= Math.min(limit, due())) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MS);
                    continue;
                }
                long next = sent;
                byte[] message = messages.apply(next);
                sent = next + 1;
                var unused = producer.send(new ProducerRecord<>(topic, message), (at, failed) -> {
                    if (failed != null) {
                        failure = failed;
                    }
                    acknowledged.incrementAndGet();
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    @Override
    long sent() {
        Exception failure = this.failure;
        if (failure != null && !closed) {
            throw new ChaosException("Kafka does not take an event: " + failure);
        }
        return sent;
    }

    @Override
    long acknowledged() {
        return acknowledged.get();
    }

    @Override
    int transmissions(long number) {
        return 1;
    }

    @Override
    public void close() {
        closed = true;
        feeder.interrupt();
        producer.close(Duration.ZERO);
    }
}
