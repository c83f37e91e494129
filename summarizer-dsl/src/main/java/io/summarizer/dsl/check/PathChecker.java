package io.summarizer.dsl.check;

import io.summarizer.core.decode.EventSchema.Format;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventField.Kind;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Builtin;
import io.summarizer.dsl.model.Expression.BuiltinValue;
import io.summarizer.dsl.model.Expression.EventRoot;
import io.summarizer.dsl.model.Expression.Field;
import io.summarizer.dsl.model.Expression.Root;
import io.summarizer.dsl.model.Expression.StructuredData;
import io.summarizer.dsl.model.Expression.TopicWord;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.parse.Ast;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names on the right of {@code +=}. A name refers to the innermost loop variable of this name. If there is no
 * such variable, the name refers to the field of the event with this name. If there is no such field either, the name
 * refers to the built-in name. A null result means that an error was reported.
 */
final class PathChecker {
    /** The parts of the envelope, by the names that follow {@code syslog} in a path. */
    private static final Map<String, Builtin> SYSLOG = new LinkedHashMap<>();

    static {
        for (Builtin builtin : Builtin.values()) {
            if (builtin != Builtin.TOPIC) {
                SYSLOG.put(builtin.name().substring("SYSLOG_".length()).toLowerCase(Locale.ROOT), builtin);
            }
        }
    }

    /** Maximum number of CSV columns. There is a bound because the decoder has a table of all columns. */
    private static final int MAX_CSV_COLUMNS = 10_000;

    /** Largest index of a word of a topic; a topic has at most 255 bytes in AMQP. */
    private static final int MAX_TOPIC_WORD = 255;

    private final Diagnostics diagnostics;
    private final @Nullable Event event;
    private final List<String> summaryFields;
    /** Types of the loop variables met so far. */
    private final Map<Root, EventField> variables = new HashMap<>();

    /**
     * The beginning of a path.
     *
     * @param field the type of the loop variable with which the path begins; null when the path does not begin with a
     *     loop variable
     * @param message message that contains the next name of the path; null for a scalar
     */
    private record Start(
            Root root, @Nullable EventField field, @Nullable MessageType message, int next) {}

    PathChecker(Diagnostics diagnostics, @Nullable Event event, List<String> summaryFields) {
        this.diagnostics = diagnostics;
        this.event = event;
        this.summaryFields = summaryFields;
    }

    /** A plain path. */
    @Nullable
    Expression path(Ast.PathExpr expr, @Nullable Scope scope) {
        List<Ast.Name> names = expr.names();
        Ast.Name first = names.get(0);
        Scope variable = Scope.find(scope, first.text());
        if (variable == null && !isEventField(first.text())) {
            return isBuiltin(first.text()) ? builtin(expr) : unknown(first, scope);
        }
        Start start = start(names, scope);
        if (start == null) {
            return null;
        }
        if (start.next == names.size()) {
            return variable(names.get(names.size() - 1), start);
        }
        List<EventField> path = new ArrayList<>();
        MessageType message = start.message;
        for (int i = start.next; i < names.size(); i++) {
            EventField field = member(message, names, i);
            if (field == null) {
                return null;
            }
            path.add(field);
            boolean last = i == names.size() - 1;
            if (!last && field.isList()) {
                return loopOver(names.get(i), field);
            }
            message = field.message();
        }
        EventField last = path.get(path.size() - 1);
        return typed(names.get(names.size() - 1), start.root, path, last);
    }

    private @Nullable Expression variable(Ast.Name name, Start start) {
        EventField field = start.field;
        if (field == null) {
            return null;
        }
        variables.put(start.root, field);
        return typed(name, start.root, List.of(), field);
    }

    private @Nullable Expression typed(Ast.Name name, Root root, List<EventField> path, EventField last) {
        if (last.type() == Kind.BYTES && !last.repeated()) {
            return diagnostics.error(
                    name.span(), "`" + name.text() + "` is bytes, which cannot be used in expressions");
        }
        MessageType message = last.message();
        if (message != null && !last.repeated() && hasOwnJson(message)) {
            return diagnostics.error(
                    name.span(),
                    "`" + name.text() + "` is a `" + message.fullName() + "`, which cannot be used in expressions");
        }
        boolean composite = last.isComposite();
        return new Field(root, path, composite ? Type.COMPOSITE : type(last.type()));
    }

