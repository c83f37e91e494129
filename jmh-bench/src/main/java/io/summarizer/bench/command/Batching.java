package io.summarizer.bench.command;

import io.summarizer.bench.plot.Figure;
import io.summarizer.bench.plot.Lines;
import io.summarizer.bench.plot.Style;
import io.summarizer.bench.receive.FramedWorkload;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.demo.TemporaryFolder;
import io.summarizer.server.replay.RelpTarget;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.PlanLoader;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how much is gained by batches of writes, of acknowledgements, and of updates under locks. */
@Command(
        description = {
            "Measures the gain of batches. The sections:",
            "writes: records a second to memory, to a file and to RocksDB, by the records of a batch, with and without sync",
            "windows: events a second over RELP, by the window of our sender and of rsyslogd, one round",
            "workers: events a second into one summary, by the number of threads: one lock, a lock for each of 16 partitions,"
                    + " queues and owners; all keys, and one hot key"
        })
public final class Batching extends BenchCommand {
    private static final List<String> SECTIONS = List.of("writes", "windows", "workers");
    private static final List<String> TARGETS = List.of("memory", "file", "rocksdb", "file-sync", "rocksdb-sync");
    private static final List<String> ROUTES = List.of(
            "sender-durable",
            "sender-applied",
            "sender-imrelp",
            "rsyslogd-durable",
            "rsyslogd-applied",
            "rsyslogd-imrelp");
    private static final List<String> WAYS = List.of(
            "one-lock-all-keys",
            "16-locks-all-keys",
            "owners-all-keys",
            "one-lock-hot-key",
            "16-locks-hot-key",
            "owners-hot-key");
    private static final int[] BATCHES = {1, 10, 100, 1_000, 10_000};
    private static final int[] WINDOWS = {1, 2, 4, 16, 64, 256, 1_024, 4_096, 10_000};
    private static final int[] THREADS = {1, 2, 4, 8};
    private static final int KEY_BYTES = 16;
    private static final int VALUE_BYTES = 100;
    private static final int RECORD_BYTES = KEY_BYTES + VALUE_BYTES;
    private static final int MEMORY_BYTES = 64 << 20;
    private static final int EVENTS = 200_000;
    private static final int EVENTS_MIN = 300;
    private static final int MESSAGES = 400;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Map<String, List<Double>> rates = new LinkedHashMap<>();
    private final List<String> results = new ArrayList<>();

    @Option(names = "--sections", split = ",", paramLabel = "NAME", description = "Default: all; ${DEFAULT-VALUE}.")
    private List<String> sections = SECTIONS;

    @Option(names = "--seconds", paramLabel = "N", description = "Time for a figure. Default: ${DEFAULT-VALUE}.")
    private double seconds = 0.5;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds, of which the median counts. Default: ${DEFAULT-VALUE}.")
    private int rounds = 3;

    @Mixin
    private final Recording record = new Recording();

    @Option(names = "--plot", paramLabel = "FILE", description = "Draw the figures of this run as SVG.")
    private @Nullable Path plot;

    @Override
    public Integer call() throws Exception {
        among(SECTIONS, "section", sections);
        atLeast(1, "--rounds", rounds);
        for (String section : sections) {
            boolean isLong = section.equals("windows");
            for (int round = isLong ? 0 : -1; round < (isLong ? 1 : rounds); round++) {
                if (round == 0) {
                    rates.clear();
                }
                switch (section) {
                    case "writes" -> writes();
                    case "windows" -> windows();
                    default -> workers();
                }
            }
            rates.forEach((name, measured) -> results.add(SectionProcess.row(
                    section,
                    name,
                    String.format(Locale.ROOT, "%.0f", Numbers.median(Numbers.array(measured))),
                    section.equals("writes") ? "records/s" : "events/s")));
            rates.clear();
        }
        record.add(home, results);
        if (plot != null) {
            Lines lines = new Lines(Batching::style);
            lines.read(results, 0);
            Files.writeString(plot, figure(lines).svg());
            System.out.println("written: " + plot);
        }
        return 0;
    }

    private void measured(String name, int size, double perSecond) {
        System.out.printf(Locale.ROOT, "    %s-%d %,.0f%n", name, size, perSecond);
        rates.computeIfAbsent(name + '-' + size, first -> new ArrayList<>()).add(perSecond);
    }

    /** Repeats work for the duration of one measurement; returns the amount of work per second. */
    private double perSecond(Work work) throws IOException {
        long start = System.nanoTime();
        long done = 0;
        while (System.nanoTime() - start < seconds * 1e9) {
            done += work.run();
        }
        done += work.end();
        return done / ((System.nanoTime() - start) / 1e9);
    }

    /** Work that is repeated. Each run returns the amount of work done. */
    private interface Work {
        long run() throws IOException;

