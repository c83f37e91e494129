package io.summarizer.server.explain;

import io.summarizer.core.ledger.Fate;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.receive.StreamFramer;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.core.route.Route;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.explain.Explainer;
import io.summarizer.dsl.explain.Explanation;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventType;
import java.io.IOException;
import java.io.InputStream;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Explains the fate of messages, from their frame to the updates that they cause. The explainer passes frames,
 * envelopes, topics and payloads through the code that the service runs. Used by one thread.
 */
public final class MessageExplainer {
    private static final int WIDTH = 15;

    private final Definitions definitions;
    private final List<Plan.Event> events;
    private final ZoneId zone;
    private final int year;
    private final TopicRouter router;
    private final TopicExplainer topics;
    private final Explainer explainer;
    private long told;

    /**
     * The fate of a message.
     *
     * @param text the explanation as text
     * @param rejected the reason for the message's rejection, as in metrics, or null
     * @param topic the topic; null when the message has no topic, or was rejected before its topic was known
     * @param explanation the explanation of the event; null when the topic has no event type
     */
    public record Told(
            String text,
            @Nullable String rejected,
            @Nullable String topic,
            @Nullable Explanation explanation) {
        /** Whether the message has an event type, and nothing in the message was rejected. */
        public boolean isTaken() {
            return explanation != null && rejected == null;
        }
    }

    /**
     * Makes an explainer for these definitions.
     *
     * @param zone time zone for times that name no zone
     * @param year year for times that name no year, or {@link SyslogTime#NO_YEAR}
     * @param limits bounds on keys and texts
     * @param aheadMicros largest difference, in µs, by which an event's time may be later than its arrival
     */
    public MessageExplainer(Definitions definitions, ZoneId zone, int year, ValueLimits limits, long aheadMicros) {
        this.definitions = definitions;
        this.zone = zone;
        this.year = year;
        events = PlanCompiler.events(definitions);
        router = Plan.routes(events).newRouter();
        topics = new TopicExplainer(events, definitions.summaries());
        explainer = new Explainer(definitions, new PlanCompiler.Options(List.of(zone), year), limits, aheadMicros);
    }

    /**
     * Explains the messages of a stream, each as soon as it is complete.
     *
     * @param arrivalMicros arrival time, for times without a year
     * @param messagesMax number of messages after which the explainer stops
     * @return the reason why the stream could not be read to its end, or an empty text
     */
    public String read(InputStream in, SyslogFramer framer, long arrivalMicros, int messagesMax, Consumer<Told> then)
            throws IOException {
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        batch.firstStamp(arrivalMicros);
        framer.begin(batch);
        int done = 0;
        boolean open = true;
        while (open && told < messagesMax) {
            if (!framer.reserve(batch)) {
                batch = next(framer, batch, arrivalMicros);
                done = 0;
                continue;
            }
            int read = in.read(batch.bytes(), batch.limit(), batch.bytes().length - batch.limit());
            if (read < 0) {
                framer.end(batch);
                tell(batch, done, messagesMax, then);
                break;
            }
            batch.limit(batch.limit() + read);
            StreamFramer.Outcome outcome;
            while ((outcome = framer.frame(batch)) == StreamFramer.Outcome.FULL && told < messagesMax) {
                tell(batch, done, messagesMax, then);
                batch = next(framer, batch, arrivalMicros);
                done = 0;
            }
            done = tell(batch, done, messagesMax, then);
            open = outcome != StreamFramer.Outcome.CLOSED;
        }
        String closeReason = framer.closeReason();
        return closeReason == null ? "" : closeReason;
    }

    private static MessageBatch next(SyslogFramer framer, MessageBatch full, long arrivalMicros) {
        MessageBatch next = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        next.firstStamp(arrivalMicros);
        return framer.carryOver(full, next);
    }

    private int tell(MessageBatch batch, int from, int messagesMax, Consumer<Told> then) {
        for (int i = from; i < batch.count() && told < messagesMax; i++) {
            told++;
            then.accept(tell(batch.message(i)));
        }
        return batch.count();
    }

    /** Explains a message whose frame and envelope are parsed. */
    public Told tell(IMessage message) {
        Outline text = new Outline();
        text.line(0, "frame", WIDTH, EnvelopeText.frame(message));
        RejectReason reason = message.rejectReason();
        if (reason == RejectReason.FRAME || reason == RejectReason.OVERSIZE) {
            text.line(0, "rejected (" + reason.label() + ")");
            return new Told(text.toString(), reason.label(), null, null);
        }
        if (!EnvelopeText.add(message, zone, year, text)) {
            return new Told(text.toString(), RejectReason.ENVELOPE.label(), null, null);
        }
        boolean hasTopic = message.length(MessageBatch.TOPIC) >= 0;
        String topic = hasTopic ? EnvelopeText.slice(message, MessageBatch.TOPIC) : "";
        text.line(0, "topic", WIDTH, hasTopic ? topic + ", its " + EnvelopeText.topicSource(message) : "none");
        Route route =
                router.route(message.bytes(), message.offset(MessageBatch.TOPIC), message.length(MessageBatch.TOPIC));
        TopicReport report = topics.report(topic);
        if (route.event() < 0) {
            text.line(
                    0,
                    "event",
                    WIDTH,
                    "none, no event type takes " + (hasTopic ? "this topic" : "messages without one") + " (unmatched)");
            for (TopicReport.Miss miss : report.nearest()) {
                text.line(1, "near " + miss.pattern() + " of " + miss.event() + ": " + miss.why());
            }
            return new Told(text.toString(), null, hasTopic ? topic : null, null);
        }
        EventType type = definitions.events().get(route.event());
        text.line(
                0,
                "event",
                WIDTH,
                type.name() + ", " + events.get(route.event()).format()
                        + (report.isTaken() ? ", on " + report.patterns().get(0) : ""));
        Explanation explanation = explainer.explain(route.event(), message, route.active());
        String refusal = explanation.refusal();
        if (refusal != null) {
            String where = PayloadFault.where(
                    type,
                    refusal,
                    message.bytes(),
                    message.offset(MessageBatch.PAYLOAD),
                    Math.max(0, message.length(MessageBatch.PAYLOAD)));
            text.line(0, "rejected (payload): " + refusal + (where.isEmpty() ? "" : " (" + where + ")"));
            return new Told(text.toString(), RejectReason.PAYLOAD.label(), hasTopic ? topic : null, explanation);
        }
        if (explanation.unexplained() != null) {
            text.line(0, "not explained: " + explanation.unexplained());
        } else if (explanation.mappings().isEmpty()) {
            text.line(0, "no mapping takes " + type.name());
        }
        ExplanationText.add(explanation, text);
        Fate rejected = explanation.rejected();
        return new Told(
                text.toString(), rejected == null ? null : rejected.label(), hasTopic ? topic : null, explanation);
    }
}