    /** The enum field that an expression reads; null when the values of the expression are not constants of an enum. */
    @Nullable
    EventField enumOf(Expression expression) {
        if (!(expression instanceof Field field)) {
            return null;
        }
        EventField last = field.path().isEmpty() ? variables.get(field.root()) : field.last();
        return last != null && last.type() == Kind.ENUM && !last.repeated() ? last : null;
    }

    /** Whether a name on the right is known. */
    boolean isKnown(String name, @Nullable Scope scope) {
        return Scope.find(scope, name) != null || isEventField(name) || isBuiltin(name);
    }

    /** The beginning of a path, whose first name is a variable or a field of the event. */
    private @Nullable Start start(List<Ast.Name> names, @Nullable Scope scope) {
        Scope variable = Scope.find(scope, names.get(0).text());
        if (variable == null) {
            return event == null
                    ? null
                    : new Start(new EventRoot(), null, event.type().message(), 0);
        }
        EventField field = variable.field();
        if (field == null) {
            return null; // its loop was reported
        }
        return new Start(variable.root(), field, field.message(), 1);
    }

    /** The field that name {@code i} of a path means. */
    private @Nullable EventField member(@Nullable MessageType message, List<Ast.Name> names, int i) {
        Ast.Name name = names.get(i);
        if (message == null) {
            return diagnostics.error(
                    name.span(),
                    "`" + names.get(i - 1).text() + "` is a single value and has no field `" + name.text() + "`");
        }
        EventField field = message.field(name.text()).orElse(null);
        if (field == null) {
            return diagnostics.error(
                    name.span(),
                    "`" + message.fullName() + "` has no field `" + name.text() + "`",
                    () -> Suggestions.help(
                            name.text(),
                            message.fields().stream().map(EventField::name).toList(),
                            "it has"));
        }
        if (hasOwnJson(message)) {
            return diagnostics.error(
                    name.span(), "`" + message.fullName() + "` has a JSON form of its own and no usable fields");
        }
        boolean structured = field.isComposite();
        if (event != null && event.type().format() == Format.CSV && structured) {
            return diagnostics.error(
                    name.span(),
                    "event `" + event.name() + "` is CSV, which cannot carry " + kind(field) + " `" + name.text() + "`",
                    "declare the event `as json`, or use single values");
        }
        if (event != null && event.type().format() == Format.CSV && field.number() > MAX_CSV_COLUMNS) {
            return diagnostics.error(
                    name.span(),
                    "`" + name.text() + "` would be column " + field.number() + " of event `" + event.name()
                            + "`; CSV has " + MAX_CSV_COLUMNS + " at most",
                    "a CSV field's number is its column");
        }
        return field;
    }

    /** Whether messages of this type have a form of their own in JSON, and not the form of other messages. */
    private static boolean hasOwnJson(MessageType message) {
        return message.fullName().startsWith("google.protobuf.");
    }

    private static String kind(EventField field) {
        return field.repeated() ? "the list" : field.type() == Kind.MAP ? "the map" : "the message";
    }

    static Type type(Kind kind) {
        return switch (kind) {
            case INT32, INT64, UINT32 -> Type.INT;
            case UINT64 -> Type.UINT;
            case FLOAT, DOUBLE -> Type.DOUBLE;
            case BOOL -> Type.BOOL;
            case STRING, ENUM -> Type.STRING;
            case TIMESTAMP -> Type.TIMESTAMP;
            case BYTES, MESSAGE, MAP -> Type.COMPOSITE;
        };
    }

    private boolean isEventField(String name) {
        return event != null && event.type().message().field(name).isPresent();
    }

    private boolean isBuiltin(String name) {
        return hasEnvelope() && (name.equals("topic") || name.equals("syslog"));
    }

    private boolean hasEnvelope() {
        return event == null || !event.isColumns();
    }

    private @Nullable Expression unknown(Ast.Name name, @Nullable Scope scope) {
        if (event == null) {
            return null; // the event was reported
        }
        return diagnostics.error(
                name.span(),
                event.isColumns()
                        ? "`" + event.name() + "` has no column `" + name.text() + "`"
                        : "event `" + event.name() + "` has no field `" + name.text() + "`",
                () -> help(name, event, scope));
    }