        default long end() throws IOException {
            return 0;
        }
    }

    private void writes() throws IOException, RocksDBException {
        byte[] records = new byte[BATCHES[BATCHES.length - 1] * RECORD_BYTES];
        Random random = new Random(1);
        random.nextBytes(records);
        for (int batch : BATCHES) {
            byte[] memory = new byte[MEMORY_BYTES];
            int bytes = batch * RECORD_BYTES;
            int[] end = new int[1];
            measured("memory", batch, perSecond(() -> {
                synchronized (memory) {
                    end[0] = end[0] + bytes > memory.length ? 0 : end[0];
                    System.arraycopy(records, 0, memory, end[0], bytes);
                    end[0] += bytes;
                }
                return batch;
            }));
            for (boolean sync : new boolean[] {false, true}) {
                String suffix = sync ? "-sync" : "";
                try (TemporaryFolder folder = TemporaryFolder.create("summarizer-batching")) {
                    measured("file" + suffix, batch, file(folder.path().resolve("log"), records, batch, sync));
                    measured(
                            "rocksdb" + suffix,
                            batch,
                            rocks(folder.path().resolve("db"), records, batch, sync, random));
                }
            }
        }
    }

    private double file(Path file, byte[] records, int batch, boolean sync) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(batch * RECORD_BYTES);
        bytes.put(records, 0, bytes.capacity());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            return perSecond(() -> {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                if (sync) {
                    channel.force(false);
                }
                return batch;
            });
        }
    }

    private double rocks(Path folder, byte[] records, int batch, boolean sync, Random random)
            throws IOException, RocksDBException {
        RocksDB.loadLibrary();
        byte[] key = new byte[KEY_BYTES];
        byte[] value = new byte[VALUE_BYTES];
        System.arraycopy(records, 0, value, 0, VALUE_BYTES);
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB store = RocksDB.open(options, folder.toString());
                WriteOptions write = new WriteOptions().setSync(sync);
                WriteBatch puts = new WriteBatch()) {
            return perSecond(() -> {
                try {
                    puts.clear();
                    for (int i = 0; i < batch; i++) {
                        random.nextBytes(key);
                        puts.put(key, value);
                    }
                    store.write(write, puts);
                } catch (RocksDBException e) {
                    throw new IOException(e);
                }
                return batch;
            });
        }
    }

    private void windows() throws IOException, InterruptedException {
        Path program = Rsyslogd.find().orElseThrow(() -> new IOException("rsyslogd is not installed"));
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        AdsWorkload.v1(1).writeTo(lines, EVENTS);
        byte[] events = lines.toByteArray();
        for (String kind : List.of("durable", "applied", "imrelp")) {
            try (TemporaryFolder disk = TemporaryFolder.create("summarizer-batching");
                    TemporaryFolder memory = TemporaryFolder.createInMemory("summarizer-batching")) {
                Rsyslog.Receiver receiver = kind.equals("imrelp")
                        ? Rsyslog.imrelp(program, memory.path().resolve("imrelp"))
                        : Rsyslog.summarizer(home, disk.path().resolve("data"), List.of("listen.relp.ack=" + kind));
                try {
                    double last = EVENTS_MIN;
                    for (int window : WINDOWS) {
                        measured("sender-" + kind, window, sender(receiver, window, events));
                        Path spool = memory.path().resolve("spool" + window);
                        last = rsyslogd(program, spool, receiver, window, events, (int) (2 * last * seconds));
                        measured("rsyslogd-" + kind, window, last);
                    }
                } finally {
                    receiver.end().run();
                }
            }
        }
    }

    /** Sends with our own sender until the time is over and all is acknowledged. */
    private double sender(Rsyslog.Receiver receiver, int window, byte[] events) throws IOException {
        try (RelpTarget target =
                RelpTarget.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), receiver.port()), window)) {
            return perSecond(new Work() {
                private int start;

                @Override
                public long run() throws IOException {
                    int end = endOf(events, start, 1);
                    target.send(events, start, end - 1 - start);
                    start = end == events.length ? 0 : end;
                    return 1;
                }

                @Override
                public long end() throws IOException {
                    target.finish();
                    return 0;
                }
            });
        }
    }

    /** Sends to an rsyslogd that forwards, until the receiver has all events or the time limit is reached. */
    private double rsyslogd(Path program, Path spool, Rsyslog.Receiver receiver, int window, byte[] events, int wanted)
            throws IOException, InterruptedException {
        int count = Math.min(EVENTS, Math.max(EVENTS_MIN, wanted));
        String forwarding = Rsyslog.forwarding(home, receiver.port())
                .replace("windowSize=\"1000\"", "windowSize=\"" + window + "\"");
        try (Rsyslogd rsyslogd = Rsyslogd.start(program, spool, forwarding)) {
            long before = receiver.received().now();
            long start = System.nanoTime();
            try (TcpTarget target = TcpTarget.connect(rsyslogd.address())) {
                target.send(ByteBuffer.wrap(events, 0, endOf(events, 0, count)));
                target.finish();
            }
            long received = before;
            while (received < before + count && System.nanoTime() - start < LIMIT.toNanos()) {
                Thread.sleep(10);
                received = receiver.received().now();
            }
            return (received - before) / ((System.nanoTime() - start) / 1e9);
        }
    }

    /** Returns the position that is {@code lines} lines after {@code start}. */
    private static int endOf(byte[] events, int start, int lines) {
        int end = start;
        for (int line = 0; line < lines; line++) {
            while (events[end++] != '\n') {}
        }
        return end;
    }

    private void workers() throws IOException, InterruptedException, DefinitionsException, ExecutionException {
        Plan plan = PlanLoader.load(home.resolve("schemas"), List.of(ZoneOffset.UTC))
                .plan();
        for (String way : WAYS) {
            List<MessageBatch> batches = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                int from = way.endsWith("hot-key") ? 0 : i * MESSAGES;
                MessageBatch batch = FramedWorkload.batch(AdsWorkload.v1(1), from, MESSAGES);
                if (way.endsWith("hot-key")) {
                    MessageBatch hot = new MessageBatch(MESSAGES * MessageBatch.DEFAULT_BYTES / 64);
                    for (int message = 0; message < MESSAGES; message++) {
                        hot.appendFrom(batch, 0);
                    }
                    batch = hot;
                }
                batches.add(batch);
            }
            for (int threads : THREADS) {
                measured(
                        way,
                        threads,
                        updates(plan, options(way, threads), way.startsWith("owners") ? 1 : threads, batches));
            }
        }
    }

    private static PipelineOptions options(String way, int threads) {
        PipelineOptions.Stage stage = new PipelineOptions.Stage(QueueKind.LBQ, 64, threads, WaitPolicy.BLOCKING);
        PipelineOptions options = PipelineOptions.queued(stage, stage);
        return way.startsWith("owners")
                ? options
                : options.withMode(way.startsWith("one-lock") ? PipelineMode.LOCKED : PipelineMode.INLINE, threads);
    }

    /** Returns the events that a pipeline processes in a second when {@code feeders} threads hand batches over. */
    private double updates(Plan plan, PipelineOptions options, int feeders, List<MessageBatch> batches)
            throws IOException, InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(feeders);
        try (Pipeline pipeline = Pipeline.start(plan, options, RejectSink.NONE)) {
            long start = System.nanoTime();
            Callable<Double> feeder = () -> perSecond(new Work() {
                private int next;

                @Override
                public long run() throws IOException {
                    MessageBatch source = batches.get(next++ % batches.size());
                    MessageBatch batch = pipeline.acquire();
                    for (int i = 0; i < source.count(); i++) {
                        batch.appendFrom(source, i);
                    }
                    try {
                        pipeline.put(batch);
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return source.count();
                }
            });
            List<Future<Double>> feeding = new ArrayList<>();
            for (int i = 0; i < feeders; i++) {
                feeding.add(threads.submit(feeder));
            }
            for (Future<Double> one : feeding) {
                one.get();
            }
            pipeline.drain();
            return pipeline.ledger().processed() / ((System.nanoTime() - start) / 1e9);
        } finally {
            threads.shutdown();
        }
    }

    private static Figure figure(Lines lines) {
        Figure figure = new Figure("Batches", 1, 860, 360);
        for (List<String> names : List.of(TARGETS, ROUTES, WAYS)) {
            names.forEach(name -> figure.entry(name, style(name)));
        }
        return figure.add(lines.chart(
                        "Records of " + RECORD_BYTES + " bytes",
                        "records of a batch",
                        "records/s",
                        "writes,(.*)-(\\d+)",
                        1,
                        100))
                .add(lines.chart(
                        "Events over RELP", "unacknowledged messages", "events/s", "windows,(.*)-(\\d+)", 1, 10))
                .add(lines.chart("One summary", "threads", "M events/s", "workers,(.*)-(\\d+)", 1e-6, 0));
    }

    /** The style of a line in its chart. The lines for a sync, for rsyslogd and for a hot key are dashed. */
    private static Style style(String name) {
        for (List<String> names : List.of(TARGETS, ROUTES, WAYS)) {
            int number = names.indexOf(name);
            if (number >= 0) {
                return number < 3 ? Style.of(number) : Style.dashed(names == TARGETS ? number - 2 : number - 3);
            }
        }
        throw new IllegalArgumentException(name);
    }
}
