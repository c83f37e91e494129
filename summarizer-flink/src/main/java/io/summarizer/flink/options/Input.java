package io.summarizer.flink.options;

import io.summarizer.core.receive.Framing;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** The place that a job reads from. */
public sealed interface Input extends Serializable {
    /**
     * Topics of Kafka.
     *
     * @param brokers addresses of brokers, {@code HOST:PORT} with commas between
     * @param topics names of the topics
     * @param topicFrom the place of a record's topic
     * @param start the place where a job without state begins
     * @param group the consumer group whose committed offsets show the job's progress; the job never reads these
     *     offsets
     * @param properties settings of the client, such as those of TLS and SASL
     */
    record Kafka(
            String brokers,
            List<String> topics,
            TopicFrom topicFrom,
            StartAt start,
            String group,
            Map<String, String> properties)
            implements Input {
        private static final long serialVersionUID = 1;

        public Kafka {
            topics = List.copyOf(topics);
            properties = Map.copyOf(properties);
        }

        /** Returns the topics and brokers, but no settings, because settings may be secrets. */
        @Override
        public String toString() {
            return "Kafka " + topics + " at " + brokers;
        }
    }

    /**
     * Files of syslog messages, each read once, from its beginning to the end that it had when the job started.
     *
     * @param paths the files, sorted; a file's index is its partition
     * @param framing the way in which messages are separated
     */
    record Files(List<String> paths, Framing framing) implements Input {
        private static final long serialVersionUID = 1;

        public Files {
            paths = paths.stream().sorted().distinct().toList();
        }
    }
}
