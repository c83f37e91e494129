package io.summarizer.dsl.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of a mapping, of a nested block or of a loop. */
public sealed interface Statement {
    /** The statements within it. */
    default List<Statement> body() {
        return List.of();
    }

    /**
     * {@code key { ... }}: chooses the row of the updates that follow in this block and in the blocks within it.
     *
     * @param columns one expression for each key column of the summary, in the order of its definition
     * @param origins the places of the expressions
     */
    record Key(List<Expression> columns, List<Origin> origins) implements Statement {
        public Key {
            columns = List.copyOf(columns);
            origins = List.copyOf(origins);
        }
    }

    /**
     * {@code column += operand where condition;}
     *
     * @param column position among the value columns of the summary or nested summary that the block updates
     */
    record Update(int column, Expression operand, @Nullable Expression where, Origin origin) implements Statement {}

    /**
     * {@code nested[keys] where condition { body }}
     *
     * @param nested position among the nested summaries of the enclosing summary or nested summary
     */
    record Nested(
            int nested, List<Expression> keys, @Nullable Expression where, List<Statement> body, Origin origin)
            implements Statement {
        public Nested {
            keys = List.copyOf(keys);
            body = List.copyOf(body);
        }
    }

    /**
     * {@code for variable in list where condition { body }}. If the path to a list crosses several repeated fields, the
     * checker makes a loop for each of them. Therefore, only the last field of {@code list} is a repeated field or a
     * map.
     *
     * @param id number of the loop within its mapping; {@link Expression.Variable} refers to it
     * @param list names a repeated field or a map
     */
    record For(int id, Expression.Field list, @Nullable Expression where, List<Statement> body, Origin origin)
            implements Statement {
        public For {
            body = List.copyOf(body);
        }
    }
}
