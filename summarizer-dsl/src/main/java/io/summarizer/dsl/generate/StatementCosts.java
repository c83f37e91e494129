package io.summarizer.dsl.generate;

import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the size of Java statements. Generators use the estimate to keep each method small enough for the JIT
 * compiler. Stateless.
 */
final class StatementCosts {
    /** Maximum number of characters of the statements of one method. */
    static final int METHOD_COST = Code.METHOD_WEIGHT / 2;

    private StatementCosts() {}

    /** Whether these statements contain a loop. The row of the statements stays open while the loop runs. */
    static boolean hasLoop(List<Statement> statements) {
        return statements.stream()
                .anyMatch(statement -> statement instanceof Statement.For || hasLoop(statement.body()));
    }

    static List<List<Statement>> groups(List<Statement> statements) {
        return groups(
                statements, statements.stream().mapToInt(StatementCosts::cost).toArray());
    }

    private static List<List<Statement>> groups(List<Statement> statements, int[] costs) {
        List<List<Statement>> groups = new ArrayList<>();
        int from = 0;
        int cost = 0;
        for (int i = 0; i < statements.size(); i++) {
            int more = costs[i];
            if (i > from && cost + more > METHOD_COST) {
                groups.add(statements.subList(from, i));
                from = i;
                cost = 0;
            }
            cost += more;
        }
        groups.add(statements.subList(from, statements.size()));
        return groups;
    }

    /** The approximate number of characters of Java for a statement, without code in other methods. */
    private static int cost(Statement statement) {
        if (statement instanceof Statement.Update update) {
            return 250 + columnCost(update.operand()) + whereCost(update.where());
        }
        if (statement instanceof Statement.Key key) {
            return 500 + columnsCost(key.columns());
        }
        if (statement instanceof Statement.Nested nested) {
            return 600 + columnsCost(nested.keys()) + whereCost(nested.where()) + bodyCost(nested.body());
        }
        Statement.For loop = (Statement.For) statement;
        return 400 + whereCost(loop.where()) + bodyCost(loop.body());
    }

    private static int columnsCost(List<Expression> columns) {
        return columns.stream().mapToInt(StatementCosts::columnCost).sum();
    }

    private static int bodyCost(List<Statement> body) {
        // Computed once: a body may have bodies within bodies.
        int[] costs = body.stream().mapToInt(StatementCosts::cost).toArray();
        int groups = groups(body, costs).size();
        return groups > 1 ? 80 * groups : Arrays.stream(costs).sum();
    }

    private static int whereCost(@Nullable Expression where) {
        return where == null ? 0 : columnCost(where);
    }

    static int columnCost(Expression expression) {
        return 200 + Math.min(Expressions.cost(expression), METHOD_COST);
    }
}
