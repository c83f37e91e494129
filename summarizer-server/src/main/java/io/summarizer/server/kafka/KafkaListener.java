package io.summarizer.server.kafka;

import static java.util.Objects.requireNonNull;

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
import java.util.ArrayList;
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
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
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
 * <p>A topic or partition that the brokers refuse, or that has no leader, does not hold up the others, because the
 * thread never waits for an answer about it.
 *
 * <p>Everything runs on one thread, {@code kafka}. {@link #close} blocks; the status methods are thread-safe. The
 * thread allocates nothing per record beyond what Kafka's client allocates.
 *
 * <p>This class has more than 500 lines, because one thread does all steps with one consumer, which no other class may
 * use.
 */
public final class KafkaListener implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(KafkaListener.class.getName());

    /** Maximum number of bytes of the records of one poll. While there is no room, these records wait in memory. */
    private static final int POLL_BYTES_MAX = 8 << 20;

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    /**
     * Stands for the whole topic, in place of the number of a partition. The offset is then the number of partitions
     * that the topic had at first.
     */
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
    private final Map<String, Topic> topics = new HashMap<>();
    /**
     * Partitions that are paused until the next look, because the brokers refused them or do not have their next
     * offset.
     */
    private final Set<TopicPartition> held = new HashSet<>();
    /**
     * The next offset of each partition that is held because the brokers do not have this offset. An entry stays until
     * the reason is known.
     */
    private final Map<TopicPartition, Long> outOfRange = new HashMap<>();

    private final int[] relative = new int[StreamFramer.MESSAGES_MAX];
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();
    private boolean paused;
    private boolean lookedAtOldTopics;
    private @Nullable TopicLook look;
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
         * Number of records after the last durable record, about a second ago. Holes in the offsets count as records.
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
     * A topic.
     *
     * @param id the topic's id, in a partition with the number {@link #ALL}
     * @param first number of partitions that the topic had when it was first seen; partitions that were added later
     *     have this number or a higher one
     */
    private record Topic(Partition id, long first) {
        Partition partition(int number) {
            return new Partition(id.topicHigh(), id.topicLow(), id.topic(), number);
        }
    }

    /** A partition that is being read. */
    private final class Reading implements Lag {
        private final Partition partition;
        private final byte[] topic;
        private volatile long end;

        // These belong to the thread: the offset after the last record that was taken, and the batch being filled.
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
                return; // was taken before the client failed
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

    /** Journals the offset at which the reading of a partition begins. */
    private void begin(Partition partition, long offset) {
        submit(
                sink.acquire(),
                KafkaRange.beginning(partition, clients.settings().rule(), offset));
    }

    /** Is told by the sink when there is room. */
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
     * @param offsets next offsets of the partitions, which follow the journal
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

    /** Number of offsets that the brokers deleted before the listener read them. */
    public long deleted() {
        return deleted.sum();
    }

    /** Whether the listener does not read a topic because it was deleted and created again. */
    public boolean isStopped(String topic) {
        return stopped.contains(topic);
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
        held.clear();
        outOfRange.clear();
        OffsetLook starts = new OffsetLook(admin);
        Map<TopicPartition, Long> again = new HashMap<>();
        readings.forEach((name, reading) -> again.put(name, reading.next));
        assign(consumer, again);
        while (!closing) {
            long now = System.nanoTime();
            if (now - lookAt >= 0) {
                look(admin, consumer, starts, now);
            }
            hearOffsets(consumer, starts);
            resume(consumer);
            if (readings.isEmpty()) {
                LockSupport.parkNanos(this, POLL.toNanos());
                continue;
            }
            poll(consumer, starts);
            if (now - commitAt >= 0) {
                commit(consumer);
                commitAt = now + COMMIT_NANOS;
            }
        }
        commit(consumer);
    }

    private void poll(Consumer<byte[], ByteBuffer> consumer, OffsetLook starts) {
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
            e.offsetOutOfRangePartitions()
                    .forEach((partition, offset) -> findAgain(consumer, starts, partition, offset));
            return;
        } catch (TopicAuthorizationException e) {
            deny(consumer, e);
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

    /** Submits waiting batches while there is room, and reads on when no batch waits any more. */
    private void resume(Consumer<byte[], ByteBuffer> consumer) {
        if (room.again) {
            room.again = false;
            intake.resume();
        }
        if (paused && intake.waiting() == 0) {
            paused = false;
            Set<TopicPartition> all = new HashSet<>(consumer.assignment());
            all.removeAll(held);
            consumer.resume(all);
        }
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
            LockSupport.parkNanos(this, left);
        }
    }

    /** Asks the brokers about the topics, or takes their answers. */
    private void look(Admin admin, Consumer<byte[], ByteBuffer> consumer, OffsetLook starts, long now)
            throws InterruptedException {
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
        if (!isAnswered(answers)) {
            return;
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
                find(consumer, starts, topic, found);
            }
        }
        assign(consumer, found);
        tryAgain(consumer, starts);
        noteEnds(consumer);
    }

    /** Whether the brokers answered for at least one topic. Topics without an answer hold up no other topics. */
    private boolean isAnswered(TopicLook.Answers answers) {
        Map<String, Throwable> failures = new TreeMap<>(answers.failures());
        if (answers.topics().isEmpty() && answers.absent().isEmpty()) {
            up = false;
            log.warn(
                    "Kafka's brokers do not answer",
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

    /** Reads partitions that were held; the brokers may refuse them again. */
    private void tryAgain(Consumer<byte[], ByteBuffer> consumer, OffsetLook starts) {
        if (paused || held.isEmpty()) {
            return;
        }
        Set<TopicPartition> again = new HashSet<>(held);
        again.removeIf(starts::isAsked);
        again.forEach(name -> goOn(consumer, name));
    }

    /** Notes the ends of those partitions whose ends Kafka's client knows without asking the brokers. */
    private void noteEnds(Consumer<byte[], ByteBuffer> consumer) {
        readings.forEach((name, reading) -> {
            try {
                OptionalLong lag = consumer.currentLag(name);
                if (lag.isPresent()) {
                    reading.end = consumer.position(name, Duration.ZERO) + lag.getAsLong();
                }
            } catch (KafkaException e) {
                // Its leader has just changed, or the next poll tells what is wrong.
            }
        });
    }

    /**
     * Forgets topics that are no longer configured, if the brokers do not have them any more. So a topic that was
     * deleted and created again can be read from its beginning, after a start without this topic in the configuration.
     */
    private void forgetOldTopics(TopicLook.Answers answers) {
        if (lookedAtOldTopics) {
            return;
        }
        lookedAtOldTopics = true;
        Set<Partition> existing = new HashSet<>();
        answers.topics().forEach(topic -> existing.add(KafkaClients.partition(topic, 0)));
        for (Partition old : offsets.all().keySet()) {
            if (topics().contains(old.topic()) || existing.stream().anyMatch(old::isOfTopicOf)) {
                continue;
            }
            Throwable why = answers.failures().get(old.topic());
            if (why != null) {
                log.warn(
                        "a Kafka topic is configured no longer, and its offsets are kept",
                        () -> old.topic() + ": the brokers do not say whether it exists: " + KafkaClients.text(why));
            } else {
                offsets.forget(old.topicHigh(), old.topicLow());
                LOGGER.log(
                        Level.INFO,
                        () -> "the Kafka topic " + old.topic()
                                + " is no longer configured, and the brokers do not have it: it is forgotten");
            }
        }
    }

    /**
     * Finds the partitions of a topic that are not read yet. For partitions that were never read, asks the brokers for
     * the offset at which to begin.
     *
     * @param found receives the others, and their offsets
     */
    private void find(
            Consumer<byte[], ByteBuffer> consumer,
            OffsetLook starts,
            TopicDescription description,
            Map<TopicPartition, Long> found) {
        String name = description.name();
        Partition id = KafkaClients.partition(description, ALL);
        if (isOther(name, id)) {
            stop(consumer, starts, name);
            return;
        }
        Topic topic = topics.computeIfAbsent(name, n -> see(id, description));
        List<TopicPartition> first = new ArrayList<>();
        List<TopicPartition> later = new ArrayList<>();
        for (TopicPartitionInfo each : description.partitions()) {
            TopicPartition partition = new TopicPartition(name, each.partition());
            if (each.leader() == null || each.leader().isEmpty()) {
                log.warn("a Kafka partition has no leader", () -> partition + "; it is read as soon as it has one");
            } else if (!readings.containsKey(partition) && !starts.isAsked(partition)) {
                OptionalLong next = offsets.next(topic.partition(each.partition()));
                if (next.isPresent()) {
                    startReading(partition, next.getAsLong(), found);
                } else {
                    (each.partition() < topic.first ? first : later).add(partition);
                }
            }
        }
        starts.ask(first, clients.settings().start());
        starts.ask(later, KafkaStart.EARLIEST);
    }

    /** Journals the number of partitions of a topic that is seen for the first time. */
    private Topic see(Partition id, TopicDescription description) {
        OptionalLong before = offsets.next(id);
        if (before.isPresent()) {
            return new Topic(id, before.getAsLong());
        }
        int partitions = description.partitions().size();
        begin(id, partitions);
        return new Topic(id, partitions);
    }

    /** Takes answers about offsets, at which the reading of partitions begins or goes on. */
    private void hearOffsets(Consumer<byte[], ByteBuffer> consumer, OffsetLook starts) throws InterruptedException {
        if (!starts.hasAnswers()) {
            return;
        }
        Map<TopicPartition, Long> found = new HashMap<>();
        starts.tell(new OffsetLook.Answers() {
            @Override
            public void offset(TopicPartition partition, long offset) {
                Long missing = outOfRange.remove(partition);
                if (missing != null) {
                    goOn(consumer, partition, missing, offset);
                } else {
                    begin(partition(partition), offset);
                    startReading(partition, offset, found);
                }
            }

            @Override
            public void failed(TopicPartition partition, Throwable why) {
                outOfRange.remove(partition);
                counters.failures.increment();
                log.warn(
                        "Kafka's brokers do not say where a partition begins, which is asked again",
                        () -> partition + ": " + KafkaClients.text(why));
            }
        });
        assign(consumer, found);
    }

    /** A partition of a topic that was seen. */
    private Partition partition(TopicPartition name) {
        return requireNonNull(topics.get(name.topic())).partition(name.partition());
    }

    /** Notes that a partition is read from an offset on. */
    private void startReading(TopicPartition name, long offset, Map<TopicPartition, Long> found) {
        Reading reading = new Reading(partition(name), offset);
        readings.put(name, reading);
        found.put(name, offset);
        LOGGER.log(Level.INFO, () -> "reading the Kafka partition " + name + " from offset " + offset);
        watchers.forEach(watcher -> watcher.found(reading));
    }

    /** Whether the listener has read records of another topic with the same name, and no records of this topic. */
    private boolean isOther(String topic, Partition id) {
        Topic before = topics.get(topic);
        if (before != null) {
            return !before.id.isOfTopicOf(id);
        }
        List<Partition> read = offsets.all().keySet().stream()
                .filter(partition -> partition.topic().equals(topic))
                .toList();
        return !read.isEmpty() && read.stream().noneMatch(id::isOfTopicOf);
    }

    private void stop(Consumer<byte[], ByteBuffer> consumer, OffsetLook starts, String topic) {
        if (stopped.add(topic)) {
            readings.keySet().removeIf(name -> name.topic().equals(topic));
            held.removeIf(name -> name.topic().equals(topic));
            outOfRange.keySet().removeIf(name -> name.topic().equals(topic));
            starts.forget(topic);
            assign(consumer, Map.of());
        }
        log.warn(
                "a Kafka topic was deleted and created again, and is not read",
                () -> topic + ": its offsets mean other records now. To read the new topic, start the service once"
                        + " without it in listen.kafka.topics, then with it again");
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
     * Holds a partition, because the brokers said that they do not have its next offset, and asks for the oldest
     * offset.
     */
    private void findAgain(Consumer<byte[], ByteBuffer> consumer, OffsetLook starts, TopicPartition name, long offset) {
        consumer.seek(name, offset);
        hold(consumer, name);
        outOfRange.put(name, offset);
        if (!starts.isAsked(name)) {
            starts.ask(Set.of(name), KafkaStart.EARLIEST);
        }
    }

    /**
     * Goes on when it is known which offset of a partition is the oldest. When the brokers deleted records before the
     * listener read them, reads on at the oldest record. Otherwise the brokers lost records at the end, which may be
     * temporary, and the partition stays held.
     */
    private void goOn(Consumer<byte[], ByteBuffer> consumer, TopicPartition name, long missing, long earliest) {
        if (missing < earliest) {
            deleted.add(earliest - missing);
            log.warn(
                    "Kafka's brokers deleted records before they were read",
                    () -> name + ": offsets " + missing + " to " + (earliest - 1)
                            + "; raise the topic's retention, or see why the service was behind");
            consumer.seek(name, earliest);
            goOn(consumer, name);
        } else {
            log.warn(
                    "Kafka's brokers lost records",
                    () -> name + ": they end before offset " + missing
                            + ", which is the next to read; the partition is read again when they have it");
        }
    }

    /** Holds the partitions of topics that must not be read, so that the others are read. */
    private void deny(Consumer<byte[], ByteBuffer> consumer, TopicAuthorizationException e) {
        counters.failures.increment();
        log.warn(
                "Kafka's brokers deny the right to read a topic",
                () -> String.join(", ", new TreeSet<>(e.unauthorizedTopics()))
                        + "; it is read as soon as the service's user may read it");
        for (TopicPartition name : consumer.assignment()) {
            if (e.unauthorizedTopics().contains(name.topic())) {
                hold(consumer, name);
            }
        }
    }

    private void hold(Consumer<byte[], ByteBuffer> consumer, TopicPartition name) {
        held.add(name);
        consumer.pause(Set.of(name));
    }

    private void goOn(Consumer<byte[], ByteBuffer> consumer, TopicPartition name) {
        held.remove(name);
        if (!paused) {
            consumer.resume(Set.of(name));
        }
    }

    /** Commits the durable offsets, for monitors of the lag. The service does not read them. */
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

    /**
     * Stops reading, and hands over the records that were read. After the deadline, leaves the rest to the next start.
     */
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
