package io.summarizer.dsl.generate;

import io.summarizer.core.decode.FieldKind;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Place;
import io.summarizer.dsl.codegen.Value;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.Builtins;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The operands of mappings: slots of the event, slots of the current elements of loops, and parts of the envelope. */
final class EventLeaves implements Leaves {
    private final JavaClass owner;
    private final EventPlan.Fields plan;
    private final NullSites sites;
    /** For each enclosing loop, outermost first, the variable with the record of the loop's current element. */
    private final Map<Integer, String> records = new LinkedHashMap<>();

    EventLeaves(JavaClass owner, EventPlan.Fields plan, NullSites sites) {
        this.owner = owner;
        this.plan = plan;
        this.sites = sites;
    }

    /** Enters a loop. */
    void enter(int loop, String record) {
        records.put(loop, record);
    }

    void leave(int loop) {
        records.remove(loop);
    }

    /** The record in which a path starts. */
    String record(Expression.Root root) {
        int loop = EventPlan.MappingPlan.loop(root);
        if (loop < 0) {
            return "InputEvent.ROOT";
        }
        String record = records.get(loop);
        if (record == null) {
            throw new IllegalArgumentException("loop " + loop + " is not around this path");
        }
        return record;
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        records.values().forEach(record -> parameters.add(new Parameter("int", record)));
        return parameters;
    }

    @Override
    public Value field(Expression.Field field, Place place) {
        String at = at(field, " slot", plan.field(field).valueSlot());
        String bits = "event.get(" + at + ")";
        String value = field.type() == Type.DOUBLE
                ? "Double.longBitsToDouble(" + bits + ")"
                : field.type() == Type.BOOL ? bits + " != 0L" : bits;
        return new Value(value, "!event.has(" + at + ")");
    }

    /** The record and slot of a field. */
    private String at(Expression.Field field, String part, int slot) {
        String name = field.path().stream().map(EventField::name).collect(Collectors.joining(" "));
        return record(field.root()) + ", " + owner.number((name.isEmpty() ? "element" : name) + part, slot);
    }

    @Override
    public boolean hasMicros(Expression.Field field) {
        return plan.field(field).kind() == FieldKind.DOUBLE;
    }

    @Override
    public Value micros(Expression.Field field, Place place) {
        String at = at(field, " micros slot", plan.field(field).microsSlot());
        return new Value("event.get(" + at + ")", "!event.has(" + at + ")");
    }

    @Override
    public Value length(Expression.Field field, Place place) {
        Value list = field(field, place);
        return new Value("(long) InputEvent.listLength(" + list.value() + ")", list.isNull());
    }

    @Override
    public boolean repeats() {
        return !records.isEmpty();
    }

    @Override
    public String zone() {
        return "zone()";
    }

    @Override
    public Value builtin(Expression builtin, Place place) {
        if (builtin instanceof Expression.TopicWord word) {
            return text("TOPIC", "topicWord", "event, message, " + (word.position() - 1), "word", place);
        }
        if (builtin instanceof Expression.StructuredData data) {
            return text(
                    "STRUCTURED_DATA",
                    "structuredData",
                    "event, message, " + TextExpressions.constant(owner, data.id()) + ", "
                            + TextExpressions.constant(owner, data.param()),
                    data.param(),
                    place);
        }
        return switch (((Expression.BuiltinValue) builtin).builtin()) {
            case SYSLOG_SEVERITY -> Value.present("(long) message.severity()");
            case SYSLOG_FACILITY -> Value.present("(long) message.facility()");
            case SYSLOG_SIZE -> {
                owner.use(Builtins.class);
                yield Value.present("Builtins.payloadBytes(message)");
            }
            case SYSLOG_TIMESTAMP -> {
                owner.use(Builtins.class);
                owner.use(SyslogTime.class);
                String time = place.declare("long", "syslogTimestamp", "Builtins.timestamp(message, zone(), year())");
                yield new Value(time, time + " == SyslogTime.NOT_A_TIME");
            }
            case TOPIC -> slice("TOPIC", place);
            case SYSLOG_HOST -> slice("HOST", place);
            case SYSLOG_APP_NAME -> slice("APP_NAME", place);
            case SYSLOG_PROC_ID -> slice("PROC_ID", place);
            case SYSLOG_MSG_ID -> slice("MSG_ID", place);
        };
    }

    private Value slice(String field, Place place) {
        owner.use(MessageBatch.class);
        return text(field, "slice", "event, message, MessageBatch." + field, field, place);
    }

    /** A text that is read from a part of the message: each time, the function reads the whole part. */
    private Value text(String part, String function, String arguments, String wish, Place place) {
        owner.use(Builtins.class);
        String read = "Builtins." + function + "(" + arguments + ")";
        if (repeats()) {
            owner.use(MessageBatch.class);
            read = "affords(Math.max(0, message.length(MessageBatch." + part + ")), " + sites.number() + ") ? " + read
                    + " : InputEvent.NULL_STRING";
        }
        return Value.text(place.declare("long", wish, read));
    }
}
