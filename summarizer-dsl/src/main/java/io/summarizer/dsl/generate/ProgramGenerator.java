package io.summarizer.dsl.generate;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.TextDecoder;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.Condition;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.Origin;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.LoopSteps;
import io.summarizer.dsl.runtime.MappingProgram;
import io.summarizer.dsl.runtime.OpenRows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the program of an event type: what each mapping does with a decoded event. */
final class ProgramGenerator {
    /** Mappings that one method calls. */
    private static final int CALLS = 200;
    /** What the statements of one method cost at most; see {@link #cost}. */
    private static final int METHOD_COST = Code.METHOD_WEIGHT / 2;

    /** Fields that one method sets. */
    private static final int INITIALIZED = 200;

    private static final int OP_BYTES = 10;
    /** Expressions that may fail whose table one method makes. */
    private static final int SITES = 100;

    private final JavaClass owner;
    private final EventPlan plan;
    private final Code constructor;
    private final NullSites sites = NullSites.ofProgram();
    private Code initializer;
    private int initialized;

    private ProgramGenerator(JavaClass owner, EventPlan plan, Code constructor) {
        this.owner = owner;
        this.plan = plan;
        this.constructor = constructor;
        initializer = constructor;
    }

    /**
     * Writes a class {@code name} for the mappings of {@code plan}.
     *
     * @param decoder simple name of the generated decoder, which has a constructor that takes a schema; null for events of text
     */
    static GeneratedSource generate(String name, EventPlan plan, @Nullable String decoder) {
        JavaClass owner =
                new JavaClass(name, "What the mappings of " + plan.type().name() + " do with an event.");
        owner.inherits("extends " + owner.use(MappingProgram.class));
        owner.use(EventPlan.class);
        owner.use(IMessage.class);
        owner.use(UpdateRouter.class);
        for (String taken : List.of(
                "process",
                "start",
                "zone",
                "year",
                "scan",
                "takesTooManySteps",
                "keyBuffer",
                "openRows",
                "identify",
                "noId",
                "idOfInt",
                "idOfUint",
                "idOfDouble",
                "idOfTimestamp",
                "idOfText",
                "ids",
                "hasId",
                "beginMapping",
                "guard",
                "addText",
                "useLimits",
                "tooLong",
                "identifyRow",
                "nullSites")) {
            owner.names().reserve(taken);
        }
        owner.names().reserve("decoder");
        String type = decoder == null ? owner.use(TextDecoder.class) : decoder;
        owner.fields().line("private final " + type + " decoder;");
        Code constructor = owner.member();
        constructor.open("public " + name + "(EventPlan plan)").line("super(plan, nullSites());");
        constructor.line("decoder = new " + type + "(plan.schema());");
        ProgramGenerator program = new ProgramGenerator(owner, plan, constructor);
        program.generate();
        program.endInitializer();
        constructor.close();
        return owner.source();
    }

    /** Adds a field that the constructor sets, or a method that it calls. */
    private void initially(String type, String field, String value) {
        if (initialized > 0 && initialized % INITIALIZED == 0) {
            endInitializer();
            String method = owner.names().variable("initialize");
            constructor.line(method + "();");
            initializer = owner.member();
            initializer.open("private void " + method + "()");
        }
        initialized++;
        owner.fields().line("private " + (initializer == constructor ? "final " : "") + type + " " + field + ";");
        initializer.line(field + " = " + value + ";");
    }

    private void endInitializer() {
        if (initializer != constructor) {
            initializer.close();
        }
    }

    private void generate() {
        Code process = owner.member();
        process.line("@Override")
                .open("public String process(IMessage message, boolean[] active, UpdateRouter router)")
                .line("String problem = decoder.decode(message, event);")
                .open("if (problem != null)")
                .line("return problem;")
                .close();
        if (plan.mappings().stream().anyMatch(mapping -> mapping.loops() > 0)) {
            process.open("if (takesTooManySteps(message, active))")
                    .line("return " + owner.use(LoopSteps.class) + ".TOO_MANY;")
                    .close();
        }
        process.line("start(message, router);");
        EventType.Dedup dedup = plan.type().dedup();
        boolean once = dedup != null && plan.mappings().stream().anyMatch(mapping -> mapping.ids() >= 0);
        if (dedup != null && once) {
            process.line("identify();");
        }
        List<EventPlan.MappingPlan> mappings = plan.mappings();
        for (int from = 0; from < mappings.size(); from += CALLS) {
            Code calls = process;
            if (mappings.size() > CALLS) {
                String method = owner.names().variable("mappings from " + from);
                process.line(method + "(active);");
                calls = owner.member();
                calls.open("private void " + method + "(boolean[] active)");
            }
            for (int i = from; i < Math.min(mappings.size(), from + CALLS); i++) {
                calls.open("if (active[" + i + "])")
                        .line(new OneMapping(mappings.get(i), i, plan.type().name()).method + "();")
                        .close();
            }
            if (calls != process) {
                calls.close();
            }
        }
        process.line("counts.invalidUtf8 += event.repaired();")
                .line("return null;")
                .close();
        if (dedup != null && once) {
            new OneId(dedup);
        }
        sites();
    }

