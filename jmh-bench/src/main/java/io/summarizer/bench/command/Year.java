package io.summarizer.bench.command;

import io.summarizer.bench.chaos.YearRun;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Tests that a year of hourly windows is complete on the disk and no longer in memory, even when the service is killed.
 */
@Command(
        description = {
            "Tests that a year of hourly windows leaves memory and is complete on the disk.",
            "A sender sends the events of each hour to a service with 1 GB of heap over RELP, as fast as windows close."
                    + " Each window is exported when it closes. The service is killed at random moments, which follow from"
                    + " the seed. The live heap is measured at windows 1,000 and 8,000. At the end, the files of windows,"
                    + " the exports, their manifests, the ledger and pulls have to have exactly what was sent.",
            "The exit status is 1 when something is missing, wrong or changed, or when the live heap grows by more than"
                    + " 2 KiB for a closed window. The folder --work then has the evidence."
        })
public final class Year extends BenchCommand {
    private static final int WINDOWS_MIN = 50;

    @Option(
            names = "--windows",
            paramLabel = "N",
            description = "Number of hours. Default: ${DEFAULT-VALUE}. The heap is measured at the same parts of them.")
    private int windows = YearRun.YEAR;

    @Option(
            names = "--kills",
            paramLabel = "K",
            description = "Number of SIGKILLs while events come in. Default: ${DEFAULT-VALUE}.")
    private int kills = 20;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the kills. Default: a random one.")
    private long seed = Chaos.Evidence.seed();

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Send at most N windows a second, on average. Default: ${DEFAULT-VALUE}.")
    private int rate = 40;

    @Mixin
    private final Chaos.Evidence evidence = new Chaos.Evidence();

    @Override
    public Integer call() throws IOException, InterruptedException {
        atLeast(WINDOWS_MIN, "--windows", windows);
        atLeast(0, "--kills", kills);
        atLeast(1, "--rate", rate);
        if (kills > windows / 2) {
            throw unusable("--kills " + kills + " is more than half of --windows " + windows);
        }
        Path folder = evidence.folder(this);
        YearRun.Settings settings = new YearRun.Settings(home.toAbsolutePath(), folder, seed, windows, kills, rate);
        return evidence.run(home, folder, seed, () -> YearRun.run(settings, System.out));
    }
}
