package io.summarizer.dsl.generate;

import io.summarizer.core.decode.BadPayloadException;
import io.summarizer.core.decode.CsvDecoder;
import io.summarizer.core.decode.ElementSchema;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.FieldKind;
import io.summarizer.core.decode.FieldSchema;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.JsonDecoder;
import io.summarizer.core.decode.JsonMessage;
import io.summarizer.core.decode.JsonName;
import io.summarizer.core.decode.MessageSchema;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import java.io.IOException;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Writes the decoder of an event type. For each column or field that the decoder reads, the written code names the
 * method that reads the value and the slot that receives the value.
 */
final class DecoderGenerator {
    private static final String THROWS_JSON = " throws IOException, BadPayloadException";

    private final JavaClass owner;
    private final EventSchema schema;
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

    private DecoderGenerator(JavaClass owner, EventSchema schema) {
        this.owner = owner;
        this.schema = schema;
        List<FieldSchema> fields = schema.fields();
        List<MessageSchema> messages = schema.messages();
        for (int i = 0; i < fields.size(); i++) {
            numbers.put(fields.get(i), i);
        }
        for (int i = 0; i < messages.size(); i++) {
            numbers.put(messages.get(i), i);
        }
    }

    /** Writes a class {@code name} for events of this schema, in CSV or JSON. */
    static GeneratedSource generate(String name, String event, EventSchema schema) {
        boolean csv = schema.format() == EventSchema.Format.CSV;
        JavaClass owner = new JavaClass(
                name, "Reads the fields of " + event + " that mappings use from " + (csv ? "a line of CSV." : "JSON."));
        owner.inherits("extends " + owner.use(csv ? CsvDecoder.class : JsonDecoder.class));
        owner.use(EventSchema.class);
        owner.use(InputEvent.class);
        owner.use(BadPayloadException.class);
        owner.names().variable("readRoot");
        owner.names().variable("readColumns");
        DecoderGenerator generator = new DecoderGenerator(owner, schema);
        Code constructor = owner.member();
        constructor.open("public " + name + "(EventSchema schema)").line("super(schema);");
        if (csv) {
            generator.csv();
        } else {
            generator.json(constructor);
        }
        constructor.close();
        return owner.source();
    }

    private int number(Object thing) {
        Integer number = numbers.get(thing);
        if (number == null) {
            throw new IllegalArgumentException(thing + " is not in the schema");
        }
        return number;
    }

    /** The constant with the number of a field in the schema. */
    private String constant(FieldSchema field) {
        return owner.number(field.name() + " field", number(field));
    }

    private String valueSlot(FieldSchema field) {
        return slot(field.name() + " slot", field.valueSlot());
    }

    private String microsSlot(FieldSchema field) {
        return slot(field.name() + " micros slot", field.microsSlot());
    }

    /** The constant with a slot of events. */
    private String slot(String name, int slot) {
        return owner.number(slot < 0 ? "no slot" : name, slot);
    }

    // CSV

    private void csv() {
        List<FieldSchema> columns = schema.root().fields().stream()
                .sorted(Comparator.comparingInt(FieldSchema::column))
                .toList();
        String parameters = "(byte[] bytes, int from, int to, InputEvent event) throws BadPayloadException";
        Code start = owner.member();
        start.line("@Override").open("protected void readColumns" + parameters);
        start.line("int at = from;");
        Code code = start;
        int next = 1;
        for (FieldSchema field : columns) {
            if (code.weight() > Code.METHOD_WEIGHT || (code == start && code.weight() > Code.METHOD_WEIGHT / 2)) {
                if (code != start) {
                    code.line("return at;").close();
                }
                String method = owner.names().variable("columns from " + next);
                start.line("at = " + method + "(bytes, at, to, event);");
                code = owner.member();
                code.open("private int " + method + parameters).line("int at = from;");
            }
            if (next < field.column()) {
                int last = field.column() - 1;
                code.comment(next == last ? "column " + next : "columns " + next + " to " + last);
                code.line("at = skip(bytes, at, to, " + next + ", " + last + ");");
            }
            code.comment("column " + field.column() + ": " + field.name());
            if (isRival(field, columns)) {
                code.line("choose(bytes, at, to, event, " + constant(field) + ");");
            }
            code.line("at = " + column(field) + ";");
            next = field.column() + 1;
        }
        if (code != start) {
            code.line("return at;").close();
        }
        start.close();
    }

    private String column(FieldSchema field) {
        String number = constant(field);
        return switch (field.kind()) {
            case INT64 -> "int64(bytes, at, to, event, " + valueSlot(field) + ", " + number + ")";
            case DOUBLE ->
                "decimal(bytes, at, to, event, " + valueSlot(field) + ", " + microsSlot(field) + ", " + number + ")";
            case MEMBER -> "skip(bytes, at, to, " + field.column() + ", " + field.column() + ")";
            default -> "column(bytes, at, to, event, " + number + ")";
        };
    }

    private static boolean isRival(FieldSchema field, List<FieldSchema> fields) {
        return fields.stream().anyMatch(field::isRivalOf);
    }

    // JSON

    private void json(Code constructor) {
        owner.use(IOException.class);
        owner.use(JsonMessage.class);
        owner.use(JsonName.class);
        Code root = owner.member();
        root.line("@Override").open("protected void readRoot(InputEvent event)" + THROWS_JSON);
        String method = object("event", schema.root(), constructor);
        root.line(method + "(event, InputEvent.ROOT);").close();
    }

