package io.summarizer.server.kafka;

import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.receive.RecordFramer;
import io.summarizer.core.recovery.RangeSource;
import io.summarizer.core.recovery.RecoveryProgress;
import io.summarizer.server.net.ThrottledLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges of records again, while a service starts. While the brokers are away, waits for them without limit.
 * Records are missing for good when the brokers deleted them, when the topic was deleted, or when, after a while, the
 * partition still ends before these records. Each such gap is logged.
 *
 * <p>Ranges of several partitions alternate. One consumer reads all of them. It pauses all partitions but the current
 * one; a paused partition keeps the records that were fetched ahead. One thread at a time reads and closes.
 */
public final class KafkaRanges implements RangeSource, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(KafkaRanges.class.getName());

    private static final int POLL_RECORDS_MAX = 500;
    /** Maximum number of bytes of the records of one poll. Each partition may keep the rest of a poll in memory. */
    private static final int POLL_BYTES_MAX = 1 << 20;

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    /** Time after which the service believes that a partition ends too early, or that a topic is absent. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final KafkaClients clients;
    private final RecoveryProgress progress;
    private final long patienceNanos;
    private final ThrottledLog log = new ThrottledLog(LOGGER);
    private final Map<RecordRule, RecordFramer> framers = new HashMap<>();
    /** Ids of topics as the brokers have them now, by name; the id of an absent topic is zero. */
    private final Map<String, Partition> topics = new HashMap<>();

    private final Map<Partition, Place> places = new HashMap<>();
    private final PollMemory memory = new PollMemory(POLL_BYTES_MAX);
    private @Nullable Consumer<byte[], ByteBuffer> consumer;
    private long pauseNanos = PAUSE_NANOS_MIN;

    /** A partition, and those of its records that were polled but not used yet. */
    private static final class Place {
        final TopicPartition name;
        final byte[] topic;
        final Deque<ConsumerRecord<byte[], ByteBuffer>> polled = new ArrayDeque<>();
        /** Offset of the first record that was not used yet; -1 when it is not known. */
        long next = -1;
        /** Whether the partition ended too early for so long that no more records are expected. */
        boolean ended;

        Place(Partition partition) {
            name = new TopicPartition(partition.topic(), partition.number());
            topic = partition.topic().getBytes(StandardCharsets.UTF_8);
        }
    }

    /**
     * @param progress shows what the start waits for
     */
    public KafkaRanges(KafkaClients clients, RecoveryProgress progress) {
        this(clients, progress, PATIENCE_NANOS);
    }

    KafkaRanges(KafkaClients clients, RecoveryProgress progress, long patienceNanos) {
        this.clients = clients;
        this.progress = progress;
        this.patienceNanos = patienceNanos;
    }

    @Override
    public void read(KafkaRange range, MessageBatch batch, BooleanSupplier cancelled)
            throws IOException, InterruptedException {
        Wait wait = new Wait(cancelled);
        if (!isThere(range.partition(), wait)) {
            log.warn(
                    "a Kafka topic was deleted, and records of it that no checkpoint covers are lost",
                    range.partition()::topic);
            return;
        }
        Place place = places.computeIfAbsent(range.partition(), Place::new);
        while (!seek(place, range, wait)) {
            // the client failed: try again
        }
        fill(range, place, batch, wait);
        progress.waitsFor("");
        int missing = range.count() - batch.count();
        if (missing > 0) {
            log.warn(
                    "Kafka records that no checkpoint covers are gone, and count as lost",
                    () -> range + ", missing=" + missing);
        }
    }

    /** The waits of one range. */
    private final class Wait {
        private final BooleanSupplier cancelled;
        private long since;
        private boolean begun;

        Wait(BooleanSupplier cancelled) {
            this.cancelled = cancelled;
        }

        void check() throws IOException {
            if (cancelled.getAsBoolean()) {
                throw new IOException("the recovery was ended");
            }
        }

        /** Whether a topic or record is still absent after the time that the brokers may need to learn about it. */
        boolean isOver() {
            long now = System.nanoTime();
            if (!begun) {
                begun = true;
                since = now;
            }
            return now - since >= patienceNanos;
        }

        /** Logs why no records come, and waits, each time for longer. */
        void pause(String why) throws IOException {
            progress.waitsFor("Kafka's brokers, " + clients.brokers() + ": " + why);
            log.warn("the start waits for Kafka's brokers", () -> clients.brokers() + ": " + why);
            LockSupport.parkNanos(this, pauseNanos);
            pauseNanos = Math.min(PAUSE_NANOS_MAX, 2 * pauseNanos);
            check();
        }
    }

    /** Whether the brokers still have the topic of a partition. */
    private boolean isThere(Partition partition, Wait wait) throws IOException, InterruptedException {
        Partition now = topics.get(partition.topic());
        while (now == null) {
            now = ask(partition.topic(), wait);
        }
        topics.put(partition.topic(), now);
        return now.isOfTopicOf(partition);
    }

    private @Nullable Partition ask(String topic, Wait wait) throws IOException, InterruptedException {
        try {
            TopicLook.Answers answers = look(topic);
            Throwable failure = answers.failures().get(topic);
            if (failure != null) {
                wait.pause(KafkaClients.text(failure));
                return null;
            }
            for (TopicDescription found : answers.topics()) {
                pauseNanos = PAUSE_NANOS_MIN;
                return KafkaClients.partition(found, 0);
            }
        } catch (KafkaException e) {
            wait.pause(KafkaClients.text(e));
            return null;
        }
        if (wait.isOver()) {
            return new Partition(0, 0, topic, 0);
        }
        wait.pause("there is no topic " + topic);
        return null;
    }

    private TopicLook.Answers look(String topic) throws InterruptedException {
        Admin admin = clients.admin();
        try {
            return new TopicLook(admin, List.of(topic)).answers();
        } finally {
            KafkaClients.close(admin);
        }
    }

    /**
     * Makes the consumer poll only the partition of a range, and seeks the beginning of the range if needed. Returns
     * false when that failed.
     */
    private boolean seek(Place place, KafkaRange range, Wait wait) throws IOException {
        try {
            Consumer<byte[], ByteBuffer> polling = consumer();
            Set<TopicPartition> assigned = polling.assignment();
            boolean isNew = !assigned.contains(place.name);
            if (isNew) {
                Set<TopicPartition> all = new HashSet<>(assigned);
                all.add(place.name);
                polling.assign(all);
            }
            Set<TopicPartition> others = new HashSet<>(polling.assignment());
            others.remove(place.name);
            polling.pause(others);
            polling.resume(Set.of(place.name));
            if (isNew || place.next < 0 || place.next > range.first()) {
                place.polled.clear();
                polling.seek(place.name, range.first());
            }
            place.next = range.first();
            return true;
        } catch (KafkaException e) {
            disconnect();
            wait.pause(KafkaClients.text(e));
            return false;
        }
    }

    private void fill(KafkaRange range, Place place, MessageBatch batch, Wait wait) throws IOException {
        RecordFramer framer = framers.computeIfAbsent(range.rule(), RecordFramer::new);
        int record = 0;
        while (record < range.count()) {
            ConsumerRecord<byte[], ByteBuffer> polled = place.polled.peekFirst();
            long wanted = range.offset(record);
            if (polled == null) {
                if (isOver(range, place, wanted, wait)) {
                    break;
                }
            } else if (polled.offset() > wanted) {
                record++; // it is gone
            } else {
                place.polled.removeFirst();
                if (polled.offset() == wanted) {
                    framer.take(batch, polled.value(), topic(polled, range.rule(), place));
                    batch.ordinal(batch.count() - 1, record++);
                }
            }
        }
        place.next = range.end();
    }

    private static byte @Nullable [] topic(ConsumerRecord<byte[], ByteBuffer> record, RecordRule rule, Place place) {
        if (rule.source() != Source.HEADER) {
            return place.topic;
        }
        Header last = record.headers().lastHeader(rule.header());
        return last == null ? null : last.value();
    }

    /**
     * Polls once. Called when no polled record is left. Returns whether the range has no further records.
     *
     * @param wanted offset of the next record of the range
     */
    private boolean isOver(KafkaRange range, Place place, long wanted, Wait wait) throws IOException {
        wait.check();
        try {
            if (poll(place, wanted)) {
                pauseNanos = PAUSE_NANOS_MIN;
                place.ended = false;
                return false;
            }
            Consumer<byte[], ByteBuffer> polling = consumer();
            if (polling.position(place.name) >= range.end()) {
                return true;
            }
            Long end = polling.endOffsets(Set.of(place.name)).get(place.name);
            if (end != null && end <= wanted) {
                place.ended |= wait.isOver();
                if (place.ended) {
                    return true;
                }
                wait.pause(place.name + " ends at offset " + end + ", before the record at " + wanted);
            }
            return false;
        } catch (KafkaException e) {
            disconnect();
            wait.pause(KafkaClients.text(e));
            place.next = -1;
            while (!seek(place, range, wait)) {
                // the client failed: try again
            }
            consumer().seek(place.name, wanted);
            return false;
        }
    }

    /** Polls the partition; returns whether records came. */
    private boolean poll(Place place, long wanted) {
        Consumer<byte[], ByteBuffer> polling = consumer();
        memory.begin();
        try {
            for (ConsumerRecord<byte[], ByteBuffer> record : polling.poll(POLL)) {
                place.polled.addLast(record);
            }
            return !place.polled.isEmpty();
        } catch (RecordDeserializationException e) {
            if (!(e.getCause() instanceof PollMemory.EnoughException)) {
                throw e;
            }
            return false; // the next poll begins with this record
        } catch (OffsetOutOfRangeException e) {
            Long earliest = polling.beginningOffsets(Set.of(place.name)).get(place.name);
            polling.seek(place.name, earliest != null && earliest > wanted ? earliest : wanted);
            return false;
        }
    }

    private Consumer<byte[], ByteBuffer> consumer() {
        Consumer<byte[], ByteBuffer> made = consumer;
        if (made == null) {
            made = clients.consumer(memory, POLL_RECORDS_MAX, () -> {});
            consumer = made;
        }
        return made;
    }

    private void disconnect() {
        Consumer<byte[], ByteBuffer> made = consumer;
        consumer = null;
        if (made != null) {
            KafkaClients.close(made);
        }
        for (Place place : places.values()) {
            place.polled.clear();
            place.next = -1;
        }
    }

    @Override
    public void close() {
        disconnect();
    }
}
