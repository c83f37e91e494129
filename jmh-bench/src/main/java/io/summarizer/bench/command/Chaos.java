package io.summarizer.bench.command;

import io.summarizer.bench.chaos.Attack;
import io.summarizer.bench.chaos.ChaosException;
import io.summarizer.bench.chaos.ChaosRun;
import io.summarizer.bench.chaos.HostileRun;
import io.summarizer.bench.chaos.KafkaRun;
import io.summarizer.bench.chaos.Kind;
import io.summarizer.bench.chaos.RunFigures;
import io.summarizer.bench.chaos.WindowsRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tests whether an acknowledged event is ever lost or counted twice. */
@Command(
        description = {
            "Tests whether an acknowledged event is ever lost or counted twice, whatever happens to the service.",
            "A built-in sender or a real rsyslogd sends numbered events to the service over RELP. Meanwhile the command"
                    + " kills, stops or cuts off the service, or damages its files. The plan of these incidents follows from"
                    + " the seed. The command prints a line for each incident, and a table at the end.",
            "With --hostile, clients attack the service instead. They use large and endless messages, keys, texts, queries"
                    + " and connections. The service has a heap of 512 MiB and the default limits, and a good sender sends at the"
                    + " same time. The good sender's events have to be counted exactly, /healthz has to answer within 1 s"
                    + " throughout, and the service has to start again after SIGKILL.",
            "With --windows, the service is killed while windows of seconds close, and while their files are written,"
                    + " replaced and deleted. No event may be lost or counted twice between memory, files and the ledger,"
                    + " and no file of a window may change.",
            "With --kafka, the service reads events of the reference workload from an Apache Kafka broker, which an rsyslogd"
                    + " and a producer send there. The command kills the service --kills times (default: 50), and kills or"
                    + " stops the broker --restarts times. At the end, all tables have to be those of run and of DuckDB over"
                    + " the same --events (default: 5,000,000).",
            "The exit status is 1 when an event was lost, counted twice or unaccounted for. The folder --work then has the"
                    + " evidence."
        })
