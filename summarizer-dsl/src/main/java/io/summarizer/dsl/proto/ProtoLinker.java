package io.summarizer.dsl.proto;

import com.squareup.wire.schema.Field.Label;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.internal.parser.EnumElement;
import com.squareup.wire.schema.internal.parser.FieldElement;
import com.squareup.wire.schema.internal.parser.MessageElement;
import com.squareup.wire.schema.internal.parser.OneOfElement;
import com.squareup.wire.schema.internal.parser.TypeElement;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventField.EnumConstant;
import io.summarizer.dsl.model.EventField.Kind;
import io.summarizer.dsl.model.MessageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the types of fields, searching the innermost scope first, and makes message types with these fields. One
 * use.
 */
final class ProtoLinker {
    private static final Map<String, Kind> SCALARS = Map.ofEntries(
            Map.entry("int32", Kind.INT32),
            Map.entry("sint32", Kind.INT32),
            Map.entry("sfixed32", Kind.INT32),
            Map.entry("int64", Kind.INT64),
            Map.entry("sint64", Kind.INT64),
            Map.entry("sfixed64", Kind.INT64),
            Map.entry("uint32", Kind.UINT32),
            Map.entry("fixed32", Kind.UINT32),
            Map.entry("uint64", Kind.UINT64),
            Map.entry("fixed64", Kind.UINT64),
            Map.entry("float", Kind.FLOAT),
            Map.entry("double", Kind.DOUBLE),
            Map.entry("bool", Kind.BOOL),
            Map.entry("string", Kind.STRING),
            Map.entry("bytes", Kind.BYTES));

    /**
     * Messages whose form in JSON is a scalar. The language treats such a message as this scalar. An absent message
     * still differs from an empty message, because an absent scalar of the language is always null.
     */
    private static final Map<String, Kind> WELL_KNOWN = Map.of(
            "google.protobuf.Timestamp", Kind.TIMESTAMP,
            "google.protobuf.DoubleValue", Kind.DOUBLE,
            "google.protobuf.FloatValue", Kind.FLOAT,
            "google.protobuf.Int64Value", Kind.INT64,
            "google.protobuf.UInt64Value", Kind.UINT64,
            "google.protobuf.Int32Value", Kind.INT32,
            "google.protobuf.UInt32Value", Kind.UINT32,
            "google.protobuf.BoolValue", Kind.BOOL,
            "google.protobuf.StringValue", Kind.STRING,
            "google.protobuf.BytesValue", Kind.BYTES);

    private static final int MAX_FIELD_NUMBER = (1 << 29) - 1;

    /** A message or enum as written, and its place. */
    private record Declared(ProtoFiles.Parsed file, TypeElement element, String fullName, String localName) {
        Span span(Location at) {
            return file.span(at);
        }
    }

    private final Diagnostics diagnostics;
    private final Map<String, Declared> declared = new LinkedHashMap<>();
    private final Map<String, MessageType> messages = new HashMap<>();
    private boolean failed;

