package io.summarizer.bench.command;

import io.summarizer.bench.e2e.PairedRatios;
import io.summarizer.bench.e2e.SenderProcess;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.e2e.Traffic;
import io.summarizer.bench.kafka.BrokerLoad;
import io.summarizer.bench.kafka.FilledTopic;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures events per second from a Kafka topic to aggregated state, in turns with the same events over TCP. */
@Command(
        description = {
            "Measures events a second from a topic of a Kafka broker to aggregated state, through a whole service.",
            "Each pair starts three services, one after the other: one reads the topic from its beginning; one receives"
                    + " the same events over TCP, while the broker serves the topic to another reader at the rate"
                    + " of the first; one receives them over TCP alone. The first third of the events is a warm-up."
        })
public final class Kafka extends BenchCommand {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int PARTITIONS = 4;
    private static final int WARM_UP_SHARE = 3;
    private static final String HEADER =
            "workload,events,pair,kafka_per_s,tcp_beside_per_s,tcp_per_s,ratio_beside,ratio_tcp,"
                    + "kafka_cpu_us,tcp_cpu_us,broker_cpu_us,settings";

    private final PrintStream out = System.out;

    @Option(
            names = "--workload",
            paramLabel = "v1|v2|all",
            description = "Events, as those of e2e. Default: ${DEFAULT-VALUE}.")
    private String workload = "all";

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Events of each service. Default: 9 million of v1, 4 million of v2.")
    private long events;

    @Option(names = "--pairs", paramLabel = "N", description = "Pairs. Default: ${DEFAULT-VALUE}.")
    private int pairs = PairedRatios.LEAST;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the service, as for serve.")
    private List<String> settings = List.of();

    @Mixin
    private final Recording record = new Recording();

    /** A measured service. */
    private record Run(double perSecond, double cpuMicros, double brokerCpuMicros, String threads) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> workloads = workload.equals("all") ? List.of("v1", "v2") : List.of(workload);
        among(List.of("v1", "v2"), "workload", workloads);
        atLeast(0, "--events", events);
        atLeast(PairedRatios.LEAST, "--pairs", pairs);
        for (String one : workloads) {
            measure(one, events > 0 ? events : one.equals("v1") ? 9_000_000 : 4_000_000);
        }
        return 0;
    }

    private void measure(String name, long count) throws IOException, InterruptedException {
        try (TemporaryFolder scratch = TemporaryFolder.createInMemory("summarizer-kafka");
                KafkaBroker broker = KafkaBroker.start(scratch.path().resolve("broker"))) {
            Path file = scratch.path().resolve(name + ".log");
            Input.generated(name, count, file);
            FilledTopic topic = FilledTopic.of(broker, name, PARTITIONS, file, 1);
            out.printf(
                    Locale.ROOT,
                    "%s: %,d events of %.1f bytes, in %d partitions%n",
                    name,
                    count,
                    (double) Files.size(file) / count,
                    PARTITIONS);
            List<Double> beside = new ArrayList<>();
            List<Double> alone = new ArrayList<>();
            List<String> rows = new ArrayList<>();
            for (int pair = 1; pair <= pairs; pair++) {
                Run kafka = kafka(name, broker, topic);
                Run loaded;
                Run tcp;
                // Neither always comes right after Kafka.
                if (pair % 2 == 0) {
                    tcp = tcp(name, broker, file, count);
                    loaded = loaded(name, broker, file, topic, kafka.perSecond);
                } else {
                    loaded = loaded(name, broker, file, topic, kafka.perSecond);
                    tcp = tcp(name, broker, file, count);
                }
                print("kafka-" + name, kafka);
                print("tcp-" + name + ", broker busy", loaded);
                print("tcp-" + name, tcp);
                beside.add(kafka.perSecond / loaded.perSecond);
                alone.add(kafka.perSecond / tcp.perSecond);
                rows.add(String.format(
                        Locale.ROOT,
                        "%s,%d,%d,%.0f,%.0f,%.0f,%.3f,%.3f,%.3f,%.3f,%.3f,%s",
                        name,
                        count,
                        pair,
                        kafka.perSecond,
                        loaded.perSecond,
                        tcp.perSecond,
                        kafka.perSecond / loaded.perSecond,
                        kafka.perSecond / tcp.perSecond,
                        kafka.cpuMicros,
                        tcp.cpuMicros,
                        kafka.brokerCpuMicros,
                        String.join(" ", settings)));
            }
            out.printf("kafka-%s of tcp-%s beside the broker's load: %s%n", name, name, PairedRatios.of(beside));
            out.printf("kafka-%s of tcp-%s: %s%n", name, name, PairedRatios.of(alone));
            record.add(home, HEADER, rows);
        }
    }

    private void print(String name, Run run) {
        out.printf(
                Locale.ROOT,
                "  %-24s %,12.0f events/s, CPU of the service %.3f us an event, of the broker %.3f%n",
                name,
                run.perSecond,
                run.cpuMicros,
                run.brokerCpuMicros);
        out.println("    by thread: " + run.threads);
    }

    private Run kafka(String name, KafkaBroker broker, FilledTopic topic) throws IOException, InterruptedException {
        List<String> listener =
                List.of("listen.kafka.brokers=" + broker.brokers(), "listen.kafka.topics=" + topic.name());
        try (TemporaryFolder data = TemporaryFolder.create("summarizer-kafka"); // a disk, usually
                ServerProcess server = start(name, data.path(), listener)) {
            return measured(server, broker, topic.records());
        }
    }

    private Run loaded(String name, KafkaBroker broker, Path file, FilledTopic topic, double rate)
            throws IOException, InterruptedException {
        BrokerLoad load = new BrokerLoad(broker, topic, rate);
        try {
            return tcp(name, broker, file, topic.records());
        } finally {
            load.close();
        }
    }

    private Run tcp(String name, KafkaBroker broker, Path file, long count) throws IOException, InterruptedException {
        try (TemporaryFolder data = TemporaryFolder.create("summarizer-kafka");
                ServerProcess server = start(name, data.path(), List.of());
                SenderProcess sender = SenderProcess.start(file, server.syslog().getPort())) {
            sender.pass();
            Run run = measured(server, broker, count);
            var unused = sender.answer();
            return run;
        }
    }

    private ServerProcess start(String name, Path data, List<String> more) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(List.of("definitions=" + Traffic.of(name).definitions(home)));
        all.addAll(more);
        all.addAll(settings);
        return ServerProcess.start(home, data, all);
    }

    /** Measures the rate from the end of the warm-up until a cut has every event. */
    private static Run measured(ServerProcess server, KafkaBroker broker, long count)
            throws IOException, InterruptedException {
        server.awaitReceived(count / WARM_UP_SHARE, LIMIT);
        long from = (long) server.metric("summarizer_received_total");
        long start = System.nanoTime();
        Duration cpu = server.cpu();
        ThreadTimes threads = ThreadTimes.of(server.pid());
        Duration brokerCpu = cpu(broker);
        server.awaitReceived(count, LIMIT);
        long updates = server.updates();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (updates == 0 || updates % count != 0) {
            throw new IOException(count + " events made " + updates + " updates");
        }
        double events = count - from;
        return new Run(
                events / seconds,
                server.cpu().minus(cpu).toNanos() / 1e3 / events,
                cpu(broker).minus(brokerCpu).toNanos() / 1e3 / events,
                ThreadTimes.of(server.pid()).since(threads).perEvent(events));
    }

    private static Duration cpu(KafkaBroker broker) {
        return ProcessHandle.of(broker.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }
}
