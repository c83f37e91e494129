package io.summarizer.dsl.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.decode.EventSchema.Format;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.TableDecoders;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.plan.EventPlan;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates single expressions over JSON payloads. */
final class Evaluation {
    private final Expression expression;
    private final EventPlan plan;
    private final Interpreter interpreter;
    private final Purpose purpose;

    private Evaluation(MessageType type, Expression expression, AggregateType column, ZoneId zone) {
        this.expression = expression;
        purpose = column == AggregateType.SUMCURRENCY ? new Purpose.Observation(column) : new Purpose.Own();
        Definitions definitions = Model.definitions(
                Model.event("x", type, Format.JSON),
                Model.summary("S", List.of(Model.key("k", 1, KeyType.INT64)), List.of(Model.value("v", 1, column))),
                Model.mapping(0, 0, null, Model.keyBlock(Model.number(0)), Model.add(0, expression)));
        plan = new EventPlan(definitions, 0, List.of(zone));
        interpreter = new Interpreter(plan, plan.mappings().get(0));
    }

    static Evaluation of(MessageType type, Expression expression) {
        return new Evaluation(type, expression, AggregateType.COUNT, ZoneOffset.UTC);
    }

    static Evaluation of(MessageType type, Expression expression, ZoneId zone) {
        return new Evaluation(type, expression, AggregateType.COUNT, zone);
    }

    /** An evaluation as the operand of a {@code sumcurrency}: millionths. */
    static Evaluation ofCurrency(MessageType type, Expression expression) {
        return new Evaluation(type, expression, AggregateType.SUMCURRENCY, ZoneOffset.UTC);
    }

    /** A BigInteger, Double, String, Boolean or null. */
    @Nullable
    Object eval(String json) {
        return result(json).value();
    }

    Result result(String json) {
        MessageBatch batch = new MessageBatch(1 << 12);
        batch.firstStamp(1_795_132_800_000_000L);
        IMessage message = Messages.add(batch, "ad.impression.us", json.getBytes(StandardCharsets.UTF_8));
        InputEvent event = new InputEvent();
        assertThat(TableDecoders.of(plan.schema()).decode(message, event)).isNull();
        interpreter.start(message, event, new int[0]);
        return interpreter.eval(expression, purpose);
    }
}
