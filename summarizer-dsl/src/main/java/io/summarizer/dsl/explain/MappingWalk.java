package io.summarizer.dsl.explain;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.dedup.IdHash;
import io.summarizer.core.dedup.KeyWords;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.generate.Probe;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.ExpressionProbes.Result;
import io.summarizer.dsl.runtime.OpenRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the statements of one mapping, writes their records and describes them. Immutable; {@link Pass} has the state.
 */
final class MappingWalk {
    /** Most elements of a loop that are described; all are walked. */
    static final int ELEMENTS_MAX = 10;

    private final EventPlan.MappingPlan plan;
    private final Probes.OfMapping probes;
    private final SummText text;
    private final ValueLimits limits;
    private final @Nullable TermProbe where;
    private final List<Walk> body;

    /** Evaluates probes. */
    @FunctionalInterface
    interface Evaluation {
        Result eval(int probe, int[] elements);
    }

    /** The result of a mapping. */
    record Run(@Nullable Term where, boolean holds, List<Step> steps) {}

    /** A statement, ready to be walked. */
    @FunctionalInterface
    private interface Walk {
        Step walk(Pass pass);
    }

    /** A walk of mapping number {@code number} of its event type; its expressions become probes. */
    MappingWalk(EventPlan.MappingPlan plan, int number, Probes all, ValueLimits limits) {
        this.plan = plan;
        this.limits = limits;
        text = SummText.of(plan.mapping().body());
        probes = all.of(number, plan, text);
        where = probes.condition(plan.mapping().where(), List.of());
        body = block(plan.mapping().body(), plan.summary(), List.of(), false);
    }

    Mapping mapping() {
        return plan.mapping();
    }

    /** Name of the summary that it updates. */
    String summary() {
        return plan.summary().name();
    }

    /**
     * Walks all statements for one event, whose records are written to {@code batch}.
     *
     * @param ids has the event's id, if its records are guarded
     */
    Run run(IMessage message, InputEvent event, Evaluation evaluation, UpdateBatch batch, @Nullable IdHash ids) {
        Pass pass = new Pass(message, event, evaluation, batch, ids);
        Term condition = where == null ? null : pass.term(where);
        if (where != null && !pass.holds(where)) {
            return new Run(condition, false, List.of());
        }
        return new Run(condition, true, pass.walk(body));
    }

    /** One event on its way through the statements. */
    private final class Pass {
        private final IMessage message;
        private final InputEvent event;
        private final Evaluation evaluation;
        private final OpenRows rows = new OpenRows(plan.summary());
        private final int[] elements = new int[plan.loops()];
        private final @Nullable IdHash ids;
        private boolean first = true;
        private UpdateBatch batch;

        Pass(IMessage message, InputEvent event, Evaluation evaluation, UpdateBatch batch, @Nullable IdHash ids) {
            this.ids = ids;
            this.message = message;
            this.event = event;
            this.evaluation = evaluation;
            this.batch = batch;
        }

        void guard() {
            if (ids != null) {
                batch.guard(plan.ids(), first, message.arrivalStamp());
                first = false;
            }
        }

        void identify(KeyWords words) {
            if (ids != null) {
                ids.beginRow();
                words.addTo(ids, batch.bytes(), batch.row() + UpdateBatch.KEY_OFFSET);
                ids.endRow();
                batch.identify(ids.high(), ids.low());
            }
        }

        Result result(TermProbe probe) {
            return evaluation.eval(probe.number(), elements);
        }

        Term term(TermProbe probe) {
            return probe.term(number -> evaluation.eval(number, elements));
        }

        boolean holds(TermProbe condition) {
            Result result = result(condition);
            return !result.isNull() && result.bits() != 0;
        }

        List<Step> walk(List<Walk> statements) {
            List<Step> steps = new ArrayList<>();
            statements.forEach(statement -> steps.add(statement.walk(this)));
            return steps;
        }

        List<Step.KeyColumn> fill(KeyBuffer key, SummaryLayout layout, List<TermProbe> columns) {
            List<Step.KeyColumn> filled = new ArrayList<>();
            key.reset();
            for (int i = 0; i < columns.size(); i++) {
                Result value = result(columns.get(i));
                String string = value.text();
                if (value.isNull()) {
                    key.setNull(i);
                } else if (string != null) {
                    byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
                    key.setString(i, bytes, 0, bytes.length);
                } else {
                    key.setLong(i, value.bits());
                }
                filled.add(new Step.KeyColumn(layout.keys().get(i).name(), term(columns.get(i)), value));
            }
            return filled;
        }
    }

    /** The statements of a block; a key, if any, comes first and opens a record for the others. */
    private List<Walk> block(List<Statement> statements, SummaryLayout target, List<Integer> loops, boolean open) {
        if (!statements.isEmpty() && statements.get(0) instanceof Statement.Key key) {
            return List.of(row(key, block(statements.subList(1, statements.size()), target, loops, true), loops));
        }
        return statements.stream()
                .map(statement -> statement(statement, target, loops, open))
                .toList();
    }

    private Walk statement(Statement statement, SummaryLayout target, List<Integer> loops, boolean open) {
        if (statement instanceof Statement.Update update) {
            return update(update, target, loops);
        }
        if (statement instanceof Statement.Nested nested) {
            return nested(nested, target, loops);
        }
        if (statement instanceof Statement.For loop) {
            return loop(loop, target, loops, open);
        }
        throw new IllegalArgumentException("a key is the first statement of its block");
    }

