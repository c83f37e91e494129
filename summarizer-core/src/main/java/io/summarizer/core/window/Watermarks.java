package io.summarizer.core.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The watermarks of summaries: times up to which all events are thought to have arrived. The watermark of a summary is
 * the least mark of its inputs. The mark of an input is the greatest {@linkplain WindowInput#progress progress} of its
 * events. An input without events for some time, and without batches that wait, is idle: its mark goes on from where it
 * stood, at the pace of the clock. An input that never had an event of the summary does not count.
 *
 * <p>The rules follow Akidau et al., "The Dataflow Model" (2015), with marks that one process can derive from the
 * events themselves. Thread-safe; one thread moves the marks.
 */
public final class Watermarks {
    private static final long NEVER = Long.MIN_VALUE;

    private final long idleMicros;

    /** The mark of each input, by summary. Guarded by this. */
    private final Map<String, List<Mark>> marks = new HashMap<>();

    /** For each input, what is known of its batches. */
    private final List<Backlog> backlogs;

    /** The mark of an input of a summary. All times are in µs; times of the clock count from an arbitrary origin. */
    private static final class Mark {
        /** The greatest progress of events; {@link WindowInput#NONE} before the first. */
        long progress = WindowInput.NONE;
        /** The mark; {@link WindowInput#NONE} before the first event. */
        long at = WindowInput.NONE;
        /** Time of the clock when the progress moved last, or when the mark was first looked at. */
        long movedAt = NEVER;

        boolean idle;
        /** Time of the clock up to which an idle input was moved. */
        long wentOnAt;
    }

    /** Tells when all batches were processed that were handed over before some time. */
    private static final class Backlog {
        private long submitted;
        private long submittedAt;
        /** A time of the clock: no batch that was handed over before it is still in the queue. */
        private long clearedAt;
    }

    /**
     * Watermarks before the first event.
     *
     * @param inputs number of inputs
     * @param idleMicros time without events after which an input is idle
     */
    public Watermarks(int inputs, long idleMicros) {
        this.idleMicros = idleMicros;
        backlogs = Stream.generate(Backlog::new).limit(inputs).toList();
    }

    /**
     * Looks at the batches of an input. Call it for all inputs before {@link #move}.
     *
     * @param submitted number of batches that were handed over
     * @param processed number of batches that were processed
     * @param now time of a clock that never goes back, in µs
     */
    public synchronized void look(int input, long submitted, long processed, long now) {
        Backlog backlog = backlogs.get(input);
        if (processed >= backlog.submitted) {
            backlog.clearedAt = backlog.submittedAt;
            backlog.submitted = submitted;
            backlog.submittedAt = now;
        }
    }

    /**
     * Moves the marks of a summary and returns its watermark.
     *
     * @param progress the progress of each input
     * @param now as in {@link #look}
     * @return {@link WindowInput#NONE} before the first event
     */
    public synchronized long move(String summary, List<Long> progress, long now) {
        List<Mark> inputs = marks.computeIfAbsent(summary, this::newMarks);
        for (int input = 0; input < inputs.size(); input++) {
            move(inputs.get(input), progress.get(input), backlogs.get(input), now);
        }
        return least(inputs);
    }

    private List<Mark> newMarks(String summary) {
        return Stream.generate(Mark::new).limit(backlogs.size()).toList();
    }

    private void move(Mark mark, long progress, Backlog backlog, long now) {
        if (progress > mark.progress) {
            mark.progress = progress;
            mark.at = Math.max(mark.at, progress);
            mark.movedAt = now;
            mark.idle = false;
        } else if (mark.at == WindowInput.NONE) {
            return;
        } else if (mark.movedAt == NEVER) {
            mark.movedAt = now;
        } else if (mark.idle) {
            mark.at += now - mark.wentOnAt;
            mark.wentOnAt = now;
        } else if (backlog.clearedAt - mark.movedAt >= idleMicros) {
            mark.idle = true;
            mark.wentOnAt = now;
        }
    }

    private static long least(List<Mark> inputs) {
        return inputs.stream()
                .mapToLong(mark -> mark.at)
                .filter(at -> at != WindowInput.NONE)
                .min()
                .orElse(WindowInput.NONE);
    }

    /** The watermark of a summary as it was last moved; {@link WindowInput#NONE} before the first event. */
    public synchronized long of(String summary) {
        List<Mark> inputs = marks.get(summary);
        return inputs == null ? WindowInput.NONE : least(inputs);
    }

    /**
     * The marks of all inputs by summary, for a checkpoint.
     *
     * @param progress for each summary, the progress of each input, read when the rows of the checkpoint were taken or
     *     later. The saved marks include this progress, even if they were not moved yet, because the next process does
     *     not see these events again
     */
    public synchronized Map<String, List<Long>> marks(Map<String, List<Long>> progress) {
        Map<String, List<Long>> all = new TreeMap<>(progress);
        marks.forEach((summary, inputs) -> {
            List<Long> seen = progress.get(summary);
            List<Long> ats = new ArrayList<>();
            for (int input = 0; input < inputs.size(); input++) {
                ats.add(seen == null ? inputs.get(input).at : Math.max(inputs.get(input).at, seen.get(input)));
            }
            all.put(summary, ats);
        });
        return all;
    }

    /**
     * Goes on from the marks of a checkpoint. If the number of inputs has changed, each input goes on from the least
     * mark.
     */
    public synchronized void restore(Map<String, List<Long>> saved) {
        saved.forEach((summary, ats) -> {
            List<Mark> inputs = newMarks(summary);
            long least = ats.stream()
                    .mapToLong(Long::longValue)
                    .filter(at -> at != WindowInput.NONE)
                    .min()
                    .orElse(WindowInput.NONE);
            for (int input = 0; input < inputs.size(); input++) {
                inputs.get(input).at = ats.size() == inputs.size() ? ats.get(input) : least;
            }
            marks.put(summary, inputs);
        });
    }
}