public final class Chaos extends BenchCommand {
    private static final double MINUTES = 1;
    private static final double MINUTES_MAX = 60 * 24 * 7;
    private static final int MILLIS_A_MINUTE = 60_000;
    private static final int KAFKA_KILLS = 50;
    private static final long KAFKA_EVENTS = 5_000_000;
    /** Two senders, each with two kinds of events. */
    private static final int SENDERS_AND_KINDS = 4;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "End after N minutes. Default: 1, or no limit with --kills.")
    private @Nullable Double minutes;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the plan. Default: a random one.")
    private long seed = Evidence.seed();

    @Option(names = "--kills", paramLabel = "K", description = "End after K SIGKILLs while events come in.")
    private int kills;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Send N events in all, spread evenly over --kills. Default: as many as time allows.")
    private long events;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Send at most N events a second, on average. Default: ${DEFAULT-VALUE}.")
    private long rate = 20_000;

    @Option(
            names = "--connections",
            paramLabel = "C",
            description = "Number of hostile connections in addition to the sender. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(names = "--sender", paramLabel = "relp|rsyslog", description = "Built-in or rsyslogd. Default: relp.")
    private Sender sender = Sender.RELP;

    @Option(
            names = "--kinds",
            split = ",",
            paramLabel = "KIND",
            description = "Incidents that may happen: ${COMPLETION-CANDIDATES}. Default: all that this machine allows.")
    private List<Kind> kinds = new ArrayList<>();

    @Option(names = "--windows", description = "Kill the service while windows close.")
    private boolean windows;

    @Option(names = "--hostile", description = "Attack the service, and kill it once at the end.")
    private boolean hostile;

    @Option(names = "--kafka", description = "Let the service read Kafka, and restart the broker, too.")
    private boolean kafka;

    @Option(
            names = "--restarts",
            paramLabel = "R",
            description = "With --kafka, restart the broker R times. Default: ${DEFAULT-VALUE}.")
    private int restarts = 5;

    @Option(
            names = "--attacks",
            split = ",",
            paramLabel = "ATTACK",
            description = "With --hostile, attacks that may happen: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Attack> attacks = List.of(Attack.values());

    @Mixin
    private final Evidence evidence = new Evidence();

    private enum Sender {
        RELP,
        RSYSLOG
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        atLeast(0, "--kills", kills);
        atLeast(0, "--events", events);
        atLeast(1, "--rate", rate);
        atLeast(0, "--connections", connections);
        atLeast(0, "--restarts", restarts);
        Path folder = evidence.folder(this);
        if (hostile) {
            return attack(folder);
        }
        double limit = minutes != null ? minutes : kills > 0 ? MINUTES_MAX : MINUTES;
        if (windows) {
            WindowsRun.Settings settings = new WindowsRun.Settings(
                    home.toAbsolutePath(),
                    folder,
                    seed,
                    kills > 0 ? kills : Integer.MAX_VALUE,
                    Duration.ofMillis((long) (limit * MILLIS_A_MINUTE)),
                    rate,
                    sender == Sender.RSYSLOG);
            return evidence.run(home, folder, seed, () -> WindowsRun.run(settings, System.out));
        }
        if (kafka) {
            return throughKafka(folder);
        }
        List<Kind> possible = new ArrayList<>(kinds.isEmpty() ? Kind.possible() : kinds);
        if (sender == Sender.RSYSLOG && possible.contains(Kind.DAMAGED_JOURNAL)) {
            if (!kinds.isEmpty()) {
                throw unusable(
                        "--kinds damaged-journal needs a sender that knows what was acknowledged, and rsyslogd does"
                                + " not tell");
            }
            possible.remove(Kind.DAMAGED_JOURNAL);
        }
        ChaosRun.Settings settings = new ChaosRun.Settings(
                home.toAbsolutePath(),
                folder,
                seed,
                kills,
                Duration.ofMillis((long) (limit * MILLIS_A_MINUTE)),
                events,
                rate,
                connections,
                sender == Sender.RSYSLOG,
                possible);
        return evidence.run(home, folder, seed, () -> ChaosRun.run(settings, System.out));
    }

    private int attack(Path folder) throws IOException, InterruptedException {
        HostileRun.Settings settings = new HostileRun.Settings(
                home.toAbsolutePath(),
                folder,
                seed,
                Duration.ofMillis((long) ((minutes != null ? minutes : MINUTES) * MILLIS_A_MINUTE)),
                rate,
                connections,
                attacks,
                HostileRun.LARGE_KEYS);
        return evidence.run(home, folder, seed, () -> HostileRun.run(settings, System.out));
    }

    private int throughKafka(Path folder) throws InterruptedException {
        KafkaRun.Settings settings = new KafkaRun.Settings(
                home.toAbsolutePath(),
                folder,
                seed,
                kills > 0 ? kills : KAFKA_KILLS,
                restarts,
                (events > 0 ? events : KAFKA_EVENTS) / SENDERS_AND_KINDS * SENDERS_AND_KINDS,
                rate);
        return evidence.run(home, folder, seed, () -> KafkaRun.run(settings, System.out));
    }

    /** A run that makes figures. */
    interface Run {
        RunFigures figures() throws IOException, InterruptedException;
    }

    /** The options for the folder and the figures of a run of random failures. */
    static final class Evidence {
        private static final int SEED_BOUND = 1_000_000_000;

        @Option(
                names = "--work",
                paramLabel = "DIR",
                description = "Folder for data and logs; it must not contain data. Default: a new temporary folder.")
        private @Nullable Path work;

        @Option(names = "--output", paramLabel = "FILE", description = "Append a line with the figures to this CSV.")
        private @Nullable Path output;

        /** Returns a random seed. */
        static long seed() {
            return new SplittableRandom().nextInt(SEED_BOUND);
        }

        /** Returns the folder of the run, which has no data yet. */
        Path folder(BenchCommand command) throws IOException {
            Path folder = work == null
                    ? Files.createTempDirectory("summarizer-" + command.name())
                    : Files.createDirectories(work);
            if (Files.exists(folder.resolve("data"))) {
                throw command.unusable("--work " + folder + " has data already");
            }
            return folder.toAbsolutePath();
        }

        /** Runs, and reports the figures or the failure; returns the exit code. */
        int run(Path home, Path folder, long seed, Run run) throws InterruptedException {
            System.out.println("seed " + seed + ", in " + folder);
            try {
                return run.figures().report(System.out, home, output);
            } catch (ChaosException | IOException e) {
                System.out.println("FAILED, seed " + seed + ": " + e.getMessage());
                return 1;
            }
        }
    }
}
