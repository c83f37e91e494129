package io.summarizer.dsl.check;

import io.summarizer.core.decode.EventSchema;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.parse.Ast;
import io.summarizer.dsl.parse.SummReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query's condition over the columns of a summary. The condition has the syntax of expressions in mappings; its names
 * are names of columns. The checker for mappings also checks the condition. In the result, a column is an {@link
 * Expression.Field} with a path of one field, whose number is the column's position plus one.
 *
 * @param condition the checked condition, of type bool or of the type of the literal {@code null}; a null reference
 *     when there are errors
 * @param errors the errors as text, with carets; empty when there are no errors
 */
public record ColumnCondition(@Nullable Expression condition, String errors) {
    /** A column, and the kind of its values. */
    public record Column(String name, EventField.Kind kind) {}

    /**
     * Checks a condition.
     *
     * @param parameter the name that error messages use for the condition's text
     * @param summary name of the summary in errors
     */
    public static ColumnCondition check(String parameter, String text, String summary, List<Column> columns) {
        Diagnostics diagnostics = Diagnostics.ofQuery();
        Ast.Expr expr = SummReader.readCondition(new Source(parameter, text), diagnostics);
        Expression condition = null;
        if (expr != null) {
            Event row = Event.ofColumns(
                    new EventType(summary, message(summary, columns), List.of(), EventSchema.Format.JSON));
            condition = new ExpressionChecker(diagnostics, row, List.of()).condition(expr, null);
        }
        return diagnostics.isEmpty()
                ? new ColumnCondition(condition, "")
                : new ColumnCondition(null, Diagnostics.render(diagnostics.sorted(), diagnostics.count()));
    }

    private static MessageType message(String summary, List<Column> columns) {
        List<EventField> fields = new ArrayList<>();
        for (Column column : columns) {
            fields.add(EventField.of(column.name(), fields.size() + 1, column.kind()));
        }
        MessageType message = new MessageType(summary);
        message.define(fields);
        return message;
    }
}
