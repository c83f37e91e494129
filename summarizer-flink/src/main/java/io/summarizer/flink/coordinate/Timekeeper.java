package io.summarizer.flink.coordinate;

import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.window.WindowInput;
import io.summarizer.flink.record.Boundary;
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
import org.jspecify.annotations.Nullable;

/**
 * Closes windows. The watermark of a summary is the least mark of its inputs, the partitions of the source; the mark of
 * an input is the greatest progress of its events. An input without records for {@code idle} goes on from where it stood
 * at the pace of the clock. The rules are those of {@link io.summarizer.core.window.Watermarks}, for inputs that are
 * known by name and in the hands of several processes.
 *
 * <p>No window is closed until each expected input had a record, or {@code idle} has passed since the start: an input
 * with old events may be read later than the others. One thread.
 */
final class Timekeeper {
    private static final int VERSION = 1;

    private final List<SummaryLayout> layouts;
    private final long idleMicros;
    private final Map<String, Input> inputs = new TreeMap<>();
    private final long[] boundaries;

    /** Time of the clock at the start, in µs; it has any origin. */
    private final long startedAt;

    /** What is known of an input. */
    private static final class Input {
        final long[] progress;
        /** The marks of an input that goes on at the pace of the clock are ahead of its progress. */
        final long[] marks;
        /** Whether the input had a record since the start. */
        boolean seen;

        long idleMicros;

        Input(int summaries) {
            progress = new long[summaries];
            marks = new long[summaries];
            Arrays.fill(progress, WindowInput.NONE);
            Arrays.fill(marks, WindowInput.NONE);
        }

        void goOn(long idle, long after) {
            long beyond = Math.max(0, idle - after);
            for (int summary = 0; summary < marks.length; summary++) {
                if (progress[summary] != WindowInput.NONE) {
                    marks[summary] = Math.max(marks[summary], progress[summary] + beyond);
                }
            }
        }
    }

    /**
     * A timekeeper before the first event.
     *
     * @param expected inputs that will have events, as far as is known
     * @param idleMicros time without records after which an input is idle
     * @param now time of a clock that never goes back, in µs
     */
    Timekeeper(List<SummaryLayout> layouts, List<String> expected, long idleMicros, long now) {
        this.layouts = List.copyOf(layouts);
        this.idleMicros = idleMicros;
        startedAt = now;
        boundaries = new long[layouts.size()];
        Arrays.fill(boundaries, WindowInput.NONE);
        expected.forEach(this::input);
    }

    private Input input(String name) {
        return inputs.computeIfAbsent(name, added -> new Input(layouts.size()));
    }

    /** Takes the progress of an input. */
    void take(Progress progress) {
        Input input = input(progress.input());
        input.seen = true;
        for (int summary = 0; summary < boundaries.length; summary++) {
            input.progress[summary] = Math.max(input.progress[summary], progress.marks()[summary]);
        }
        input.idleMicros = TimeUnit.MILLISECONDS.toMicros(progress.idleMillis());
        input.goOn(input.idleMicros, idleMicros);
    }

    /** Moves the watermarks; returns the boundaries that have moved. */
    List<Boundary> advance(long now) {
        long passed = now - startedAt;
        boolean waits = false;
        for (Input input : inputs.values()) {
            if (!input.seen) {
                waits |= passed < idleMicros;
                input.goOn(passed, idleMicros);
            }
        }
        List<Boundary> moved = new ArrayList<>();
        for (int summary = 0; summary < boundaries.length && !waits; summary++) {
            SummaryWindow window = layouts.get(summary).window();
            long watermark = watermark(summary);
            if (window != null
                    && watermark != WindowInput.NONE
                    && !layouts.get(summary).isKeyless()) {
                long boundary = window.windows().start(watermark - window.closeAfterMicros());
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
        return inputs.values().stream()
                .mapToLong(input -> input.marks[summary])
                .filter(mark -> mark != WindowInput.NONE)
                .min()
                .orElse(WindowInput.NONE);
    }

    /** The boundaries of all summaries by name. */
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
        out.writeInt(inputs.size());
        for (Map.Entry<String, Input> input : inputs.entrySet()) {
            out.writeUTF(input.getKey());
            for (long mark : input.getValue().marks) {
                out.writeLong(mark);
            }
        }
    }

    /** Goes on from what {@link #writeTo} wrote, possibly for other definitions. */
    void restore(DataInputStream in) throws IOException {
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
        for (int left = in.readInt(); left > 0; left--) {
            Input input = input(in.readUTF());
            for (Integer summary : positions) {
                long mark = in.readLong();
                if (summary != null) {
                    input.progress[summary] = Math.max(input.progress[summary], mark);
                    input.marks[summary] = Math.max(input.marks[summary], mark);
                }
            }
        }
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
