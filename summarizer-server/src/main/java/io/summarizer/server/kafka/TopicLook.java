package io.summarizer.server.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A question to the brokers about topics, and their answers. One thread. */
final class TopicLook {
    private final Map<String, KafkaFuture<TopicDescription>> asked;

    TopicLook(Admin admin, Collection<String> topics) {
        asked = admin.describeTopics(topics).topicNameValues();
    }

    /** Whether all answers or failures have come. */
    boolean isDone() {
        return asked.values().stream().allMatch(KafkaFuture::isDone);
    }

    /**
     * The answers.
     *
     * @param topics the topics that exist
     * @param absent names of topics that do not exist
     * @param failures names of topics without an answer, and why
     */
    record Answers(List<TopicDescription> topics, Set<String> absent, Map<String, Throwable> failures) {}

    /** Waits for the answers. */
    Answers answers() throws InterruptedException {
        List<TopicDescription> topics = new ArrayList<>();
        Set<String> absent = new HashSet<>();
        Map<String, Throwable> failures = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> topic : new HashMap<>(asked).entrySet()) {
            try {
                topics.add(topic.getValue().get());
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                if (cause instanceof UnknownTopicOrPartitionException) {
                    absent.add(topic.getKey());
                } else {
                    failures.put(topic.getKey(), cause);
                }
            }
        }
        return new Answers(topics, absent, failures);
    }
}
