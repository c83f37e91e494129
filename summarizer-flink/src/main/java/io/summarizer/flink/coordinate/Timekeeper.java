package io.summarizer.flink.coordinate;

import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.window.Watermarks;
import io.summarizer.core.window.WindowInput;
import io.summarizer.flink.record.Decision.Boundary;
import io.summarizer.flink.record.Progress;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which windows are closed, by means of {@link Watermarks}. The inputs of the watermarks are the partitions of
 * the source, which several processes read. An input is <em>clear</em> while its reader is ready to read a record, and
 * the input has no record or only new ones. An input without a record since the start is always clear.
 *
 * <p>No window is closed until each expected input has had a record, or {@code idle} has passed since {@link #start}.
 * The reason: an input with old events may be read later than the others. One thread.
 */
final class Timekeeper {
    private static final int VERSION = 1;

    private final List<SummaryLayout> layouts;
    private final long idleMicros;
    private final Watermarks watermarks;
    private final Map<String, Input> inputs = new TreeMap<>();
    /** The progress of each input since the start, by summary. */
    private final Map<String, Map<String, Long>> progress = new TreeMap<>();

    private final long[] boundaries;

    private boolean started;
    /** Time of the clock at the start, in µs; the clock may have any origin. */
    private long startedAt;

    /** The clear time of an input. */
    private static final class Input {
        /** Whether the input had a record since the start. */
        boolean seen;

        long clearMicros;
        /** The clear time that the reader has reported since its start. */
        long reportedMicros;

        void clear(long micros) {
            clearMicros += micros < reportedMicros ? micros : micros - reportedMicros;
            reportedMicros = micros;
        }
    }

    /**
     * A timekeeper before the first event.
     *
     * @param expected inputs that will have events, as far as is known
     * @param idleMicros time without records after which an input is idle
     */
    Timekeeper(List<SummaryLayout> layouts, List<String> expected, long idleMicros) {
        this.layouts = List.copyOf(layouts);
        this.idleMicros = idleMicros;
        watermarks = new Watermarks(idleMicros);
        boundaries = new long[layouts.size()];
        Arrays.fill(boundaries, ClosedWindows.NO_BOUNDARY);
        layouts.forEach(layout -> progress.put(layout.name(), new TreeMap<>()));
        expected.forEach(this::input);
    }

    private Input input(String name) {
        return inputs.computeIfAbsent(name, added -> new Input());
    }

    /** Takes the progress of an input, for the next {@link #advance}. */
    void take(Progress taken) {
        Input input = input(taken.input());
        if (!input.seen) {
            input.seen = true;
            input.reportedMicros = 0;
        }
        for (int summary = 0; summary < boundaries.length; summary++) {
            long mark = taken.marks()[summary];
            Map<String, Long> ofSummary = progress.get(layouts.get(summary).name());
            if (ofSummary != null && mark != WindowInput.NONE) {
                ofSummary.merge(taken.input(), mark, Math::max);
            }
        }
        input.clear(TimeUnit.MILLISECONDS.toMicros(taken.clearMillis()));
    }

    /**
     * Starts the period after which inputs without a record become idle. Does nothing if the period has already begun.
     * Call this method when all subtasks run and read the inputs.
     */
    void start(long now) {
        if (!started) {
            started = true;
            startedAt = now;
        }
    }

    /** Moves the watermarks; returns the boundaries that have moved. The work grows with the number of inputs. */
    List<Boundary> advance(long now) {
        long passed = started ? now - startedAt : 0;
        boolean waits = false;
        for (Input input : inputs.values()) {
            if (!input.seen) {
                waits |= passed < idleMicros;
                input.clear(passed);
            }
        }
        progress.forEach((summary, ofInputs) -> watermarks.move(summary, ofInputs, name -> input(name).clearMicros));
        List<Boundary> moved = new ArrayList<>();
        for (int summary = 0; summary < boundaries.length && !waits; summary++) {
            SummaryWindow window = layouts.get(summary).window();
            if (window != null && !layouts.get(summary).isKeyless()) {
                long boundary = Watermarks.due(window, watermark(summary));
                if (boundary > boundaries[summary]) {
                    boundaries[summary] = boundary;
                    moved.add(new Boundary(summary, boundary));
                }
            }
        }
        return moved;
    }

    /** The watermark of a summary; {@link WindowInput#NONE} before the first event. */
    long watermark(int summary) {
        return watermarks.of(layouts.get(summary).name());
    }

    /** The boundaries of all summaries by name; {@link ClosedWindows#NO_BOUNDARY} before the first close. */
    Map<String, Long> boundaries() {
        Map<String, Long> all = new TreeMap<>();
        for (int summary = 0; summary < boundaries.length; summary++) {
            all.put(layouts.get(summary).name(), boundaries[summary]);
        }
        return all;
    }

    /** Writes inputs and boundaries, with the names of summaries. */
    void writeTo(DataOutputStream out) throws IOException {
        out.writeInt(VERSION);
        out.writeInt(boundaries.length);
        for (int summary = 0; summary < boundaries.length; summary++) {
            out.writeUTF(layouts.get(summary).name());
            out.writeLong(boundaries[summary]);
        }
        Map<String, Map<String, Long>> marks = watermarks.marks(progress);
        out.writeInt(inputs.size());
        for (String input : inputs.keySet()) {
            out.writeUTF(input);
            for (SummaryLayout layout : layouts) {
                out.writeLong(marks.getOrDefault(layout.name(), Map.of()).getOrDefault(input, WindowInput.NONE));
            }
        }
    }

    /**
     * Restores what {@link #writeTo} wrote, possibly for other definitions.
     *
     * @param reads whether the job still reads the input of a given name; an input that the job no longer reads does
     *     not hold up a watermark
     */
    void restore(DataInputStream in, Predicate<String> reads) throws IOException {
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("the progress of inputs has version=" + version + ", expected " + VERSION);
        }
        @Nullable Integer[] positions = new Integer[in.readInt()];
        for (int saved = 0; saved < positions.length; saved++) {
            positions[saved] = position(in.readUTF());
            long boundary = in.readLong();
            Integer summary = positions[saved];
            if (summary != null) {
                boundaries[summary] = Math.max(boundaries[summary], boundary);
            }
        }
        Map<String, Map<String, Long>> marks = watermarks.marks(Map.of()); // several states may be restored
        for (int left = in.readInt(); left > 0; left--) {
            String input = in.readUTF();
            boolean isRead = reads.test(input);
            if (isRead) {
                Input unused = input(input);
            }
            for (Integer summary : positions) {
                long mark = in.readLong();
                if (summary != null && isRead) {
                    marks.computeIfAbsent(layouts.get(summary).name(), added -> new TreeMap<>())
                            .merge(input, mark, Math::max);
                }
            }
        }
        watermarks.restore(marks, input -> false, 0);
    }

    private @Nullable Integer position(String summary) {
        for (int position = 0; position < layouts.size(); position++) {
            if (layouts.get(position).name().equals(summary)) {
                return position;
            }
        }
        return null;
    }
}
