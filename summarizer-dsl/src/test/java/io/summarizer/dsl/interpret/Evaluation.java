package io.summarizer.dsl.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.TableDecoders;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.text.DecimalText;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventType.Format;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.plan.EventPlan;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates single expressions over JSON payloads, with boxed results. */
final class Evaluation {
    private final Expression expression;
    private final EventPlan plan;
    private final ExpressionCompiler compiler;
    private final Frame frame;
    private final boolean currency;

    private Evaluation(MessageType type, Expression expression, AggregateType column, ZoneId zone) {
        this.expression = expression;
        currency = column == AggregateType.SUMCURRENCY;
        Definitions definitions = Model.definitions(
                Model.event("x", type, Format.JSON),
                Model.summary("S", List.of(Model.key("k", 1, KeyType.INT64)), List.of(Model.value("v", 1, column))),
                Model.mapping(0, 0, null, Model.keyBlock(Model.number(0)), Model.add(0, expression)));
        plan = new EventPlan(definitions, 0, List.of(zone));
        compiler = new ExpressionCompiler(plan.mappings().get(0), new Builtins(List.of(zone)));
        frame = new Frame(0, 1);
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
        MessageBatch batch = new MessageBatch(1 << 12);
        batch.firstStamp(1_795_132_800_000_000L);
        IMessage message = Messages.add(batch, "ad.impression.us", json.getBytes(StandardCharsets.UTF_8));
        assertThat(TableDecoders.of(plan.schema()).decode(message, frame.event)).isNull();
        frame.start(message, (summary, hash) -> {
            throw new AssertionError();
        });
        frame.begin();
        if (currency) {
            BigInteger micros = integer(compiler.micros(expression));
            return BigInteger.valueOf(DecimalText.TOO_LARGE).equals(micros) ? null : micros;
        }
        return switch (expression.type()) {
            case INT, TIMESTAMP, DURATION ->
                integer(compiler.operand(expression).bits());
            case UINT -> {
                BigInteger value = integer(compiler.operand(expression).bits());
                yield value == null || value.signum() >= 0 ? value : value.add(BigInteger.ONE.shiftLeft(64));
            }
            case DOUBLE -> {
                double value = compiler.operand(expression).number().eval(frame);
                yield frame.isNull ? null : value;
            }
            case BOOL ->
                switch (compiler.condition(expression).eval(frame)) {
                    case BoolNode.TRUE -> true;
                    case BoolNode.FALSE -> false;
                    default -> null;
                };
            case STRING -> {
                long string = compiler.text(expression).eval(frame);
                yield string == InputEvent.NULL_STRING ? null : frame.event.string(string);
            }
            case NULL, COMPOSITE -> throw new IllegalArgumentException();
        };
    }

    private @Nullable BigInteger integer(LongNode node) {
        long value = node.eval(frame);
        return frame.isNull ? null : BigInteger.valueOf(value);
    }

    long nulls() {
        return frame.counts.nulls.total();
    }
}