    /** Writes a method that reads an object; returns its name. */
    private String object(String name, MessageSchema message, Code constructor) {
        String method = owner.names().variable("read " + name);
        String names = owner.names().variable(name + " names");
        owner.fields().line("private final JsonMessage " + names + ";");
        constructor.line(names + " = message(" + number(message) + ");");
        Code code = owner.member();
        code.open("private void " + method + "(InputEvent event, int record)" + THROWS_JSON);
        code.onlyIf("!openObject()", "return;");
        code.line("JsonName name = " + names + ".start;");
        code.open("do");
        code.line("name = name(" + names + ", name);");
        List<FieldSchema> fields = message.fields();
        // A switch within a switch keeps both small, whatever the number of fields.
        int group = 64;
        if (fields.size() <= group) {
            cases(code, fields, 0, fields.size(), constructor);
        } else {
            code.open("switch (name.field >> 6)");
            for (int from = 0; from < fields.size(); from += group) {
                String part = owner.names().variable(method + " from " + from);
                code.line("case " + (from >> 6) + ":");
                code.line("    " + part + "(event, record, name);").line("    break;");
                Code inner = owner.member();
                inner.open("private void " + part + "(InputEvent event, int record, JsonName name)" + THROWS_JSON);
                cases(inner, fields, from, Math.min(fields.size(), from + group), constructor);
                inner.close();
            }
            code.line("default:").line("    skip();").close();
        }
        code.closeWhile("nextField()").close();
        return method;
    }

    private void cases(Code code, List<FieldSchema> fields, int from, int to, Code constructor) {
        code.open("switch (name.field)");
        for (int i = from; i < to; i++) {
            FieldSchema field = fields.get(i);
            code.line("case " + i + ": // " + JavaText.inComment(field.name()));
            if (isRival(field, fields)) {
                code.line("    choose(event, record, " + constant(field) + ");");
            }
            code.line("    " + value(field, "record", constructor)).line("    break;");
        }
        code.line("default:").line("    skip();").close();
    }

    /** A statement that reads a value. */
    private String value(FieldSchema field, String record, Code constructor) {
        String number = constant(field);
        return switch (field.kind()) {
            case MESSAGE -> message(field, constructor) + "(event, " + record + ");";
            case LIST, MAP -> elements(field, constructor) + "(event, " + record + ");";
            case INT64, UINT64 -> "integer64(event, " + record + ", " + valueSlot(field) + ", " + number + ");";
            case INT32, UINT32 -> "integer32(event, " + record + ", " + valueSlot(field) + ", " + number + ");";
            case TIMESTAMP -> "timestamp(event, " + record + ", " + valueSlot(field) + ", " + number + ");";
            case DOUBLE ->
                "decimal(event, " + record + ", " + valueSlot(field) + ", " + microsSlot(field) + ", " + number + ");";
            case STRING -> "text(event, " + record + ", " + valueSlot(field) + ", " + number + ");";
            case MEMBER -> "skip();";
            default -> "scalar(event, " + record + ", " + number + ");";
        };
    }

    private String message(FieldSchema field, Code constructor) {
        MessageSchema message = field.message();
        String method = owner.names().variable("read field " + field.name());
        Code code = owner.member();
        code.open("private void " + method + "(InputEvent event, int record)" + THROWS_JSON);
        int first = message == null ? 0 : message.firstSlot();
        int end = message == null ? 0 : message.endSlot();
        code.open("if (startMessage(event, record, " + valueSlot(field) + ", " + first + ", " + end + ", "
                + constant(field) + "))");
        code.line(message == null ? "skip();" : object(field.name(), message, constructor) + "(event, record);");
        code.close().close();
        return method;
    }

    /** Writes a method that reads a list or map; returns its name. */
    private String elements(FieldSchema field, Code constructor) {
        ElementSchema element = element(field);
        FieldSchema key = element.key();
        if ((key == null) == (field.kind() == FieldKind.MAP)) {
            throw new IllegalArgumentException(field.name() + " is a map without keys, or a list with them");
        }
        String method = owner.names().variable((key == null ? "read list " : "read map ") + field.name());
        Code code = owner.member();
        code.open("private void " + method + "(InputEvent event, int record)" + THROWS_JSON);
        code.onlyIf(
                "!" + (key == null ? "startList" : "startMap") + "(event, record, " + constant(field) + ")", "return;");
        code.line("int head = 0;").line("int last = 0;").line("int length = 0;");
        code.open(key == null ? "if (openArray())" : "if (openObject())").open("do");
        code.line("int element = event.newRecord(" + element.slots() + ");");
        if (key == null) {
            link(code);
        } else {
            code.line("mapKey(event, element, " + constant(key) + ");");
        }
        code.line(element.value() == null ? "skip();" : value(element.value(), "element", constructor));
        if (key != null) {
            link(code);
        }
        code.closeWhile(key == null ? "nextElement()" : "nextField()").close();
        String list = key == null
                ? "InputEvent.list(head, length)"
                : "lastOfEqualKeys(event, " + constant(key) + ", " + element.slots() + ", head, length)";
        code.line("event.set(record, " + valueSlot(field) + ", " + list + ");");
        code.close();
        return method;
    }

    private static ElementSchema element(FieldSchema field) {
        ElementSchema element = field.element();
        if (element == null) {
            throw new IllegalArgumentException(field.name() + " is neither repeated nor a map");
        }
        return element;
    }

    private static void link(Code code) {
        code.open("if (length++ == 0)").line("head = element;").next("else").line("event.link(last, element);");
        code.close().line("last = element;");
    }
}
