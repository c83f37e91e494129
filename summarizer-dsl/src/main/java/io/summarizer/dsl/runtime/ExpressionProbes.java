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
 * The base of generated classes that evaluate single expressions of mappings, to explain a program. Belongs to one
 * thread; may allocate.
 */
public abstract class ExpressionProbes extends Evaluator {
    private final List<ZoneId> zones;
    private final int year;

    /** The current message. */
    protected IMessage message;

    private Result result = Result.NULL;

    /**
     * The result of an expression.
     *
     * @param bits an integer, the bits of a double, or 0 for text
     * @param text null when the result is no string
     * @param reason the first failure in it, or null
     * @param sample the unreadable text, or null
     * @param abandoned number of abandoned {@code extract}s
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

    /** Sets the message and decodes its payload; returns null on success, else the reason why it cannot be used. */
    public abstract @Nullable String decode(IMessage message);

    /** Passes the value of an expression to {@link #give} or {@link #giveText}. */
    protected abstract void evaluate(int probe, int[] elements);

    /** Sets the current message. */
    protected final void start(IMessage message) {
        this.message = message;
    }

    /** Year of times without one, or {@link SyslogTime#NO_YEAR}. */
    protected final int year() {
        return year;
    }

    /** Zone of times of the current message without one. */
    protected final ZoneId zone() {
        return zones.get(Math.min(message.listener(), zones.size() - 1));
    }

    /** Sets the result of an expression that is no string. */
    protected final void give(boolean isNull, long bits) {
        result = new Result(isNull, bits, null, null, null, 0);
    }

    /** Sets the result of a string. */
    protected final void giveText(boolean isNull, long reference) {
        if (isNull) {
            result = Result.NULL;
            return;
        }
        result = new Result(false, 0, event.string(reference), null, null, 0);
    }

    /**
     * Evaluates an expression over the last decoded message.
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

    /** The last decoded fields. */
    public final InputEvent event() {
        return event;
    }
}
