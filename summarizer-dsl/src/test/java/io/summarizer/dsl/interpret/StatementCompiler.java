package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.dedup.KeyWords;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.plan.EventPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes actions of the statements of one mapping. They belong to one program. */
final class StatementCompiler {
    /** Size at which a record that a loop enlarges is continued in another one. */
    static final int RECORD_BYTES = 64 * 1024;

    private final EventPlan.MappingPlan plan;
    private final ExpressionCompiler expressions;
    private final int summary;
    private final KeyWords words;

    StatementCompiler(EventPlan.MappingPlan plan, ExpressionCompiler expressions) {
        this.plan = plan;
        this.expressions = expressions;
        summary = plan.mapping().summary();
        words = new KeyWords(plan.summary().keys());
    }

    /** The mapping's body. */
    Action body() {
        return block(plan.mapping().body(), plan.summary(), null);
    }

    /**
     * The rows open at a statement: the record's own, and within it those of nested blocks.
     *
     * @param outer the enclosing row; null for a record's own row
     * @param nested position among the outer row's nested summaries
     * @param key holds the row's key while the row is open
     */
    private record OpenRow(@Nullable OpenRow outer, int nested, KeyWriter key) {
        private OpenRow root() {
            return outer == null ? this : outer.root();
        }

        private void leave(UpdateBatch batch) {
            if (outer != null) {
                batch.leave();
                outer.leave(batch);
            }
        }

        private void enter(UpdateBatch batch) {
            if (outer != null) {
                outer.enter(batch);
                batch.enter(nested, key.last(), key.last().hash());
            }
        }
    }

    /** A condition that leaves no strings behind; null when there is none. */
    static @Nullable BoolNode where(@Nullable Expression condition, ExpressionCompiler expressions) {
        if (condition == null) {
            return null;
        }
        BoolNode node = expressions.condition(condition);
        return f -> {
            int mark = f.event.scratchLimit();
            f.begin();
            int truth = node.eval(f);
            f.event.releaseScratch(mark);
            return truth;
        };
    }

    private static Action guarded(@Nullable BoolNode where, Action action) {
        if (where == null) {
            return action;
        }
        return f -> {
            if (where.eval(f) == BoolNode.TRUE) {
                action.run(f);
            }
        };
    }

    /** The statements of a block; a key, if any, comes first and opens a record for the others. */
    private Action block(List<Statement> statements, SummaryLayout target, @Nullable OpenRow open) {
        if (!statements.isEmpty() && statements.get(0) instanceof Statement.Key key) {
            return keyed(key, statements.subList(1, statements.size()), target);
        }
        Action[] actions = statements.stream()
                .map(statement -> statement(statement, target, open))
                .toArray(Action[]::new);
        return f -> {
            for (Action action : actions) {
                action.run(f);
            }
        };
    }

    private Action keyed(Statement.Key statement, List<Statement> statements, SummaryLayout target) {
        KeyWriter writer = new KeyWriter(target, statement.columns(), expressions);
        Action rest = block(statements, target, new OpenRow(null, -1, writer));
        return f -> {
            begin(f, writer.write(f));
            rest.run(f);
            f.batch().endRow();
        };
    }

    private void begin(Frame f, KeyBuffer key) {
        long hash = key.hash();
        UpdateBatch batch = f.router().batchFor(summary, hash);
        boolean guarded = f.hasId && plan.ids() >= 0;
        if (guarded) {
            batch.guard(plan.ids(), f.first, f.message().arrivalStamp());
            f.first = false;
        }
        batch.beginRow(summary, plan.number(), key, hash, f.message().arrivalStamp());
        if (guarded) {
            f.ids.beginRow();
            words.addTo(f.ids, batch.bytes(), batch.row() + UpdateBatch.KEY_OFFSET);
            f.ids.endRow();
            batch.identify(f.ids.high(), f.ids.low());
        }
        f.batch(batch);
    }

    /**
     * Ends the open record and continues it in another one, with the same rows open. Both go to the same owner in this
     * order, so the result is that of one record; but neither a record nor a batch grows without bound.
     */
    private void reopen(Frame f, OpenRow open) {
        open.leave(f.batch());
        f.batch().endRow();
        begin(f, open.root().key().last());
        open.enter(f.batch());
    }

    private Action statement(Statement statement, SummaryLayout target, @Nullable OpenRow open) {
        if (statement instanceof Statement.Update update) {
            return update(update, target);
        }
        if (statement instanceof Statement.Nested nested) {
            return nested(nested, target, open);
        }
        if (statement instanceof Statement.For loop) {
            return loop(loop, target, open);
        }
        throw new IllegalArgumentException("a key is the first statement of its block");
    }

