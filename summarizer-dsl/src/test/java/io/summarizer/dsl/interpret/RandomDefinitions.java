package io.summarizer.dsl.interpret;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Random event types, summaries and mappings as text, and random payloads for them; most are valid, some are not. */
public final class RandomDefinitions {
    private static final String[] SCALARS = {
        "int32", "int64", "uint32", "uint64", "double", "float", "bool", "string", "google.protobuf.Timestamp", "Color"
    };
    private static final String[] KEYS = {"int32", "int64", "uint32", "uint64", "bool", "string", "timestamp"};
    private static final String[] VALUES = {
        "sumint32",
        "sumint64",
        "sumfloat",
        "sumdouble",
        "sumcurrency",
        "count",
        "minint64",
        "maxint64",
        "mindouble",
        "maxdouble",
        "mintimestamp",
        "maxtimestamp",
        "firststring",
        "laststring",
        "firstint64",
        "lastint64",
        "multiset64"
    };

    private final Random random;
    private final String format;
    private final List<Message> messages = new ArrayList<>();
    private final Message event;
    private final StringBuilder summ = new StringBuilder();
    private int names;

    private record Message(String name, List<Field> fields) {}

    /**
     * A field: {@code message} of a message; {@code key} of a map, whose values are of this type; members of a
     * {@code oneof} follow each other.
     */
    private record Field(
            String name,
            int number,
            String type,
            @Nullable Message message,
            boolean repeated,
            @Nullable String key,
            @Nullable String oneof) {}

    private record Operand(String text, char type) {}

    /** A list, and its elements: with a key for maps. */
    private record ListPath(String text, Field field) {}

    private record Column(String name, String type) {}

    private record Summary(String name, List<Column> keys, List<Column> values, List<Summary> nested) {}

