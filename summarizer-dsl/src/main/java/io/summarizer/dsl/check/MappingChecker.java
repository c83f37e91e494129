package io.summarizer.dsl.check;

import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventField.Kind;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Field;
import io.summarizer.dsl.model.Expression.MapKey;
import io.summarizer.dsl.model.Expression.NullLiteral;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.model.Expression.Variable;
import io.summarizer.dsl.model.Origin;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.parse.Ast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks one mapping. One use, one thread. */
final class MappingChecker {
    /** A checked mapping; only valid without errors. */
    record Checked(@Nullable TopicPattern topic, @Nullable Expression where, List<Statement> body, Origin origin) {}

    /**
     * The context of a statement.
     *
     * @param shape the summary or nested summary that the statement updates, or null when this summary is unknown
     * @param nested name of the enclosing nested block, or null
     * @param keyed whether a key block applies to the statement
     */
    private record Place(
            @Nullable SummaryShape shape,
            @Nullable String nested,
            boolean keyed,
            @Nullable Scope scope) {}

    private final Diagnostics diagnostics;
    private final @Nullable Event event;
    private final @Nullable SummaryShape summary;
    private final Ast.Map map;
    private final ExpressionChecker expressions;
    private int loops;
    private boolean keyFound;
    private boolean keyMissed;

    MappingChecker(Diagnostics diagnostics, @Nullable Event event, @Nullable SummaryShape summary, Ast.Map map) {
        this.diagnostics = diagnostics;
        this.event = event;
        this.summary = summary;
        this.map = map;
        List<String> summaryFields = new ArrayList<>();
        if (summary != null) {
            summaryFields.addAll(summary.keyNames());
            summaryFields.addAll(summary.valueNames());
            summaryFields.addAll(summary.nestedNames());
        }
        this.expressions = new ExpressionChecker(diagnostics, event, summaryFields);
    }

    Checked check() {
        TopicPattern topic = topic();
        Expression where = expressions.condition(map.where(), null);
        List<Statement> body = block(map.body(), new Place(summary, null, false, null));
        if (!keyFound && !keyMissed && !map.incomplete()) {
            diagnostics.error(
                    map.summary().span(), "the mapping has no key block", "begin it with `" + keyExample() + "`");
        }
        Ast.Expr condition = map.where();
        return new Checked(topic, where, body, origin(condition == null ? map.span() : condition.span()));
    }

    private String keyExample() {
        StringBuilder out = new StringBuilder("key { ");
        if (summary != null) {
            summary.keys().stream()
                    .limit(4)
                    .forEach(key -> out.append(key.name().text()).append("; "));
        }
        return out.append('}').toString();
    }

    private @Nullable TopicPattern topic() {
        Ast.Text text = map.topic();
        if (text == null) {
            return null;
        }
        TopicPattern topic = TopicPatterns.pattern(text, diagnostics);
        if (topic == null || event == null || event.type().topics().isEmpty()) {
            return topic;
        }
        boolean meets = event.type().topics().stream()
                .anyMatch(other -> topic.commonTopic(other).isPresent());
        if (!meets) {
            List<String> topics =
                    event.type().topics().stream().map(TopicPattern::toString).toList();
            diagnostics.error(
                    text.span(),
                    "no topic of event `" + event.name() + "` matches `" + topic + "`",
                    "the event comes on " + Suggestions.list(topics));
        }
        return topic;
    }

    private List<Statement> block(List<Ast.Statement> statements, Place around) {
        Place place = around;
        List<Statement> checked = new ArrayList<>();
        for (int i = 0; i < statements.size(); i++) {
            Ast.Statement statement = statements.get(i);
            if (statement instanceof Ast.Key key) {
                key(key, i, place, checked);
                place = new Place(place.shape, place.nested, true, place.scope);
            } else if (statement instanceof Ast.Update update) {
                needKey(update, place);
                update(update, place, checked);
            } else if (statement instanceof Ast.Nested nested) {
                needKey(nested, place);
                nested(nested, place, checked);
            } else if (statement instanceof Ast.For loop) {
                loop(loop, place, checked);
            }
        }
        return checked;
    }

    // Keys.

    private void needKey(Ast.Statement statement, Place place) {
        if (place.keyed || keyMissed || map.incomplete()) {
            return;
        }
        keyMissed = true;
        diagnostics.error(
                statement.span(),
                "no key block is in force here",
                "begin the mapping" + (place.scope == null ? "" : ", or this `for`,") + " with `" + keyExample() + "`");
    }

