package io.summarizer.core.window;

import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.Windows;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The watermarks of summaries: times up to which all events are thought to have arrived. The watermark of a summary is
 * the least mark of its inputs. The mark of an input is the greatest {@linkplain WindowInput#progress progress} of its
 * events. An input is idle when its progress has not moved for some time and none of its batches waits. The mark of
 * an idle input advances with the clock. An input that never had an event of the summary does not count. Inputs have
 * names, such as those of {@link InputName}.
 *
 * <p>The rules follow Akidau et al., "The Dataflow Model" (2015), with marks that can be derived from the events
 * themselves. Thread-safe; one thread moves the marks.
 */
public final class Watermarks {
    private static final long NEVER = Long.MIN_VALUE;

    private final long idleMicros;

    /** Time from the checkpoint to the restart. Guarded by this. */
    private long downMicros;

    /** The mark of each input, by summary and name of the input. Guarded by this. */
    private final Map<String, Map<String, Mark>> marks = new HashMap<>();

    /** The mark of an input of a summary. */
    private static final class Mark {
        /** The greatest progress of events; {@link WindowInput#NONE} before the first event. */
        long progress = WindowInput.NONE;
        /** The mark, in µs since the epoch. */
        long at = WindowInput.NONE;
        /**
         * The {@code clearMicros} of the input when the progress in this mark last moved. If this progress has not
         * moved yet, the {@code clearMicros} at the first call of {@code move} for this mark.
         */
        long movedAt = NEVER;

        boolean idle;
        /** The part of {@link #downMicros} by which a saved mark may still go on. */
        long owed;
        /** Whether it is only assumed that the input ever had an event of the summary. */
        boolean assumed;
        /**
         * The {@code clearMicros} of the input at the last call of {@code move} for this mark. Up to date only while
         * the input is idle.
         */
        long wentOnAt;
    }

    /**
     * Watermarks before the first event.
     *
     * @param idleMicros time without events after which an input is idle
     */
    public Watermarks(long idleMicros) {
        this.idleMicros = idleMicros;
    }

    /** A backlog for an input, or for several inputs together, before the first look. */
    public Backlog newBacklog() {
        return new Backlog(idleMicros);
    }

    /**
     * Moves the marks of a summary and returns its watermark.
     *
     * @param progress the progress of each input, by name; {@link WindowInput#NONE} means the same as no entry
     * @param clearMicros returns, for the name of an input, the total time in µs during which nothing of the input
     *     waited, for example {@link Backlog#clearMicros}. {@code progress} must include everything that came in up to
     *     the last moment that this total covers. Therefore, look at the backlog first, and read the progress after
     *     that
     * @return {@link WindowInput#NONE} before the first event
     */
    public synchronized long move(String summary, Map<String, Long> progress, ToLongFunction<String> clearMicros) {
        Map<String, Mark> inputs = marks.computeIfAbsent(summary, added -> new HashMap<>());
        progress.forEach((input, seen) -> {
            if (seen != WindowInput.NONE) {
                inputs.computeIfAbsent(input, added -> new Mark());
            }
        });
        inputs.forEach((input, mark) ->
                move(mark, progress.getOrDefault(input, WindowInput.NONE), clearMicros.applyAsLong(input)));
        catchUp(inputs.values());
        return least(inputs);
    }

    /**
     * Handles saved marks whose inputs had no event since the restart, though another input had one, and were idle for
     * longer than the time since the checkpoint. By then, senders that waited have come back. Such a mark goes on by
     * that time, because each restart would otherwise make windows close later, until the input has an event. An input
     * of which it is only assumed that it had events does not count any more.
     */
    private void catchUp(Collection<Mark> inputs) {
        long others = inputs.stream()
                .filter(mark -> mark.progress != WindowInput.NONE)
                .mapToLong(mark -> mark.at)
                .min()
                .orElse(WindowInput.NONE);
        if (others == WindowInput.NONE) {
            return;
        }
        inputs.removeIf(mark -> isOverdue(mark) && mark.assumed);
        for (Mark mark : inputs) {
            if (isOverdue(mark)) {
                long more = Math.max(0, Math.min(mark.owed, others - idleMicros - mark.at));
                mark.at += more;
                mark.owed -= more;
            }
        }
    }

    private boolean isOverdue(Mark mark) {
        return mark.progress == WindowInput.NONE
                && mark.idle
                && mark.wentOnAt - mark.movedAt >= idleMicros + downMicros;
    }

    private void move(Mark mark, long progress, long clearMicros) {
        if (progress > mark.progress) {
            mark.progress = progress;
            mark.at = Math.max(mark.at, progress);
            mark.movedAt = clearMicros;
            mark.idle = false;
        } else if (mark.movedAt == NEVER) {
            mark.movedAt = clearMicros;
        } else if (mark.idle) {
            mark.at += clearMicros - mark.wentOnAt;
            mark.wentOnAt = clearMicros;
        } else if (clearMicros - mark.movedAt >= idleMicros) {
            mark.idle = true;
            mark.wentOnAt = clearMicros;
        }
    }

    private static long least(Map<String, Mark> inputs) {
        return inputs.values().stream().mapToLong(mark -> mark.at).min().orElse(WindowInput.NONE);
    }

    /**
     * The boundary before which the windows of a summary are due to close. A window is due when the watermark has
     * passed the end of the window by the closing delay.
     *
     * @return {@link Windows#NO_START} when no window is due
     */
    public static long due(SummaryWindow window, long watermark) {
        boolean none = watermark == WindowInput.NONE || watermark < Long.MIN_VALUE + window.closeAfterMicros();
        return none ? Windows.NO_START : window.windows().start(watermark - window.closeAfterMicros());
    }

    /** The watermark of a summary as it was last moved; {@link WindowInput#NONE} before the first event. */
    public synchronized long of(String summary) {
        Map<String, Mark> inputs = marks.get(summary);
        return inputs == null ? WindowInput.NONE : least(inputs);
    }

    /**
     * The marks of all inputs by summary, for a checkpoint.
     *
     * @param progress for each summary, the progress of each input, read when the rows of the checkpoint were taken or
     *     later. The saved marks include this progress even if the marks were not moved yet, because the next process
     *     does not see the events again
     */
    public synchronized Map<String, Map<String, Long>> marks(Map<String, Map<String, Long>> progress) {
        Map<String, Map<String, Long>> all = new TreeMap<>();
        progress.forEach((summary, inputs) -> all.put(summary, new TreeMap<>(inputs)));
        marks.forEach((summary, inputs) -> {
            Map<String, Long> ats = all.computeIfAbsent(summary, added -> new TreeMap<>());
            inputs.forEach((input, mark) -> ats.merge(input, mark.at, Math::max));
        });
        return all;
    }

    /**
     * Goes on from the marks of a checkpoint. What a mark is still owed is not saved, so a second restart shortly after
     * the first one forgets it.
     *
     * @param assumed whether it is only assumed that an input had events
     * @param downMicros time since the checkpoint, at least 0
     */
    public synchronized void restore(Map<String, Map<String, Long>> saved, Predicate<String> assumed, long downMicros) {
        this.downMicros = downMicros;
        saved.forEach((summary, ats) -> {
            Map<String, Mark> inputs = new HashMap<>();
            ats.forEach((input, at) -> {
                if (at != WindowInput.NONE) {
                    Mark mark = new Mark();
                    mark.at = at;
                    mark.owed = downMicros;
                    mark.assumed = assumed.test(input);
                    inputs.put(input, mark);
                }
            });
            marks.put(summary, inputs);
        });
    }

    /** Forgets all summaries except the wanted summaries. A later summary of the same name begins without marks. */
    public synchronized void retainSummaries(Predicate<String> wanted) {
        marks.keySet().removeIf(wanted.negate());
    }

    /**
     * Forgets all inputs except the wanted inputs. The other inputs will have no more events, and must not hold up a
     * watermark.
     */
    public synchronized void retain(Predicate<String> wanted) {
        marks.values().forEach(inputs -> inputs.keySet().removeIf(wanted.negate()));
    }
}
