package io.summarizer.dsl.explain;

import io.summarizer.core.ledger.Fate;
import io.summarizer.dsl.interpret.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The effect of one statement of a mapping for an event. Immutable. */
public sealed interface Step {
    /**
     * A {@code key} block, and the actions on its row.
     *
     * @param key the summary's key columns
     * @param isTooLong whether the key is longer than its bound; such a key has no row
     * @param rejected {@link Fate#UNTIMED} or {@link Fate#EARLY} when the summary has windows but the row has no
     *     window, else null
     */
    record Row(
            String summary,
            List<KeyColumn> key,
            boolean isTooLong,
            @Nullable Fate rejected,
            List<Step> steps) implements Step {
        public Row {
            key = List.copyOf(key);
            steps = List.copyOf(steps);
        }
    }

    /**
     * A key column.
     *
     * @param term the column's expression; its value has the form that the column stores. If the column holds the start
     *     of the window, the value is this start, and the remark has the time of the event
     * @param raw the column's value in the record
     */
    record KeyColumn(String name, Term term, Result raw) {}

    /**
     * An update.
     *
     * @param text the statement
     * @param where the update's condition, or null; when the condition is not true, there is no operand
     * @param operand the operand in the form that the column accepts; nothing is added when the operand is null
     * @param raw the operand's value in the record
     * @param isTooLong whether the operand is a text that is longer than its bound; such a text is not added
     */
    record Update(
            String column,
            String text,
            @Nullable Term where,
            @Nullable Term operand,
            @Nullable Result raw,
            boolean isTooLong)
            implements Step {
        /** Whether a value was added. */
        public boolean isApplied() {
            return raw != null && !raw.isNull() && !isTooLong;
        }
    }

    /**
     * A block of a nested summary.
     *
     * @param text the head of the block
     * @param where the block's condition, or null; when the condition is not true, the block was not entered
     * @param isEntered whether the nested row was entered
     * @param isTooLong as in a {@link Row}
     */
    record Nested(
            String summary,
            String text,
            @Nullable Term where,
            boolean isEntered,
            List<KeyColumn> key,
            boolean isTooLong,
            List<Step> steps)
            implements Step {
        public Nested {
            key = List.copyOf(key);
            steps = List.copyOf(steps);
        }
    }

    /**
     * A loop.
     *
     * @param text the head of the loop
     * @param length number of elements of the loop's list; -1 when the list is absent
     * @param elements the first elements
     */
    record Loop(String text, int length, List<Element> elements) implements Step {
        public Loop {
            elements = List.copyOf(elements);
        }
    }

    /**
     * An element of a loop.
     *
     * @param where the loop's condition for this element, or null
     * @param isTaken whether the condition is true or there is no condition
     */
    record Element(@Nullable Term where, boolean isTaken, List<Step> steps) {
        public Element {
            steps = List.copyOf(steps);
        }
    }
}
