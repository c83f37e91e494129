package io.summarizer.dsl.generate;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.Origin;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.OpenRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the methods of one mapping into the class of its event type's program. This class writes all kinds of
 * statements, because statements contain each other and write into the same {@link Stretch}.
 *
 * <p>This class has more than 500 lines, because statements contain each other.
 */
final class MappingGenerator {
    private static final int OP_BYTES = 10;

    private final ProgramGenerator program;
    private final JavaClass owner;
    private final String method;

    /** The number of the mapping among the mappings of its event type. */
    private final int number;

    private final EventPlan.MappingPlan plan;
    private final Mapping mapping;
    private final Map<Integer, String> loops;
    private final SummText text;
    private final EventLeaves leaves;
    private final ExpressionGenerator expressions;
    /** Whether the records of the mapping are guarded. */
    private final boolean once;

    /** Number of loops and conditions around the current statement. */
    private int depth;

    /** The field with the open rows; null before the first use. */
    private @Nullable String openRows;

    /** The field with the windows of the summary; null before the first use. */
    private @Nullable String windows;

    MappingGenerator(ProgramGenerator program, EventPlan.MappingPlan plan, int number, String event) {
        this.program = program;
        owner = program.owner();
        this.number = number;
        this.plan = plan;
        mapping = plan.mapping();
        loops = LoopNames.of(mapping.body(), JavaClass.locals());
        text = SummText.of(mapping.body());
        leaves = new EventLeaves(owner, plan, program.sites());
        expressions = new ExpressionGenerator(owner, leaves, program.sites());
        method = owner.names().variable(mapping.name().replace("->", " to "));
        Code code = owner.member();
        code.comment("map " + event + " into " + plan.summary().name() + text.where(mapping.where()));
        code.open("private void " + method + "()");
        Place place = new Place(code, locals());
        once = plan.ids() >= 0;
        Expression where = mapping.where();
        if (where != null) {
            NullSite site = new NullSite(
                    number, text.use("where ", where), mapping.origin().toString(), NullSite.Evaluated.TAKEN);
            code.onlyIf(Java.not(condition(site, where, place)), "counts.countFiltered(" + number + ");", "return;");
        }
        if (once) {
            code.line("beginMapping();");
        }
        block(mapping.body(), plan.summary(), new int[0], false, place);
        code.line("counts.countApplied(" + number + ");").close();
    }

    /** The name of the method that applies the mapping. */
    String method() {
        return method;
    }

    /** The scope of names of a method. In this scope, the names for the elements of all loops are reserved. */
    private Names locals() {
        return JavaClass.locals(loops.values().toArray(new String[0]));
    }

    /** The site of an expression. A part of a statement uses the expression; {@code of} is the name of this part. */
    private NullSite site(String of, Expression expression, Origin origin) {
        return new NullSite(
                number,
                text.use(of, expression),
                origin.toString(),
                depth == 0 ? NullSite.Evaluated.APPLIED : NullSite.Evaluated.COUNTED);
    }

    /** The name of a column; for a column of a nested summary, the name includes the name of that summary. */
    private String column(SummaryLayout target, String name) {
        return target.equals(plan.summary()) ? name : target.name() + "." + name;
    }

    /**
     * A variable or expression that tells whether a condition is true. If the condition makes strings in the event's
     * scratch space, the written code releases these strings after the evaluation.
     */
    private String condition(NullSite site, Expression where, Place place) {
        String mark = Expressions.mark(List.of(where), place);
        String holds = program.counted(site, where, place, () -> {
            String isTrue = expressions.condition(where, place).isTrue();
            return mark.isEmpty() ? isTrue : place.declare("boolean", "holds", isTrue);
        });
        Expressions.release(mark, place);
        return holds;
    }

