package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.model.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates a key into its encoded form. Belongs to one program. */
final class KeyWriter {
    private final KeyBuffer key;
    /** For each column its field, if the column's value is exactly that field. */
    private final @Nullable FieldNode[] fields;

    /** The writer of each column. */
    private final Action[] writers;

    KeyWriter(SummaryLayout layout, List<Expression> expressions, ExpressionCompiler compiler) {
        key = new KeyBuffer(new KeyLayout(layout.keys()));
        fields = new FieldNode[expressions.size()];
        writers = new Action[expressions.size()];
        for (int i = 0; i < writers.length; i++) {
            KeyType type = layout.keys().get(i).type();
            if (type == KeyType.STRING) {
                writers[i] = text(i, compiler.text(expressions.get(i)));
                continue;
            }
            LongNode value = value(type, expressions.get(i), compiler);
            writers[i] = computed(i, value);
            if (value instanceof FieldNode field) {
                fields[i] = field;
            }
        }
    }

    /** Evaluates the key for the event and loop elements of {@code frame}; valid until the next call. */
    KeyBuffer write(Frame frame) {
        int mark = frame.event.scratchLimit();
        key.reset();
        for (int i = 0; i < fields.length; i++) {
            FieldNode field = fields[i];
            if (field != null) {
                put(i, field.eval(frame), frame.isNull);
            } else {
                writers[i].run(frame);
            }
        }
        frame.event.releaseScratch(mark);
        return key;
    }

    /** The last written key. */
    KeyBuffer last() {
        return key;
    }

    private void put(int column, long bits, boolean isNull) {
        if (isNull) {
            key.setNull(column);
        } else {
            key.setLong(column, bits);
        }
    }

    private Action text(int position, StringNode text) {
        return f -> {
            f.begin();
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

    private Action computed(int position, LongNode value) {
        return f -> {
            f.begin();
            long bits = value.eval(f);
            put(position, bits, f.isNull);
        };
    }

    private static LongNode value(KeyType type, Expression expression, ExpressionCompiler compiler) {
        return switch (type) {
            case INT64 -> compiler.integer(expression, Expression.Type.INT);
            case UINT64 -> compiler.integer(expression, Expression.Type.UINT);
            case INT32 ->
                within(compiler.integer(expression, Expression.Type.INT), Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32 -> within(compiler.integer(expression, Expression.Type.INT), 0, 0xffff_ffffL);
            case BOOL -> ExpressionCompiler.bits(compiler.condition(expression));
            case TIMESTAMP -> compiler.integer(expression, Expression.Type.TIMESTAMP);
            case STRING -> throw new AssertionError();
        };
    }

    /** The value, null and counted when it does not fit the column. */
    private static LongNode within(LongNode value, long least, long greatest) {
        return f -> {
            long bits = value.eval(f);
            return f.isNull || (bits >= least && bits <= greatest) ? bits : f.arithmeticNone();
        };
    }
}