    /** Writes the expressions that may fail, by their numbers. */
    private void sites() {
        List<NullSite> all = sites.all();
        Code table = owner.member();
        owner.use(List.class);
        owner.use(NullSite.class);
        owner.use(ArrayList.class);
        table.open("private static List<NullSite> nullSites()");
        table.line("List<NullSite> sites = new ArrayList<NullSite>();");
        for (int from = 0; from < all.size(); from += SITES) {
            Code part = table;
            if (all.size() > SITES) {
                String method = owner.names().variable("null sites from " + from);
                table.line(method + "(sites);");
                part = owner.member();
                part.open("private static void " + method + "(List<NullSite> sites)");
            }
            for (NullSite site : all.subList(from, Math.min(all.size(), from + SITES))) {
                part.line("sites.add(new NullSite(" + site.mapping() + ", " + JavaText.literal(site.expression()) + ", "
                        + JavaText.literal(site.at()) + ", NullSite.Evaluated." + site.evaluated() + "));");
            }
            if (part != table) {
                part.close();
            }
        }
        table.line("return sites;").close();
    }

    /** Writes an expression. */
    @FunctionalInterface
    private interface Writing<T> {
        T write();
    }

    /** Writes an expression that is counted apart when something in it fails. */
    private <T> T counted(NullSite site, Expression expression, Place place, Writing<T> writing) {
        sites.begin(site);
        T written = writing.write();
        if (leavesStrings(expression)) {
            place.code()
                    .open("if (event.wasRefused())")
                    .line(sites.count(owner, "NullReason.SPACE"))
                    .close();
        }
        if (sites.isUsed() && site.evaluated() == NullSite.Evaluated.COUNTED) {
            place.code().line("nulls.evaluated[" + sites.number() + "]++;");
        }
        return written;
    }

    /** Writes the method that says what the id of the event is. */
    private final class OneId {
        private final EventLeaves leaves;
        private final ExpressionGenerator expressions;

        OneId(EventType.Dedup dedup) {
            leaves = new EventLeaves(
                    owner, plan.fields(), value -> this.expressions().constant(value));
            expressions = new ExpressionGenerator(owner, leaves, sites);
            Expression by = dedup.by();
            Code code = owner.member();
            code.comment(SummText.dedup(dedup));
            code.open("private void identify()");
            Place place = new Place(code, JavaClass.locals());
            boolean marked = leavesStrings(by);
            String mark = marked ? place.declare("int", "mark", "event.scratchLimit()") : "";
            boolean isDouble = by.type() == Type.DOUBLE;
            NullSite site = new NullSite(-1, SummText.dedup(dedup), "", NullSite.Evaluated.COUNTED);
            Value id = place.hold(
                    isDouble ? "double" : "long", "id", counted(site, by, place, () -> expressions.operand(by, place)));
            if (id.isAlwaysNull()) {
                code.line("noId();");
            } else if (id.isNeverNull()) {
                code.line(identified(by.type(), id.value()));
            } else {
                code.open("if (" + id.isNull() + ")")
                        .line("noId();")
                        .next("else")
                        .line(identified(by.type(), id.value()))
                        .close();
            }
            if (marked) {
                code.line("event.releaseScratch(" + mark + ");");
            }
            code.close();
        }

        private ExpressionGenerator expressions() {
            return expressions;
        }

        private String identified(Type type, String id) {
            return switch (type) {
                case UINT -> "idOfUint(" + id + ");";
                case DOUBLE -> "idOfDouble(" + id + ");";
                case TIMESTAMP -> "idOfTimestamp(" + id + ");";
                case STRING -> "idOfText(" + id + ");";
                default -> "idOfInt(" + id + ");";
            };
        }
    }

