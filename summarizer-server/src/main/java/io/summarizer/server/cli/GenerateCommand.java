package io.summarizer.server.cli;

import io.summarizer.core.bytes.BlockOutputStream;
import io.summarizer.server.replay.Destination;
import io.summarizer.server.replay.LineSender;
import io.summarizer.server.replay.RelpTarget;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.tls.ClientTls;
import io.summarizer.server.workload.AccessWorkload;
import io.summarizer.server.workload.AdsWorkload;
import io.summarizer.server.workload.Workload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code generate}: writes a workload to standard output, or sends it to a listener. */
@Command(
        name = "generate",
        description = {
            "Generates ad or web server traffic, to a file or a listener.",
            "The same number of events and the same seed make the same bytes."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the command
final class GenerateCommand extends JsonCommand {
    @Parameters(
            paramLabel = "ads-v1|ads-v2|access-log",
            description =
                    "ads-v1: flat CSV impressions, clicks and conversions; ads-v2: nested JSON auctions; access-log: access lines in JSON, with headers of RFC 3164.")
    private Kind kind = Kind.ADS_V1;

    @Option(names = "--events", required = true, paramLabel = "N", description = "Number of events.")
    private long events;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the random numbers. Default: 1.")
    private long seed = 1;

    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            description = {
                "Send to this listener. Over TCP: HOST:PORT or tcp://HOST:PORT. Over RELP: relp://HOST:PORT.",
                "With TLS: tls://HOST:PORT or relps://HOST:PORT. Default: write to standard output."
            })
    private @Nullable Destination to;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write to this file. Default: standard output, which is also -.")
    private @Nullable Path out;

    @Mixin
    private TlsOptions tlsOptions = new TlsOptions();

    /**
     * The answer as JSON.
     *
     * @param resent messages that were sent again because their session broke
     * @param file the file that was written; null when messages were sent
     */
    record Answer(
            long messages,
            long bytes,
            double seconds,
            long resent,
            @Nullable String file) {}

    /** Workloads. */
    enum Kind {
        ADS_V1,
        ADS_V2,
        ACCESS_LOG;

        Workload workload(long seed) {
            return switch (this) {
                case ADS_V1 -> AdsWorkload.v1(seed);
                case ADS_V2 -> AdsWorkload.v2(seed);
                case ACCESS_LOG -> AccessWorkload.of(seed);
            };
        }
    }

    @Override
    public Integer call() throws IOException, CommandFailure {
        if (events < 0) {
            throw wrong("--events cannot be negative");
        }
        out = unlessStandardOutput(out);
        if (to != null && out != null) {
            throw wrong("--to and --out: it goes to one of them");
        }
        boolean isStandardOutput = to == null && out == null;
        if (isStandardOutput && json.isGiven()) {
            throw wrong("--json: standard output has the events; name --out or --to");
        }
        Workload workload = kind.workload(seed);
        if (isStandardOutput) {
            workload.writeTo(terminal.data(), events);
            return Exit.OK;
        }
        long start = System.nanoTime();
        Made made;
        try (ProgressBar progress = new ProgressBar(terminal, "generating", 0, Units::bytes)) {
            made = out != null ? write(workload, out, progress) : send(workload, Objects.requireNonNull(to), progress);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (json.isGiven()) {
            String file = out == null ? null : out.toString();
            JsonOption.print(new Answer(events, made.bytes(), seconds, made.resent(), file), terminal);
        } else if (to != null) {
            TlsOptions.tellResent(terminal, made.resent());
            terminal.err()
                    .println("sent " + Units.count(events, "message") + " in " + Units.duration(seconds) + ", "
                            + Units.rate(events, seconds));
        }
        return Exit.OK;
    }

    private Made write(Workload workload, Path out, ProgressBar progress) throws IOException {
        try (AtomicFile file = new AtomicFile(out)) {
            Counted counted = new Counted(file.stream(), progress);
            workload.writeTo(counted, events);
            file.commit();
            return new Made(counted.bytes, 0);
        }
    }

    private Made send(Workload workload, Destination to, ProgressBar progress) throws CommandFailure, IOException {
        ClientTls tls = tlsOptions.of(to);
        if (to.protocol() == Destination.Protocol.RELP) {
            try (RelpTarget target = RelpTarget.connect(to.address(), tls);
                    LineSender lines = new LineSender(target)) {
                Counted counted = new Counted(lines, progress);
                workload.writeTo(counted, events);
                lines.finish();
                return new Made(counted.bytes, target.resent());
            }
        }
        try (TcpTarget target = TcpTarget.connect(to.address(), tls)) {
            Counted counted = new Counted(target.stream(), progress);
            workload.writeTo(counted, events);
            target.finish();
            return new Made(counted.bytes, 0);
        }
    }

    /** Numbers of bytes generated and of messages sent more than once. */
    private record Made(long bytes, long resent) {}

    /** A stream that counts the bytes written. */
    private static final class Counted extends BlockOutputStream {
        private final OutputStream out;
        private final ProgressBar progress;
        private long bytes;

        Counted(OutputStream out, ProgressBar progress) {
            this.out = out;
            this.progress = progress;
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            out.write(from, offset, length);
            bytes += length;
            progress.update(bytes);
        }
    }
}