    /**
     * Writes the statements of a block. If the block has a key, the key is its first statement and opens a record for
     * the other statements.
     */
    private void block(List<Statement> statements, SummaryLayout target, int[] path, boolean open, Place place) {
        Stretch stretch = new Stretch(owner, place);
        if (!statements.isEmpty() && statements.get(0) instanceof Statement.Key key) {
            begin(key, target, statements, stretch, place);
            list(statements.subList(1, statements.size()), target, path, true, stretch, place);
            stretch.end();
            place.code().line("updates.endRow();");
        } else {
            list(statements, target, path, open, stretch, place);
            stretch.end();
        }
    }

    /** Writes several statements of a block. If there are many, divides them among several methods. */
    private void list(
            List<Statement> statements, SummaryLayout target, int[] path, boolean open, Stretch stretch, Place place) {
        List<List<Statement>> groups = StatementCosts.groups(statements);
        if (groups.size() == 1) {
            for (Statement statement : statements) {
                statement(statement, target, path, open, stretch, place);
            }
            return;
        }
        stretch.end();
        for (List<Statement> group : groups) {
            String part = owner.names().variable(method + " part");
            place.code().line(part + "(" + leaves.arguments() + ");");
            Code code = owner.member();
            code.open("private void " + part + "(" + Leaves.Parameter.declared(leaves.parameters()) + ")");
            Place inner = new Place(code, locals());
            Stretch innerStretch = new Stretch(owner, inner);
            for (Statement statement : group) {
                statement(statement, target, path, open, innerStretch, inner);
            }
            innerStretch.end();
            code.close();
        }
    }

    private void statement(
            Statement statement, SummaryLayout target, int[] path, boolean open, Stretch stretch, Place place) {
        if (statement instanceof Statement.Update update) {
            update(update, target, stretch, place);
        } else if (statement instanceof Statement.Nested nested) {
            nested(nested, target, path, stretch, place);
        } else if (statement instanceof Statement.For loop) {
            stretch.end();
            loop(loop, target, path, open, place);
        } else {
            throw new IllegalArgumentException("a key is the first statement of its block");
        }
    }

    // Keys

    private void begin(
            Statement.Key statement, SummaryLayout target, List<Statement> statements, Stretch stretch, Place place) {
        KeyLayout layout = new KeyLayout(target.keys());
        int summary = mapping.summary();
        place.code().comment(text.key(target, statement.columns()));
        if (KeyCode.suits(layout)) {
            KeyCode key = key(statement.columns(), statement.origins(), target, layout, place);
            place.code().line("updates = router.batchFor(" + summary + ", " + key.hash() + ");");
            guard(place);
            place.code().line("updates.beginRow();");
            stretch.putInt(UpdateBatch.SUMMARY_OFFSET, target(summary));
            stretch.putLong(UpdateBatch.HASH_OFFSET, key.hash());
            stretch.putLong(UpdateBatch.STAMP_OFFSET, "message.arrivalStamp()");
            stretch.putKey(UpdateBatch.KEY_OFFSET, key);
            stretch.advance(UpdateBatch.KEY_OFFSET + key.bytes());
            if (once) {
                stretch.end(); // so that the key exists
            }
        } else {
            String key = buffer(statement.columns(), statement.origins(), target, new int[0], place);
            String hash = place.declare("long", "hash", key + ".hash()");
            place.code().line("updates = router.batchFor(" + summary + ", " + hash + ");");
            guard(place);
            place.code()
                    .line("updates.beginRow(" + summary + ", " + plan.number() + ", " + key + ", " + hash
                            + ", message.arrivalStamp());");
            stretch.end();
        }
        if (once) {
            place.code().line("identifyRow(" + number + ");");
        }
        if (StatementCosts.hasLoop(statements)) {
            place.code().line("this." + openRows() + ".begin();");
        }
    }

    /** The result of {@link UpdateBatch#target} for a row that this mapping updates. */
    private String target(int summary) {
        return plan.number() == 0 ? Integer.toString(summary) : plan.number() + " << 16 | " + summary;
    }

    private void guard(Place place) {
        if (once) {
            place.code().line("guard(" + number + ");");
        }
    }

