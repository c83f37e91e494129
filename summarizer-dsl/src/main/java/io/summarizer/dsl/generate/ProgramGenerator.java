package io.summarizer.dsl.generate;

import io.summarizer.core.decode.TextDecoder;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.window.WindowInput;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.Evaluator;
import io.summarizer.dsl.runtime.LoopSteps;
import io.summarizer.dsl.runtime.MappingProgram;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes the program of an event type, which applies each mapping to a decoded event. */
final class ProgramGenerator {
    /** Maximum number of mappings that one method calls. */
    private static final int CALLS = 200;
    /** Maximum number of fields that one method sets. */
    private static final int INITIALIZED = 200;

    /** Maximum number of expressions that one method adds to the table of expressions that may fail. */
    private static final int SITES = 100;

    private final JavaClass owner;
    private final EventPlan plan;
    private final Code constructor;
    private final NullSites sites = NullSites.ofProgram();
    private Code initializer;
    private int initialized;

    /** The statements that set the windows of mappings. */
    private final List<String> windows = new ArrayList<>();

    private ProgramGenerator(JavaClass owner, EventPlan plan, Code constructor) {
        this.owner = owner;
        this.plan = plan;
        this.constructor = constructor;
        initializer = constructor;
    }

    /**
     * Writes a class {@code name} for the mappings of {@code plan}.
     *
     * @param decoder simple name of the generated decoder; its constructor takes a schema. Null for events in the
     *     format text
     */
    static GeneratedSource generate(String name, EventPlan plan, @Nullable String decoder) {
        JavaClass owner =
                new JavaClass(name, "Applies the mappings of " + plan.type().name() + " to an event.");
        owner.inherits("extends " + owner.use(MappingProgram.class));
        owner.use(EventPlan.class);
        owner.use(IMessage.class);
        owner.use(UpdateRouter.class);
        for (Class<?> base : List.of(MappingProgram.class, Evaluator.class)) {
            for (Method method : base.getDeclaredMethods()) {
                owner.names().reserve(method.getName());
            }
        }
        for (String taken : List.of("process", "identify", "useWindows", "nullSites", "decoder")) {
            owner.names().reserve(taken);
        }
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

    JavaClass owner() {
        return owner;
    }

    NullSites sites() {
        return sites;
    }

    /** Adds a field that the constructor sets, directly or in a method that it calls. */
    void initially(String type, String field, String value) {
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

    /** Adds a field with the windows of the summary that mapping {@code mapping} updates. */
    void windows(String field, int mapping) {
        owner.fields().line("private " + owner.use(WindowInput.class) + " " + field + ";");
        windows.add(field + " = windowsOf(" + mapping + ", inputs);");
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
                .onlyIf("problem != null", "return problem;");
        if (plan.mappings().stream().anyMatch(mapping -> mapping.loops() > 0)) {
            process.onlyIf("takesTooManySteps(message, active)", "return " + owner.use(LoopSteps.class) + ".TOO_MANY;");
        }
        process.line("start(message, router);");
        EventType.Dedup dedup = plan.type().dedup();
        boolean once = dedup != null && plan.mappings().stream().anyMatch(mapping -> mapping.ids() >= 0);
        if (dedup != null && once) {
            process.line("identify();");
        }
        divide(
                process,
                "mappings",
                "",
                new Leaves.Parameter("boolean[]", "active"),
                CALLS,
                IntStream.range(0, plan.mappings().size()).boxed().toList(),
                (calls, i) -> calls.onlyIf("active[" + i + "]", mapping(i) + "();"));
        process.line("counts.countInvalidUtf8(event.repaired());")
                .line("return null;")
                .close();
        if (dedup != null && once) {
            identify(dedup);
        }
        writeSites();
        writeWindows();
    }

    /** Writes the method of mapping {@code number}; returns its name. */
    private String mapping(int number) {
        return new MappingGenerator(
                        this, plan.mappings().get(number), number, plan.type().name())
                .method();
    }

    /**
     * Writes code for each item. If there are more than {@code most} items, divides the code among methods that {@code
     * code} calls; {@code wish} begins the names of these methods.
     */
    private <T> void divide(
            Code code,
            String wish,
            String modifier,
            Leaves.Parameter parameter,
            int most,
            List<T> items,
            BiConsumer<Code, T> writing) {
        for (int from = 0; from < items.size(); from += most) {
            Code part = code;
            if (items.size() > most) {
                String method = owner.names().variable(wish + " from " + from);
                code.line(method + "(" + parameter.name() + ");");
                part = owner.member();
                part.open("private " + modifier + "void " + method + "(" + Leaves.Parameter.declared(List.of(parameter))
                        + ")");
            }
            for (T item : items.subList(from, Math.min(items.size(), from + most))) {
                writing.accept(part, item);
            }
            if (part != code) {
                part.close();
            }
        }
    }

    /** Writes the method that sets the windows of mappings, if there are any. */
    private void writeWindows() {
        if (windows.isEmpty()) {
            return;
        }
        Leaves.Parameter parameter =
                new Leaves.Parameter(owner.use(IntFunction.class) + "<" + owner.use(WindowInput.class) + ">", "inputs");
        Code use = owner.member();
        use.line("@Override").open("public void useWindows(" + Leaves.Parameter.declared(List.of(parameter)) + ")");
        divide(use, "windows", "", parameter, INITIALIZED, windows, Code::line);
        use.close();
    }

    /** Writes the table of the expressions that may fail, in the order of their numbers. */
    private void writeSites() {
        Code table = owner.member();
        owner.use(List.class);
        owner.use(NullSite.class);
        owner.use(ArrayList.class);
        table.open("private static List<NullSite> nullSites()");
        table.line("List<NullSite> sites = new ArrayList<NullSite>();");
        divide(
                table,
                "null sites",
                "static ",
                new Leaves.Parameter("List<NullSite>", "sites"),
                SITES,
                sites.all(),
                (part, site) -> part.line("sites.add(new NullSite(" + site.mapping() + ", "
                        + JavaText.literal(site.expression()) + ", " + JavaText.literal(site.at())
                        + ", NullSite.Evaluated." + site.evaluated() + "));"));
        table.line("return sites;").close();
    }

    /** Writes an expression whose failures are counted separately. */
    <T> T counted(NullSite site, Expression expression, Place place, Supplier<T> writing) {
        sites.begin(site);
        T written = writing.get();
        if (Expressions.leavesStrings(expression)) {
            place.code().onlyIf("event.wasRefused()", sites.count(owner, "NullReason.SPACE"));
        }
        if (sites.isUsed() && site.evaluated() == NullSite.Evaluated.COUNTED) {
            place.code().line("nulls.evaluated[" + sites.number() + "]++;");
        }
        return written;
    }

    /** Writes the method that sets the id of the event. */
    private void identify(EventType.Dedup dedup) {
        ExpressionGenerator expressions =
                new ExpressionGenerator(owner, new EventLeaves(owner, plan.fields(), sites), sites);
        Expression by = dedup.by();
        Code code = owner.member();
        code.comment(SummText.dedup(dedup));
        code.open("private void identify()");
        Place place = new Place(code, JavaClass.locals());
        String mark = Expressions.mark(List.of(by), place);
        boolean isDouble = by.type() == Type.DOUBLE;
        NullSite site = new NullSite(-1, SummText.dedup(dedup), "", NullSite.Evaluated.COUNTED);
        Value id = place.hold(
                isDouble ? "double" : "long", "id", counted(site, by, place, () -> expressions.operand(by, place)));
        if (id.isAlwaysNull()) {
            code.line("noId();");
        } else if (id.isNeverNull()) {
            code.line(identified(by.type(), id.value()));
        } else {
            code.ifElse(id.isNull(), "noId();", identified(by.type(), id.value()));
        }
        Expressions.release(mark, place);
        code.close();
    }

    private static String identified(Type type, String id) {
        return switch (type) {
            case UINT -> "idOfUint(" + id + ");";
            case DOUBLE -> "idOfDouble(" + id + ");";
            case TIMESTAMP -> "idOfTimestamp(" + id + ");";
            case STRING -> "idOfText(" + id + ");";
            default -> "idOfInt(" + id + ");";
        };
    }
}
