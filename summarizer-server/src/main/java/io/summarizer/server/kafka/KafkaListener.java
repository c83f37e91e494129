package io.summarizer.server.kafka;

import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.pipeline.Intake;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.receive.RecordFramer;
import io.summarizer.core.receive.StreamFramer;
import io.summarizer.core.recovery.KafkaOffsets;
import io.summarizer.server.net.ListenerCounters;
import io.summarizer.server.net.ThrottledLog;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of Kafka topics, each once over all processes of a data folder. The listener assigns partitions to
 * itself and reads on from {@link KafkaOffsets}, which follow the journal and the checkpoints; it never reads the
 * offsets that it commits. While the sink has no room, all partitions pause.
 *
 * <p>The beginning of a partition is journalled, too, before its first record. So a start knows which partitions were
 * found later, and reads those from their oldest record.
 *
 * <p>Everything runs on one thread, {@code kafka}. {@link #close} blocks; the status methods are thread-safe. The
 * thread allocates nothing per record beyond what Kafka's client allocates.
 */
public final class KafkaListener implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(KafkaListener.class.getName());

    /** Bytes of the records of one poll; while there is no room, so many bytes wait. */
    private static final int POLL_BYTES_MAX = 8 << 20;

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    /** Stands for the number of a partition: the beginnings of all first partitions of a topic are journalled. */
    private static final int ALL = -1;

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long COMMIT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    private final KafkaClients clients;
    private final int number;
    private final KafkaOffsets offsets;
    private final BatchSink sink;
    private final RecordFramer framer;
    private final PollMemory memory = new PollMemory(POLL_BYTES_MAX);
    private final boolean byHeader;
    private final String header;
    private final Room room = new Room();
    private final Intake intake;
    private final Thread thread = new Thread(this::run, "kafka");

    private final ListenerCounters counters = new ListenerCounters();
    private final LongAdder deleted = new LongAdder();
    private final ThrottledLog log = new ThrottledLog(LOGGER);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    private final Map<TopicPartition, Reading> readings = new ConcurrentHashMap<>();
    private final Set<String> stopped = ConcurrentHashMap.newKeySet();
    private final List<LagWatcher> watchers = new CopyOnWriteArrayList<>();
    private volatile boolean up;
    private volatile boolean closing;
    private volatile long giveUpAt = Long.MAX_VALUE;
    private volatile @Nullable Consumer<byte[], ByteBuffer> consumer;

    // Belongs to the thread, like all fields from here on.
    /** The topics whose partitions are being read, by name. */
    private final Map<String, Partition> topics = new HashMap<>();
    /** Partitions whose offset the brokers do not have. */
    private final Set<TopicPartition> outOfRange = new HashSet<>();

    private final int[] relative = new int[StreamFramer.MESSAGES_MAX];
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();
    private boolean paused;
    private boolean lookedAtOldTopics;
    private @Nullable TopicLook look;
    private long lookAt;
    private long commitAt;
    private long pauseNanos = PAUSE_NANOS_MIN;

    /** The distance of the reading of a partition from its end. Any thread. */
    public interface Lag {
        /** Name of the topic. */
        String topic();

        /** Number of the partition. */
        int partition();

        /** Number of records after the last durable one, as it was about a second ago; holes count as records. */
        long records();
    }

    /** Hears of partitions. */
    @FunctionalInterface
    public interface LagWatcher {
        /** Called once for each partition, by the listener's thread. */
        void found(Lag partition);
    }

    /** A partition that is being read. */
    private final class Reading implements Lag {
        private final Partition partition;
        private final byte[] topic;
        private volatile long end;

        // Of the thread: the offset after the last record that was taken, and the batch being filled.
        private long next;
        private @Nullable MessageBatch batch;
        private long first;

        Reading(Partition partition, long next) {
            this.partition = partition;
            this.next = next;
            end = next;
            topic = partition.topic().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String topic() {
            return partition.topic();
        }

        @Override
        public int partition() {
            return partition.number();
        }

        @Override
        public long records() {
            return Math.max(0, end - offsets.next(partition).orElse(end));
        }

        void take(ConsumerRecord<byte[], ByteBuffer> record) {
            if (record.offset() < next) {
                return; // taken before a failure of the client
            }
            next = record.offset() + 1;
            ByteBuffer value = record.value();
            int length = value == null ? 0 : value.remaining();
            MessageBatch batch = this.batch;
            if (batch != null
                    && (batch.limit() + framer.bytesMax(length) > MessageBatch.DEFAULT_BYTES
                            || batch.count() == relative.length
                            || record.offset() - first >= Integer.MAX_VALUE)) {
                handOver();
                batch = null;
            }
            if (batch == null) {
                batch = sink.acquire();
                this.batch = batch;
                first = record.offset();
            }
            relative[batch.count()] = (int) (record.offset() - first);
            framer.take(batch, value, byHeader ? topic(record) : topic);
        }

        private byte @Nullable [] topic(ConsumerRecord<byte[], ByteBuffer> record) {
            Header last = record.headers().lastHeader(header);
            return last == null ? null : last.value();
        }

        void handOver() {
            MessageBatch filled = batch;
            if (filled != null) {
                batch = null;
                counters.bytesRead.add(filled.limit());
                submit(filled, KafkaRange.of(partition, clients.settings().rule(), first, relative, filled.count()));
            }
        }
    }

    private void submit(MessageBatch batch, KafkaRange range) {
        batch.range(range);
        batch.listener(number);
        intake.submit(batch, null);
    }

    /** Journals where the reading of a partition begins. */
    private void begin(Partition partition, long offset) {
        submit(
                sink.acquire(),
                KafkaRange.beginning(partition, clients.settings().rule(), offset));
    }

    /** Hears from the sink. */
    private final class Room implements BatchSink.Receiver {
        /** Whether there is room again after a refusal. */
        private volatile boolean again;

        @Override
        public void taken(int messages) {
            counters.batches.increment();
            counters.messages.add(messages);
        }

        @Override
        public void refused() {
            counters.pauses.increment();
        }

        @Override
        public void onRoom() {
            again = true;
            Consumer<byte[], ByteBuffer> polling = consumer;
            if (polling != null) {
                polling.wakeup();
            }
            LockSupport.unpark(thread);
        }
    }

    /**
     * A listener that is not started.
     *
     * @param number number of the listener, which every batch carries
     * @param offsets places of the partitions, which follow the journal
     * @param sink takes the messages, and makes them durable
     */
    public KafkaListener(KafkaClients clients, int number, KafkaOffsets offsets, BatchSink sink) {
        this.clients = clients;
        this.number = number;
        this.offsets = offsets;
        this.sink = sink;
        KafkaSettings settings = clients.settings();
        framer = new RecordFramer(settings.rule());
        byHeader = settings.rule().source() == Source.HEADER;
        header = settings.rule().header();
        intake = sink.intake(room);
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

    /** Offsets that the brokers deleted before they were read. */
    public long deleted() {
        return deleted.sum();
    }

    /** Whether a topic is not read because it was created again. */
    public boolean isStopped(String topic) {
        return stopped.contains(topic);
    }

    /** The names of the topics. */
    public List<String> topics() {
        return clients.settings().topics();
    }

    /** Calls {@code watcher} for each partition, those that are found later included. */
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
        try (Admin admin = clients.admin()) {
            Consumer<byte[], ByteBuffer> made = clients.consumer(memory);
            consumer = made;
            try {
                read(admin, made);
            } finally {
                consumer = null;
                made.close(CloseOptions.timeout(CLOSE));
            }
        }
    }

    private void read(Admin admin, Consumer<byte[], ByteBuffer> consumer) throws InterruptedException {
        look = null;
        lookAt = System.nanoTime();
        commitAt = lookAt + COMMIT_NANOS;
        paused = false;
        outOfRange.clear();
        Map<TopicPartition, Long> again = new HashMap<>();
        readings.forEach((name, reading) -> again.put(name, reading.next));
        assign(consumer, again);
        while (!closing) {
            long now = System.nanoTime();
            if (now - lookAt >= 0) {
                look(admin, consumer, now);
            }
            resume(consumer);
            if (readings.isEmpty()) {
                LockSupport.parkNanos(this, POLL.toNanos());
                continue;
            }
            poll(consumer);
            if (now - commitAt >= 0) {
                commit(consumer);
                commitAt = now + COMMIT_NANOS;
            }
        }
        commit(consumer);
    }

    private void poll(Consumer<byte[], ByteBuffer> consumer) {
        memory.begin();
        ConsumerRecords<byte[], ByteBuffer> records;
        try {
            records = consumer.poll(POLL);
            pauseNanos = PAUSE_NANOS_MIN;
        } catch (WakeupException e) {
            return; // there is room, or the listener is being closed
        } catch (RecordDeserializationException e) {
            if (!(e.getCause() instanceof PollMemory.EnoughException)) {
                throw e;
            }
            return; // the next poll begins with this record
        } catch (OffsetOutOfRangeException e) {
            e.offsetOutOfRangePartitions().forEach((partition, offset) -> findAgain(consumer, partition, offset));
            return;
        } catch (KafkaException e) {
            away(e);
            return;
        }
        for (TopicPartition partition : records.partitions()) {
            Reading reading = readings.get(partition);
            if (reading != null) {
                for (ConsumerRecord<byte[], ByteBuffer> record : records.records(partition)) {
                    reading.take(record);
                }
                reading.handOver();
            }
        }
        if (intake.waiting() > 0 && !paused) {
            paused = true;
            consumer.pause(consumer.assignment());
        }
    }

    /** Submits waiting batches when there is room, and reads on when none is left. */
    private void resume(Consumer<byte[], ByteBuffer> consumer) {
        if (room.again) {
            room.again = false;
            intake.resume();
        }
        if (paused && intake.waiting() == 0) {
            paused = false;
            Set<TopicPartition> all = new HashSet<>(consumer.assignment());
            all.removeAll(outOfRange);
            consumer.resume(all);
        }
    }

    /** Notes that the brokers failed, and waits, longer each time. */
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
            LockSupport.parkNanos(this, left);
        }
    }

    /** Asks the brokers about the topics, or takes their answers. */
    private void look(Admin admin, Consumer<byte[], ByteBuffer> consumer, long now) throws InterruptedException {
        TopicLook asked = look;
        if (asked == null) {
            Set<String> names = new TreeSet<>(topics());
            if (!lookedAtOldTopics) {
                offsets.all().keySet().forEach(partition -> names.add(partition.topic()));
            }
            look = new TopicLook(admin, names);
            return;
        }
        if (!asked.isDone()) {
            return;
        }
        look = null;
        lookAt = now + LOOK_NANOS;
        TopicLook.Answers answers = asked.answers();
        Throwable why = answers.failure();
        if (why != null) {
            up = false;
            log.warn("Kafka's brokers do not answer", () -> clients.brokers() + ": " + KafkaClients.text(why));
            return;
        }
        if (!up) {
            up = true;
            LOGGER.log(Level.INFO, () -> "Kafka's brokers answer: " + clients.brokers());
        }
        forgetOldTopics(answers);
        for (String topic : answers.absent()) {
            if (topics().contains(topic)) {
                log.warn("a Kafka topic does not exist", () -> topic + "; it is read as soon as it is created");
            }
        }
        Map<TopicPartition, Long> found = new HashMap<>();
        for (TopicDescription topic : answers.topics()) {
            if (topics().contains(topic.name())) {
                try {
                    find(consumer, topic, found);
                } catch (KafkaException e) {
                    away(e); // the next look asks again
                }
            }
        }
        assign(consumer, found);
        if (!outOfRange.isEmpty() && !paused) {
            consumer.resume(outOfRange);
            outOfRange.clear();
        }
        readings.forEach((name, reading) -> {
            OptionalLong lag = consumer.currentLag(name);
            if (lag.isPresent()) {
                reading.end = consumer.position(name) + lag.getAsLong();
            }
        });
    }

    /**
     * Forgets topics that are configured no longer, once the brokers do not have them any more. So a topic that was
     * created again can be read from its beginning: after a start without it.
     */
    private void forgetOldTopics(TopicLook.Answers answers) {
        if (lookedAtOldTopics) {
            return;
        }
        lookedAtOldTopics = true;
        Set<Partition> existing = new HashSet<>();
        answers.topics().forEach(topic -> existing.add(KafkaClients.partition(topic, 0)));
        for (Partition old : offsets.all().keySet()) {
            if (!topics().contains(old.topic()) && existing.stream().noneMatch(old::isOfTopicOf)) {
                offsets.forget(old.topicHigh(), old.topicLow());
                LOGGER.log(
                        Level.INFO,
                        () -> "the Kafka topic " + old.topic()
                                + " is configured no longer, and the brokers no longer have it: it is forgotten");
            }
        }
    }

    /**
     * Finds the partitions of a topic that are not read yet, and the offsets at which their reading begins.
     *
     * @param found receives these partitions and offsets
     */
    private void find(Consumer<byte[], ByteBuffer> consumer, TopicDescription topic, Map<TopicPartition, Long> found) {
        Partition all = KafkaClients.partition(topic, ALL);
        if (isOther(topic.name(), all)) {
            stop(consumer, topic.name());
            return;
        }
        boolean isFirst = !topics.containsKey(topic.name()) && offsets.next(all).isEmpty();
        Map<TopicPartition, Reading> begun = new HashMap<>();
        for (TopicPartitionInfo each : topic.partitions()) {
            TopicPartition name = new TopicPartition(topic.name(), each.partition());
            if (!readings.containsKey(name)) {
                Partition partition = KafkaClients.partition(topic, each.partition());
                OptionalLong next = offsets.next(partition);
                long offset = next.isPresent()
                        ? next.getAsLong()
                        : isFirst ? start(consumer, name) : earliest(consumer, name);
                begun.put(name, new Reading(partition, offset));
            }
        }
        // All answers are here, so that nothing fails between the beginnings.
        begun.forEach((name, reading) -> {
            if (offsets.next(reading.partition).isEmpty()) {
                begin(reading.partition, reading.next);
            }
        });
        if (isFirst) {
            begin(all, 0);
        }
        topics.put(topic.name(), all);
        begun.forEach((name, reading) -> {
            readings.put(name, reading);
            found.put(name, reading.next);
            LOGGER.log(Level.INFO, () -> "reading the Kafka partition " + name + " from offset " + reading.next);
            watchers.forEach(watcher -> watcher.found(reading));
        });
    }

    /** Whether records of another topic of the same name were read, and none of this topic. */
    private boolean isOther(String topic, Partition id) {
        Partition before = topics.get(topic);
        if (before != null) {
            return !before.isOfTopicOf(id);
        }
        List<Partition> read = offsets.all().keySet().stream()
                .filter(partition -> partition.topic().equals(topic))
                .toList();
        return !read.isEmpty() && read.stream().noneMatch(id::isOfTopicOf);
    }

    private void stop(Consumer<byte[], ByteBuffer> consumer, String topic) {
        if (stopped.add(topic)) {
            readings.keySet().removeIf(name -> name.topic().equals(topic));
            outOfRange.removeIf(name -> name.topic().equals(topic));
            assign(consumer, Map.of());
        }
        log.warn(
                "a Kafka topic was deleted and created again, and is not read",
                () -> topic + ": its offsets mean other records now. To read the new topic, start the service once"
                        + " without it in listen.kafka.topics, then with it again");
    }

    private static long earliest(Consumer<byte[], ByteBuffer> consumer, TopicPartition name) {
        return offset(consumer.beginningOffsets(Set.of(name)), name);
    }

    private static long latest(Consumer<byte[], ByteBuffer> consumer, TopicPartition name) {
        return offset(consumer.endOffsets(Set.of(name)), name);
    }

    private static long offset(Map<TopicPartition, Long> offsets, TopicPartition name) {
        Long offset = offsets.get(name);
        if (offset == null) {
            throw new KafkaException("the brokers do not say where " + name + " begins and ends");
        }
        return offset;
    }

    private long start(Consumer<byte[], ByteBuffer> consumer, TopicPartition name) {
        KafkaStart start = clients.settings().start();
        return switch (start.kind()) {
            case EARLIEST -> earliest(consumer, name);
            case LATEST -> latest(consumer, name);
            case TIME -> {
                OffsetAndTimestamp at = consumer.offsetsForTimes(Map.of(name, start.epochMillis()))
                        .get(name);
                yield at == null ? latest(consumer, name) : at.offset();
            }
        };
    }

    private void assign(Consumer<byte[], ByteBuffer> consumer, Map<TopicPartition, Long> found) {
        if (!found.isEmpty() || readings.size() != consumer.assignment().size()) {
            consumer.assign(readings.keySet());
            found.forEach(consumer::seek);
            if (paused) {
                consumer.pause(consumer.assignment());
            }
        }
    }

    /**
     * Goes on after the brokers said that they do not have the next offset of a partition. When they deleted records
     * before these were read, reads on at the oldest record. Otherwise the brokers lost records at the end, which may
     * be temporary, and asks again later.
     */
    private void findAgain(Consumer<byte[], ByteBuffer> consumer, TopicPartition name, long offset) {
        try {
            long earliest = earliest(consumer, name);
            if (offset < earliest) {
                deleted.add(earliest - offset);
                log.warn(
                        "Kafka's brokers deleted records before they were read",
                        () -> name + ": offsets " + offset + " to " + (earliest - 1)
                                + "; raise the topic's retention, or see why the service was behind");
                consumer.seek(name, earliest);
                return;
            }
            log.warn(
                    "Kafka's brokers lost records",
                    () -> name + ": they end before offset " + offset
                            + ", which is the next to read; the partition is read again when they have it");
            consumer.seek(name, offset);
            consumer.pause(Set.of(name));
            outOfRange.add(name);
        } catch (KafkaException e) {
            consumer.seek(name, offset);
            away(e);
        }
    }

    /** Commits the durable offsets, for monitors of the lag; nobody reads them here. */
    private void commit(Consumer<byte[], ByteBuffer> consumer) {
        if (clients.settings().group().isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> durable = new HashMap<>();
        readings.forEach((name, reading) ->
                offsets.next(reading.partition).ifPresent(offset -> durable.put(name, new OffsetAndMetadata(offset))));
        if (durable.isEmpty() || durable.equals(committed)) {
            return;
        }
        committed = durable;
        consumer.commitAsync(durable, (unused, e) -> {
            if (e != null) {
                committed = Map.of();
                log.warn(
                        "offsets for monitors of the lag could not be committed",
                        () -> clients.settings().group() + ": " + KafkaClients.text(e));
            }
        });
    }

    /** Waits for room for the batches that were read, until the listener gives up. */
    private void handOverAll() {
        while (intake.waiting() > 0 && System.nanoTime() < giveUpAt) {
            if (room.again) {
                room.again = false;
                intake.resume();
            } else {
                LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
        counters.messagesForgotten.add(intake.drop()); // they are not durable, so the next start reads them again
    }

    /** Reads no more, and hands over what was read; after a deadline, leaves that to the next start. */
    public void close(Duration deadline) {
        giveUpAt = System.nanoTime() + deadline.toNanos();
        closing = true;
        Consumer<byte[], ByteBuffer> polling = consumer;
        if (polling != null) {
            polling.wakeup();
        }
        LockSupport.unpark(thread);
        Waiting.uninterruptibly(thread::join);
    }

    /** Closes as {@link #close(Duration)} does, without waiting for room. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