    private Action nested(Statement.Nested statement, SummaryLayout target, @Nullable OpenRow open) {
        SummaryLayout layout = target.nested().get(statement.nested());
        int position = statement.nested();
        KeyWriter writer = new KeyWriter(layout, statement.keys(), expressions);
        Action body = block(statement.body(), layout, new OpenRow(open, position, writer));
        return guarded(where(statement.where(), expressions), f -> {
            KeyBuffer key = writer.write(f);
            f.batch().enter(position, key, key.hash());
            body.run(f);
            f.batch().leave();
        });
    }

    private Action loop(Statement.For statement, SummaryLayout target, @Nullable OpenRow open) {
        int slot = plan.field(statement.list()).valueSlot();
        int outer = EventPlan.MappingPlan.loop(statement.list().root());
        int id = statement.id();
        Action body = guarded(where(statement.where(), expressions), block(statement.body(), target, open));
        return f -> {
            int record = outer < 0 ? InputEvent.ROOT : f.loops[outer];
            if (!f.event.has(record, slot)) {
                return;
            }
            long list = f.event.get(record, slot);
            int element = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                f.loops[id] = element;
                body.run(f);
                if (open != null && f.batch().rowBytes() > RECORD_BYTES) {
                    reopen(f, open);
                }
                element = f.event.next(element);
            }
        };
    }

    private Action update(Statement.Update statement, SummaryLayout target) {
        int column = statement.column();
        Expression operand = statement.operand();
        Action add = switch (target.values().get(column).type()) {
            case SUMINT32, SUMINT64, MININT64, MAXINT64, FIRSTINT64, LASTINT64 ->
                addLong(column, expressions.integer(operand, Expression.Type.INT));
            case MINTIMESTAMP, MAXTIMESTAMP -> addLong(column, expressions.integer(operand, Expression.Type.TIMESTAMP));
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> tidied(addDouble(column, expressions.number(operand)));
            case SUMCURRENCY -> addMicros(column, expressions.micros(operand));
            case COUNT -> tidied(count(column, expressions.isPresent(operand)));
            case FIRSTSTRING, LASTSTRING -> tidied(addString(column, expressions.text(operand)));
            case MULTISET64 -> addLong(column, Hashes.single(expressions.operand(operand)));
        };
        return guarded(where(statement.where(), expressions), f -> {
            f.begin();
            add.run(f);
        });
    }

    /** The action, leaving no strings behind. */
    private static Action tidied(Action action) {
        return f -> {
            int mark = f.event.scratchLimit();
            action.run(f);
            f.event.releaseScratch(mark);
        };
    }

    private static Action addLong(int column, LongNode operand) {
        if (operand instanceof ConstantNode constant) {
            return f -> f.batch().addLong(column, constant.value());
        }
        if (operand instanceof FieldNode field) {
            return f -> {
                long value = field.eval(f);
                if (!f.isNull) {
                    f.batch().addLong(column, value);
                }
            };
        }
        Action add = f -> {
            long value = operand.eval(f);
            if (!f.isNull) {
                f.batch().addLong(column, value);
            }
        };
        return operand.leavesStrings() ? tidied(add) : add;
    }

    /** An amount that does not fit in millionths is the least int64, from any conversion: it is null, and counted. */
    private static Action addMicros(int column, LongNode operand) {
        if (operand instanceof FieldNode field) {
            return f -> addMicros(f, column, field.eval(f));
        }
        Action add = f -> addMicros(f, column, operand.eval(f));
        return operand.leavesStrings() ? tidied(add) : add;
    }

    private static void addMicros(Frame f, int column, long value) {
        if (f.isNull) {
            return;
        }
        if (value == Long.MIN_VALUE) {
            f.arithmeticNone();
            return;
        }
        f.batch().addLong(column, value);
    }

    private static Action addDouble(int column, DoubleNode operand) {
        return f -> {
            double value = operand.eval(f);
            if (!f.isNull) {
                f.batch().addDouble(column, value);
            }
        };
    }

    private static Action addString(int column, StringNode operand) {
        return f -> {
            long string = operand.eval(f);
            if (string != InputEvent.NULL_STRING) {
                f.batch()
                        .addString(
                                column,
                                f.event.stringBytes(string),
                                InputEvent.stringOffset(string),
                                InputEvent.stringLength(string));
            }
        };
    }

    private static Action count(int column, BoolNode isPresent) {
        return f -> {
            if (isPresent.eval(f) == BoolNode.TRUE) {
                f.batch().addLong(column, 1);
            }
        };
    }
}
