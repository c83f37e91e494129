package io.summarizer.bench.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.summarizer.bench.e2e.Traffic;
import io.summarizer.bench.flink.Events;
import io.summarizer.bench.flink.FlinkTry;
import io.summarizer.bench.flink.SqlMain;
import io.summarizer.bench.kafka.FilledTopic;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.report.Processes;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.report.ThreadTimes;
import io.summarizer.bench.sweep.Input;
import io.summarizer.server.demo.KafkaBroker;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the job on Flink, and Flink SQL on the same events. */
@Command(
        description = {
            "Measures the job on a Flink cluster in one process, and Flink SQL on the same events.",
            "files, kafka: rate between two checkpoints of v1 events from files, or from a topic of a broker beside; the"
                    + " first third of the events is a warm-up. kafka-2: two subtasks. one-core: from files, on one"
                    + " processor. rows: checkpoints of many rows, and the last one restored by two subtasks. sql and"
                    + " sql-distinct: Flink SQL counts and adds impressions, from a file without syslog headers; it"
                    + " runs on Flink's distribution, which bin/test --all unpacks below target/."
        })
public final class Flink extends BenchCommand {
    private static final List<String> SECTIONS =
            List.of("files", "kafka", "kafka-2", "one-core", "rows", "sql", "sql-distinct");

    /** The libraries of Flink's distribution, which Flink SQL needs. */
    private static final String DISTRIBUTION = "target/flink/lib";

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int TIMES = 3;
    private static final int PARTITIONS = 4;
    /** Checkpoints of all rows. */
    private static final int CHECKPOINTS = 4;
    /**
     * Number of events that are added for the restored job; once the job has processed these events, the restore has
     * worked.
     */
    private static final int MORE = 10_000;

    private final PrintStream out = System.out;

    @Option(names = "--sections", split = ",", paramLabel = "NAME", description = "Default: all; ${DEFAULT-VALUE}.")
    private List<String> sections = SECTIONS;

    @Option(
            names = "--events",
            paramLabel = "N",
            description =
                    "Events of a job; a third of them is generated, and comes three times. Default: ${DEFAULT-VALUE}.")
    private long events = 15_000_000;

    @Option(
            names = "--sql-events",
            paramLabel = "N",
            description = "Events of each of the two passes of Flink SQL. Default: ${DEFAULT-VALUE}.")
    private long sqlEvents = 2_000_000;

    @Option(names = "--rows", paramLabel = "N", description = "Rows in the section rows. Default: ${DEFAULT-VALUE}.")
    private long rows = 5_000_000;

    @Option(
            names = "--checkpoint",
            paramLabel = "DURATION",
            description = "Time between checkpoints, as for flink try. Default: ${DEFAULT-VALUE}.")
    private String checkpoint = "2s";

    @Mixin
    private final Recording record = new Recording();

