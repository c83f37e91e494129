package io.summarizer.dsl.runtime;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.plan.EventPlan;
import java.time.ZoneId;
import java.util.List;

/**
 * What the generated programs of event types have in common: the message at hand and the record being written. Belongs to
 * one parser worker; allocates nothing per event, but for what {@code extract} and non-ASCII {@code lower} and
 * {@code upper} need.
 */
public abstract class MappingProgram extends Evaluator implements EventProgram {
    protected final EventPlan plan;
    private final LoopSteps steps;
    private final List<ZoneId> zones;

    /** The message at hand. */
    protected IMessage message;

    /** Where its updates go. */
    protected UpdateRouter router;

    /** What the open record is written to. */
    protected UpdateBatch updates;

    /** A program for the mappings of {@code plan}. */
    @SuppressWarnings("NullAway.Init") // start comes before every evaluation, a key before every update
    protected MappingProgram(EventPlan plan) {
        super(plan.mappings().size());
        this.plan = plan;
        steps = new LoopSteps(plan.mappings());
        zones = plan.schema().zones();
    }

    @Override
    public final Counts counts() {
        return counts;
    }

    /** Takes up a message. */
    protected final void start(IMessage message, UpdateRouter router) {
        this.message = message;
        this.router = router;
    }

    /** Whether the loops of the active mappings would take too many steps for the decoded event. */
    protected final boolean takesTooManySteps(IMessage message, boolean[] active) {
        return steps.exceeded(event, active, message.length(MessageBatch.PAYLOAD));
    }

    /** Where times of the message at hand without a zone are. */
    protected final ZoneId zone() {
        return zones.get(Math.min(message.listener(), zones.size() - 1));
    }

    /** A buffer for the key of mapping {@code mapping}'s summary, or of one nested in it along {@code path}. */
    protected final KeyBuffer keyBuffer(int mapping, int[] path) {
        SummaryLayout layout = plan.mappings().get(mapping).summary();
        for (int nested : path) {
            layout = layout.nested().get(nested);
        }
        return new KeyBuffer(new KeyLayout(layout.keys()));
    }

    /** The rows open in the records of mapping {@code mapping}. */
    protected final OpenRows openRows(int mapping) {
        return new OpenRows(plan.mappings().get(mapping).summary());
    }
}