    private void key(Ast.Key key, int position, Place place, List<Statement> into) {
        keyFound = true;
        if (place.nested != null) {
            diagnostics.error(
                    key.span(),
                    "a key block cannot stand within a nested summary",
                    "its key stands in the brackets: `" + place.nested + "[name = expression] { ... }`");
        } else if (place.keyed) {
            diagnostics.error(
                    key.span(),
                    "a key block is in force here already",
                    "put a key block either into the mapping or into its loops");
        } else if (position > 0) {
            diagnostics.error(key.span(), "the key block is the first statement of the mapping or of a `for`");
        }
        Place at = place.nested == null ? place : new Place(summary, null, true, place.scope);
        into.add(bind(key.assignments(), at.shape, key.span(), at.scope));
    }

    private Origin origin(Span span) {
        return new Origin(file(), span.line(), List.of());
    }

    /** The name of the mapping's file. It does not contain the folder, because all definitions are in one folder. */
    private String file() {
        String path = map.span().source().name();
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    }

    /** The expressions of the key columns. */
    private Statement.Key bind(
            List<Ast.Assignment> assignments, @Nullable SummaryShape shape, Span span, @Nullable Scope scope) {
        if (shape == null) {
            for (Ast.Assignment assignment : assignments) {
                expressions.scalar(assignment.value(), scope);
            }
            return new Statement.Key(List.of(), List.of());
        }
        // Only a mapping with reported errors keeps these values.
        Expression[] columns = new Expression[shape.keys().size()];
        Arrays.fill(columns, new NullLiteral());
        Origin[] origins = new Origin[columns.length];
        Arrays.fill(origins, Origin.NONE);
        boolean[] given = new boolean[columns.length];
        for (Ast.Assignment assignment : assignments) {
            Ast.Name name = assignment.name();
            Expression value = expressions.scalar(assignment.value(), scope);
            int column = shape.key(name.text());
            if (column < 0) {
                if (!shape.incomplete()) {
                    diagnostics.error(
                            name.span(),
                            "`" + shape.typeName() + "` has no key field `" + name.text() + "`",
                            () -> Suggestions.help(name.text(), shape.keyNames(), "its key is"));
                }
                continue;
            }
            if (given[column]) {
                diagnostics.error(name.span(), "key field `" + name.text() + "` is given already");
            }
            given[column] = true;
            if (value != null) {
                fits(assignment, shape.keys().get(column), value);
                columns[column] = value;
                origins[column] = origin(assignment.value().span());
            }
        }
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < given.length; i++) {
            if (!given[i]) {
                missing.add(shape.keys().get(i).name().text());
            }
        }
        if (!missing.isEmpty() && !map.incomplete()) {
            diagnostics.error(
                    span,
                    "the key lacks " + Suggestions.list(missing),
                    "give each key field of `" + shape.typeName() + "` a value, as in `" + missing.get(0)
                            + " = EXPRESSION`; the value may be `null`");
        }
        return new Statement.Key(List.of(columns), List.of(origins));
    }

    private void fits(Ast.Assignment assignment, SummaryShape.Key key, Expression value) {
        KeyType type = key.type();
        if (type == null || value.type() == Type.NULL) {
            return;
        }
        if (Assignability.takes(type, value.type())) {
            expressions.constants().key(assignment.value().span(), type, value);
            return;
        }
        mismatch(
                assignment.value(),
                "key field `" + key.name().text() + "` is `" + type.keyword() + "`",
                Assignability.taken(type),
                value);
    }

    private void mismatch(Ast.Expr given, String column, String taken, Expression value) {
        String advice = Assignability.conversion(taken, value.type());
        diagnostics.error(
                given.span(),
                column + " and takes " + taken + "; this is " + Expression.describe(value.type()),
                advice.isEmpty() ? List.of() : List.of(advice));
    }

    // Updates.

    private void update(Ast.Update update, Place place, List<Statement> into) {
        Expression operand = expressions.scalar(update.operand(), place.scope);
        Expression where = expressions.condition(update.where(), place.scope);
        SummaryShape shape = place.shape;
        if (shape == null) {
            return;
        }
        String name = update.field().text();
        int column = shape.value(name);
        if (column < 0) {
            unknownField(update.field(), shape, true);
            return;
        }
        AggregateType type = shape.values().get(column).type();
        if (type == null || operand == null) {
            return;
        }
        if (operand.type() != Type.NULL && !Assignability.takes(type, operand.type())) {
            mismatch(
                    update.operand(), "`" + name + "` is `" + type.keyword() + "`", Assignability.taken(type), operand);
            return;
        }
        expressions.constants().update(update.operand().span(), type, operand);
        if (type == AggregateType.COUNT && isCondition(operand)) {
            diagnostics.warning(
                    update.operand().span(),
                    "a `count` counts everything but null, so that false counts, too",
                    "`" + name + " += 1 where ...;` counts only where a condition holds");
        }
        into.add(new Statement.Update(
                column, operand, where, origin(update.operand().span())));
    }

    /** Whether an expression compares or combines values, so that it is written to be true or false. */
    private static boolean isCondition(Expression operand) {
        return operand.type() == Type.BOOL
                && (operand instanceof Expression.Binary
                        || operand instanceof Expression.Unary
                        || operand instanceof Expression.In);
    }

    private void unknownField(Ast.Name field, SummaryShape shape, boolean update) {
        if (shape.incomplete()) {
            return;
        }
        String name = field.text();
        diagnostics.error(
                field.span(),
                "`" + shape.typeName() + "` has no " + (update ? "field" : "nested summary") + " `" + name + "`",
                () -> help(name, update, shape));
    }

    /** Advice for an unknown field or nested summary. */
    private List<String> help(String name, boolean update, SummaryShape shape) {
        if (update && shape.nested(name) >= 0) {
            return List.of("it is a nested summary: `" + name + "[key = expression] { field += expression; }`");
        } else if (!update && shape.value(name) >= 0) {
            return List.of("it is a single value: `" + name + " += expression;`");
        } else if (shape.key(name) >= 0) {
            return List.of("it is a key field; keys are set in the key block");
        } else if (summary != null && !summary.equals(shape) && summary.value(name) >= 0) {
            return List.of("`" + summary.typeName() + "` has one; move the update out of this block");
        } else {
            return Suggestions.help(name, update ? shape.valueNames() : shape.nestedNames(), "it has");
        }
    }

    // Nested summaries.

    private void nested(Ast.Nested nested, Place place, List<Statement> into) {
        Expression where = expressions.condition(nested.where(), place.scope);
        SummaryShape shape = place.shape;
        int position = shape == null ? -1 : shape.nested(nested.field().text());
        if (shape != null && position < 0) {
            unknownField(nested.field(), shape, false);
        }
        SummaryShape inner = shape == null || position < 0
                ? null
                : shape.nested().get(position).shape();
        List<Expression> keys =
                bind(nested.keys(), inner, nested.field().span(), place.scope).columns();
        Place within = new Place(inner, nested.field().text(), true, place.scope);
        List<Statement> body = block(nested.body(), within);
        into.add(new Statement.Nested(
                position, keys, where, body, origin(nested.field().span())));
    }

    // Loops.

    private void loop(Ast.For loop, Place place, List<Statement> into) {
        List<Integer> ids = new ArrayList<>();
        List<Field> lists = expressions.paths().lists(loop.list(), place.scope, () -> {
            ids.add(loops++);
            return new Variable(ids.get(ids.size() - 1));
        });
        int id = loops++;
        ids.add(id);
        EventField list = lists.isEmpty() ? null : lists.get(lists.size() - 1).last();
        Scope scope = variables(loop, id, list, place.scope);
        Place within = new Place(place.shape, place.nested, place.keyed, scope);
        Expression where = expressions.condition(loop.where(), scope);
        List<Statement> body = block(loop.body(), within);
        if (lists.isEmpty()) {
            return;
        }
        List<String> variables = loop.second() == null
                ? List.of(loop.first().text())
                : List.of(loop.first().text(), loop.second().text());
        Origin origin = new Origin(file(), loop.span().line(), variables);
        Statement made = new Statement.For(id, lists.get(lists.size() - 1), where, body, origin);
        for (int i = lists.size() - 2; i >= 0; i--) {
            made = new Statement.For(ids.get(i), lists.get(i), null, List.of(made), Origin.NONE);
        }
        into.add(made);
    }

    private Scope variables(Ast.For loop, int id, @Nullable EventField list, @Nullable Scope outer) {
        Ast.Name first = loop.first();
        Ast.Name second = loop.second();
        Ast.Name listName = loop.list().get(loop.list().size() - 1);
        boolean map = list != null && list.type() == Kind.MAP;
        if (second == null) {
            if (map) {
                diagnostics.error(
                        first.span(),
                        "`" + listName.text() + "` is a map; a loop over it has two variables",
                        "write `for name, " + first.text() + " in " + listName.text() + "`");
            }
            return new Scope(first.text(), new Variable(id), map || list == null ? null : list.element(), outer);
        }
        if (list != null && !map) {
            diagnostics.error(
                    second.span(),
                    "`" + listName.text() + "` is a list; a loop over it has one variable",
                    "write `for " + first.text() + " in " + listName.text() + "`");
        }
        if (first.text().equals(second.text())) {
            diagnostics.error(second.span(), "the two variables of a loop have the same name `" + first.text() + "`");
        }
        EventField key = map && list != null ? list.mapKey() : null;
        EventField value = map && list != null ? list.mapValue() : null;
        if (value != null && value.type() == Kind.BYTES) {
            diagnostics.error(
                    second.span(),
                    "the values of `" + listName.text() + "` are bytes, which cannot be used in expressions");
            value = null;
        }
        Scope outerWithKey = new Scope(first.text(), new MapKey(id), key, outer);
        return new Scope(second.text(), new Variable(id), value, outerWithKey);
    }
}