    private final List<String> results = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        among(SECTIONS, "section", sections);
        atLeast(TIMES * 1_000, "--events", events);
        atLeast(1_000, "--rows", rows);
        atLeast(1_000, "--sql-events", sqlEvents);
        if (sections.stream().anyMatch(section -> section.startsWith("sql"))
                && !Files.isDirectory(home.resolve(DISTRIBUTION))) {
            throw new IOException(home.resolve(DISTRIBUTION) + " is missing: bin/test --all unpacks Flink there");
        }
        for (String section : sections) {
            out.println(section);
            try (TemporaryFolder scratch = TemporaryFolder.createInMemory("summarizer-flink")) {
                switch (section) {
                    case "files" -> files(section, scratch.path(), List.of());
                    case "one-core" -> files(section, scratch.path(), List.of("taskset", "-c", "0"));
                    case "kafka" -> kafka(section, scratch.path(), 1);
                    case "kafka-2" -> kafka(section, scratch.path(), 2);
                    case "rows" -> rows(section, scratch.path());
                    case "sql" -> sql(section, scratch.path(), false);
                    default -> sql(section, scratch.path(), true);
                }
            }
        }
        record.add(home, results);
        return 0;
    }

    private void report(String section, String figure, double value, String unit) {
        String text = String.format(Locale.ROOT, Math.abs(value) >= 1_000 ? "%.0f" : "%.3f", value);
        results.add(SectionProcess.row(section, section + '-' + figure, text, unit));
    }

    private Path generated(Path folder) throws IOException {
        Path file = folder.resolve("v1.log");
        Input.generated("v1", events / TIMES, file);
        return file;
    }

    private void files(String section, Path folder, List<String> prefix) throws IOException, InterruptedException {
        Path file = generated(folder);
        List<String> options = new ArrayList<>(List.of("--parallelism", "1", "--files"));
        for (int i = 0; i < TIMES; i++) {
            options.add(
                    Files.createLink(folder.resolve("v1-" + i + ".log"), file).toString());
        }
        steady(section, folder, prefix, options);
    }

    private void kafka(String section, Path folder, int parallelism) throws IOException, InterruptedException {
        try (KafkaBroker broker = KafkaBroker.start(folder.resolve("broker"))) {
            Path file = generated(folder);
            FilledTopic topic = FilledTopic.of(broker, "v1", PARTITIONS, file, TIMES);
            List<String> options = new ArrayList<>(List.of("--until-end", "--parallelism"));
            options.add(Integer.toString(parallelism));
            options.addAll(from(broker, topic));
            steady(section, folder, List.of(), options);
        }
    }

    private static List<String> from(KafkaBroker broker, FilledTopic topic) {
        return List.of("--brokers", broker.brokers(), "--topics", topic.name());
    }

    /** Measures a job between two of its checkpoints. The job ends when its input ends. */
    private void steady(String section, Path folder, List<String> prefix, List<String> options)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("--checkpoint", checkpoint));
        all.addAll(options);
        Path definitions = Traffic.V1.definitions(home);
        long expected = events / TIMES * TIMES;
        try (FlinkTry job = FlinkTry.start(home, folder.resolve("job"), prefix, definitions, all)) {
            FlinkTry.@Nullable Mark from = null;
            FlinkTry.@Nullable Mark to = null;
            ThreadTimes before = ThreadTimes.NONE;
            ThreadTimes after = ThreadTimes.NONE;
            JsonNode statistics = NullNode.getInstance();
            while (job.isAlive()) {
                for (FlinkTry.Mark mark : job.marks()) {
                    if (mark.events() < expected / TIMES || mark.events() >= expected) {
                        continue;
                    }
                    if (from == null) {
                        from = mark;
                        before = job.threads();
                    } else if (mark.checkpoint() > (to == null ? from : to).checkpoint()) {
                        to = mark;
                        after = job.threads();
                    }
                }
                statistics = job.job("").orElse(statistics);
                Thread.sleep(200);
            }
            job.awaitEnd(LIMIT);
            List<FlinkTry.Mark> marks = job.marks();
            if (marks.isEmpty() || marks.get(marks.size() - 1).events() != expected) {
                throw new IOException("the last result does not have all " + expected + " events");
            }
            if (from == null || to == null) {
                throw new IOException("fewer than two checkpoints after the warm-up: take more --events");
            }
            report(section, "rate", to.rateSince(from), "events/s");
            double measured = (double) (to.events() - from.events());
            report(section, "measured", measured, "events");
            report(section, "cpu", after.since(before).total() / measured * 1e6, "us/event");
            out.println("  us an event by thread: " + after.since(before).perEvent(measured));
            JsonNode source = statistics.path("vertices").path(0).path("metrics");
            double read = source.path("read-records").asDouble();
            if (read > 0) {
                report(section, "network", source.path("write-bytes").asDouble() / read, "bytes/event");
                report(
                        section,
                        "network-records",
                        read / source.path("write-records").asDouble(),
                        "events/record");
            }
        }
    }

    /** Measures checkpoints of many rows, then a restore of the last checkpoint by two subtasks. */
    private void rows(String section, Path folder) throws IOException, InterruptedException {
        try (KafkaBroker broker = KafkaBroker.start(folder.resolve("broker"))) {
            Path file = folder.resolve("rows.log");
            Events.distinctKeys(file, 0, rows);
            FilledTopic topic = FilledTopic.of(broker, "rows", PARTITIONS, file, 1);
            Files.delete(file);
            Path definitions = Traffic.V1.definitions(home);
            List<String> options = new ArrayList<>(List.of("--checkpoint", checkpoint));
            options.addAll(from(broker, topic));
            String retained;
            try (FlinkTry job = FlinkTry.start(home, folder.resolve("first"), List.of(), definitions, options)) {
                job.await("no checkpoints of all rows", LIMIT, () -> {
                    List<FlinkTry.Mark> full = job.marks().stream()
                            .filter(mark -> mark.events() == rows)
                            .toList();
                    return full.size() >= CHECKPOINTS;
                });
                List<FlinkTry.Mark> full = job.marks().stream()
                        .filter(mark -> mark.events() == rows)
                        .toList();
                reportCheckpoints(section, job, full.get(0).checkpoint());
                job.kill();
                retained = lastCheckpoint(folder.resolve("first"));
            }
            more(broker, topic, folder);
            restore(section, folder, definitions, options, retained);
        }
    }

    /**
     * Reports the durations of the synchronous and the asynchronous part of the owners' checkpoints, from Flink's
     * statistics.
     */
    private void reportCheckpoints(String section, FlinkTry job, long first) throws IOException, InterruptedException {
        JsonNode vertices = job.job("").orElseThrow().path("vertices");
        String owners = "";
        for (JsonNode vertex : vertices) {
            if (vertex.path("name").asText().startsWith("own")) {
                owners = vertex.path("id").asText();
            }
        }
        double sync = 0;
        double async = 0;
        double bytes = 0;
        for (JsonNode each : job.job("/checkpoints").orElseThrow().path("history")) {
            long id = each.path("id").asLong();
            if (id < first || !each.path("status").asText().equals("COMPLETED")) {
                continue;
            }
            Optional<JsonNode> details = job.job("/checkpoints/details/" + id + "/subtasks/" + owners);
            for (JsonNode subtask : details.orElseThrow().path("subtasks")) {
                JsonNode parts = subtask.path("checkpoint");
                sync = Math.max(sync, parts.path("sync").asDouble());
                async = Math.max(async, parts.path("async").asDouble());
                bytes = Math.max(bytes, subtask.path("state_size").asDouble());
            }
        }
        report(section, "checkpoint-sync-longest", sync, "ms");
        report(section, "checkpoint-async-longest", async, "ms");
        report(section, "checkpoint-bytes", bytes / rows, "bytes/row");
    }

    private static String lastCheckpoint(Path job) throws IOException {
        try (Stream<Path> files = Files.walk(job.resolve("exports/flink-checkpoints"), 3)) {
            return files.filter(file -> file.endsWith("_metadata"))
                    .map(file -> String.valueOf(file.getParent()))
                    .max(Numbers.NATURAL)
                    .orElseThrow(() -> new IOException("no checkpoint is left"));
        }
    }

    private void more(KafkaBroker broker, FilledTopic topic, Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("more.log");
        Events.distinctKeys(file, 0, MORE);
        var unused = topic.add(broker, file, 1);
        Files.delete(file);
    }

    private void restore(String section, Path folder, Path definitions, List<String> options, String retained)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--parallelism", "2", "--from-savepoint", retained));
        try (FlinkTry job = FlinkTry.start(home, folder.resolve("second"), List.of(), definitions, all)) {
            job.await(
                    "no checkpoint after the restore",
                    LIMIT,
                    () -> job.marks().stream().anyMatch(mark -> mark.events() == rows + MORE));
            JsonNode started = job.job("").orElseThrow();
            long submitted = started.path("timestamps").path("INITIALIZING").asLong();
            double initializing = 0;
            double running = 0;
            for (JsonNode vertex : started.path("vertices")) {
                JsonNode detail =
                        job.job("/vertices/" + vertex.path("id").asText()).orElseThrow();
                for (JsonNode subtask : detail.path("subtasks")) {
                    JsonNode durations = subtask.path("status-duration");
                    initializing = Math.max(
                            initializing, durations.path("INITIALIZING").asDouble());
                    double since = detail.path("now").asDouble()
                            - durations.path("RUNNING").asDouble();
                    running = Math.max(running, since - submitted);
                }
            }
            report(section, "restore-state", initializing / 1e3, "s");
            report(section, "restore-to-running", running / 1e3, "s");
        }
    }

    private void sql(String section, Path folder, boolean distinct) throws IOException, InterruptedException {
        Path file = folder.resolve("v1.log");
        Input.generated("v1", sqlEvents, file);
        Path csv = folder.resolve("v1.csv");
        Events.withoutHeaders(file, csv);
        Files.delete(file);
        // The JVM and the flags of our job.
        String java = Processes.output(
                        "bash",
                        "-c",
                        "here=$0/bin; . \"$here/lib.sh\"; find_flink_java; set_flink_jvm_flags; echo \"$java_bin ${jvm_flags[*]}\"",
                        home.toString())
                .strip();
        List<String> command = new ArrayList<>(List.of(java.split(" ")));
        command.addAll(List.of("-cp", home.resolve(DISTRIBUTION) + "/*:" + home.resolve("jmh-bench/target/classes")));
        command.add(SqlMain.class.getName());
        command.addAll(List.of(csv.toString(), Long.toString(sqlEvents), Boolean.toString(distinct)));
        for (String line :
                Processes.output(command.toArray(String[]::new)).lines().toList()) {
            if (line.startsWith(SectionProcess.MARK)) {
                report(section, "rate", Double.parseDouble(line.split("\t")[2]), "events/s");
            } else {
                out.println(line);
            }
        }
    }
}