    /** Writes the methods of one mapping. */
    private final class OneMapping {
        final String method;

        /** Among those of its event type. */
        private final int number;

        private final EventPlan.MappingPlan plan;
        private final Mapping mapping;
        private final Map<Integer, String> loops;
        private final SummText text;
        private final EventLeaves leaves;
        private final ExpressionGenerator expressions;
        /** Whether its records are guarded. */
        private final boolean once;

        /** Loops and conditions around the statement in hand. */
        private int depth;

        /** The field with the open rows, once something needs it. */
        private @Nullable String openRows;

        OneMapping(EventPlan.MappingPlan plan, int number, String event) {
            this.number = number;
            this.plan = plan;
            mapping = plan.mapping();
            loops = LoopNames.of(mapping.body(), JavaClass.locals());
            text = SummText.of(mapping.body());
            leaves = new EventLeaves(owner, plan, value -> this.expressions().constant(value));
            expressions = new ExpressionGenerator(owner, leaves, sites);
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
                code.open("if (" + Java.not(condition(site, where, place)) + ")")
                        .line("counts.filtered[" + number + "]++;")
                        .line("return;")
                        .close();
            }
            if (once) {
                code.line("beginMapping();");
            }
            block(mapping.body(), plan.summary(), new int[0], false, place);
            code.line("counts.applied[" + number + "]++;").close();
        }

        private ExpressionGenerator expressions() {
            return expressions;
        }

        /** The names of a method: those of all loops are taken. */
        private Names locals() {
            return JavaClass.locals(loops.values().toArray(new String[0]));
        }

        /** The expression in its use, {@code of} what it is for. */
        private NullSite site(String of, Expression expression, Origin origin) {
            return new NullSite(
                    number,
                    text.use(of, expression),
                    origin.toString(),
                    depth == 0 ? NullSite.Evaluated.APPLIED : NullSite.Evaluated.COUNTED);
        }

        /** The name of a column, of a nested summary with that of the summary. */
        private String column(SummaryLayout target, String name) {
            return target.equals(plan.summary()) ? name : target.name() + "." + name;
        }

        /** A variable or expression for whether a condition holds; no strings are left behind. */
        private String condition(NullSite site, Expression where, Place place) {
            if (!leavesStrings(where)) {
                return counted(site, where, place, () -> expressions.condition(where, place))
                        .isTrue();
            }
            String mark = place.declare("int", "mark", "event.scratchLimit()");
            String holds = counted(
                    site,
                    where,
                    place,
                    () -> place.declare(
                            "boolean",
                            "holds",
                            expressions.condition(where, place).isTrue()));
            place.code().line("event.releaseScratch(" + mark + ");");
            return holds;
        }

        /** The statements of a block; a key, if any, comes first and opens a record for the others. */
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

        /** Some statements of a block, in methods of their own if they are many. */
        private void list(
                List<Statement> statements,
                SummaryLayout target,
                int[] path,
                boolean open,
                Stretch stretch,
                Place place) {
            List<List<Statement>> groups = groups(statements);
            if (groups.size() == 1) {
                for (Statement statement : statements) {
                    statement(statement, target, path, open, stretch, place);
                }
                return;
            }
            stretch.end();
            for (List<Statement> group : groups) {
                String part = owner.names().variable(method + " part");
                place.code().line(part + "(" + arguments() + ");");
                Code code = owner.member();
                code.open("private void " + part + "(" + parameters() + ")");
                Place inner = new Place(code, locals());
                Stretch innerStretch = new Stretch(owner, inner);
                for (Statement statement : group) {
                    statement(statement, target, path, open, innerStretch, inner);
                }
                innerStretch.end();
                code.close();
            }
        }

        private String arguments() {
            return leaves.parameters().stream().map(Leaves.Parameter::name).collect(Collectors.joining(", "));
        }

        private String parameters() {
            return leaves.parameters().stream()
                    .map(parameter -> parameter.type() + " " + parameter.name())
                    .collect(Collectors.joining(", "));
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
                Statement.Key statement,
                SummaryLayout target,
                List<Statement> statements,
                Stretch stretch,
                Place place) {
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
                    stretch.end(); // so that the key is there
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
            if (hasLoop(statements)) {
                place.code().line("this." + openRows() + ".begin();");
            }
        }

