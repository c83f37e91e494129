package io.summarizer.server.cli;

import io.summarizer.server.replay.Destination;
import io.summarizer.server.replay.FrameFormat;
import io.summarizer.server.replay.InputFormat;
import io.summarizer.server.replay.RelpTarget;
import io.summarizer.server.replay.Replay;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay}: sends a file of syslog messages. */
@Command(
        name = "replay",
        description = {
            "Sends a file of syslog messages over TCP or RELP.",
            "Messages are lines or octet-counted frames as in data/rejects/; the first bytes of the file decide which. With"
                    + " --format jsonl they are JSON objects as `rejects` writes them. Gzip is unpacked.",
            "Prints the number of messages that were sent. If a message was not sent, prints the reason, and the exit status is 3."
        })
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class ReplayCommand extends JsonCommand {
    @Parameters(paramLabel = "FILE", description = "File to send; - for standard input.")
    private Path file;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "HOST:PORT",
            description = {
                "The receiver. Over TCP: HOST:PORT or tcp://HOST:PORT. Over RELP, which repeats each message until it is acknowledged: relp://HOST:PORT.",
                "With TLS: tls://HOST:PORT or relps://HOST:PORT."
            })
    private Destination to;

    @Option(
            names = "--format",
            paramLabel = "jsonl|frames|lines",
            description = "The form of the messages in FILE. Default: frames or lines, decided by the first bytes.")
    private @Nullable InputFormat format;

    @Option(
            names = "--framing",
            paramLabel = "lf|octet",
            description =
                    "Framing of sent messages. Default: for each message, the framing that a listener with framing auto reads correctly.")
    private @Nullable FrameFormat framing;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Messages per second. Default: as fast as the receiver takes them.")
    private long rate;

    @Mixin
    private TlsOptions tlsOptions = new TlsOptions();

    /**
     * The answer as JSON.
     *
     * @param bytes number of bytes that were sent
     * @param resent messages that were sent again because their session broke
     * @param skipped messages that were not sent
     * @param notes the reasons why the first skipped messages were not sent; if a file could not be read to its end,
     *     also the reason for this
     */
    record Answer(long messages, long bytes, double seconds, long resent, long skipped, List<String> notes) {}

    @Override
    public Integer call() throws IOException, CommandFailure {
        if (rate < 0) {
            throw wrong("--rate cannot be negative");
        }
        boolean isStandardInput = file.equals(Replay.STANDARD_INPUT);
        if (!isStandardInput) {
            InputFile.check(file);
        }
        if (to.protocol() == Destination.Protocol.RELP && framing != null) {
            throw wrong("--framing: RELP has a framing of its own");
        }
        ClientTls tls = tlsOptions.of(to);
        Replay.Sent sent;
        try (ProgressBar progress = new ProgressBar(
                terminal, "sending", rate > 0 || isStandardInput ? 0 : Files.size(file), Units::bytes)) {
            sent = send(new Replay(file, format, framing, rate, progress::update), tls);
        }
        double seconds = sent.nanos() / 1e9;
        Answer answer = new Answer(sent.messages(), sent.bytes(), seconds, sent.resent(), sent.skipped(), sent.notes());
        if (json.isGiven()) {
            JsonOption.print(answer, terminal);
        } else {
            TlsOptions.tellResent(terminal, answer.resent());
            terminal.err()
                    .println("sent " + Units.count(answer.messages(), "message") + ", "
                            + Units.bytes(answer.bytes()) + ", in " + Units.duration(seconds) + ", "
                            + Units.rate(answer.messages(), seconds));
            answer.notes().forEach(terminal.err()::println);
        }
        if (!answer.notes().isEmpty()) {
            throw new CommandFailure(
                    answer.skipped() == 0
                            ? "not all could be read"
                            : Units.count(answer.skipped(), "message") + (answer.skipped() == 1 ? " was" : " were")
                                    + " not sent");
        }
        return Exit.OK;
    }

    private Replay.Sent send(Replay replay, @Nullable ClientTls tls) throws IOException {
        if (to.protocol() == Destination.Protocol.RELP) {
            try (RelpTarget target = RelpTarget.connect(to.address(), tls)) {
                return replay.to(target);
            }
        }
        try (TcpTarget target = TcpTarget.connect(to.address(), tls)) {
            return replay.to(target);
        }
    }
}
