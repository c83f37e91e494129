package io.summarizer.dsl.explain;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.dedup.IdHash;
import io.summarizer.core.dedup.KeyWords;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.core.text.TimestampText;
import io.summarizer.core.time.Windows;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.interpret.Interpreter;
import io.summarizer.dsl.interpret.Purpose;
import io.summarizer.dsl.interpret.Result;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.OpenRows;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the statements of one mapping, writes the records of the statements, and describes the statements. Used by one
 * thread.
 */
final class MappingWalk {
    /** Maximum number of elements of a loop that are described; all elements are walked. */
    private static final int ELEMENTS_MAX = 10;

    private final EventPlan.MappingPlan plan;
    private final SummText text;
    private final ValueLimits limits;
    private final Interpreter interpreter;
    private final Terms terms;
    private final KeyWords words;
    private final OpenRows rows;
    private final int[] elements;
    private final long aheadMicros;

    /** The summary's windows; null when it has none. */
    private final @Nullable Windows windows;

    private long failures;

    private IMessage message;
    private InputEvent event;
    private @Nullable IdHash ids;
    private UpdateBatch batch;
    private boolean first;
    private @Nullable Fate rejected;

    @SuppressWarnings("NullAway.Init") // run comes first
    MappingWalk(EventPlan all, EventPlan.MappingPlan plan, ValueLimits limits, long aheadMicros) {
        this.plan = plan;
        this.limits = limits;
        text = SummText.of(plan.mapping().body());
        interpreter = new Interpreter(all, plan);
        terms = new Terms(plan, text, interpreter);
        words = new KeyWords(plan.summary().keys());
        rows = new OpenRows(plan.summary());
        elements = new int[plan.loops()];
        this.aheadMicros = aheadMicros;
        SummaryWindow window = plan.summary().window();
        windows = window == null ? null : window.windows();
    }

    Mapping mapping() {
        return plan.mapping();
    }

    /** Name of the summary that the mapping updates. */
    String summary() {
        return plan.summary().name();
    }

    /** Number of failures so far in evaluations of expressions. */
    long failures() {
        return failures;
    }

    /**
     * A condition.
     *
     * @param term the condition, or null when there is no condition; a missing condition counts as true
     */
    record Condition(@Nullable Term term, boolean holds) {}

    /**
     * Starts an event. The records of the event are written to {@code batch}.
     *
     * @param ids hash of the event's id; used only if the mapping's records are guarded
     * @return the mapping's own condition
     */
    Condition start(IMessage message, InputEvent event, UpdateBatch batch, @Nullable IdHash ids) {
        this.message = message;
        this.event = event;
        this.batch = batch;
        this.ids = ids;
        first = true;
        rejected = null;
        interpreter.start(message, event, elements);
        return condition(plan.mapping().where());
    }

    /** The worst fate so far of those rows of the event that have no window; null when all rows have a window. */
    @Nullable
    Fate rejected() {
        return rejected;
    }

    /** Walks all statements for the event. */
    List<Step> walk() {
        return block(plan.mapping().body(), plan.summary(), false);
    }

    private Result eval(Expression expression, Purpose purpose) {
        Result result = interpreter.eval(expression, purpose);
        failures += result.reason() == null ? 0 : 1;
        return result;
    }

    private Condition condition(@Nullable Expression where) {
        if (where == null) {
            return new Condition(null, true);
        }
        Result result = eval(where, Terms.OWN);
        return new Condition(terms.condition(where, result), result.holds());
    }