        /** What {@link UpdateBatch#target} gives for a row that this mapping updates. */
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
                initially(owner.use(OpenRows.class), field, "openRows(" + number + ")");
            }
            return field;
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
            String mark = mark(columns, place);
            List<Value> values = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                String name = target.keys().get(i).name();
                Expression column = columns.get(i);
                KeyType type = layout.type(i);
                Value value = counted(
                        keySite(i, target, column, origins.get(i)),
                        column,
                        place,
                        () -> expressions.key(type, column, place));
                if (value.isAlwaysNull()) {
                    values.add(value);
                    continue;
                }
                String isNull = place.hold("boolean", name + " null", value.isNull());
                // A null column is all zeros.
                values.add(new Value(
                        place.hold(
                                "long",
                                name,
                                isNull.equals("false")
                                        ? value.value()
                                        : isNull + " ? 0L : " + Java.atom(value.value())),
                        isNull));
            }
            release(mark, place);
            return KeyCode.of(layout, values, owner, place);
        }

        private String mark(List<Expression> expressions, Place place) {
            return expressions.stream().anyMatch(ProgramGenerator::leavesStrings)
                    ? place.declare("int", "mark", "event.scratchLimit()")
                    : "";
        }

        private void release(String mark, Place place) {
            if (!mark.isEmpty()) {
                place.code().line("event.releaseScratch(" + mark + ");");
            }
        }

        /** Puts a key together in a buffer; returns how to speak of it. */
        private String buffer(
                List<Expression> columns, List<Origin> origins, SummaryLayout target, int[] path, Place place) {
            String field = owner.names().variable(target.name() + " key");
            String key = "this." + field;
            StringBuilder steps = new StringBuilder();
            for (int step : path) {
                steps.append(steps.length() == 0 ? "" : ", ").append(step);
            }
            initially(owner.use(KeyBuffer.class), field, "keyBuffer(" + number + ", new int[] {" + steps + "})");
            String mark = mark(columns, place);
            place.code().line(key + ".reset();");
            Place columnPlace = place;
            boolean apart = false;
            int cost = 0;
            for (int i = 0; i < columns.size(); i++) {
                int more = columnCost(columns.get(i));
                if (i > 0 && cost + more > METHOD_COST) {
                    if (apart) {
                        columnPlace.code().close();
                    }
                    apart = true;
                    String part = owner.names().variable(field + " from " + i);
                    place.code().line(part + "(" + arguments() + ");");
                    Code code = owner.member();
                    code.open("private void " + part + "(" + parameters() + ")");
                    columnPlace = new Place(code, locals());
                    cost = 0;
                }
                cost += more;
                NullSite site = keySite(i, target, columns.get(i), origins.get(i));
                column(key, i, target.keys().get(i), site, columns.get(i), columnPlace);
            }
            if (apart) {
                columnPlace.code().close();
            }
            release(mark, place);
            return key;
        }

        private void column(
                String key,
                int column,
                SummaryLayout.KeyColumn layout,
                NullSite site,
                Expression expression,
                Place place) {
            Value value = counted(site, expression, place, () -> expressions.key(layout.type(), expression, place));
            String setNull = key + ".setNull(" + column + ");";
            if (value.isAlwaysNull()) {
                place.code().line(setNull);
                return;
            }
            Value held = place.hold("long", layout.name(), value);
            String set = layout.type() == KeyType.STRING
                    ? key + ".setString(" + column + ", " + string(held.value()) + ");"
                    : key + ".setLong(" + column + ", " + held.value() + ");";
            if (held.isNeverNull()) {
                place.code().line(set);
            } else {
                place.code()
                        .open("if (" + held.isNull() + ")")
                        .line(setNull)
                        .next("else")
                        .line(set)
                        .close();
            }
        }

        private static String string(String reference) {
            return "event.stringBytes(" + reference + "), InputEvent.stringOffset(" + reference
                    + "), InputEvent.stringLength(" + reference + ")";
        }

        // Nested rows

        private void nested(
                Statement.Nested statement, SummaryLayout target, int[] path, Stretch stretch, Place place) {
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
            int[] inner = java.util.Arrays.copyOf(path, path.length + 1);
            inner[path.length] = position;
            boolean loops = hasLoop(statement.body());
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

        /** Whether nothing within a nested block needs room of a size that only the event tells. */
        private boolean isInStretch(Statement.Nested statement, SummaryLayout target) {
            SummaryLayout layout = target.nested().get(statement.nested());
            if (!KeyCode.suits(new KeyLayout(layout.keys()))
                    || groups(statement.body()).size() > 1) {
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
            code.open("for (int " + left + " = InputEvent.listLength(" + elements + "); " + left + " > 0; " + left
                    + "--)");
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
                code.open("if (updates.rowBytes() > OpenRows.RECORD_BYTES)")
                        .line("updates = this." + openRows() + ".reopen(updates, router);")
                        .close();
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
            String column =
                    column(target, target.values().get(statement.column()).name());
            Expression where = statement.where();
            String mark = mark(where == null ? List.of(statement.operand()) : List.of(where, statement.operand()), at);
            if (where != null) {
                Condition condition = counted(
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
            release(mark, at);
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
                    .line("addText(" + statement.column() + ", " + held.value() + ", " + "\"" + target.name() + "."
                            + target.values().get(statement.column()).name() + "\");");
            at.close(blocks);
        }

        private Value operand(Statement.Update statement, NullSite site, AggregateType type, Place at) {
            Expression operand = statement.operand();
            return counted(site, operand, at, () -> expressions.observation(type, operand, at));
        }

        /** Whether the end of what is written has to be settled within the block in hand. */
        private boolean add(
                Statement.Update statement,
                NullSite site,
                AggregateType type,
                boolean guarded,
                Stretch stretch,
                Place at) {
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

    /** Whether a loop runs while a row of these statements is open. */
    private static boolean hasLoop(List<Statement> statements) {
        for (Statement statement : statements) {
            if (statement instanceof Statement.For
                    || (statement instanceof Statement.Nested nested && hasLoop(nested.body()))) {
                return true;
            }
        }
        return false;
    }

    // How much code that is

    private static List<List<Statement>> groups(List<Statement> statements) {
        List<List<Statement>> groups = new ArrayList<>();
        int from = 0;
        int cost = 0;
        for (int i = 0; i < statements.size(); i++) {
            int more = cost(statements.get(i));
            if (i > from && cost + more > METHOD_COST) {
                groups.add(statements.subList(from, i));
                from = i;
                cost = 0;
            }
            cost += more;
        }
        groups.add(statements.subList(from, statements.size()));
        return groups;
    }

    /** About how many characters of Java a statement takes where it stands. */
    private static int cost(Statement statement) {
        if (statement instanceof Statement.Update update) {
            return 250 + columnCost(update.operand()) + whereCost(update.where());
        }
        if (statement instanceof Statement.Key key) {
            return 500
                    + key.columns().stream()
                            .mapToInt(ProgramGenerator::columnCost)
                            .sum();
        }
        if (statement instanceof Statement.Nested nested) {
            return 600
                    + nested.keys().stream()
                            .mapToInt(ProgramGenerator::columnCost)
                            .sum()
                    + whereCost(nested.where())
                    + bodyCost(nested.body());
        }
        Statement.For loop = (Statement.For) statement;
        return 400 + whereCost(loop.where()) + bodyCost(loop.body());
    }

    private static int bodyCost(List<Statement> body) {
        List<List<Statement>> groups = groups(body);
        return groups.size() > 1
                ? 80 * groups.size()
                : body.stream().mapToInt(ProgramGenerator::cost).sum();
    }

    private static int whereCost(@Nullable Expression where) {
        return where == null ? 0 : columnCost(where);
    }

    private static int columnCost(Expression expression) {
        return 200 + Math.min(ExpressionGenerator.cost(expression), METHOD_COST);
    }

    /** Whether evaluating an expression may leave strings in the event's scratch space. */
    private static boolean leavesStrings(Expression expression) {
        if (expression instanceof Expression.Unary unary) {
            return leavesStrings(unary.operand());
        }
        if (expression instanceof Expression.Binary binary) {
            return binary.operator() == Expression.BinaryOperator.CONCAT
                    || leavesStrings(binary.left())
                    || leavesStrings(binary.right());
        }
        if (expression instanceof Expression.In in) {
            return leavesStrings(in.operand()) || in.elements().stream().anyMatch(ProgramGenerator::leavesStrings);
        }
        if (expression instanceof Expression.Call call) {
            return call.type() == Type.STRING || call.arguments().stream().anyMatch(ProgramGenerator::leavesStrings);
        }
        return expression.type() == Type.STRING && !(expression instanceof Expression.Field);
    }
}
