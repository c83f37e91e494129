package io.summarizer.flink.cli;

import io.summarizer.flink.demo.FlinkProcesses;
import io.summarizer.flink.demo.JavaProcesses;
import io.summarizer.flink.demo.KafkaProcess;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code flink demo-parts}: Kafka and Flink for {@code summarizer demo --flink}, which runs this command. For each part
 * that runs, the command prints a line that begins with the name of the part: {@code kafka BROKERS}, {@code job ID},
 * and {@code flink ADDRESS} or, for a cluster in this process, {@code flink -}. A line {@code failed REASON} says that
 * a part has ended. When standard input ends, the command ends all parts.
 */
@Command(name = "demo-parts", hidden = true, description = "Runs Kafka and Flink for the demo.")
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class DemoPartsCommand implements Callable<Integer> {
    private static final int PARTITIONS = 4;
    private static final int SUBTASKS = 2;

    /** Folders below the folder of the jars, see {@code copy_app} in {@code bin/lib.sh}. */
    private static final String KAFKA = "kafka";

    private static final String CLUSTER = "cluster";

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    @Parameters(paramLabel = "DEFINITIONS", description = "Folder of the definitions.")
    private Path definitions;

    @Option(names = "--folder", required = true, description = "Folder for everything that the parts write.")
    private Path folder;

    @Option(names = "--topic", required = true, description = "Topic to create and to read.")
    private String topic;

    @Option(names = "--exports", required = true, description = "Folder for the results.")
    private Path exports;

    @Option(names = "--distribution", description = "Flink's distribution. Default: a cluster in this process.")
    private @Nullable Path distribution;

    DemoPartsCommand(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path app = Path.of(System.getProperty("summarizer.app", "")).toAbsolutePath();
        BiConsumer<String, String> ended = (name, reason) -> {
            if (!name.equals(KafkaProcess.FORMAT)) {
                say("failed", name + " " + reason);
            }
        };
        try (JavaProcesses processes = new JavaProcesses(folder.resolve("kafka"), ended)) {
            KafkaProcess kafka = KafkaProcess.start(
                    processes, app.resolve(KAFKA) + File.separator + "*", folder.resolve("kafka/broker"));
            kafka.createTopic(topic, PARTITIONS);
            say("kafka", kafka.brokers());
            List<String> job = job(kafka.brokers());
            if (distribution == null) {
                inThisProcess(job);
            } else {
                onCluster(distribution, onlyJar(app.resolve(CLUSTER)), job, ended);
            }
        }
        return Exit.OK;
    }

    private List<String> job(String brokers) {
        return List.of(
                definitions.toString(),
                "--brokers",
                brokers,
                "--topics",
                topic,
                "--exports",
                exports.toUri().toString(),
                "--checkpoint",
                "1s",
                "--parallelism",
                String.valueOf(SUBTASKS));
    }

    private void onCluster(Path distribution, Path jar, List<String> job, BiConsumer<String, String> ended)
            throws IOException, InterruptedException {
        try (FlinkProcesses flink =
                FlinkProcesses.configure(distribution, folder.resolve("flink"), 1, Map.of(), ended)) {
            Process jobManager = flink.startJobManager();
            for (int i = 0; i < SUBTASKS; i++) {
                var unused = flink.startTaskManager(i);
            }
            flink.awaitSlots(SUBTASKS, jobManager);
            say("flink", flink.rest());
            say("job", flink.run(jar, List.of(), job));
            awaitEnd();
        }
    }

    private void inThisProcess(List<String> job) throws IOException {
        say("flink", "-");
        List<String> arguments = new ArrayList<>(List.of("try"));
        arguments.addAll(job);
        Thread running = new Thread(
                () -> {
                    int exit = FlinkCommand.run(in, err, err, arguments.toArray(String[]::new));
                    say("failed", "the job ended with " + exit);
                },
                "job");
        running.setDaemon(true);
        running.start();
        say("job", "-");
        awaitEnd();
    }

    private void awaitEnd() throws IOException {
        while (in.read() >= 0) {
            // The demo writes nothing; wait for its end.
        }
    }

    private synchronized void say(String part, String text) {
        out.println(part + " " + text);
        out.flush();
    }

    private static Path onlyJar(Path folder) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
            for (Path jar : jars) {
                return jar;
            }
        }
        throw new IOException(folder + " has no jar of the job");
    }
}
