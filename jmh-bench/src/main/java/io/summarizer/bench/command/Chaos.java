package io.summarizer.bench.command;

import io.summarizer.bench.chaos.Attack;
import io.summarizer.bench.chaos.ChaosException;
import io.summarizer.bench.chaos.ChaosRun;
import io.summarizer.bench.chaos.HostileRun;
import io.summarizer.bench.chaos.Kind;
import io.summarizer.bench.chaos.RunFigures;
import io.summarizer.bench.report.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tests whether an acknowledged event is ever lost or counted twice. */
@Command(
        description = {
            "Whether anything that was acknowledged is ever lost or counted twice, whatever happens to the service.",
            "It gets numbered events by RELP, from a sender of ours or a real rsyslogd, and is killed, stopped, cut off and"
                    + " damaged as a plan says that follows from the seed. A line for each incident, and a table in the end.",
            "With --hostile it has a heap of 512 MiB, the default limits and a good sender, and is attacked instead: with large"
                    + " and endless messages, keys, texts, queries and connections. The good sender's numbers have to be exact,"
                    + " /healthz has to answer within 1 s throughout, and the service has to start again after SIGKILL.",
            "Exit status 1 when something was lost, counted twice or unaccounted for; then --work has all there is to see."
        })
public final class Chaos extends BenchCommand {
    private static final int SEED_BOUND = 1_000_000_000;
    private static final double MINUTES = 1;
    private static final double MINUTES_MAX = 60 * 24 * 7;
    private static final int MILLIS_A_MINUTE = 60_000;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Ends after so many. Default: 1, or with --kills when there were as many.")
    private @Nullable Double minutes;

    @Option(names = "--seed", paramLabel = "S", description = "Of the plan. Default: another one each time.")
    private long seed = new SplittableRandom().nextInt(SEED_BOUND);

    @Option(names = "--kills", paramLabel = "K", description = "Ends after so many SIGKILLs while events came in.")
    private int kills;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "So many in all, spread evenly over --kills. Default: as many as there is time for.")
    private long events;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Events a second at most, on average. Default: ${DEFAULT-VALUE}.")
    private long rate = 20_000;

    @Option(
            names = "--connections",
            paramLabel = "C",
            description = "Hostile connections that are open beside that of the sender. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(names = "--sender", paramLabel = "relp|rsyslog", description = "Ours or a real one. Default: relp.")
    private Sender sender = Sender.RELP;

    @Option(
            names = "--kinds",
            split = ",",
            paramLabel = "KIND",
            description = "What may happen, one or more of: ${COMPLETION-CANDIDATES}. Default: all that can here.")
    private List<Kind> kinds = new ArrayList<>();

    @Option(names = "--hostile", description = "Attacks the service, and kills it once, in the end.")
    private boolean hostile;

    @Option(
            names = "--attacks",
            split = ",",
            paramLabel = "ATTACK",
            description = "With --hostile, one or more of: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Attack> attacks = List.of(Attack.values());

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "For data and logs, without data. Default: a new folder of the system's temporary ones.")
    private @Nullable Path work;

    @Option(names = "--output", paramLabel = "FILE", description = "Where a line about the run is added to a CSV.")
    private @Nullable Path output;

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
        Path folder = work == null ? Files.createTempDirectory("summarizer-chaos") : Files.createDirectories(work);
        if (Files.exists(folder.resolve("data"))) {
            throw unusable("--work " + folder + " has data already");
        }
        if (hostile) {
            return attack(folder);
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
        double limit = minutes != null ? minutes : kills > 0 ? MINUTES_MAX : MINUTES;
        ChaosRun.Settings settings = new ChaosRun.Settings(
                home.toAbsolutePath(),
                folder.toAbsolutePath(),
                seed,
                kills,
                Duration.ofMillis((long) (limit * MILLIS_A_MINUTE)),
                events,
                rate,
                connections,
                sender == Sender.RSYSLOG,
                possible);
        return run(folder, () -> ChaosRun.run(settings, System.out).figures(settings));
    }

    private int attack(Path folder) throws IOException, InterruptedException {
        HostileRun.Settings settings = new HostileRun.Settings(
                home.toAbsolutePath(),
                folder.toAbsolutePath(),
                seed,
                Duration.ofMillis((long) ((minutes != null ? minutes : MINUTES) * MILLIS_A_MINUTE)),
                rate,
                connections,
                attacks,
                HostileRun.LARGE_KEYS);
        return run(folder, () -> HostileRun.run(settings, System.out));
    }

    private interface Run {
        RunFigures figures() throws IOException, InterruptedException;
    }

    private int run(Path folder, Run run) throws InterruptedException {
        System.out.println("seed " + seed + ", in " + folder.toAbsolutePath());
        try {
            RunFigures figures = run.figures();
            System.out.print(figures.table());
            figures.faults().forEach(fault -> System.out.println("FAILED: " + fault));
            if (output != null) {
                Provenance.of(home).append(output, figures.header(), List.of(figures.csv()));
            }
            return figures.faults().isEmpty() ? 0 : 1;
        } catch (ChaosException | IOException e) {
            System.out.println("FAILED, seed " + seed + ": " + e.getMessage());
            return 1;
        }
    }
}
