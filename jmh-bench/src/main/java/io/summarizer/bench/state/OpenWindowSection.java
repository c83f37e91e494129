package io.summarizer.bench.state;

import io.summarizer.bench.e2e.PairedRatios;
import io.summarizer.bench.receive.FramedWorkload;
import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.window.LateFlag;
import io.summarizer.core.window.WindowInput;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.server.workload.AdsWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Measures what open windows cost. One thread runs v1 events through the programs of a parser worker and the loop of an
 * owner. The rows of the reference definitions are split by the hour of the event, with {@code bucket} in the key or
 * with a window. Both ways process the same events, in turns. The ratios compare processor times.
 */
final class OpenWindowSection {
    private static final int BATCHES = 512;
    private static final int MESSAGES = 512;
    private static final int WARM_UPS = 10;
    private static final int PAIRS = 31;
    private static final long HOUR_MILLIS = Updates.HOUR / 1_000;
    private static final int MANY = 60;

    private OpenWindowSection() {}

    static void run() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        compare("one", 1, batch -> 0);
        compare("sixty", MANY, batch -> random.nextInt(MANY));
        compare("sixty-in-turn", MANY, batch -> batch % MANY);
    }

    private static void compare(String name, int hours, IntUnaryOperator hour) throws IOException {
        MessageBatch[] events = events(hour);
        Way bucket = new Way("hour = bucket(timestamp(ts), 1h); ", "");
        Way window = new Way("hour = timestamp(ts); ", "    window hour every 1h close after 2m;\n");
        for (int i = 0; i < WARM_UPS; i++) {
            bucket.process(events);
            window.process(events);
        }
        if (bucket.rows() != window.rows() || bucket.stores() != 1 || window.stores() != hours) {
            throw new IllegalStateException("rows=" + bucket.rows() + ", " + window.rows() + " in windows; windows="
                    + window.stores() + " instead of " + hours);
        }
        double[][] bucketNanos = new double[3][PAIRS];
        double[][] windowNanos = new double[3][PAIRS];
        for (int pair = 0; pair < PAIRS; pair++) {
            if (pair % 2 == 0) {
                bucket.process(events, bucketNanos, pair);
                window.process(events, windowNanos, pair);
            } else {
                window.process(events, windowNanos, pair);
                bucket.process(events, bucketNanos, pair);
            }
        }
        Figures.report(name + "-rows", (double) bucket.rows(), "rows");
        Figures.report(name + "-bucket-bytes", (double) bucket.bytesUsed() / bucket.rows(), "bytes/row");
        Figures.report(name + "-window-bytes", (double) window.bytesUsed() / window.rows(), "bytes/row");
        report(name, "", bucketNanos[2], windowNanos[2]);
        report(name, "-parser", bucketNanos[0], windowNanos[0]);
        report(name, "-owner", bucketNanos[1], windowNanos[1]);
    }

    private static void report(String name, String part, double[] bucket, double[] window) {
        List<Double> ratios = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            ratios.add(bucket[pair] / window[pair]);
        }
        PairedRatios speed = PairedRatios.of(ratios);
        Figures.report(name + "-bucket" + part, Numbers.median(bucket), "ns/event");
        Figures.report(name + "-window" + part, Numbers.median(window), "ns/event");
        Figures.report(name + "-share" + part, 100 * speed.median(), "% of the rate without windows");
        Figures.report(name + "-share" + part + "-low", 100 * speed.low(), "%");
        Figures.report(name + "-share" + part + "-high", 100 * speed.high(), "%");
    }

    /**
     * Events of the flat workload.
     *
     * @param hour chooses the hour of an event by the number of its batch
     */
    private static MessageBatch[] events(IntUnaryOperator hour) throws IOException {
        AdsWorkload workload = AdsWorkload.v1(1);
        MessageBatch[] batches = new MessageBatch[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            batches[i] = new MessageBatch(MessageBatch.DEFAULT_BYTES);
            for (int j = 0; j < MESSAGES; j++) {
                // Each hour has the workload's events from the first one on.
                long event = hour.applyAsInt(i) * HOUR_MILLIS * AdsWorkload.EVENTS_PER_MILLI + (long) i * MESSAGES + j;
                batches[i].appendFrom(FramedWorkload.batch(workload, event, 1), 0);
            }
            batches[i].firstStamp((AdsWorkload.START_MILLIS + MANY * HOUR_MILLIS) * 1_000); // all arrive afterwards
        }
        return batches;
    }

    /** A parser worker and an owner of all partitions, without queues. */
    private static final class Way implements UpdateRouter {
        private static final List<String> TYPES = List.of("Impression", "Click", "Conversion");

        private final List<EventProgram> programs = new ArrayList<>();
        private final Summaries summaries;
        private final UpdateApplier owner;
        private final UpdateBatch updates = new UpdateBatch(MESSAGES * 192);
        private final boolean[] active = {true};

        /** Adds {@code assignment} to each mapping, and {@code statement} to the summary. */
        Way(String assignment, String statement) throws IOException {
            Path schemas = Path.of(System.getProperty("summarizer.home", "."), "schemas");
            String summary = Files.readString(schemas.resolve("ads.summ"));
            String definitions = summary.replace(
                            "summary CampaignDetails {\n", "summary CampaignDetails {\n" + statement)
                    .replace(
                            "        int64 campaign_id = 1;\n",
                            "        timestamp hour = 5;\n        int64 campaign_id = 1;\n")
                    .replace("key { campaign_id;", "key { " + assignment + "campaign_id;")
                    .replace("        campaign_id = placement", "        " + assignment + "campaign_id = placement");
            CheckResult result = DefinitionsCompiler.check(
                    Map.of("ads.proto", Files.readString(schemas.resolve("ads.proto")), "ads.summ", definitions));
            Plan plan = PlanCompiler.compile(
                    result.definitions().orElseThrow(() -> new IllegalStateException(result.render())));
            SummaryWindow window = plan.summaries().get(0).window();
            WindowInput input = window == null ? null : new WindowInput(window, Updates.HOUR, new LateFlag());
            for (String type : TYPES) {
                int event =
                        plan.events().stream().map(Plan.Event::name).toList().indexOf(type);
                EventProgram program = plan.newProgram(event);
                program.useWindows(number -> input);
                programs.add(program);
            }
            summaries = plan.newSummaries(Long.MAX_VALUE);
            owner = UpdateApplier.ofAll(summaries, Owner.STRICT);
        }

        @Override
        public UpdateBatch batchFor(int summary, long hash) {
            return updates;
        }

        void process(MessageBatch[] batches) {
            process(batches, new double[3][1], 0);
        }

        /** Processes all events. Records the time per event in the parser worker, in the owner, and in both. */
        void process(MessageBatch[] batches, double[][] nanos, int round) {
            long parsing = 0;
            long applying = 0;
            for (MessageBatch batch : batches) {
                long begun = Figures.cpuNanos();
                for (int i = 0; i < batch.count(); i++) {
                    IMessage message = batch.message(i);
                    String problem = programs.get(type(message)).process(message, active, this);
                    if (problem != null) {
                        throw new IllegalStateException(problem);
                    }
                }
                long parsed = Figures.cpuNanos();
                owner.apply(updates);
                updates.clear();
                parsing += parsed - begun;
                applying += Figures.cpuNanos() - parsed;
            }
            double events = (double) BATCHES * MESSAGES;
            nanos[0][round] = parsing / events;
            nanos[1][round] = applying / events;
            nanos[2][round] = (parsing + applying) / events;
        }

        /**
         * Returns the type by the first letters after {@code ad.}: 0 for {@code impression}, 1 for {@code click}, 2 for
         * {@code conversion}.
         */
        private static int type(IMessage message) {
            int at = message.offset(MessageBatch.TOPIC) + "ad.".length();
            return message.bytes()[at] == 'i' ? 0 : message.bytes()[at + 1] == 'l' ? 1 : 2;
        }

        long rows() {
            return sum(SummaryPartition::rows);
        }

        long bytesUsed() {
            return sum(SummaryPartition::bytesUsed);
        }

        private long sum(ToLongFunction<SummaryPartition> of) {
            return Stream.of(summaries.partitions().cells())
                    .mapToLong(partition -> of.applyAsLong(Objects.requireNonNull(partition)))
                    .sum();
        }

        /** Number of stores of a partition: one for each window with rows, or 1 without windows. */
        int stores() {
            return summaries.partition(0, 0).stores().size();
        }
    }
}
