package io.summarizer.bench.window;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.triggers.EventTimeTrigger;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.runtime.operators.TimestampsAndWatermarksOperatorFactory;
import org.apache.flink.streaming.runtime.operators.windowing.WindowOperatorBuilder;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * The operators of this job, in one thread. Elements are numbers of events.
 * <pre>
 *   source.filter(not too far ahead)
 *       .assignTimestampsAndWatermarks(a watermark after each event)
 *       .keyBy(number % 3)
 *       .window(TumblingEventTimeWindows.of(width))
 *       .sideOutputLateData(late)
 * </pre>
 * All times are in µs, where Flink has ms.
 */
final class FlinkWindows {
    private static final int KEYS = 3;
    private static final OutputTag<Long> LATE = new OutputTag<>("late", Types.LONG);

    private FlinkWindows() {}

    /**
     * The events that were dropped as late, and the number of events in each window by its start. Only windows that
     * were emitted count, and in the end all are.
     */
    record Fates(Set<Long> late, Map<Long, Long> rowsByWindow) {}

    @SuppressWarnings("try") // a harness declares that its close may throw any exception
    static Fates fates(TumblingWidth width, List<TimedEvent> events) throws Exception {
        WatermarkStrategy<Long> strategy =
                WatermarkStrategy.forGenerator(context -> new PerEvent(events, width.closeAfterMicros()));
        WindowOperatorBuilder<Long, Long, TimeWindow> builder = new WindowOperatorBuilder<>(
                TumblingEventTimeWindows.of(Duration.ofMillis(width.micros())),
                EventTimeTrigger.create(),
                new ExecutionConfig(),
                Types.LONG,
                number -> number % KEYS,
                Types.LONG);
        builder.allowedLateness(Duration.ZERO);
        builder.sideOutputLateData(LATE);
        try (var marks = new OneInputStreamOperatorTestHarness<Long, Long>(
                        new TimestampsAndWatermarksOperatorFactory<>(strategy, true),
                        Types.LONG.createSerializer(new ExecutionConfig().getSerializerConfig()));
                var windows = new KeyedOneInputStreamOperatorTestHarness<Long, Long, Emitted>(
                        builder.process(new Count()), number -> number % KEYS, Types.LONG)) {
            marks.open();
            windows.open();
            for (TimedEvent event : events) {
                if (event.time() - event.arrival() <= OurWindows.AHEAD_MICROS) {
                    marks.processElement(event.number(), event.time());
                    pass(marks, windows);
                }
            }
            windows.processWatermark(Long.MAX_VALUE);
            return new Fates(late(windows), emitted(windows));
        }
    }

    private static void pass(
            OneInputStreamOperatorTestHarness<Long, Long> from, OneInputStreamOperatorTestHarness<Long, Emitted> to)
            throws Exception {
        for (Object out = from.getOutput().poll();
                out != null;
                out = from.getOutput().poll()) {
            if (out instanceof org.apache.flink.streaming.api.watermark.Watermark mark) {
                to.processWatermark(mark);
            } else if (out instanceof StreamRecord<?> sent) {
                to.processElement((Long) sent.getValue(), sent.getTimestamp());
            } else {
                throw new IllegalStateException("out=" + out);
            }
        }
    }

    private static Set<Long> late(OneInputStreamOperatorTestHarness<Long, Emitted> windows) {
        Set<Long> late = new TreeSet<>();
        if (windows.getSideOutput(LATE) != null) {
            windows.getSideOutput(LATE).forEach(sent -> late.add(sent.getValue()));
        }
        return late;
    }

    private static Map<Long, Long> emitted(OneInputStreamOperatorTestHarness<Long, Emitted> windows) {
        Map<Long, Long> rows = new TreeMap<>();
        for (Object out : windows.getOutput()) {
            if (out instanceof StreamRecord<?> sent) {
                Emitted emitted = (Emitted) sent.getValue();
                rows.merge(emitted.start, emitted.events, Long::sum);
            }
        }
        return rows;
    }

    /** The events of a key in a window. */
    private record Emitted(long start, long events) {}

    /** Emits the number of events of a key in a window. */
    private static final class Count extends ProcessWindowFunction<Long, Emitted, Long, TimeWindow> {
        @Override
        public void process(Long key, Context context, Iterable<Long> numbers, Collector<Emitted> out) {
            long events = 0;
            for (Long unused : numbers) {
                events++;
            }
            out.collect(new Emitted(context.window().getStart(), events));
        }
    }

    /**
     * Watermarks as {@code BoundedOutOfOrdernessWatermarks} makes them, but after each event and not at regular times,
     * and with an event's arrival if its time is later.
     */
    private static final class PerEvent implements WatermarkGenerator<Long> {
        private final List<TimedEvent> events;
        private final long bound;
        private long greatest;

        PerEvent(List<TimedEvent> events, long bound) {
            this.events = events;
            this.bound = bound;
            greatest = Long.MIN_VALUE + bound + 1;
        }

        @Override
        public void onEvent(Long number, long time, WatermarkOutput output) {
            greatest = Math.max(
                    greatest, Math.min(time, events.get(Math.toIntExact(number)).arrival()));
            output.emitWatermark(new Watermark(greatest - bound - 1));
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }
}