    ProtoLinker(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    ProtoTypes link(List<ProtoFiles.Parsed> files, boolean incomplete) {
        failed = incomplete;
        for (ProtoFiles.Parsed file : files) {
            String packageName = file.element().getPackageName();
            for (TypeElement type : file.element().getTypes()) {
                declare(file, type, packageName == null ? "" : packageName + ".", "");
            }
        }
        List<ProtoTypes.Entry> entries = new ArrayList<>();
        for (Declared type : declared.values()) {
            if (type.element instanceof MessageElement) {
                messages.put(type.fullName, new MessageType(type.fullName));
            }
        }
        for (Declared type : declared.values()) {
            if (type.element instanceof MessageElement element) {
                MessageType message = message(type.fullName);
                message.define(fields(type, element));
                if (!type.file.bundled()) {
                    entries.add(new ProtoTypes.Entry(message, type.localName));
                }
            }
        }
        return new ProtoTypes(entries, failed);
    }

    private void declare(ProtoFiles.Parsed file, TypeElement type, String scope, String localScope) {
        Declared added = new Declared(file, type, scope + type.getName(), localScope + type.getName());
        Declared before = declared.putIfAbsent(added.fullName, added);
        if (before != null) {
            error(
                    added,
                    type.getLocation(),
                    "`" + added.fullName + "` is declared already",
                    "first declared at "
                            + before.span(before.element.getLocation()).place());
            return;
        }
        for (TypeElement nested : type.getNestedTypes()) {
            declare(file, nested, added.fullName + ".", added.localName + ".");
        }
    }

    private List<EventField> fields(Declared type, MessageElement element) {
        List<EventField> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<String> jsonNames = new HashSet<>();
        Set<Integer> numbers = new HashSet<>();
        ProtoReservations reserved = new ProtoReservations(diagnostics, type.file, element);
        for (FieldElement field : element.getFields()) {
            add(type, field, null, fields, names, jsonNames, numbers);
            reserved.check(field);
        }
        for (OneOfElement oneOf : element.getOneOfs()) {
            for (FieldElement field : oneOf.getFields()) {
                add(type, field, oneOf.getName(), fields, names, jsonNames, numbers);
                reserved.check(field);
            }
        }
        return fields;
    }

    private void add(
            Declared owner,
            FieldElement element,
            @Nullable String oneOf,
            List<EventField> fields,
            Set<String> names,
            Set<String> jsonNames,
            Set<Integer> numbers) {
        String name = element.getName();
        int number = element.getTag();
        Location at = element.getLocation();
        String givenJsonName = element.getJsonName();
        String jsonName = givenJsonName == null ? jsonName(name) : givenJsonName;
        if (element.getLabel() == Label.REQUIRED) {
            diagnostics.newError(
                    owner.span(at), "`required` is proto2; proto3 is needed for event types", "take it out");
        }
        if (!names.add(name)) {
            error(owner, at, "`" + owner.localName + "` has a field `" + name + "` already");
            return;
        }
        if (!jsonNames.add(jsonName)) {
            error(owner, at, "`" + owner.localName + "` has a field with the JSON name `" + jsonName + "` already");
        }
        if (number < 1 || number > MAX_FIELD_NUMBER) {
            error(owner, at, "a field number is at least 1 and at most " + MAX_FIELD_NUMBER);
        } else if (!numbers.add(number)) {
            error(owner, at, "`" + owner.localName + "` has a field numbered " + number + " already");
        }
        EventField field = field(owner, element, oneOf, jsonName);
        if (field != null) {
            fields.add(field);
        }
    }

    private @Nullable EventField field(Declared owner, FieldElement element, @Nullable String oneOf, String jsonName) {
        String type = element.getType();
        boolean repeated = element.getLabel() == Label.REPEATED;
        if (type.startsWith("map<") && type.endsWith(">")) {
            String[] arguments = type.substring(4, type.length() - 1).split(",", 2);
            EventField key = typed(owner, element, "key", "key", 1, false, null, arguments[0].strip());
            EventField value = typed(
                    owner, element, "value", "value", 2, false, null, arguments.length < 2 ? "" : arguments[1].strip());
            if (key == null || value == null) {
                return null;
            }
            if (key.message() != null
                    || key.type() == Kind.ENUM
                    || isFraction(key.type())
                    || key.type() == Kind.BYTES) {
                error(owner, element.getLocation(), "the key of a map is an integer, a bool or a string");
                return null;
            }
            return new EventField(
                    element.getName(), jsonName, element.getTag(), false, oneOf, Kind.MAP, null, null, key, value);
        }
        return typed(owner, element, element.getName(), jsonName, element.getTag(), repeated, oneOf, type);
    }

    private static boolean isFraction(Kind kind) {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    private @Nullable EventField typed(
            Declared owner,
            FieldElement element,
            String name,
            String jsonName,
            int number,
            boolean repeated,
            @Nullable String oneOf,
            String type) {
        Kind kind = SCALARS.get(type);
        MessageType message = null;
        List<EnumConstant> constants = null;
        if (kind == null) {
            Declared found = resolve(owner.fullName, type);
            if (found == null) {
                failed = true;
                diagnostics.error(owner.span(element.getLocation()), "unknown type `" + type + "`", () -> help(type));
                return null;
            }
            if (found.element instanceof EnumElement listed) {
                kind = Kind.ENUM;
                constants = listed.getConstants().stream()
                        .map(constant -> new EnumConstant(constant.getName(), constant.getTag()))
                        .toList();
            } else {
                kind = WELL_KNOWN.getOrDefault(found.fullName, Kind.MESSAGE);
                message = kind == Kind.MESSAGE ? message(found.fullName) : null;
            }
        }
        return new EventField(name, jsonName, number, repeated, oneOf, kind, message, constants, null, null);
    }

    private MessageType message(String fullName) {
        MessageType message = messages.get(fullName);
        if (message == null) {
            throw new IllegalStateException("message " + fullName + " was declared but not made");
        }
        return message;
    }

    private @Nullable Declared resolve(String scope, String type) {
        if (type.startsWith(".")) {
            return declared.get(type.substring(1));
        }
        for (String at = scope; ; ) {
            Declared found = declared.get(at.isEmpty() ? type : at + "." + type);
            if (found != null || at.isEmpty()) {
                return found;
            }
            at = at.substring(0, Math.max(0, at.lastIndexOf('.')));
        }
    }

    /**
     * The JSON name that protobuf derives: the name without underscores, with the letter after each underscore in upper
     * case.
     */
    static String jsonName(String name) {
        StringBuilder out = new StringBuilder();
        boolean upper = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '_') {
                upper = true;
            } else {
                out.append(upper && c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c);
                upper = false;
            }
        }
        return out.toString();
    }

    /** Advice for an unknown type. */
    private List<String> help(String type) {
        if (type.startsWith("google.protobuf.")) {
            return List.of("import \"google/protobuf/...\" to use it");
        }
        Set<String> known = new HashSet<>(SCALARS.keySet());
        declared.values().forEach(each -> known.add(each.localName));
        return Suggestions.help(type, known, "known are");
    }

    private void error(Declared owner, Location at, String message, String... help) {
        failed = true;
        diagnostics.error(owner.span(at), message, help);
    }
}
