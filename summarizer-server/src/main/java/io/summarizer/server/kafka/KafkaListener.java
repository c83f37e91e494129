package io.summarizer.server.kafka;

import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.recovery.KafkaOffsets;
import io.summarizer.server.net.ListenerCounters;
import io.summarizer.server.net.ThrottledLog;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of Kafka topics, each record once, even if several processes use the data folder one after the
 * other. The listener assigns partitions to itself and reads on from {@link KafkaOffsets}, which follow the journal and
 * the checkpoints; it never reads the offsets that it commits. While the sink has no room, all partitions pause.
 *
 * <p>Before the first record of a partition, the listener journals the offset at which the reading of the partition
 * begins. Even before, it journals the number of partitions that the topic had at first. So a start knows which
 * partitions were added later, and reads these from their oldest record.
 *
 * <p>When the brokers refuse a topic or partition, or when a partition has no leader, the others are still read,
 * because the thread does not wait for the answer about a single topic or partition. Only after new metadata of the
 * brokers, it waits once for the answer about all topics, up to 10 s.
 *
 * <p>Everything runs on one thread, {@code kafka}. {@link #close} blocks; the status methods are thread-safe. The
 * thread allocates nothing per record beyond what Kafka's client allocates.
 *
 * <p>This class has more than 500 lines, because looking at topics, assigning, reading and pausing all change which
 * partitions the client reads.
 */
public final class KafkaListener implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(KafkaListener.class.getName());

    /** Maximum number of bytes of the records of one poll. While there is no room, these records wait in memory. */
    private static final int POLL_BYTES_MAX = 8 << 20;

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long COMMIT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    private final KafkaClients clients;
    private final RecordIntake records;
    private final TopicRegistry topics;
    private final OffsetCommitter committer;
    private final PollMemory memory = new PollMemory(POLL_BYTES_MAX);
    private final Thread thread = new Thread(this::run, "kafka");

    private final ListenerCounters counters = new ListenerCounters();
    private final LongAdder deleted = new LongAdder();
    private final ThrottledLog log = new ThrottledLog(LOGGER);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    private final Map<TopicPartition, RecordIntake.Reading> readings = new ConcurrentHashMap<>();
    private final List<LagWatcher> watchers = new CopyOnWriteArrayList<>();
    private volatile boolean up;
    private volatile boolean closing;
    private volatile long giveUpAt = Long.MAX_VALUE;
    private volatile @Nullable Consumer<byte[], ByteBuffer> consumer;

    // Belongs to the thread, like all fields from here on.
    private @Nullable TopicLook look;
    /**
     * Whether the client has got metadata of the brokers since the topics of its records were last confirmed. Only with
     * new metadata can a client read another topic of the same name.
     */
    private boolean unconfirmed;

    private long lookAt;
    private long commitAt;
    private long pauseNanos = PAUSE_NANOS_MIN;

    /** The lag of a partition: the distance from the last durable record to the end. Any thread. */
    public interface Lag {
        /** Name of the topic. */
        String topic();

        /** Number of the partition. */
        int partition();

        /**
         * Number of records after the last durable record, as of about a second ago. Holes in the offsets count as
         * records.
         */
        long records();
    }

    /** Is told of partitions. */
    @FunctionalInterface
    public interface LagWatcher {
        /** Called once for each partition, by the listener's thread. */
        void found(Lag partition);
    }

    /**
     * A listener that is not started.
     *
     * @param number number of the listener, which every batch carries
     * @param offsets next offsets of the partitions, which follow the journal
     * @param sink takes the messages, and makes them durable
     */
    public KafkaListener(KafkaClients clients, int number, KafkaOffsets offsets, BatchSink sink) {
        this.clients = clients;
        records = new RecordIntake(clients.settings().rule(), number, offsets, sink, counters, this::wake);
        topics = new TopicRegistry(clients.settings(), offsets, records, log);
        committer = new OffsetCommitter(clients.settings().group(), offsets, log);
        thread.setDaemon(true);
    }

    /** Starts to read. The brokers may be away. */
    public void start() {
        thread.start();
    }

    /** The counters since the start. */
    public ListenerCounters counters() {
        return counters;
    }

    /** Whether the brokers answer. */
    public boolean isUp() {
        return up;
    }

    /** Number of offsets that the brokers deleted before the listener read them. */
    public long deleted() {
        return deleted.sum();
    }

    /** Whether the listener does not read a topic because it was deleted and created again. */
    public boolean isStopped(String topic) {
        return topics.isStopped(topic);
    }

    /** The names of the topics. */
    public List<String> topics() {
        return clients.settings().topics();
    }

    /** Calls {@code watcher} for each partition, also for those that are found later. */
    public void onPartition(LagWatcher watcher) {
        watchers.add(watcher);
    }

    /** A future that completes with the cause when the thread dies of a fault; the process should then end. */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    private void run() {
        try {
            while (!closing) {
                try {
                    open();
                } catch (KafkaException e) {
                    away(e);
                }
            }
            handOverAll();
        } catch (InterruptedException e) {
            failure.complete(e); // nobody interrupts it
            Thread.currentThread().interrupt();
        } catch (Throwable fault) {
            LOGGER.log(Level.ERROR, "Kafka is no longer read because of a fault in this program", fault);
            failure.complete(fault);
        }
    }

    /** Connects, and reads until the listener is closed or the client fails. */
    private void open() throws InterruptedException {
        Admin admin = clients.admin();
        try {
            Consumer<byte[], ByteBuffer> made =
                    clients.consumer(memory, KafkaClients.POLL_RECORDS_MAX, () -> unconfirmed = true);
            consumer = made;
            try {
                read(admin, made);
            } finally {
                consumer = null;
                KafkaClients.close(made);
            }
        } finally {
            KafkaClients.close(admin);
        }
    }

    private void read(Admin admin, Consumer<byte[], ByteBuffer> consumer) throws InterruptedException {
        look = null;
        lookAt = System.nanoTime();
        commitAt = lookAt + COMMIT_NANOS;
        OffsetLook starts = new OffsetLook(admin);
        PartitionPauses pauses = new PartitionPauses(consumer);
        Map<TopicPartition, Long> again = new HashMap<>();
        readings.forEach((name, reading) -> again.put(name, reading.next()));
        assign(consumer, pauses, again);
        while (!closing) {
            long now = System.nanoTime();
            if (now - lookAt >= 0) {
                look(admin, consumer, pauses, starts, now);
            }
            hearOffsets(consumer, pauses, starts);
            boolean unused = records.resume();
            if (records.isEmpty()) {
                pauses.resumeAll();
            }
            if (readings.isEmpty()) {
                LockSupport.parkNanos(this, POLL.toNanos());
                continue;
            }
            poll(admin, consumer, pauses, starts);
            if (now - commitAt >= 0) {
                committer.commit(consumer, readings);
                commitAt = now + COMMIT_NANOS;
            }
        }
        committer.commit(consumer, readings);
    }

    private void poll(Admin admin, Consumer<byte[], ByteBuffer> consumer, PartitionPauses pauses, OffsetLook starts)
            throws InterruptedException {
        memory.begin();
        ConsumerRecords<byte[], ByteBuffer> polled;
        try {
            polled = consumer.poll(POLL);
            pauseNanos = PAUSE_NANOS_MIN;
        } catch (WakeupException e) {
            return; // there is room, or the listener is being closed
        } catch (RecordDeserializationException e) {
            if (!(e.getCause() instanceof PollMemory.EnoughException)) {
                throw e;
            }
            return; // the next poll begins with this record
        } catch (OffsetOutOfRangeException e) {
            e.offsetOutOfRangePartitions().forEach((partition, offset) -> {
                pauses.holdOutOfRange(partition, offset);
                if (!starts.isAsked(partition)) {
                    starts.ask(Set.of(partition), KafkaStart.EARLIEST);
                }
            });
            return;
        } catch (TopicAuthorizationException e) {
            deny(consumer, pauses, e);
            return;
        } catch (KafkaException e) {
            away(e);
            return;
        }
        Set<String> unsure =
                unconfirmed && !polled.isEmpty() ? confirm(polled, admin, consumer, pauses, starts) : Set.of();
        for (TopicPartition partition : polled.partitions()) {
            RecordIntake.Reading reading = readings.get(partition);
            if (reading != null && unsure.contains(partition.topic())) {
                consumer.seek(partition, reading.next()); // so that the client fetches the records again
            } else if (reading != null) {
                for (ConsumerRecord<byte[], ByteBuffer> record : polled.records(partition)) {
                    reading.take(record);
                }
                reading.handOver();
            }
        }
        if (!records.isEmpty()) {
            pauses.pauseAll();
        }
        if (!unsure.isEmpty()) {
            counters.failures.increment();
            LockSupport.parkNanos(this, PAUSE_NANOS_MIN);
        }
    }

    /**
     * Makes sure that records are of the topics that were read before. When a topic was deleted and created again, the
     * client goes on in the new topic, at the same offsets, without a word. The other topics are then no longer read.
     * Waits for the answer of one broker, up to 10 s, which is needed only after new metadata. Returns those topics of
     * the records that the answer does not have.
     */
    private Set<String> confirm(
            ConsumerRecords<byte[], ByteBuffer> polled,
            Admin admin,
            Consumer<byte[], ByteBuffer> consumer,
            PartitionPauses pauses,
            OffsetLook starts)
            throws InterruptedException {
        unconfirmed = false;
        look = null; // its answer may be older
        lookAt = System.nanoTime() + LOOK_NANOS;
        TopicLook asked = new TopicLook(admin, topics.names());
        while (!closing && !asked.isDone()) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(1));
        }
        Set<String> unsure = new HashSet<>();
        polled.partitions().forEach(partition -> unsure.add(partition.topic()));
        if (asked.isDone()) {
            TopicLook.Answers answers = asked.answers();
            answers.topics().forEach(topic -> unsure.remove(topic.name()));
            take(answers, consumer, pauses, starts);
        }
        unconfirmed |= !unsure.isEmpty();
        return unsure;
    }

    /** Notes that the brokers failed, and waits, each time for longer. */
    private void away(KafkaException e) {
        if (e instanceof WakeupException) {
            return; // there is room, or the listener is being closed
        }
        up = false;
        counters.failures.increment();
        log.warn("Kafka cannot be read", () -> clients.brokers() + ": " + KafkaClients.text(e));
        long until = System.nanoTime() + pauseNanos;
        pauseNanos = Math.min(PAUSE_NANOS_MAX, 2 * pauseNanos);
        for (long left; !closing && (left = until - System.nanoTime()) > 0; ) {
            boolean unused = records.resume(); // what was read before may have room now
            LockSupport.parkNanos(this, left);
        }
    }

    /** Asks the brokers about the topics, or takes their answers. */
    private void look(
            Admin admin, Consumer<byte[], ByteBuffer> consumer, PartitionPauses pauses, OffsetLook starts, long now)
            throws InterruptedException {
        TopicLook asked = look;
        if (asked == null) {
            look = new TopicLook(admin, topics.names());
            return;
        }
        if (!asked.isDone()) {
            return;
        }
        look = null;
        lookAt = now + LOOK_NANOS;
        take(asked.answers(), consumer, pauses, starts);
    }

    private void take(
            TopicLook.Answers answers, Consumer<byte[], ByteBuffer> consumer, PartitionPauses pauses, OffsetLook starts)
            throws InterruptedException {
        if (!isAnswered(answers)) {
            return;
        }
        Map<TopicPartition, Long> found = new HashMap<>();
        topics.take(answers, starts, readings::containsKey, new TopicRegistry.Found() {
            @Override
            public void next(TopicPartition partition, long offset) {
                startReading(partition, offset, found);
            }

            @Override
            public void other(String topic) {
                stop(consumer, pauses, starts, topic);
            }
        });
        assign(consumer, pauses, found);
        pauses.retry(starts::isAsked);
        noteEnds(consumer);
    }

    /** Whether the brokers answered for at least one topic. Topics without an answer hold up no other topics. */
    private boolean isAnswered(TopicLook.Answers answers) {
        Map<String, Throwable> failures = new TreeMap<>(answers.failures());
        if (answers.topics().isEmpty() && answers.absent().isEmpty()) {
            up = false;
            log.warn(
                    "Kafka's brokers do not answer (listen.kafka.brokers)",
                    () -> clients.brokers() + ": "
                            + KafkaClients.text(failures.values().iterator().next()));
            return false;
        }
        if (!up) {
            up = true;
            LOGGER.log(Level.INFO, () -> "Kafka's brokers answer: " + clients.brokers());
        }
        failures.keySet().retainAll(topics());
        if (!failures.isEmpty()) {
            log.warn(
                    "Kafka's brokers do not describe topics; new partitions of them are not read",
                    () -> failures.entrySet().stream()
                            .map(topic -> topic.getKey() + ": " + KafkaClients.text(topic.getValue()))
                            .collect(Collectors.joining("; ")));
        }
        return true;
    }

    /** Notes the ends of those partitions whose ends Kafka's client knows without asking the brokers. */
    private void noteEnds(Consumer<byte[], ByteBuffer> consumer) {
        readings.forEach((name, reading) -> {
            try {
                OptionalLong lag = consumer.currentLag(name);
                if (lag.isPresent()) {
                    reading.end(consumer.position(name, Duration.ZERO) + lag.getAsLong());
                }
            } catch (KafkaException e) {
                // Its leader has just changed, or the next poll tells what is wrong.
            }
        });
    }

    /** Takes answers about offsets, at which the reading of partitions begins or goes on. */
    private void hearOffsets(Consumer<byte[], ByteBuffer> consumer, PartitionPauses pauses, OffsetLook starts)
            throws InterruptedException {
        if (!starts.hasAnswers()) {
            return;
        }
        Map<TopicPartition, Long> found = new HashMap<>();
        starts.tell(new OffsetLook.Answers() {
            @Override
            public void offset(TopicPartition partition, long offset) {
                Long missing = pauses.takeOutOfRange(partition);
                if (missing != null) {
                    goOn(consumer, pauses, partition, missing, offset);
                } else {
                    records.begin(topics.partition(partition), offset);
                    startReading(partition, offset, found);
                }
            }

            @Override
            public void failed(TopicPartition partition, Throwable why) {
                Long unused = pauses.takeOutOfRange(partition);
                counters.failures.increment();
                log.warn(
                        "Kafka's brokers do not say where a partition begins, which is asked again",
                        () -> partition + ": " + KafkaClients.text(why));
            }
        });
        assign(consumer, pauses, found);
    }

    /** Notes that a partition is read from an offset on. */
    private void startReading(TopicPartition name, long offset, Map<TopicPartition, Long> found) {
        RecordIntake.Reading reading = records.reading(topics.partition(name), offset);
        readings.put(name, reading);
        found.put(name, offset);
        LOGGER.log(Level.INFO, () -> "reading the Kafka partition " + name + " from offset " + offset);
        watchers.forEach(watcher -> watcher.found(reading));
    }

    private void stop(Consumer<byte[], ByteBuffer> consumer, PartitionPauses pauses, OffsetLook starts, String topic) {
        pauses.forget(topic);
        starts.forget(topic);
        if (readings.keySet().removeIf(name -> name.topic().equals(topic))) {
            assign(consumer, pauses, Map.of());
        }
        log.warn(
                "a Kafka topic was deleted and created again, and is not read",
                () -> topic + ": its offsets mean other records now. To read the new topic, start the service once"
                        + " without it in listen.kafka.topics, then with it again");
    }

    private void assign(
            Consumer<byte[], ByteBuffer> consumer, PartitionPauses pauses, Map<TopicPartition, Long> found) {
        if (!found.isEmpty() || readings.size() != consumer.assignment().size()) {
            consumer.assign(readings.keySet());
            found.forEach(consumer::seek);
            pauses.assigned();
        }
    }

    /**
     * Goes on when the oldest offset of a partition is known. If the brokers deleted records before the listener read
     * them, reads on at the oldest record. Otherwise, the brokers lost the newest records of the partition. This loss
     * may be temporary, so the partition stays held.
     */
    private void goOn(
            Consumer<byte[], ByteBuffer> consumer,
            PartitionPauses pauses,
            TopicPartition name,
            long missing,
            long earliest) {
        if (missing < earliest) {
            deleted.add(earliest - missing);
            log.warn(
                    "Kafka's brokers deleted records before they were read",
                    () -> name + ": offsets " + missing + " to " + (earliest - 1)
                            + "; raise the topic's retention, or see why the service was behind");
            records.begin(topics.partition(name), earliest); // the next client, or the next process, goes on from there
            RecordIntake.Reading reading = readings.get(name);
            if (reading != null) {
                reading.skipTo(earliest);
            }
            consumer.seek(name, earliest);
            pauses.release(name);
        } else {
            log.warn(
                    "Kafka's brokers lost records",
                    () -> name + ": they end before offset " + missing
                            + ", which is the next to read; the partition is read again when they have it");
        }
    }

    /** Holds the partitions of topics that must not be read, so that the others are read. */
    private void deny(Consumer<byte[], ByteBuffer> consumer, PartitionPauses pauses, TopicAuthorizationException e) {
        counters.failures.increment();
        log.warn(
                "Kafka's brokers deny the right to read a topic",
                () -> String.join(", ", new TreeSet<>(e.unauthorizedTopics()))
                        + "; it is read as soon as the service's user may read it");
        for (TopicPartition name : consumer.assignment()) {
            if (e.unauthorizedTopics().contains(name.topic())) {
                pauses.hold(name);
            }
        }
    }

    /** Waits for room for the batches that were read, until the listener gives up. */
    private void handOverAll() {
        while (!records.isEmpty() && System.nanoTime() < giveUpAt) {
            if (!records.resume()) {
                LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
        counters.messagesForgotten.add(records.drop()); // they are not durable, so the next start reads them again
    }

    /**
     * Stops reading, and hands over the records that were read. After the deadline, leaves the rest to the next start.
     */
    public void close(Duration deadline) {
        giveUpAt = System.nanoTime() + deadline.toNanos();
        closing = true;
        wake();
        Waiting.uninterruptibly(thread::join);
    }

    /** Ends a wait of the thread. Any thread. */
    private void wake() {
        Consumer<byte[], ByteBuffer> polling = consumer;
        if (polling != null) {
            polling.wakeup();
        }
        LockSupport.unpark(thread);
    }

    /** Closes as {@link #close(Duration)} does, without waiting for room. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