    private List<TermProbe> columns(SummaryLayout layout, List<Expression> expressions, List<Integer> loops) {
        List<TermProbe> columns = new ArrayList<>();
        for (int i = 0; i < expressions.size(); i++) {
            columns.add(probes.probe(
                    expressions.get(i), new Probe.Key(layout.keys().get(i).type()), loops));
        }
        return columns;
    }

    private Walk row(Statement.Key statement, List<Walk> statements, List<Integer> loops) {
        SummaryLayout layout = plan.summary();
        int summary = plan.mapping().summary();
        List<TermProbe> columns = columns(layout, statement.columns(), loops);
        KeyWords words = new KeyWords(layout.keys());
        return pass -> {
            KeyBuffer key = key(layout);
            List<Step.KeyColumn> filled = pass.fill(key, layout, columns);
            pass.guard();
            pass.batch.beginRow(summary, plan.number(), key, key.hash(), pass.message.arrivalStamp());
            pass.identify(words);
            pass.rows.begin();
            List<Step> steps = pass.walk(statements);
            pass.batch.endRow();
            return new Step.Row(layout.name(), filled, key.isTooLong(), steps);
        };
    }

    private KeyBuffer key(SummaryLayout layout) {
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        key.bound(limits.keyBytes(), () -> {});
        return key;
    }

    private Walk nested(Statement.Nested statement, SummaryLayout target, List<Integer> loops) {
        int position = statement.nested();
        SummaryLayout layout = target.nested().get(position);
        String head = text.nested(layout, statement);
        TermProbe condition = probes.condition(statement.where(), loops);
        List<TermProbe> columns = columns(layout, statement.keys(), loops);
        List<Walk> statements = block(statement.body(), layout, loops, true);
        return pass -> {
            Term where = condition == null ? null : pass.term(condition);
            if (condition != null && !pass.holds(condition)) {
                return new Step.Nested(layout.name(), head, where, false, List.of(), false, List.of());
            }
            KeyBuffer key = key(layout);
            List<Step.KeyColumn> filled = pass.fill(key, layout, columns);
            pass.rows.enter(pass.batch);
            pass.batch.enter(position, key, key.hash());
            List<Step> steps = pass.walk(statements);
            pass.batch.leave();
            pass.rows.leave();
            return new Step.Nested(layout.name(), head, where, true, filled, key.isTooLong(), steps);
        };
    }

    private Walk loop(Statement.For statement, SummaryLayout target, List<Integer> loops, boolean open) {
        String head = text.loop(statement);
        int slot = plan.field(statement.list()).valueSlot();
        int outer = EventPlan.MappingPlan.loop(statement.list().root());
        List<Integer> inner = new ArrayList<>(loops);
        inner.add(statement.id());
        TermProbe condition = probes.condition(statement.where(), inner);
        List<Walk> statements = block(statement.body(), target, inner, open);
        return pass -> {
            int record = outer < 0 ? InputEvent.ROOT : pass.elements[outer];
            if (!pass.event.has(record, slot)) {
                return new Step.Loop(head, -1, List.of());
            }
            long list = pass.event.get(record, slot);
            List<Step.Element> told = new ArrayList<>();
            int element = InputEvent.listHead(list);
            for (int left = InputEvent.listLength(list); left > 0; left--) {
                pass.elements[statement.id()] = element;
                Term where = condition == null ? null : pass.term(condition);
                boolean taken = condition == null || pass.holds(condition);
                List<Step> steps = taken ? pass.walk(statements) : List.of();
                if (told.size() < ELEMENTS_MAX) {
                    told.add(new Step.Element(where, taken, steps));
                }
                if (open && pass.batch.rowBytes() > OpenRows.RECORD_BYTES) {
                    UpdateBatch same = pass.batch;
                    pass.batch = pass.rows.reopen(same, (summary, hash) -> same);
                }
                element = pass.event.next(element);
            }
            return new Step.Loop(head, InputEvent.listLength(list), told);
        };
    }

    private Walk update(Statement.Update statement, SummaryLayout target, List<Integer> loops) {
        int column = statement.column();
        SummaryLayout.ValueColumn layout = target.values().get(column);
        AggregateType type = layout.type();
        String line = text.update(target, statement).replaceAll(";$", "");
        TermProbe condition = probes.condition(statement.where(), loops);
        TermProbe operand = probes.probe(statement.operand(), new Probe.Observation(type), loops);
        return pass -> {
            Term where = condition == null ? null : pass.term(condition);
            if (condition != null && !pass.holds(condition)) {
                return new Step.Update(layout.name(), line, where, null, null, false);
            }
            Result value = pass.result(operand);
            String string = value.text();
            boolean tooLong = false;
            if (string != null) {
                byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
                tooLong = bytes.length > limits.textBytes();
                if (tooLong) {
                    pass.batch.addTooLong(column);
                } else {
                    pass.batch.addString(column, bytes, 0, bytes.length);
                }
            } else if (!value.isNull()) {
                pass.batch.addLong(column, value.bits());
            }
            return new Step.Update(layout.name(), line, where, pass.term(operand), value, tooLong);
        };
    }
}
