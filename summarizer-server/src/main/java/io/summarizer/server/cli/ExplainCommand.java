package io.summarizer.server.cli;

import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.dsl.codegen.TooLargeException;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.explain.MessageExplainer;
import io.summarizer.server.explain.MessageExplainer.Told;
import io.summarizer.server.service.DefinitionsException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain}: shows the fate of a message, and the reasons. */
@Command(
        name = "explain",
        description = {
            "Shows what becomes of a syslog message, and why.",
            "Prints frame, envelope, topic, event type and decoded fields; then for each mapping its condition, the"
                    + " key, and what each update adds or why it adds nothing. Changes no summary. Uses the"
                    + " definitions of a folder or, with --server, the definitions, limits and topic rule of the"
                    + " running service. Standard error names the definitions."
        },
        exitCodeList = "1:A message was rejected, or no event type took it, or the definitions have errors.")
final class ExplainCommand extends JsonCommand {
    private static final String STANDARD_INPUT = "-";

    @Mixin
    private DefinitionsSource source = new DefinitionsSource();

    @Option(
            names = "--framing",
            paramLabel = "auto|lf|octet",
            description = "How the input is divided into messages. Default: auto.")
    private Framing framing = Framing.AUTO;

    @Option(
            names = "--topic-from",
            paramLabel = "RULE",
            description =
                    "The part of the envelope that is the topic: msgid-or-app-name, msgid or app-name. Default: listen.syslog-tcp.topic"
                            + " of the configuration.")
    private @Nullable TopicRule topicFrom;

    @Mixin
    private TopicOption topic = new TopicOption();

    @Mixin
    private YearOption year = new YearOption();

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "Stop after N messages. Default: ${DEFAULT-VALUE}.",
            defaultValue = "100")
    private int messagesMax;

    @Parameters(
            paramLabel = "LINE",
            arity = "0..1",
            description = "A message. With - or without LINE, messages are read from standard input.")
    private String line = STANDARD_INPUT;

    /**
     * The answer as JSON.
     *
     * @param framingLost the reason why the input could not be read to its end, or null
     */
    record Answer(
            DefinitionsSource.Used definitions,
            List<ExplainedMessage> messages,
            @Nullable String framingLost) {}

    @Override
    public Integer call()
            throws IOException, CommandFailure, ConfigException, DefinitionsException, InterruptedException {
        topic.check(framing);
        DefinitionsSource.Loaded loaded = source.load(environment);
        ServerConfig config = loaded.config();
        ServerConfig.Stream listener = config.syslogTcp();
        SyslogFramer framer =
                topic.framer(framing, listener.messageBytesMax(), topicFrom == null ? listener.topic() : topicFrom);
        MessageExplainer explainer = new MessageExplainer(
                loaded.checked().definitions(),
                listener.timezone(),
                year.year(),
                config.limits().values(),
                config.limits().windows().aheadMicros());
        if (!json.isGiven()) {
            terminal.err().println(loaded.used().line());
        }
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        List<Told> messages = new ArrayList<>();
        boolean isStandardInput = line.equals(STANDARD_INPUT);
        String broken;
        try (InputStream in = topic.messages(
                isStandardInput ? System.in : new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)))) {
            broken = explainer.read(in, framer, now, messagesMax, told -> {
                if (!json.isGiven()) {
                    terminal.out().print((messages.isEmpty() ? "" : "\n") + told.text());
                }
                messages.add(told);
            });
        } catch (TooLargeException e) {
            throw new DefinitionsException(loaded.used().place(), e);
        }
        if (json.isGiven()) {
            JsonOption.print(
                    new Answer(
                            loaded.used(),
                            messages.stream().map(ExplainedMessage::of).toList(),
                            broken.isEmpty() ? null : broken),
                    terminal);
        }
        if (!broken.isEmpty()) {
            throw new CommandFailure("the framing was lost: " + broken);
        }
        if (messages.isEmpty()) {
            throw new CommandFailure("there is no message in that");
        }
        if (isStandardInput && messages.size() == messagesMax) {
            terminal.err().println("stopped after " + Units.count(messagesMax, "message") + "; --max N shows more");
        }
        return messages.stream().allMatch(Told::isTaken) ? Exit.OK : Exit.NO;
    }
}
