package io.summarizer.server.cli;

import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --topic} of commands that read messages: every line is a payload without a header. */
final class TopicOption {
    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description = "Take each line as a payload of this topic, without a syslog header.")
    private @Nullable String topic;

    /**
     * Checks that the option fits the other options.
     *
     * @param framing framing of the messages
     */
    void check(Framing framing) throws CommandFailure {
        if (topic == null) {
            return;
        }
        if (framing == Framing.OCTET) {
            throw CommandFailure.usage("--topic is about lines: not with --framing octet");
        }
        if (topic.isEmpty() || topic.equals("-") || topic.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
            throw CommandFailure.usage("--topic: \"" + topic + "\" is not one word");
        }
        if (topic.chars().anyMatch(c -> c > 0x7f)) {
            throw CommandFailure.usage("--topic: \"" + topic + "\" is not ASCII, and goes into a header, which is");
        }
        if (topic.getBytes(StandardCharsets.UTF_8).length > TopicRule.TOPIC_BYTES_MAX) {
            throw CommandFailure.usage("--topic: a topic has at most " + TopicRule.TOPIC_BYTES_MAX + " bytes");
        }
    }

    /** Whether a file has messages with headers, as they were received, instead of lines without headers. */
    boolean messagesAreFrames() {
        return topic == null;
    }

    /**
     * Makes a framer for the result of {@link #messages}.
     *
     * @param asked the framing of messages that have a header
     * @param messageBytesMax bound on the bytes of a message in the stream; the header that this option puts before the
     *     message does not count
     */
    SyslogFramer framer(Framing asked, int messageBytesMax, TopicRule rule) {
        return topic == null
                ? new SyslogFramer(asked, messageBytesMax, new EnvelopeParser(rule)).ofFile()
                : new SyslogFramer(
                        Framing.LF,
                        messageBytesMax + PayloadLines.header(topic).length,
                        new EnvelopeParser(TopicRule.MSGID));
    }

    /** Returns the messages of a stream. */
    InputStream messages(InputStream in) {
        return topic == null ? in : new PayloadLines(in, topic);
    }
}
