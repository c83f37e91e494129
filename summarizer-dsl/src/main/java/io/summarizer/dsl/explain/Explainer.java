package io.summarizer.dsl.explain;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.plan.EventPlan;
import org.jspecify.annotations.Nullable;

/**
 * Explains what mappings do with events, and why. Belongs to one thread. At the first event of a type, the explainer
 * compiles the program of this type.
 */
public final class Explainer {
    private final Definitions definitions;
    private final PlanCompiler.Options options;
    private final ValueLimits limits;
    private final long aheadMicros;
    private final @Nullable EventExplainer[] events;

    /**
     * An explainer of the plan that {@link PlanCompiler#compile(Definitions, PlanCompiler.Options)} makes of these
     * arguments.
     *
     * @param limits on the keys and texts of an event
     * @param aheadMicros maximum time by which an event's time may be after its arrival, in µs
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
     * @param active for each mapping of the event type, whether its own topic pattern (if any) matched
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
