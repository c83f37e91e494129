package io.summarizer.server.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Questions to the brokers about offsets of partitions. Each partition has an answer of its own, so a partition without
 * a leader delays no other partition. One thread, which never waits in this class.
 */
final class OffsetLook {
    private static final ListOffsetsOptions OPTIONS = new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);

    private final Admin admin;
    /** The questions about each partition, in order. The first question that yields an offset gives the answer. */
    private final Map<TopicPartition, List<KafkaFuture<ListOffsetsResultInfo>>> asked = new HashMap<>();

    /** Hears answers. */
    interface Answers {
        /** The offset that was asked for. */
        void offset(TopicPartition partition, long offset);

        /** The brokers gave no offset; the question may be asked again. */
        void failed(TopicPartition partition, Throwable why);
    }

    OffsetLook(Admin admin) {
        this.admin = admin;
    }

    /** Asks, for each partition, for the offset at which to begin reading according to {@code start}. */
    void ask(Collection<TopicPartition> partitions, KafkaStart start) {
        switch (start.kind()) {
            case EARLIEST -> ask(partitions, OffsetSpec.earliest());
            case LATEST -> ask(partitions, OffsetSpec.latest());
            case TIME -> {
                ask(partitions, OffsetSpec.forTimestamp(start.epochMillis()));
                ask(partitions, OffsetSpec.latest()); // for a partition without such a record
            }
        }
    }

    private void ask(Collection<TopicPartition> partitions, OffsetSpec place) {
        if (partitions.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetSpec> places = new HashMap<>();
        partitions.forEach(partition -> places.put(partition, place));
        ListOffsetsResult answers = admin.listOffsets(places, OPTIONS);
        partitions.forEach(partition ->
                asked.computeIfAbsent(partition, p -> new ArrayList<>()).add(answers.partitionResult(partition)));
    }

    /** Whether there is a question about a partition whose answer was not told yet. */
    boolean isAsked(TopicPartition partition) {
        return asked.containsKey(partition);
    }

    /** Forgets the questions about the partitions of a topic. */
    void forget(String topic) {
        asked.keySet().removeIf(partition -> partition.topic().equals(topic));
    }

    /** Whether answers or failures have come that were not told yet. */
    boolean hasAnswers() {
        return !asked.isEmpty() && asked.values().stream().anyMatch(OffsetLook::isAnswered);
    }

    private static boolean isAnswered(List<KafkaFuture<ListOffsetsResultInfo>> places) {
        return places.stream().allMatch(KafkaFuture::isDone);
    }

    /** Tells the answers and failures that have come, each once. */
    void tell(Answers answers) throws InterruptedException {
        Iterator<Map.Entry<TopicPartition, List<KafkaFuture<ListOffsetsResultInfo>>>> all =
                asked.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<TopicPartition, List<KafkaFuture<ListOffsetsResultInfo>>> one = all.next();
            if (isAnswered(one.getValue())) {
                all.remove();
                tell(one.getKey(), one.getValue(), answers);
            }
        }
    }

    private static void tell(TopicPartition partition, List<KafkaFuture<ListOffsetsResultInfo>> places, Answers answers)
            throws InterruptedException {
        try {
            for (KafkaFuture<ListOffsetsResultInfo> place : places) {
                long offset = place.get().offset();
                if (offset >= 0) {
                    answers.offset(partition, offset);
                    return;
                }
            }
            answers.failed(partition, new KafkaException("no offset"));
        } catch (ExecutionException e) {
            answers.failed(partition, e.getCause() == null ? e : e.getCause());
        }
    }
}
