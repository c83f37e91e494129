package io.summarizer.dsl.plan;

import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.plan.FieldUse.ElementUse;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event type with its mappings, and the slots of each field that the mappings use. Immutable after construction.
 *
 * <p>All mappings that use a field share the field's slots, and all loops over a list share the list's slots.
 */
public final class EventPlan {
    private final EventType type;
    private final List<MappingPlan> mappings = new ArrayList<>();
    private final MessageUse root;
    private final int year;
    private final EventSchema schema;

    /** Finds the fields in expressions. */
    public interface Fields {
        /** The slots of the field at the end of a path. */
        FieldUse field(Expression.Field path);
    }

    /**
     * Plans the event type at position {@code event}. If a time has no year, its year is derived from the arrival of
     * the message.
     */
    public EventPlan(Definitions definitions, int event, List<ZoneId> zones) {
        this(definitions, event, zones, SyslogTime.NO_YEAR);
    }

    /**
     * Plans the event type at position {@code event}.
     *
     * @param zones zones for times without a zone, by the number of the listener
     * @param year year for times without a year, or {@link SyslogTime#NO_YEAR}
     */
    public EventPlan(Definitions definitions, int event, List<ZoneId> zones, int year) {
        this.year = year;
        type = definitions.events().get(event);
        root = new MessageUse(type.message());
        List<Definitions.Once> once = definitions.countedOnce();
        int number = (int) definitions.mappings().stream()
                .filter(mapping -> mapping.event() < event)
                .count();
        for (Mapping mapping : definitions.mappings()) {
            if (mapping.event() == event) {
                mappings.add(new MappingPlan(
                        number++,
                        mapping,
                        definitions.summaries().get(mapping.summary()),
                        once.indexOf(new Definitions.Once(event, mapping.summary()))));
            }
        }
        EventType.Dedup dedup = type.dedup();
        if (dedup != null) {
            use(dedup.by(), fields());
        }
        mappings.forEach(MappingPlan::collect);
        root.assign(0);
        schema = new EventSchema(type.format(), root.schema(), root.slots(), zones);
    }

    /** The event type. */
    public EventType type() {
        return type;
    }

    /** The mappings of the event type, in the order of definition. */
    public List<MappingPlan> mappings() {
        return List.copyOf(mappings);
    }

    /** The fields of the event itself, for expressions outside mappings. */
    public Fields fields() {
        return path -> field(path, null);
    }

    /** Year for syslog times without a year, or {@link SyslogTime#NO_YEAR}. */
    public int year() {
        return year;
    }

    /** The fields to decode. */
    public EventSchema schema() {
        return schema;
    }

    /** The field at the end of a path. The path starts at {@code start}, or at the event when {@code start} is null. */
    private FieldUse field(Expression.Field path, @Nullable FieldUse start) {
        FieldUse use = start;
        for (EventField step : path.path()) {
            MessageUse message = use == null ? root : use.message();
            use = message.field(step);
        }
        if (use == null) {
            throw new IllegalArgumentException("the event as a whole is not a value");
        }
        return use;
    }

    private static void use(@Nullable Expression expression, Fields fields) {
        if (expression instanceof Expression.Field path) {
            fields.field(path).useValue();
        } else if (expression != null) {
            expression.operands().forEach(operand -> use(operand, fields));
        }
    }

    /** A mapping and its fields. */
    public final class MappingPlan implements Fields {
        private final int number;
        private final Mapping mapping;
        private final SummaryLayout summary;
        private final Map<Integer, ElementUse> loops = new HashMap<>();
        private final int ids;

        private MappingPlan(int number, Mapping mapping, SummaryLayout summary, int ids) {
            this.number = number;
            this.mapping = mapping;
            this.summary = summary;
            this.ids = ids;
        }

        /** The number of the mapping among the mappings of all event types, in the order of event types. */
        public int number() {
            return number;
        }

        /**
         * The id table that guards the records of the mapping, as a position in {@link Definitions#countedOnce}; -1
         * when the records have no guards.
         */
        public int ids() {
            return ids;
        }

        /** The mapping. */
        public Mapping mapping() {
            return mapping;
        }

        /** Layout of the summary that the mapping updates. */
        public SummaryLayout summary() {
            return summary;
        }

        /** Number of loops of the mapping. The ids of the loops are below this number. */
        public int loops() {
            return loops.keySet().stream().mapToInt(id -> id + 1).max().orElse(0);
        }

        /** The loop at whose current element a path begins; -1 when the path begins at the event itself. */
        public static int loop(Expression.Root start) {
            if (start instanceof Expression.Variable variable) {
                return variable.loop();
            }
            return start instanceof Expression.MapKey key ? key.loop() : -1;
        }

        @Override
        public FieldUse field(Expression.Field path) {
            FieldUse use = null;
            if (path.root() instanceof Expression.Variable variable) {
                use = loop(variable.loop()).value();
            } else if (path.root() instanceof Expression.MapKey key) {
                use = loop(key.loop()).key();
            }
            return EventPlan.this.field(path, use);
        }

        private ElementUse loop(int id) {
            ElementUse element = loops.get(id);
            if (element == null) {
                throw new IllegalArgumentException("loop " + id + " is not around this path");
            }
            return element;
        }

        private void collect() {
            use(mapping.where());
            collect(mapping.body(), summary);
        }

        private void collect(List<Statement> body, SummaryLayout target) {
            for (Statement statement : body) {
                if (statement instanceof Statement.Key key) {
                    key.columns().forEach(this::use);
                } else if (statement instanceof Statement.Update update) {
                    use(update.where());
                    if (target.values().get(update.column()).type() == AggregateType.SUMCURRENCY) {
                        useAsCurrency(update.operand());
                    } else {
                        use(update.operand());
                    }
                } else if (statement instanceof Statement.Nested nested) {
                    nested.keys().forEach(this::use);
                    use(nested.where());
                    collect(nested.body(), target.nested().get(nested.nested()));
                } else if (statement instanceof Statement.For loop) {
                    FieldUse list = field(loop.list());
                    list.useValue();
                    loops.put(loop.id(), list.element());
                    use(loop.where());
                    collect(loop.body(), target);
                }
            }
        }

        private void useAsCurrency(Expression operand) {
            if (operand instanceof Expression.Field path) {
                field(path).useMicros();
            } else if (CurrencyOperand.isTransparent(operand)) {
                List<Expression> operands = new ArrayList<>(operand.operands());
                if (operand instanceof Expression.Call call && call.function() == Expression.Function.IF) {
                    use(operands.remove(0));
                }
                operands.forEach(this::useAsCurrency);
            } else {
                use(operand);
            }
        }

        private void use(@Nullable Expression expression) {
            EventPlan.use(expression, this);
        }
    }
}
