package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.dsl.plan.EventPlan;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What generated classes have in common that evaluate single expressions of mappings, to explain what a program does.
 * Belongs to one thread; allocates as it likes.
 */
public abstract class ExpressionProbes extends Evaluator {
    private final List<ZoneId> zones;
    private final int year;

    /** The message at hand. */
    protected IMessage message;

    private Result result = Result.NULL;

    /**
     * What an expression came to.
     *
     * @param bits an integer, the bits of a double, or 0 where there is text
     * @param text null where the result is no string
     * @param reason the first thing that failed on the way, or null
     * @param sample the text that could not be read, or null
     * @param abandoned how often an {@code extract} was given up
     */
    public record Result(
            boolean isNull,
            long bits,
            @Nullable String text,
            @Nullable NullReason reason,
            @Nullable String sample,
            long abandoned) {
        private static final Result NULL = new Result(true, 0, null, null, null, 0);
    }

    /** Probes of the mappings of {@code plan}. */
    @SuppressWarnings("NullAway.Init") // decode comes before every evaluation
    protected ExpressionProbes(EventPlan plan) {
        super(plan.mappings().size(), List.of());
        zones = plan.schema().zones();
        year = plan.year();
    }

    /** Takes up a message and decodes its payload; null when all is well, else why it cannot be used. */
    public abstract @Nullable String decode(IMessage message);

    /** Has {@link #give} or {@link #giveText} called with the value of an expression. */
    protected abstract void evaluate(int probe, int[] elements);

    /** Takes up a message. */
    protected final void start(IMessage message) {
        this.message = message;
    }

    /** Year of times without one, or {@link SyslogTime#NO_YEAR}. */
    protected final int year() {
        return year;
    }

    /** Where times of the message at hand without a zone are. */
    protected final ZoneId zone() {
        return zones.get(Math.min(message.listener(), zones.size() - 1));
    }

    /** Says what an expression that is no string came to. */
    protected final void give(boolean isNull, long bits) {
        result = new Result(isNull, bits, null, null, null, 0);
    }

    /** Says what a string came to. */
    protected final void giveText(boolean isNull, long reference) {
        if (isNull) {
            result = Result.NULL;
            return;
        }
        result = new Result(false, 0, event.string(reference), null, null, 0);
    }

    /**
     * Evaluates an expression over the message decoded last.
     *
     * @param elements records of the loops' current elements, by their ids
     */
    public final Result eval(int probe, int[] elements) {
        nulls.clear();
        long abandoned = counts.extractsAbandoned();
        int mark = event.scratchLimit();
        evaluate(probe, elements);
        event.releaseScratch(mark);
        return new Result(
                result.isNull(),
                result.bits(),
                result.text(),
                nulls.reason(),
                nulls.sample(),
                counts.extractsAbandoned() - abandoned);
    }

    /** The fields decoded last. */
    public final InputEvent event() {
        return event;
    }
}
