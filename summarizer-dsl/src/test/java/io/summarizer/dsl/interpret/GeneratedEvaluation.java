package io.summarizer.dsl.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.decode.EventSchema.Format;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.model.Statement;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates many expressions over JSON payloads by one generated program: each is the operand of a column, so that the
 * program sends its value to the owner of the row.
 */
final class GeneratedEvaluation {
    private final MessageType type;
    private final List<Operand> operands;
    private final EventProgram program;
    private final Updates updates;

    /** An expression as operand of a column; {@code currency}: as one of {@code sumcurrency}, in millionths. */
    record Operand(Expression expression, boolean currency) {
        AggregateType column() {
            if (currency) {
                return AggregateType.SUMCURRENCY;
            }
            return switch (expression.type()) {
                case INT, UINT, BOOL -> AggregateType.LASTINT64;
                case DOUBLE -> AggregateType.MAXDOUBLE;
                case STRING -> AggregateType.LASTSTRING;
                case TIMESTAMP -> AggregateType.MAXTIMESTAMP;
                case DURATION, NULL, COMPOSITE -> throw new IllegalArgumentException(expression.toString());
            };
        }

        /** The operand of a column; a condition becomes 1 for true, 0 for false, because no column takes conditions. */
        Expression operand() {
            if (expression.type() != Expression.Type.BOOL) {
                return expression;
            }
            Expression isFalse = new Expression.Unary(Expression.UnaryOperator.NOT, expression, Expression.Type.BOOL);
            return choice(
                    expression,
                    new Expression.IntLiteral(1, Expression.Type.INT),
                    choice(isFalse, new Expression.IntLiteral(0, Expression.Type.INT), new Expression.NullLiteral()));
        }

        private static Expression choice(Expression condition, Expression then, Expression otherwise) {
            return new Expression.Call(
                    Expression.Function.IF, List.of(condition, then, otherwise), Expression.Type.INT);
        }

        /** The interpreter's value in the format of {@link Updates}; null when nothing is added. */
        @Nullable
        String spelt(MessageType type, String json) {
            Object value =
                    (currency ? Evaluation.ofCurrency(type, expression) : Evaluation.of(type, expression)).eval(json);
            if (value instanceof Boolean condition) {
                return condition ? "1" : "0";
            }
            if (value instanceof String text) {
                return '"' + text + '"';
            }
            // An int64 column has no room for larger ones.
            boolean isTooLarge = value instanceof BigInteger integer && integer.bitLength() > 63;
            return value == null || isTooLarge ? null : value.toString();
        }
    }

    GeneratedEvaluation(MessageType type, List<Operand> operands) {
        this.type = type;
        this.operands = List.copyOf(operands);
        List<ValueColumn> columns = new ArrayList<>();
        List<Statement> statements = new ArrayList<>();
        statements.add(Model.keyBlock(Model.number(0)));
        for (int i = 0; i < operands.size(); i++) {
            columns.add(Model.value("v" + i, i + 1, operands.get(i).column()));
            statements.add(Model.add(i, operands.get(i).operand()));
        }
        Definitions definitions = Model.definitions(
                Model.event("x", type, Format.JSON),
                Model.summary("S", List.of(Model.key("k", 1, KeyType.INT64)), columns),
                Model.mapping(0, 0, null, statements.toArray(Statement[]::new)));
        program = PlanCompiler.compile(definitions).newProgram(0);
        updates = new Updates(definitions.summaries());
    }

    /** The values added to the row, such as {@code S[0] v0=1 v3="a"}. */
    String eval(String json) {
        MessageBatch batch = new MessageBatch(1 << 12);
        batch.firstStamp(1_795_132_800_000_000L);
        IMessage message = Messages.add(batch, "ad.impression.us", json.getBytes(StandardCharsets.UTF_8));
        assertThat(program.process(message, new boolean[] {true}, updates)).isNull();
        return String.join("\n", updates.take());
    }

    /** The interpreter's values. */
    String expected(String json) {
        StringBuilder line = new StringBuilder("S[0]");
        for (int i = 0; i < operands.size(); i++) {
            String value = operands.get(i).spelt(type, json);
            if (value != null) {
                line.append(String.format(Locale.ROOT, " v%d=%s", i, value));
            }
        }
        return line.toString();
    }
}
