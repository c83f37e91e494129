package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.model.Expression;
import java.util.List;

/** Evaluates a key into its encoded form. Belongs to one program. */
final class KeyWriter {
    @FunctionalInterface
    private interface Column {
        void write(Frame frame, KeyBuffer key);
    }

    private final KeyBuffer key;
    private final Column[] columns;

    KeyWriter(SummaryLayout layout, List<Expression> expressions, ExpressionCompiler compiler) {
        key = new KeyBuffer(new KeyLayout(layout.keys()));
        columns = new Column[expressions.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = column(i, layout.keys().get(i).type(), expressions.get(i), compiler);
        }
    }

    /** Evaluates the key for the event and loop elements of {@code frame}; good until it is asked again. */
    KeyBuffer write(Frame frame) {
        int mark = frame.event.scratchLimit();
        key.reset();
        for (Column column : columns) {
            column.write(frame, key);
        }
        frame.event.releaseScratch(mark);
        return key;
    }

    private static Column column(int position, KeyType type, Expression expression, ExpressionCompiler compiler) {
        if (type == KeyType.STRING) {
            StringNode text = compiler.text(expression);
            return (f, key) -> {
                long string = text.eval(f);
                if (string == InputEvent.NULL_STRING) {
                    key.setNull(position);
                } else {
                    key.setString(
                            position,
                            f.event.stringBytes(string),
                            InputEvent.stringOffset(string),
                            InputEvent.stringLength(string));
                }
            };
        }
        LongNode value = switch (type) {
            case INT64 -> compiler.integer(expression, Expression.Type.INT);
            case UINT64 -> compiler.integer(expression, Expression.Type.UINT);
            case INT32 ->
                within(compiler.integer(expression, Expression.Type.INT), Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32 -> within(compiler.integer(expression, Expression.Type.INT), 0, 0xffff_ffffL);
            case BOOL -> ExpressionCompiler.bits(compiler.condition(expression));
            case TIMESTAMP -> compiler.integer(expression, Expression.Type.TIMESTAMP);
            case STRING -> throw new AssertionError();
        };
        return (f, key) -> {
            long bits = value.eval(f);
            if (f.isNull) {
                key.setNull(position);
            } else {
                key.setLong(position, bits);
            }
        };
    }

    /** What does not fit the column is null, and counted. */
    private static LongNode within(LongNode value, long least, long greatest) {
        return f -> {
            long bits = value.eval(f);
            return f.isNull || (bits >= least && bits <= greatest) ? bits : f.arithmeticNone();
        };
    }
}
