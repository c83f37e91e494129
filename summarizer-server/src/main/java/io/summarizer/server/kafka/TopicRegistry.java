package io.summarizer.server.kafka;

import static java.util.Objects.requireNonNull;

import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.recovery.KafkaOffsets;
import io.summarizer.server.net.ThrottledLog;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * The topics that the listener reads, and those that it must not read because they were deleted and created again.
 * Finds the partitions of topics, and the offsets at which the reading begins or goes on. Belongs to the listener's
 * thread, except for {@link #isStopped}.
 */
final class TopicRegistry {
    private static final System.Logger LOGGER = System.getLogger(TopicRegistry.class.getName());

    /**
     * Stands for the whole topic, in place of the number of a partition. The offset is then the number of partitions
     * that the topic had at first.
     */
    private static final int ALL = -1;

    private final KafkaSettings settings;
    private final KafkaOffsets offsets;
    private final RecordIntake records;
    private final ThrottledLog log;
    /** The topics whose partitions are being read, by name. */
    private final Map<String, Topic> topics = new HashMap<>();

    private final Set<String> stopped = ConcurrentHashMap.newKeySet();
    private boolean lookedAtOld;

    /** Hears what {@link #take} finds. */
    interface Found {
        /** A partition is to be read from an offset on. */
        void next(TopicPartition partition, long offset);

        /** The topic that now has this name is not the topic that was read before, and must not be read. */
        void other(String topic);
    }

    /**
     * A topic.
     *
     * @param id the topic's id, in a partition with the number {@link #ALL}
     * @param first the count of partitions when the topic was first seen; a partition whose number is not less than
     *     this count was added later
     */
    private record Topic(Partition id, long first) {
        Partition partition(int number) {
            return new Partition(id.topicHigh(), id.topicLow(), id.topic(), number);
        }
    }

    /**
     * Topics that were not seen yet.
     *
     * @param records journals the offsets at which the reading begins
     */
    TopicRegistry(KafkaSettings settings, KafkaOffsets offsets, RecordIntake records, ThrottledLog log) {
        this.settings = settings;
        this.offsets = offsets;
        this.records = records;
        this.log = log;
    }

    /** Whether a topic is not read because it was deleted and created again. Any thread. */
    boolean isStopped(String topic) {
        return stopped.contains(topic);
    }

    /** The names of the topics to ask the brokers about. */
    Set<String> names() {
        Set<String> names = new TreeSet<>(settings.topics());
        if (!lookedAtOld) {
            offsets.all().keySet().forEach(partition -> names.add(partition.topic()));
        }
        return names;
    }

    /**
     * Takes the brokers' answers about topics.
     *
     * @param starts asked for the offset at which the reading of a new partition begins
     * @param isRead whether a partition is read already
     */
    void take(TopicLook.Answers answers, OffsetLook starts, Predicate<TopicPartition> isRead, Found found) {
        if (!lookedAtOld) {
            lookedAtOld = true;
            forgetOld(answers);
        }
        for (String topic : answers.absent()) {
            if (settings.topics().contains(topic)) {
                log.warn("a Kafka topic does not exist", () -> topic + "; it is read as soon as it is created");
            }
        }
        for (TopicDescription topic : answers.topics()) {
            if (settings.topics().contains(topic.name())) {
                find(topic, starts, isRead, found);
            }
        }
    }

    /**
     * Forgets topics that are no longer configured, if the brokers do not have them any more. So a topic that was
     * deleted and created again can be read from its beginning. For this, the service must first start once without the
     * topic in its configuration.
     */
    private void forgetOld(TopicLook.Answers answers) {
        Set<Partition> existing = new HashSet<>();
        answers.topics().forEach(topic -> existing.add(KafkaClients.partition(topic, 0)));
        for (Partition old : offsets.all().keySet()) {
            if (settings.topics().contains(old.topic()) || existing.stream().anyMatch(old::isOfTopicOf)) {
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
     * @param isRead whether a partition is read already
     * @param found receives the partitions whose next offset is known. If a different topic now has the name, receives
     *     only this report
     */
    private void find(TopicDescription description, OffsetLook starts, Predicate<TopicPartition> isRead, Found found) {
        String name = description.name();
        Partition id = KafkaClients.partition(description, ALL);
        if (stopped.contains(name) || isOther(name, id)) {
            stopped.add(name);
            found.other(name);
            return;
        }
        Topic topic = topics.computeIfAbsent(name, n -> see(id, description));
        List<TopicPartition> first = new ArrayList<>();
        List<TopicPartition> later = new ArrayList<>();
        for (TopicPartitionInfo each : description.partitions()) {
            TopicPartition partition = new TopicPartition(name, each.partition());
            if (each.leader() == null || each.leader().isEmpty()) {
                log.warn("a Kafka partition has no leader", () -> partition + "; it is read as soon as it has one");
            } else if (!isRead.test(partition) && !starts.isAsked(partition)) {
                OptionalLong next = offsets.next(topic.partition(each.partition()));
                if (next.isPresent()) {
                    found.next(partition, next.getAsLong());
                } else {
                    (each.partition() < topic.first ? first : later).add(partition);
                }
            }
        }
        starts.ask(first, settings.start());
        starts.ask(later, KafkaStart.EARLIEST);
    }

    /** Journals the number of partitions of a topic that is seen for the first time. */
    private Topic see(Partition id, TopicDescription description) {
        OptionalLong before = offsets.next(id);
        if (before.isPresent()) {
            return new Topic(id, before.getAsLong());
        }
        int partitions = description.partitions().size();
        records.begin(id, partitions);
        return new Topic(id, partitions);
    }

    /** A partition of a topic that was seen. */
    Partition partition(TopicPartition name) {
        return requireNonNull(topics.get(name.topic())).partition(name.partition());
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
}
