package io.summarizer.server.cli;

import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.TopicRule;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of commands that read messages to take lines without a header. */
final class TopicOption {
    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description = "Take each line as a payload of this topic, without a syslog header.")
    private @Nullable String topic;

    /** Whether the option is given. */
    boolean isGiven() {
        return topic != null;
    }

    /**
     * Checks that the option goes with the others.
     *
     * @param framing of the messages
     */
    void check(Framing framing) throws CommandFailure {
        if (topic == null) {
            return;
        }
        if (framing == Framing.OCTET) {
            throw usage("--topic is about lines: not with --framing octet");
        }
        if (topic.isEmpty() || topic.equals("-") || topic.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
            throw usage("--topic: \"" + topic + "\" is not one word");
        }
        if (topic.getBytes(StandardCharsets.UTF_8).length > TopicRule.TOPIC_BYTES_MAX) {
            throw usage("--topic: a topic has at most " + TopicRule.TOPIC_BYTES_MAX + " bytes");
        }
    }

    private static CommandFailure usage(String text) {
        return new CommandFailure(CommandFailure.Kind.USAGE, text);
    }

    /** The settings that go with the option. */
    List<String> settings() {
        return topic == null ? List.of() : List.of(PayloadLines.TOPIC_SETTING);
    }

    /** The framing of what {@link #messages} gives. */
    Framing framing(Framing asked) {
        return topic == null ? asked : Framing.LF;
    }

    /** The messages of a stream. */
    InputStream messages(InputStream in) {
        return topic == null ? in : new PayloadLines(in, topic);
    }
}
