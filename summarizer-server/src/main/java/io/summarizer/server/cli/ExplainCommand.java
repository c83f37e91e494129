package io.summarizer.server.cli;

import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.explain.MessageExplainer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain}: what becomes of a message, and why. */
@Command(
        name = "explain",
        description = {
            "Shows what becomes of a syslog message, and why.",
            "Its frame, envelope, topic, event type and decoded fields; then for each mapping its condition, the key, and what each"
                    + " update adds or why it adds nothing. Nothing is kept. Exit status 1 when a message was rejected or no"
                    + " event type took it."
        },
        sortOptions = false)
final class ExplainCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    private final Terminal terminal;
    private final Map<String, String> environment;

    @Option(
            names = "--definitions",
            paramLabel = "DIR",
            description = "Folder of the .summ files. Default: schemas of this project.")
    private @Nullable Path folder;

    @Option(
            names = "--framing",
            paramLabel = "auto|lf|octet",
            description = "How messages follow each other. Default: auto.",
            converter = RunCommand.FramingConverter.class)
    private Framing framing = Framing.AUTO;

    @Option(
            names = "--topic-from",
            paramLabel = "RULE",
            description =
                    "Which part of the envelope is the topic: msgid-or-app-name, msgid or app-name. Default: as the"
                            + " configuration says for the listener (listen.syslog-tcp.topic).",
            converter = TopicRuleConverter.class)
    private @Nullable TopicRule topicFrom;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "Stop after so many messages. Default: ${DEFAULT-VALUE}.",
            defaultValue = "100")
    private int messagesMax;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Parameters(paramLabel = "LINE", arity = "0..1", description = "A message; - or none: those on standard input.")
    private String line = STANDARD_INPUT;

    ExplainCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    static final class TopicRuleConverter extends WordConverter<TopicRule> {
        TopicRuleConverter() {
            super(TopicRule.values());
        }
    }

    /** What was told so far. */
    private static final class Tally {
        private int messages;
        private int taken;
    }

    @Override
    public Integer call() throws IOException, CommandFailure {
        ServerConfig.SyslogTcp listener = options.load(null, environment).syslogTcp();
        Definitions definitions = Plans.check(folder == null ? HomeFolder.definitions() : folder);
        SyslogFramer framer = new SyslogFramer(
                framing,
                listener.messageBytesMax(),
                new EnvelopeParser(topicFrom == null ? listener.topic() : topicFrom));
        MessageExplainer explainer = new MessageExplainer(definitions, listener.timezone());
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        Tally tally = new Tally();
        boolean isStandardInput = line.equals(STANDARD_INPUT);
        String broken;
        try (InputStream in =
                isStandardInput ? System.in : new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8))) {
            broken = explainer.read(in, framer, now, messagesMax, told -> {
                if (tally.messages++ > 0) {
                    terminal.out().println();
                }
                terminal.out().print(told.text());
                tally.taken += told.isTaken() ? 1 : 0;
            });
        }
        if (!broken.isEmpty()) {
            throw new CommandFailure("the framing was lost: " + broken);
        }
        if (tally.messages == 0) {
            throw new CommandFailure("there is no message in that");
        }
        if (isStandardInput && tally.messages == messagesMax) {
            terminal.err().println("stopped after " + Units.count(messagesMax, "message") + "; --max N shows more");
        }
        return tally.taken == tally.messages ? Main.OK : Main.FAILED;
    }
}
