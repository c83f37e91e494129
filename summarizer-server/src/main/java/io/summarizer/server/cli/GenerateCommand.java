package io.summarizer.server.cli;

import io.summarizer.server.replay.Destination;
import io.summarizer.server.replay.LineSender;
import io.summarizer.server.replay.RelpTarget;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.tls.ClientTls;
import io.summarizer.server.workload.AdsWorkload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code generate}: the reference workload, to standard output or to a listener. */
@Command(
        name = "generate",
        description = {
            "Makes ad server traffic, to a file or a listener.",
            "The same number and seed make the same bytes."
        },
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the command
final class GenerateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            paramLabel = "ads-v1|ads-v2",
            description = "v1: flat CSV impressions, clicks and conversions; v2: nested JSON auctions.",
            converter = Kind.Converter.class)
    private Kind kind = Kind.ADS_V1;

    @Option(names = "--events", required = true, paramLabel = "N", description = "How many.")
    private long events;

    @Option(names = "--seed", paramLabel = "S", description = "Default: 1.")
    private long seed = 1;

    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            description = "Send it there over TCP; also tcp://HOST:PORT. relp://HOST:PORT: by RELP. tls://HOST:PORT,"
                    + " relps://HOST:PORT: the same within TLS. Default: standard output.",
            converter = DestinationConverter.class)
    private @Nullable Destination to;

    @Option(names = "--out", paramLabel = "FILE", description = "Write it there. Default: standard output.")
    private @Nullable Path out;

    @Mixin
    private SenderTls senderTls = new SenderTls();

    @Spec
    private CommandSpec command;

    GenerateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The workloads there are. */
    enum Kind {
        ADS_V1,
        ADS_V2;

        AdsWorkload workload(long seed) {
            return this == ADS_V1 ? AdsWorkload.v1(seed) : AdsWorkload.v2(seed);
        }

        static final class Converter extends WordConverter<Kind> {
            Converter() {
                super(Kind.values());
            }
        }
    }

    @Override
    public Integer call() throws IOException, CommandFailure {
        if (events < 0) {
            throw new ParameterException(command.commandLine(), "--events cannot be negative");
        }
        if (to != null && out != null) {
            throw new ParameterException(command.commandLine(), "--to and --out: it goes to one of them");
        }
        AdsWorkload workload = kind.workload(seed);
        long start = System.nanoTime();
        try (ProgressBar progress = new ProgressBar(terminal, "generating", 0, bytes -> Units.bytes((double) bytes))) {
            if (out != null) {
                try (AtomicFile file = new AtomicFile(out)) {
                    workload.writeTo(file.stream(), events);
                    file.commit();
                }
                return Exit.OK;
            }
            if (to == null) {
                workload.writeTo(terminal.data(), events);
                return Exit.OK;
            }
            send(workload, to, progress);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        terminal.err()
                .println("sent " + Units.count(events) + " messages in " + Units.duration(seconds) + ", "
                        + Units.rate(events, seconds));
        return Exit.OK;
    }

    private void send(AdsWorkload workload, Destination to, ProgressBar progress) throws IOException {
        ClientTls tls = senderTls.of(to, command);
        if (to.protocol() == Destination.Protocol.RELP) {
            try (RelpTarget target = RelpTarget.connect(to.address(), tls);
                    LineSender lines = new LineSender(target)) {
                workload.writeTo(counting(lines, progress), events);
                lines.finish();
                Resent.tell(terminal, target);
            }
            return;
        }
        try (TcpTarget target = TcpTarget.connect(to.address(), tls)) {
            workload.writeTo(counting(target.stream(), progress), events);
            target.finish();
        }
    }

    private static OutputStream counting(OutputStream out, ProgressBar progress) {
        return new OutputStream() {
            private long sent;

            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
                sent += length;
                progress.update(sent);
            }
        };
    }
}
