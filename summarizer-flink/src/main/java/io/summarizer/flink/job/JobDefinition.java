package io.summarizer.flink.job;

import io.summarizer.core.bytes.Sha256;
import io.summarizer.core.message.RecordRule;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.options.TopicFrom;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.execution.Environment;
import org.jspecify.annotations.Nullable;

/**
 * The data that the operators of a job get from the client. Immutable.
 *
 * @param definitions texts of the checked definitions by their paths from their folder
 * @param keys the random numbers of a job without state
 * @param inputs names of the partitions that the source has at the start, sorted
 */
public record JobDefinition(Map<String, String> definitions, JobOptions options, JobKeys keys, List<String> inputs)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Name of the job. */
    public static final String NAME = "summarizer";

    /** Copies the map, because not every map can be sent. */
    public JobDefinition {
        definitions = new TreeMap<>(definitions);
        inputs = inputs.stream().sorted().toList();
    }

    /** Name of the definitions: the SHA-256 of their texts and names, in hex. */
    public String hash() {
        MessageDigest digest = Sha256.newDigest();
        new TreeMap<>(definitions).forEach((name, text) -> {
            digest.update((name + '\0').getBytes(StandardCharsets.UTF_8));
            digest.update((text + '\0').getBytes(StandardCharsets.UTF_8));
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Whether windows close. In a job over files, windows do not close, because files are read one after the other, and
     * a file may have older events than the files before it.
     */
    public boolean closesWindows() {
        return options.input() instanceof Input.Kafka;
    }

    /**
     * Whether the source reads the partition with this name. A savepoint may also have partitions of topics that this
     * job does not read.
     */
    public boolean reads(String input) {
        return !(options.input() instanceof Input.Kafka kafka)
                || kafka.topics().contains(input.substring(0, input.lastIndexOf('-')));
    }

    /** The rule by which records become messages. */
    public RecordRule recordRule() {
        TopicFrom from = options.input() instanceof Input.Kafka kafka ? kafka.topicFrom() : TopicFrom.SYSLOG;
        RecordRule.Source source = switch (from.kind()) {
            case SYSLOG -> RecordRule.Source.SYSLOG;
            case TOPIC -> RecordRule.Source.TOPIC;
            case HEADER -> RecordRule.Source.HEADER;
        };
        return new RecordRule(source, from.header(), options.messageBytesMax());
    }

    /**
     * The topic of a bare payload; null when the syslog message in the value has the topic, or when there is no topic.
     *
     * @param header value of the header of the record
     * @param topic name of its Kafka topic
     */
    public byte @Nullable [] topicOf(byte @Nullable [] header, byte[] topic) {
        if (!(options.input() instanceof Input.Kafka kafka)) {
            return null;
        }
        return switch (kafka.topicFrom().kind()) {
            case SYSLOG -> null;
            case TOPIC -> topic;
            case HEADER -> header;
        };
    }

    /** Name of the source in the ledger. */
    public String listener() {
        return options.input() instanceof Input.Kafka ? "kafka" : "files";
    }

    /** Number of subtasks of each operator that share the heap of a process. */
    public static int subtasks(Environment environment) {
        return Math.max(1, environment.getTaskManagerInfo().getConfiguration().get(TaskManagerOptions.NUM_TASK_SLOTS));
    }
}