    /** Definitions and payloads from this source. */
    public RandomDefinitions(Random random) {
        this.random = random;
        format = pick("csv", "csv", "json", "json", "json", "json", "text");
        event = switch (format) {
            case "csv" -> message("E", 0);
            case "json" -> message("E", 2);
            default -> text("E");
        };
        List<Summary> summaries = new ArrayList<>();
        summ.append("import \"e.proto\";\nevent E on \"ad.#\" as ")
                .append(format)
                .append(dedup())
                .append(";\n");
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            Summary summary = summary("S" + i, 2);
            summaries.add(summary);
            declare(summary, "");
        }
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            Summary summary = summaries.get(random.nextInt(summaries.size()));
            List<Operand> scope = new ArrayList<>();
            List<ListPath> lists = new ArrayList<>();
            collect(event, "", 0, scope, lists);
            summ.append("map E into ")
                    .append(summary.name)
                    .append(where(scope, lists))
                    .append(" {\n");
            if (!lists.isEmpty() && random.nextInt(3) == 0) {
                loop(summary, scope, lists, 1, true, "    ");
            } else {
                keyed(summary, scope, lists, "    ");
            }
            summ.append("}\n");
        }
    }

    /** A dedup clause for half of the events. */
    private String dedup() {
        if (random.nextBoolean()) {
            return "";
        }
        List<Operand> scope = new ArrayList<>();
        List<ListPath> lists = new ArrayList<>();
        collect(event, "", 0, scope, lists);
        char type = "iiudtsss".charAt(random.nextInt(8));
        return " dedup by "
                + (random.nextInt(4) == 0 ? "syslog.sd['ev@32473'].id" : expression(type, 2, scope, lists))
                + " within " + pick("500ms", "5m", "1h", "30d");
    }

    public String summ() {
        return summ.toString();
    }

    public String proto() {
        StringBuilder proto = new StringBuilder("""
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                enum Color { NONE = 0; RED = 1; GREEN = 5; }
                """);
        for (Message message : messages) {
            proto.append("message ").append(message.name).append(" {\n");
            String oneof = null;
            for (Field field : message.fields) {
                String type = field.message != null ? field.message.name : field.type;
                if (!Objects.equals(field.oneof, oneof)) {
                    proto.append(oneof == null ? "" : "  }\n")
                            .append(field.oneof == null ? "" : "  oneof " + field.oneof + " {\n");
                    oneof = field.oneof;
                }
                proto.append(field.repeated ? "  repeated " : "  ")
                        .append(field.key != null ? "map<" + field.key + ", " + type + ">" : type)
                        .append(' ')
                        .append(field.name)
                        .append(" = ")
                        .append(field.number)
                        .append(";\n");
            }
            proto.append(oneof == null ? "}\n" : "  }\n}\n");
        }
        return proto.toString();
    }

    // Event types

    private Message message(String name, int depth) {
        List<Field> fields = new ArrayList<>();
        int number = 0;
        String oneof = null;
        for (int i = 3 + random.nextInt(8); i > 0; i--) {
            number += random.nextInt(4) == 0 ? 3 : 1;
            String field = "f" + names++;
            boolean nested = depth > 0 && random.nextInt(3) == 0;
            Message message = nested ? message("M" + names++, depth - 1) : null;
            int shape = depth > 0 ? random.nextInt(5) : 2;
            String key = shape == 0 ? pick("string", "int64", "int32") : null;
            boolean single = shape > 1;
            if (!single || random.nextInt(4) == 0) {
                oneof = null;
            } else if (oneof == null && random.nextInt(4) == 0) {
                oneof = "o" + names++;
            }
            fields.add(new Field(field, number, pick(SCALARS), message, shape == 1, key, oneof));
        }
        Message message = new Message(name, fields);
        messages.add(message);
        return message;
    }

    /** A message that the format text takes. */
    private Message text(String name) {
        Message message = new Message(name, List.of(new Field("f" + names++, 1, "string", null, false, null, null)));
        messages.add(message);
        return message;
    }

    private static char type(String scalar) {
        return switch (scalar) {
            case "int32", "int64", "uint32" -> 'i';
            case "uint64" -> 'u';
            case "double", "float" -> 'd';
            case "bool" -> 'b';
            case "google.protobuf.Timestamp" -> 't';
            default -> 's';
        };
    }

    private void collect(Message message, String prefix, int depth, List<Operand> scope, List<ListPath> lists) {
        for (Field field : message.fields) {
            String path = prefix + field.name;
            if (field.repeated || field.key != null) {
                lists.add(new ListPath(path, field));
            } else if (field.message != null) {
                if (depth < 3) {
                    collect(field.message, path + ".", depth + 1, scope, lists);
                }
            } else {
                scope.add(new Operand(path, type(field.type)));
            }
        }
    }

    // Summaries

    private Summary summary(String name, int depth) {
        List<Summary> nested = new ArrayList<>();
        for (int i = depth > 0 ? random.nextInt(3) : 0; i > 0; i--) {
            nested.add(summary("n" + names++, depth - 1));
        }
        List<Column> keys = columns(random.nextInt(12) == 0 ? 18 : 1 + random.nextInt(3), "k", KEYS);
        if (name.startsWith("S") && random.nextBoolean()) {
            keys.add(random.nextInt(keys.size() + 1), new Column("k" + names++, "timestamp"));
        }
        return new Summary(name, keys, columns(1 + random.nextInt(5), "v", VALUES), nested);
    }

    private List<Column> columns(int count, String prefix, String[] types) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(new Column(prefix + names++, pick(types)));
        }
        return columns;
    }

    private void declare(Summary summary, String indent) {
        String type = summary.name.startsWith("n") ? "T" + summary.name : summary.name;
        summ.append(indent).append("summary ").append(type).append(" {\n");
        List<String> times = summary.keys.stream()
                .filter(key -> key.type.equals("timestamp"))
                .map(Column::name)
                .toList();
        if (indent.isEmpty() && !times.isEmpty() && random.nextInt(4) != 0) {
            summ.append("  window ")
                    .append(times.get(random.nextInt(times.size())))
                    .append(" every ")
                    .append(pick("5m", "1s", "1h zone '+05:30'", "2d zone \"Europe/Berlin\"", "2w", "3mo", "1y"))
                    .append(" close after ")
                    .append(pick("0s", "2m", "1d"))
                    .append(pick("", " keep 90d", " keep 1y"))
                    .append(";\n");
        }
        summ.append(indent).append("  key {");
        int number = 1;
        for (Column key : summary.keys) {
            summ.append(' ')
                    .append(key.type)
                    .append(' ')
                    .append(key.name)
                    .append(" = ")
                    .append(number++)
                    .append(';');
        }
        summ.append(" }\n").append(indent).append("  value {\n");
        number = 1;
        for (Column value : summary.values) {
            summ.append(indent).append("    ").append(value.type).append(' ').append(value.name);
            summ.append(" = ").append(number++).append(";\n");
        }
        for (Summary nested : summary.nested) {
            declare(nested, indent + "    ");
            summ.append(indent)
                    .append("    repeated T")
                    .append(nested.name)
                    .append(' ')
                    .append(nested.name);
            summ.append(" = ").append(number++).append(";\n");
        }
        summ.append(indent).append("  }\n").append(indent).append("}\n");
    }

    // Mappings

    private String where(List<Operand> scope, List<ListPath> lists) {
        return random.nextInt(3) == 0 ? " where " + expression('b', 3, scope, lists) : "";
    }

    private void keyed(Summary summary, List<Operand> scope, List<ListPath> lists, String indent) {
        summ.append(indent).append("key {");
        for (Column key : summary.keys) {
            summ.append(' ').append(key.name).append(" = ").append(expression(keyType(key), 2, scope, lists));
            summ.append(';');
        }
        summ.append(" }\n");
        statements(summary, scope, lists, 2, indent);
    }

    private char keyType(Column key) {
        return switch (key.type) {
            case "bool" -> 'b';
            case "string" -> 's';
            case "timestamp" -> 't';
            default -> random.nextInt(4) == 0 ? 'u' : 'i';
        };
    }

    private void statements(Summary summary, List<Operand> scope, List<ListPath> lists, int depth, String indent) {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int kind = random.nextInt(5);
            if (kind == 0 && depth > 0 && !lists.isEmpty()) {
                loop(summary, scope, lists, depth - 1, false, indent);
            } else if (kind <= 2 && !summary.nested.isEmpty()) {
                Summary nested = summary.nested.get(random.nextInt(summary.nested.size()));
                summ.append(indent).append(nested.name).append('[');
                String separator = "";
                for (Column key : nested.keys) {
                    summ.append(separator).append(key.name).append(" = ");
                    summ.append(expression(keyType(key), 2, scope, lists));
                    separator = ", ";
                }
                summ.append(']').append(where(scope, lists)).append(" {\n");
                statements(nested, scope, lists, depth, indent + "    ");
                summ.append(indent).append("}\n");
            } else {
                Column value = summary.values.get(random.nextInt(summary.values.size()));
                summ.append(indent).append(value.name).append(" += ");
                summ.append(expression(valueType(value), 3, scope, lists));
                summ.append(where(scope, lists)).append(";\n");
            }
        }
    }

    private char valueType(Column value) {
        return switch (value.type) {
            case "sumfloat", "sumdouble", "mindouble", "maxdouble" -> random.nextInt(3) == 0 ? 'i' : 'd';
            case "sumcurrency" -> "dddius".charAt(random.nextInt(6));
            case "count", "multiset64" -> "idbstu".charAt(random.nextInt(6));
            case "mintimestamp", "maxtimestamp" -> 't';
            case "firststring", "laststring" -> 's';
            default -> random.nextInt(4) == 0 ? 'u' : 'i';
        };
    }

    private void loop(
            Summary summary, List<Operand> outer, List<ListPath> outerLists, int depth, boolean keyed, String indent) {
        ListPath list = outerLists.get(random.nextInt(outerLists.size()));
        String variable = "x" + names++;
        List<Operand> scope = new ArrayList<>(outer);
        List<ListPath> lists = new ArrayList<>(outerLists);
        String element = variable;
        if (list.field.key != null) {
            element = "y" + names++;
            scope.add(new Operand(variable, type(list.field.key)));
            variable += ", " + element;
        }
        // The innermost is used most.
        for (int i = 0; i < 3; i++) {
            if (list.field.message != null) {
                collect(list.field.message, element + ".", 1, scope, lists);
            } else {
                scope.add(new Operand(element, type(list.field.type)));
            }
        }
        summ.append(indent).append("for ").append(variable).append(" in ").append(list.text);
        summ.append(where(scope, lists)).append(" {\n");
        if (keyed) {
            keyed(summary, scope, lists, indent + "    ");
        } else {
            statements(summary, scope, lists, depth, indent + "    ");
        }
        summ.append(indent).append("}\n");
    }

    // Expressions

    private String expression(char type, int depth, List<Operand> scope, List<ListPath> lists) {
        IntFunction<String> leaf = tries -> {
            for (int i = 0; i < tries; i++) {
                Operand operand = scope.isEmpty() ? null : scope.get(random.nextInt(scope.size()));
                if (operand != null && operand.type == type) {
                    return operand.text;
                }
            }
            return literal(type);
        };
        if (depth == 0 || random.nextInt(4) == 0) {
            return leaf.apply(20);
        }
        IntFunction<String> any = typeOf -> expression((char) typeOf, depth - 1, scope, lists);
        char other = "idbstu".charAt(random.nextInt(6));
        if (random.nextInt(6) == 0) {
            String none = random.nextInt(6) == 0 ? "null" : any.apply(type);
            return random.nextBoolean()
                    ? "if(" + any.apply('b') + ", " + any.apply(type) + ", " + none + ")"
                    : "coalesce(" + any.apply(type) + ", " + any.apply(type) + ", " + none + ")";
        }
        return switch (type) {
            case 'i' ->
                switch (random.nextInt(8)) {
                    case 0 -> "-(" + any.apply('i') + ")";
                    case 1 -> "len(" + any.apply('s') + ")";
                    case 2 -> lists.isEmpty() ? "1" : "len(" + lists.get(random.nextInt(lists.size())).text + ")";
                    case 3 -> "hash64(" + any.apply(other) + ", " + any.apply('i') + ", " + any.apply('s') + ")";
                    case 4 -> "int64(" + any.apply("idbstu".charAt(random.nextInt(6))) + ")";
                    case 5 -> "hash64(" + any.apply(other) + ")";
                    default -> "(" + any.apply('i') + pick(" + ", " - ", " * ", " % ") + any.apply(pick("iiu")) + ")";
                };
            case 'd' ->
                switch (random.nextInt(5)) {
                    case 0 -> "-(" + any.apply('d') + ")";
                    case 1 -> "double(" + any.apply("idstu".charAt(random.nextInt(5))) + ")";
                    case 2 -> "(" + any.apply(pick("iud")) + " / " + any.apply(pick("iud")) + ")";
                    default -> "(" + any.apply('d') + pick(" + ", " - ", " * ", " % ") + any.apply(pick("ddiu")) + ")";
                };
            case 'b' ->
                switch (random.nextInt(7)) {
                    case 0 -> "not (" + any.apply('b') + ")";
                    case 1 -> "has(" + leafOf(scope) + ")";
                    case 2, 3 -> "(" + any.apply('b') + pick(" and ", " or ") + any.apply('b') + ")";
                    case 4 -> {
                        char of = pick("isd");
                        yield "(" + any.apply(of) + " in (" + any.apply(of) + ", " + literal(of) + ", "
                                + pick("null", literal(of)) + "))";
                    }
                    default -> {
                        String types = pick("ss", "ii", "iu", "uu", "ui", "id", "di", "dd", "ud", "du", "tt", "bb");
                        yield "(" + any.apply(types.charAt(0)) + pick(" == ", " != ", " < ", " <= ", " > ", " >= ")
                                + any.apply(types.charAt(1)) + ")";
                    }
                };
            case 's' ->
                switch (random.nextInt(9)) {
                    case 0 -> pick("lower", "upper") + "(" + any.apply('s') + ")";
                    case 1 -> "concat(" + any.apply(other) + ", " + any.apply('s') + ")";
                    case 2 -> "substr(" + any.apply('s') + ", " + any.apply('i') + ")";
                    case 3 -> "substr(" + any.apply('s') + ", 1, " + any.apply('i') + ")";
                    case 4 -> "extract(" + any.apply('s') + ", \"([a-c])(.)?\", " + random.nextInt(3) + ")";
                    case 5 -> "string(" + any.apply(other) + ")";
                    case 6 -> pick("topic", "topic[1]", "topic[7]", "syslog.host", "syslog.sd[\"ev@32473\"].id");
                    default -> "(" + any.apply('s') + " + " + any.apply('s') + ")";
                };
            case 't' ->
                switch (random.nextInt(4)) {
                    case 0 -> "timestamp(" + any.apply(pick("isd")) + ")";
                    case 1 ->
                        "bucket(" + any.apply('t') + ", "
                                + pick(
                                        "5m",
                                        "1h",
                                        "7ms",
                                        "3mo",
                                        "2w, 'Asia/Kolkata'",
                                        "1d, \"Europe/Berlin\"",
                                        "6h, '+05:30'")
                                + ")";
                    case 2 -> "(" + any.apply('t') + pick(" + ", " - ") + "5m)";
                    default -> leaf.apply(20);
                };
            default -> leaf.apply(20);
        };
    }

    private String leafOf(List<Operand> scope) {
        return scope.isEmpty() ? "topic" : scope.get(random.nextInt(scope.size())).text;
    }

    private String literal(char type) {
        return switch (type) {
            case 'i' -> pick("0", "1", "7", "9223372036854775807", "3");
            case 'd' -> pick("0.0", "1.5", "2.25", "1e300", "0.1");
            case 'b' -> pick("true", "false");
            case 's' -> pick("\"\"", "\"a\"", "\"b\u00e4\"", "\"12\"", "\"x.5\"", "\"2026-10-25T02:30:00\"");
            case 't' -> pick("timestamp(\"2026-11-20T00:00:00Z\")", "syslog.timestamp");
            default -> "1";
        };
    }

    // Payloads

    public byte[] payload() {
        byte[] payload = payloadText().getBytes(StandardCharsets.UTF_8);
        if (payload.length > 0 && random.nextInt(20) == 0) {
            payload[random.nextInt(payload.length)] = (byte) (random.nextBoolean() ? 0xFF : 0xC3);
        }
        return payload;
    }

    private String payloadText() {
        String payload = switch (format) {
            case "csv" -> line();
            case "json" -> object(event, 0);
            default -> random.nextInt(10) == 0 ? "\u00e4 line of text".repeat(30) : value("string");
        };
        if (random.nextInt(12) == 0) {
            int cut = random.nextInt(payload.length() + 1);
            String junk = pick("", "\"", "}", "x", ",", "\u00e4", "null", "[");
            payload = payload.substring(0, cut) + junk + payload.substring(Math.min(payload.length(), cut + 1));
        }
        return payload;
    }

    private String line() {
        StringBuilder line = new StringBuilder();
        int column = 1;
        String oneof = null;
        for (Field field : event.fields) {
            for (; column < field.number; column++) {
                line.append(column == 1 ? "" : ",").append(pick("", "skipped", "\"a,b\""));
            }
            line.append(column++ == 1 ? "" : ",");
            boolean other = field.oneof != null && field.oneof.equals(oneof) && random.nextInt(10) != 0;
            if (!other && random.nextInt(8) != 0) {
                oneof = field.oneof;
                String value = value(field.type);
                boolean quoted = value.indexOf('"') >= 0 || random.nextInt(6) == 0;
                line.append(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
            }
        }
        return line.append(random.nextInt(8) == 0 ? "\r\n" : "").toString();
    }

    private String object(Message message, int depth) {
        List<String> fields = new ArrayList<>();
        String oneof = null;
        for (Field field : message.fields) {
            boolean other = field.oneof != null && field.oneof.equals(oneof) && random.nextInt(10) != 0;
            if (other || random.nextInt(7) == 0) {
                continue;
            }
            oneof = field.oneof;
            String value;
            if (random.nextInt(12) == 0) {
                value = "null";
            } else if (field.repeated) {
                value = elements("[", "]", field, depth, false);
            } else if (field.key != null) {
                value = elements("{", "}", field, depth, true);
            } else {
                value = single(field, depth);
            }
            int place = random.nextInt(fields.size() + 1);
            fields.add(place, '"' + field.name + "\":" + pick("", "", " ") + value);
            if (random.nextInt(20) == 0) {
                // Overridden by a later value, this does no harm.
                fields.add(random.nextInt(place + 1), '"' + field.name + "\":" + pick("[[]]", "\"x\"", value));
            }
        }
        if (random.nextInt(5) == 0) {
            fields.add("\"unknown\":{\"a\":[1,2,{}]}");
        }
        return "{" + String.join(pick(",", ",", " , "), fields) + "}";
    }

    private String elements(String open, String close, Field field, int depth, boolean keys) {
        StringBuilder text = new StringBuilder(open);
        int count = random.nextInt(40) == 0 ? 300 : random.nextInt(4);
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ",");
            if (keys) {
                text.append('"').append(random.nextInt(4)).append("\":");
            }
            text.append(single(field, depth + (count > 10 ? 2 : 1)));
        }
        return text.append(close).toString();
    }

    private String single(Field field, int depth) {
        if (field.message != null) {
            return depth > 2 ? "{}" : object(field.message, depth + 1);
        }
        String value = value(field.type);
        boolean text = type(field.type) == 's' || type(field.type) == 't' || value.isEmpty();
        return text || (type(field.type) != 'b' && random.nextInt(6) == 0)
                ? '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
                : value;
    }

    private String value(String type) {
        if (random.nextInt(60) == 0) {
            return pick("oops", "1e999", "-1", "99999999999999999999", "12:30");
        }
        return switch (type) {
            case "int32" -> Integer.toString(random.nextInt(5) == 0 ? random.nextInt() : random.nextInt(7) - 3);
            case "int64" -> Long.toString(random.nextInt(5) == 0 ? random.nextLong() : random.nextInt(7) - 3);
            case "uint32" -> Long.toString(random.nextInt(5) == 0 ? random.nextLong() >>> 32 : random.nextInt(4));
            case "uint64" -> Long.toUnsignedString(random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(4));
            case "double", "float" ->
                pick("0", "-0.0", "1.5", "2.123456", "1e300", "-7.25", "0.1234567", "12345678.5", "1E3");
            case "bool" -> pick("true", "false");
            case "google.protobuf.Timestamp" ->
                pick("2026-11-20T01:02:03.5Z", "1795132800000", "2026-11-20T01:02:03", "2026-03-29T02:30:00");
            case "Color" -> random.nextInt(20) == 0 ? "PURPLE" : pick("RED", "1", "5", "-7", "77");
            default -> pick("", "a", "abc", "B\u00e4", "12", "-3.5", "say \"hi\"", "x,y", "cab", "2026-07-01T12:00:00");
        };
    }

    private char pick(String types) {
        return types.charAt(random.nextInt(types.length()));
    }

    private String pick(String first, String second, String... more) {
        int choice = random.nextInt(more.length + 2);
        return choice == 0 ? first : choice == 1 ? second : more[choice - 2];
    }

    private String pick(String[] choices) {
        return choices[random.nextInt(choices.length)];
    }
}