    /** Advice for an unknown name. */
    private List<String> help(Ast.Name name, Event event, @Nullable Scope scope) {
        Set<String> known = new LinkedHashSet<>(Scope.names(scope));
        event.type().message().fields().forEach(field -> known.add(field.name()));
        if (event.isColumns()) {
            return Suggestions.help(name.text(), known, "it has");
        }
        known.add("topic");
        known.add("syslog");
        String lower = name.text().toLowerCase(Locale.ROOT);
        boolean literal = List.of("null", "true", "false").contains(lower);
        List<String> help = new ArrayList<>(
                literal
                        ? List.of("did you mean `" + lower + "`?"
                                + (lower.equals("null") ? " Whether `x` is null, `not has(x)` says" : ""))
                        : Suggestions.help(name.text(), known, "known are"));
        if (summaryFields.contains(name.text())) {
            help.add("`" + name.text() + "` is a field of the summary; the right side is about the event");
        }
        return help;
    }

    private @Nullable Expression loopOver(Ast.Name name, EventField field) {
        boolean map = field.type() == Kind.MAP;
        return diagnostics.error(
                name.span(),
                "`" + name.text() + "` is a " + (map ? "map" : "list") + ", not a single value",
                "loop over it: `for " + (map ? "name, value" : "x") + " in " + name.text() + " { ... }`");
    }

    /** Reports an error for a message, list or map where a single value is needed. */
    @Nullable
    Expression reportComposite(Span span, Expression composite) {
        EventField last = composite instanceof Field field ? field.last() : null;
        if (last != null && last.isList()) {
            return loopOver(new Ast.Name(last.name(), span), last);
        }
        MessageType message = last == null ? null : last.message();
        List<String> help = new ArrayList<>();
        if (message != null && !message.fields().isEmpty() && !hasOwnJson(message)) {
            help.add("name one of its fields, as `"
                    + (last == null ? "" : last.name() + ".")
                    + message.fields().get(0).name() + "`");
        }
        return diagnostics.error(span, "this is a message, not a single value", help);
    }

    // Built-ins.

    private @Nullable Expression builtin(Ast.PathExpr expr) {
        List<Ast.Name> names = expr.names();
        if (names.get(0).text().equals("topic")) {
            if (names.size() > 1) {
                return diagnostics.error(
                        names.get(1).span(),
                        "`topic` has no fields",
                        "`topic[0]` is its first word, `topic[1]` the second");
            }
            return new BuiltinValue(Builtin.TOPIC);
        }
        if (names.size() > 1 && names.get(1).text().equals("sd")) {
            return diagnostics.error(
                    expr.span(), "structured data is asked for by id and name: `syslog.sd[\"id\"].name`");
        }
        if (names.size() > 2 && SYSLOG.containsKey(names.get(1).text())) {
            Ast.Name wrong = names.get(2);
            return diagnostics.error(
                    wrong.span(),
                    "`syslog." + names.get(1).text() + "` is a single value and has no field `" + wrong.text() + "`");
        }
        Builtin builtin = names.size() == 2 ? SYSLOG.get(names.get(1).text()) : null;
        if (builtin == null) {
            Ast.Name wrong = names.get(
                    names.size() == 1 || SYSLOG.containsKey(names.get(1).text()) ? names.size() - 1 : 1);
            List<String> known = new ArrayList<>(SYSLOG.keySet());
            known.add("sd");
            if (names.size() == 1) {
                diagnostics.error(wrong.span(), "`syslog` alone is no value", "it has " + Suggestions.list(known));
            } else {
                diagnostics.error(
                        wrong.span(),
                        "`syslog` has no `" + wrong.text() + "`",
                        Suggestions.help(wrong.text(), known, "it has"));
            }
            return null;
        }
        return new BuiltinValue(builtin);
    }