    /**
     * Walks the statements of a block. If the block has a key, the key is its first statement and opens a record for
     * the other statements.
     */
    private List<Step> block(List<Statement> statements, SummaryLayout target, boolean open) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement instanceof Statement.Key key) {
                steps.add(row(key, statements.subList(i + 1, statements.size())));
                break;
            } else if (statement instanceof Statement.Update update) {
                steps.add(update(update, target));
            } else if (statement instanceof Statement.Nested nested) {
                steps.add(nested(nested, target));
            } else if (statement instanceof Statement.For loop) {
                steps.add(loop(loop, target, open));
            }
        }
        return steps;
    }

    private KeyBuffer key(SummaryLayout layout, List<Expression> columns, List<Step.KeyColumn> filled) {
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        key.bound(limits.keyBytes(), () -> {});
        key.reset();
        for (int i = 0; i < columns.size(); i++) {
            SummaryLayout.KeyColumn column = layout.keys().get(i);
            Purpose purpose = new Purpose.Key(column.type());
            Result value = eval(columns.get(i), purpose);
            String string = value.text();
            if (value.isNull()) {
                key.setNull(i);
            } else if (string != null) {
                byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
                key.setString(i, bytes, 0, bytes.length);
            } else {
                key.setLong(i, value.bits());
            }
            filled.add(new Step.KeyColumn(column.name(), terms.term(columns.get(i), purpose, value), value));
        }
        return key;
    }

    /**
     * In the key column that holds the row's window, replaces the time by the start of the window. Returns the fate of
     * the row if the row has no window, and null otherwise.
     */
    private @Nullable Fate window(KeyBuffer key, List<Step.KeyColumn> filled) {
        SummaryWindow window = plan.summary().window();
        if (window == null || windows == null) {
            return null;
        }
        Step.KeyColumn column = filled.get(window.column());
        if (column.raw().isNull()) {
            return Fate.UNTIMED;
        }
        long time = column.raw().bits();
        boolean isEarly = BigInteger.valueOf(time)
                        .subtract(BigInteger.valueOf(message.arrivalStamp()))
                        .compareTo(BigInteger.valueOf(aheadMicros))
                > 0;
        long start = isEarly ? SummaryWindow.EARLY : windows.start(time);
        key.setLong(window.column(), start);
        Term term = column.term();
        String at = term.value();
        filled.set(
                window.column(),
                new Step.KeyColumn(
                        column.name(),
                        new Term(
                                term.text(),
                                isEarly ? at : TimestampText.toString(start),
                                false,
                                isEarly ? "early: too far ahead of the arrival" : "the start of the window of " + at,
                                term.parts()),
                        new Result(BigInteger.valueOf(start), null, null, false)));
        return isEarly ? Fate.EARLY : null;
    }

    private Step row(Statement.Key statement, List<Statement> statements) {
        List<Step.KeyColumn> filled = new ArrayList<>();
        KeyBuffer key = key(plan.summary(), statement.columns(), filled);
        Fate fate = window(key, filled);
        rejected = Fate.worse(rejected, fate);
        if (ids != null) {
            batch.guard(plan.ids(), first, message.arrivalStamp());
            first = false;
        }
        batch.beginRow(plan.mapping().summary(), plan.number(), key, key.hash(), message.arrivalStamp());
        if (ids != null) {
            ids.beginRow();
            words.addTo(ids, batch.bytes(), batch.row() + UpdateBatch.KEY_OFFSET);
            ids.endRow();
            batch.identify(ids.high(), ids.low());
        }
        rows.begin();
        List<Step> steps = block(statements, plan.summary(), true);
        batch.endRow();
        return new Step.Row(summary(), filled, key.isTooLong(), fate, steps);
    }

    private Step nested(Statement.Nested statement, SummaryLayout target) {
        SummaryLayout layout = target.nested().get(statement.nested());
        String head = text.nested(layout, statement);
        Condition where = condition(statement.where());
        List<Step.KeyColumn> filled = new ArrayList<>();
        if (!where.holds()) {
            return new Step.Nested(layout.name(), head, where.term(), false, filled, false, List.of());
        }
        KeyBuffer key = key(layout, statement.keys(), filled);
        rows.enter(batch);
        batch.enter(statement.nested(), key, key.hash());
        List<Step> steps = block(statement.body(), layout, true);
        batch.leave();
        rows.leave();
        return new Step.Nested(layout.name(), head, where.term(), true, filled, key.isTooLong(), steps);
    }

    private Step loop(Statement.For statement, SummaryLayout target, boolean open) {
        String head = text.loop(statement);
        int slot = plan.field(statement.list()).valueSlot();
        int outer = EventPlan.MappingPlan.loop(statement.list().root());
        int record = outer < 0 ? InputEvent.ROOT : elements[outer];
        if (!event.has(record, slot)) {
            return new Step.Loop(head, -1, List.of());
        }
        long list = event.get(record, slot);
        List<Step.Element> told = new ArrayList<>();
        int element = InputEvent.listHead(list);
        for (int left = InputEvent.listLength(list); left > 0; left--) {
            elements[statement.id()] = element;
            Condition where = condition(statement.where());
            List<Step> steps = where.holds() ? block(statement.body(), target, open) : List.of();
            if (told.size() < ELEMENTS_MAX) {
                told.add(new Step.Element(where.term(), where.holds(), steps));
            }
            if (open && batch.rowBytes() > OpenRows.RECORD_BYTES) {
                UpdateBatch same = batch;
                batch = rows.reopen(same, (summary, hash) -> same);
            }
            element = event.next(element);
        }
        return new Step.Loop(head, InputEvent.listLength(list), told);
    }

    private Step update(Statement.Update statement, SummaryLayout target) {
        int column = statement.column();
        SummaryLayout.ValueColumn layout = target.values().get(column);
        String line = text.update(target, statement).replaceAll(";$", "");
        Condition where = condition(statement.where());
        if (!where.holds()) {
            return new Step.Update(layout.name(), line, where.term(), null, null, false);
        }
        Purpose purpose = new Purpose.Observation(layout.type());
        Result value = eval(statement.operand(), purpose);
        String string = value.text();
        boolean tooLong = false;
        if (string != null) {
            byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
            tooLong = bytes.length > limits.textBytes();
            if (tooLong) {
                batch.addTooLong(column);
            } else {
                batch.addString(column, bytes, 0, bytes.length);
            }
        } else if (!value.isNull()) {
            batch.addLong(column, value.bits());
        }
        Term operand = terms.term(statement.operand(), purpose, value);
        return new Step.Update(layout.name(), line, where.term(), operand, value, tooLong);
    }
}
