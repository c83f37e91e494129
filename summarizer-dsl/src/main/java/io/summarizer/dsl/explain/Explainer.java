package io.summarizer.dsl.explain;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.plan.EventPlan;
import org.jspecify.annotations.Nullable;

/**
 * Explains what mappings do with events, and why. At the first event of a type, the explainer compiles the program of
 * this type. Used by one thread.
 */
public final class Explainer {
    private final Definitions definitions;
    private final PlanCompiler.Options options;
    private final ValueLimits limits;
    private final long aheadMicros;
    private final @Nullable EventExplainer[] events;

    /**
     * An explainer for the plan that {@link PlanCompiler#compile(Definitions, PlanCompiler.Options)} makes from these
     * arguments.
     *
     * @param limits limits on the keys and texts of an event
     * @param aheadMicros maximum time by which the time of an event may be later than the arrival of the event, in µs
     */
    public Explainer(Definitions definitions, PlanCompiler.Options options, ValueLimits limits, long aheadMicros) {
        this.definitions = definitions;
        this.options = options;
        this.limits = limits;
        this.aheadMicros = aheadMicros;
        events = new EventExplainer[definitions.events().size()];
    }

    /**
     * Explains a message of event type {@code event}.
     *
     * @param active for each mapping of the event type, whether the mapping's own topic pattern (if it has one) matched
     */
    public Explanation explain(int event, IMessage message, boolean[] active) {
        EventExplainer explainer = events[event];
        if (explainer == null) {
            explainer = new EventExplainer(
                    new EventPlan(definitions, event, options.zones(), options.year()), limits, aheadMicros);
            events[event] = explainer;
        }
        return explainer.explain(message, active);
    }
}