    /** {@code topic[n]}. */
    @Nullable
    Expression index(Ast.IndexExpr expr, @Nullable Scope scope) {
        if (isPath(expr.target(), scope, "topic")) {
            if (expr.index() instanceof Ast.IntExpr word
                    && !word.isUnsigned()
                    && word.value() >= 0
                    && word.value() <= MAX_TOPIC_WORD) {
                return new TopicWord((int) word.value() + 1);
            }
            if (!(expr.index() instanceof Ast.BadExpr)) {
                diagnostics.error(
                        expr.index().span(),
                        "a word of the topic is asked for by a number from 0 to " + MAX_TOPIC_WORD);
            }
            return null;
        }
        if (isPath(expr.target(), scope, "syslog", "sd")) {
            return diagnostics.error(expr.span(), "the parameter's name is missing: `syslog.sd[\"id\"].name`");
        }
        if (expr.target() instanceof Ast.PathExpr path
                && !isEventField(path.names().get(0).text())
                && Scope.find(scope, path.names().get(0).text()) == null) {
            return unknown(path.names().get(0), scope);
        }
        return diagnostics.error(
                expr.span(),
                hasEnvelope() ? "only `topic[n]` and `syslog.sd[\"id\"]` take an index" : "a column takes no index",
                hasEnvelope() ? List.of("loop over a list: `for x in list { ... }`") : List.of());
    }

    /** Checks {@code syslog.sd["id"].name}, or reports that the target has no fields. */
    @Nullable
    Expression member(Ast.MemberExpr expr, @Nullable Scope scope) {
        if (expr.target() instanceof Ast.IndexExpr index && isPath(index.target(), scope, "syslog", "sd")) {
            if (index.index() instanceof Ast.StringExpr id) {
                return new StructuredData(id.value(), expr.name().text());
            }
            if (!(index.index() instanceof Ast.BadExpr)) {
                diagnostics.error(index.index().span(), "the id of structured data is a text in quotes");
            }
            return null;
        }
        if (expr.target() instanceof Ast.IndexExpr index) {
            if (index(index, scope) != null) {
                diagnostics.error(expr.name().span(), "a word of the topic has no fields");
            }
            return null;
        }
        return diagnostics.error(
                expr.name().span(),
                hasEnvelope() ? "only a field or a loop variable has fields" : "a column has no fields");
    }

    private boolean isPath(Ast.Expr expr, @Nullable Scope scope, String... names) {
        return hasEnvelope()
                && expr instanceof Ast.PathExpr path
                && path.names().stream().map(Ast.Name::text).toList().equals(List.of(names))
                && Scope.find(scope, names[0]) == null
                && !isEventField(names[0]);
    }

    // Loops.

    /**
     * The lists that a loop's path crosses, outermost first. Each further list is a repeated field or map in an element
     * of the previous list. When the path has an error, reports the error and returns an empty list.
     *
     * @param newRoot makes the root that stands for the element of a further loop
     */
    List<Field> lists(List<Ast.Name> names, @Nullable Scope scope, java.util.function.Supplier<Root> newRoot) {
        Ast.Name first = names.get(0);
        if (Scope.find(scope, first.text()) == null && !isEventField(first.text())) {
            if (isBuiltin(first.text())) {
                diagnostics.error(first.span(), "`" + first.text() + "` is no list");
            } else {
                unknown(first, scope);
            }
            return List.of();
        }
        Start start = start(names, scope);
        if (start == null) {
            return List.of();
        }
        if (start.next == names.size()) {
            diagnostics.error(first.span(), "`" + first.text() + "` is an element of a list, not a list");
            return List.of();
        }
        List<Field> lists = new ArrayList<>();
        Root root = start.root;
        MessageType message = start.message;
        List<EventField> path = new ArrayList<>();
        for (int i = start.next; i < names.size(); i++) {
            EventField field = member(message, names, i);
            if (field == null) {
                return List.of();
            }
            path.add(field);
            boolean last = i == names.size() - 1;
            boolean list = field.isList();
            if (!last && field.type() == Kind.MAP) {
                loopOver(names.get(i), field);
                return List.of();
            }
            if (last && !list) {
                diagnostics.error(names.get(i).span(), "`" + names.get(i).text() + "` is neither repeated nor a map");
                return List.of();
            }
            if (last && field.type() == Kind.BYTES) {
                diagnostics.error(
                        names.get(i).span(), "`" + names.get(i).text() + "` is a list of bytes, which cannot be used");
                return List.of();
            }
            if (list) {
                lists.add(new Field(root, path, Type.COMPOSITE));
                if (!last) {
                    root = newRoot.get();
                    path = new ArrayList<>();
                }
            }
            message = field.message();
        }
        return lists;
    }
}