    private String openRows() {
        String field = openRows;
        if (field == null) {
            field = owner.names().variable(method + " open rows");
            openRows = field;
            program.initially(owner.use(OpenRows.class), field, "openRows(" + number + ")");
        }
        return field;
    }

    /** Whether a key column holds the start of the row's window. Only a top-level summary has windows. */
    private static boolean isOfWindow(SummaryLayout target, int column) {
        SummaryWindow window = target.window();
        return window != null && window.column() == column;
    }

    /**
     * The Java expression for the start of a window: the window that contains {@code time}, which must not be null.
     * When the generated code evaluates the expression, it also notes the time as progress. This progress may close
     * earlier windows.
     */
    private String windowStart(String time) {
        String field = windows;
        if (field == null) {
            field = owner.names().variable(method + " windows");
            windows = field;
            program.windows(field, number);
        }
        return "this." + field + ".start(" + time + ", message.arrivalStamp())";
    }

    private NullSite keySite(int column, SummaryLayout target, Expression expression, Origin origin) {
        String name = target.keys().get(column).name();
        return site(
                target.equals(plan.summary()) ? "key " + name + " = " : target.name() + "[" + name + "] = ",
                expression,
                origin);
    }

    private KeyCode key(
            List<Expression> columns, List<Origin> origins, SummaryLayout target, KeyLayout layout, Place place) {
        String mark = Expressions.mark(columns, place);
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String name = target.keys().get(i).name();
            Expression column = columns.get(i);
            KeyType type = layout.type(i);
            Value value = program.counted(
                    keySite(i, target, column, origins.get(i)),
                    column,
                    place,
                    () -> expressions.key(type, column, place));
            if (value.isAlwaysNull()) {
                values.add(value);
                continue;
            }
            String isNull = place.hold("boolean", name + " null", value.isNull());
            boolean isNeverNull = isNull.equals("false");
            String bits = isOfWindow(target, i)
                    ? windowStart(value.value())
                    : isNeverNull ? value.value() : Java.atom(value.value());
            // A null column is all zeros.
            values.add(new Value(place.hold("long", name, isNeverNull ? bits : isNull + " ? 0L : " + bits), isNull));
        }
        Expressions.release(mark, place);
        return KeyCode.of(layout, values, owner, place);
    }

    /** Builds a key in a buffer; returns the expression for the buffer. */
    private String buffer(
            List<Expression> columns, List<Origin> origins, SummaryLayout target, int[] path, Place place) {
        String field = owner.names().variable(target.name() + " key");
        String key = "this." + field;
        StringBuilder steps = new StringBuilder();
        for (int step : path) {
            steps.append(steps.length() == 0 ? "" : ", ").append(step);
        }
        program.initially(owner.use(KeyBuffer.class), field, "keyBuffer(" + number + ", new int[] {" + steps + "})");
        String mark = Expressions.mark(columns, place);
        place.code().line(key + ".reset();");
        Place columnPlace = place;
        boolean apart = false;
        int cost = 0;
        for (int i = 0; i < columns.size(); i++) {
            int more = StatementCosts.columnCost(columns.get(i));
            if (i > 0 && cost + more > StatementCosts.METHOD_COST) {
                if (apart) {
                    columnPlace.code().close();
                }
                apart = true;
                String part = owner.names().variable(field + " from " + i);
                place.code().line(part + "(" + leaves.arguments() + ");");
                Code code = owner.member();
                code.open("private void " + part + "(" + Leaves.Parameter.declared(leaves.parameters()) + ")");
                columnPlace = new Place(code, locals());
                cost = 0;
            }
            cost += more;
            NullSite site = keySite(i, target, columns.get(i), origins.get(i));
            column(key, i, target, site, columns.get(i), columnPlace);
        }
        if (apart) {
            columnPlace.code().close();
        }
        Expressions.release(mark, place);
        return key;
    }

    private void column(
            String key, int column, SummaryLayout target, NullSite site, Expression expression, Place place) {
        SummaryLayout.KeyColumn layout = target.keys().get(column);
        Value value = program.counted(site, expression, place, () -> expressions.key(layout.type(), expression, place));
        String setNull = key + ".setNull(" + column + ");";
        if (value.isAlwaysNull()) {
            place.code().line(setNull);
            return;
        }
        Value held = place.hold("long", layout.name(), value);
        String bits = isOfWindow(target, column) ? windowStart(held.value()) : held.value();
        String set = layout.type() == KeyType.STRING
                ? key + ".setString(" + column + ", " + string(held.value()) + ");"
                : key + ".setLong(" + column + ", " + bits + ");";
        if (held.isNeverNull()) {
            place.code().line(set);
        } else {
            place.code().ifElse(held.isNull(), setNull, set);
        }
    }

    private static String string(String reference) {
        return "event.stringBytes(" + reference + "), InputEvent.stringOffset(" + reference
                + "), InputEvent.stringLength(" + reference + ")";
    }

    // Nested rows

    private void nested(Statement.Nested statement, SummaryLayout target, int[] path, Stretch stretch, Place place) {
        int position = statement.nested();
        SummaryLayout layout = target.nested().get(position);
        KeyLayout keys = new KeyLayout(layout.keys());
        boolean inStretch = isInStretch(statement, target);
        if (!inStretch) {
            stretch.end();
        }
        Place at = inStretch ? stretch.place() : place;
        at.code().comment(text.nested(layout, statement));
        Expression where = statement.where();
        boolean guarded = where != null;
        if (where != null) {
            if (inStretch) {
                stretch.settle();
            }
            NullSite site = site(layout.name() + " where ", where, statement.origin());
            at.code().open("if (" + condition(site, where, at) + ")");
            depth++;
        }
        List<Origin> origins = Collections.nCopies(statement.keys().size(), statement.origin());
        int[] inner = Arrays.copyOf(path, path.length + 1);
        inner[path.length] = position;
        boolean loops = StatementCosts.hasLoop(statement.body());
        Stretch body = inStretch ? stretch : new Stretch(owner, place);
        if (loops) {
            place.code().line("this." + openRows() + ".enter(updates);");
        }
        if (KeyCode.suits(keys)) {
            Place keyPlace = body.place();
            KeyCode key = key(statement.keys(), origins, layout, keys, keyPlace);
            body.putShort(0, Integer.toString(UpdateBatch.ENTER | position));
            body.putLong(2, key.hash());
            body.putKey(OP_BYTES, key);
            body.advance(OP_BYTES + key.bytes());
        } else {
            String key = buffer(statement.keys(), origins, layout, inner, place);
            place.code().line("updates.enter(" + position + ", " + key + ", " + key + ".hash());");
        }
        list(statement.body(), layout, inner, true, body, at);
        body.place();
        body.putShort(0, Integer.toString(UpdateBatch.LEAVE));
        body.advance(2);
        if (guarded && inStretch) {
            body.settle();
        }
        if (!inStretch) {
            body.end();
        }
        if (loops) {
            place.code().line("this." + openRows() + ".leave();");
        }
        if (guarded) {
            depth--;
            at.code().close();
        }
    }

    /** Whether a nested block needs the same number of bytes for every event. */
    private boolean isInStretch(Statement.Nested statement, SummaryLayout target) {
        SummaryLayout layout = target.nested().get(statement.nested());
        if (!KeyCode.suits(new KeyLayout(layout.keys()))
                || StatementCosts.groups(statement.body()).size() > 1) {
            return false;
        }
        for (Statement inner : statement.body()) {
            boolean suits = inner instanceof Statement.Update update
                    ? layout.values().get(update.column()).type().operand() != AggregateType.Operand.STRING
                    : inner instanceof Statement.Nested nested && isInStretch(nested, layout);
            if (!suits) {
                return false;
            }
        }
        return true;
    }

    // Loops

    private void loop(Statement.For statement, SummaryLayout target, int[] path, boolean open, Place place) {
        owner.use(InputEvent.class);
        Code code = place.code();
        code.comment(text.loop(statement));
        Value list = leaves.field(statement.list(), place);
        String element = loops.getOrDefault(statement.id(), "element");
        code.open("if (" + Java.not(list.isNull()) + ")");
        String elements = place.declare("long", "list", list.value());
        String left = place.names().variable("left");
        code.line("int " + element + " = InputEvent.listHead(" + elements + ");");
        code.open("for (int " + left + " = InputEvent.listLength(" + elements + "); " + left + " > 0; " + left + "--)");
        leaves.enter(statement.id(), element);
        depth++;
        Expression where = statement.where();
        if (where != null) {
            String of = "for " + String.join(", ", text.names(statement.id())) + " where ";
            code.open("if (" + condition(site(of, where, statement.origin()), where, place) + ")");
        }
        block(statement.body(), target, path, open, place);
        if (where != null) {
            code.close();
        }
        depth--;
        leaves.leave(statement.id());
        if (open) {
            code.onlyIf(
                    "updates.rowBytes() > OpenRows.RECORD_BYTES",
                    "updates = this." + openRows() + ".reopen(updates, router);");
        }
        code.line(element + " = event.next(" + element + ");");
        code.close().close();
    }

    // Updates

    private void update(Statement.Update statement, SummaryLayout target, Stretch stretch, Place place) {
        AggregateType type = target.values().get(statement.column()).type();
        boolean string = type.operand() == AggregateType.Operand.STRING;
        if (string) {
            stretch.end();
        }
        Place at = string ? place : stretch.place();
        at.code().comment(text.update(target, statement));
        String column = column(target, target.values().get(statement.column()).name());
        Expression where = statement.where();
        String mark = Expressions.mark(
                where == null ? List.of(statement.operand()) : List.of(where, statement.operand()), at);
        if (where != null) {
            Condition condition = program.counted(
                    site(column + " where ", where, statement.origin()),
                    where,
                    at,
                    () -> expressions.condition(where, at));
            if (!string) {
                stretch.settle();
            }
            at.code().open("if (" + condition.isTrue() + ")");
            depth++;
        }
        NullSite site = site(column + " += ", statement.operand(), statement.origin());
        if (string) {
            addString(statement, target, site, type, at);
        } else {
            boolean settled = add(statement, site, type, where != null, stretch, at);
            if (settled) {
                stretch.settle();
            }
        }
        if (where != null) {
            depth--;
            at.code().close();
        }
        Expressions.release(mark, at);
    }

    private void addString(
            Statement.Update statement, SummaryLayout target, NullSite site, AggregateType type, Place at) {
        Value value = operand(statement, site, type, at);
        if (value.isAlwaysNull()) {
            return;
        }
        Value held = at.hold("long", "string", value);
        int blocks = at.openUnless(held.isNull());
        at.code()
                .line("addText(" + statement.column() + ", " + held.value() + ", "
                        + JavaText.literal(target.name() + "."
                                + target.values().get(statement.column()).name())
                        + ");");
        at.close(blocks);
    }

    private Value operand(Statement.Update statement, NullSite site, AggregateType type, Place at) {
        Expression operand = statement.operand();
        return program.counted(site, operand, at, () -> expressions.observation(type, operand, at));
    }

    /** Writes an update. Returns whether the caller must then call {@link Stretch#settle}, within the current block. */
    private boolean add(
            Statement.Update statement, NullSite site, AggregateType type, boolean guarded, Stretch stretch, Place at) {
        Value value = operand(statement, site, type, at);
        if (value.isAlwaysNull()) {
            return false;
        }
        if (!value.isNeverNull()) {
            stretch.settle();
        }
        int blocks = at.openUnless(value.isNull());
        String operand = type.operand() == AggregateType.Operand.DOUBLE
                ? "Double.doubleToRawLongBits(" + value.value() + ")"
                : value.value();
        stretch.putShort(0, Integer.toString(statement.column()));
        stretch.putLong(2, operand);
        stretch.advance(OP_BYTES);
        if (blocks > 0) {
            stretch.settle();
        }
        at.close(blocks);
        return guarded;
    }
}
