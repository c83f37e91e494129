package io.summarizer.dsl.generate;

import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.TextDecoder;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.store.AggregateType;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.DeepStack;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Java;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.ExpressionProbes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The classes for explanations of one event type, as source: its normal decoder and program, and classes with a method
 * for each {@link Probe}, whose expressions are the same code as the program's. Immutable.
 */
public final class ProbeSources {
    /** Most probes of one class, because a class file has a bound on its constants. */
    public static final int PROBES = 500;

    private static final int CASES = 100;

    private final List<GeneratedSource> sources = new ArrayList<>();
    private final List<String> probes = new ArrayList<>();
    private final String program;

    private ProbeSources(EventPlan plan, List<Probe> all) {
        Names names = new Names();
        String event = plan.type().name();
        String decoder = null;
        if (plan.schema().format() != EventSchema.Format.TEXT) {
            decoder = names.type(event + " decoder");
            sources.add(DecoderGenerator.generate(decoder, event, plan.schema()));
        }
        GeneratedSource source = ProgramGenerator.generate(names.type(event + " program"), plan, decoder);
        sources.add(source);
        program = source.className();
        int from = 0;
        do {
            GeneratedSource group = new Group(
                            names.type(event + " probes"),
                            plan,
                            decoder,
                            all.subList(from, Math.min(all.size(), from + PROBES)))
                    .source();
            sources.add(group);
            probes.add(group.className());
            from += PROBES;
        } while (from < all.size());
    }

    /** The sources for these probes of the mappings of {@code plan}. */
    public static ProbeSources of(EventPlan plan, List<Probe> probes) {
        return DeepStack.call(() -> new ProbeSources(plan, probes));
    }

    /** All classes. */
    public List<GeneratedSource> all() {
        return List.copyOf(sources);
    }

    /** Name of the event type's program; its constructor takes the plan. */
    public String program() {
        return program;
    }

    /**
     * Names of the {@link ExpressionProbes}, {@link #PROBES} probes in each but the last; their constructors take the
     * plan.
     */
    public List<String> probes() {
        return List.copyOf(probes);
    }

    /** One class of probes. */
    private static final class Group {
        private final JavaClass owner;
        private final EventPlan plan;
        private final List<Probe> probes;
        private final Map<Integer, Scope> scopes = new HashMap<>();

        /** The common part of the probes of one mapping. */
        private final class Scope {
            final Map<Integer, String> loops;
            final EventLeaves leaves;
            final ExpressionGenerator expressions;

            Scope(EventPlan.MappingPlan mapping) {
                loops = LoopNames.of(mapping.mapping().body(), locals());
                leaves = new EventLeaves(
                        owner, mapping, value -> this.expressions().constant(value));
                expressions = new ExpressionGenerator(owner, leaves, NullSites.single());
            }

            private ExpressionGenerator expressions() {
                return expressions;
            }
        }

        Group(String name, EventPlan plan, @Nullable String decoder, List<Probe> probes) {
            this.plan = plan;
            this.probes = probes;
            owner = new JavaClass(
                    name, "Expressions of the mappings of " + plan.type().name() + ", each by itself.");
            owner.inherits("extends " + owner.use(ExpressionProbes.class));
            owner.use(EventPlan.class);
            owner.use(IMessage.class);
            for (String taken : List.of("decode", "evaluate", "give", "start", "zone", "year", "scan", "decoder")) {
                owner.names().reserve(taken);
            }
            String type = decoder == null ? owner.use(TextDecoder.class) : decoder;
            owner.fields().line("private final " + type + " decoder;");
            owner.member()
                    .open("public " + name + "(EventPlan plan)")
                    .line("super(plan);")
                    .line("decoder = new " + type + "(plan.schema());")
                    .close();
            owner.member()
                    .line("@Override")
                    .open("public String decode(IMessage message)")
                    .line("start(message);")
                    .line("return decoder.decode(message, event);")
                    .close();
        }

        private static Names locals() {
            return JavaClass.locals("elements");
        }

        GeneratedSource source() {
            Code evaluate = owner.member();
            evaluate.line("@Override").open("protected void evaluate(int probe, int[] elements)");
            for (int from = 0; from < probes.size(); from += CASES) {
                int end = Math.min(probes.size(), from + CASES);
                String method = owner.names().variable("probes from " + from);
                evaluate.open("if (probe >= " + from + " && probe < " + end + ")")
                        .line(method + "(probe, elements);")
                        .close();
                Code cases = owner.member();
                cases.open("private void " + method + "(int probe, int[] elements)")
                        .open("switch (probe)");
                for (int i = from; i < end; i++) {
                    cases.line("case " + i + ":")
                            .line(method(i) + "(elements);")
                            .line("break;");
                }
                cases.close().close();
            }
            evaluate.close();
            return owner.source();
        }

        private String method(int number) {
            Probe probe = probes.get(number);
            Scope scope = scopes.computeIfAbsent(
                    probe.mapping(), mapping -> new Scope(plan.mappings().get(mapping)));
            String method = owner.names().variable("probe" + number);
            Code code = owner.member();
            code.open("private void " + method + "(int[] elements)");
            Names names = locals();
            scope.loops.values().forEach(names::reserve);
            Place place = new Place(code, names);
            for (int loop : probe.loops()) {
                String element = scope.loops.getOrDefault(loop, "element");
                code.line("int " + element + " = elements[" + loop + "];");
                scope.leaves.enter(loop, element);
            }
            Value value = value(probe, scope.expressions, place);
            if (value.isAlwaysNull()) {
                code.line("give(true, 0L);");
            } else {
                boolean isDouble = probe.result() == AggregateType.Operand.DOUBLE;
                String isNull = place.hold("boolean", "isNull", value.isNull());
                String bits = isDouble ? "Double.doubleToRawLongBits(" + value.value() + ")" : value.value();
                if (!isNull.equals("false")) {
                    bits = isNull + " ? 0L : " + Java.atom(bits);
                }
                boolean isText = probe.result() == AggregateType.Operand.STRING;
                code.line((isText ? "giveText(" : "give(") + isNull + ", " + bits + ");");
            }
            code.close();
            probe.loops().forEach(scope.leaves::leave);
            return method;
        }

        private static Value value(Probe probe, ExpressionGenerator expressions, Place place) {
            if (probe.purpose() instanceof Probe.Key key) {
                return expressions.key(key.type(), probe.expression(), place);
            }
            if (probe.purpose() instanceof Probe.Observation observation) {
                return expressions.observation(observation.type(), probe.expression(), place);
            }
            if (probe.purpose() instanceof Probe.Presence) {
                return Value.present(
                        expressions.isPresent(probe.expression(), place).isTrue() + " ? 1L : 0L");
            }
            return expressions.operand(probe.expression(), place);
        }
    }
}
