package io.summarizer.core.ledger;

import io.summarizer.core.text.ControlCharacters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * For one expression, the numbers of evaluations in which an operation failed and gave null. Immutable.
 *
 * @param event name of the event type
 * @param mapping name of the mapping; empty for an expression of the event type itself
 * @param expression the expression and its use, in the syntax of definitions: {@code cost += price * 2}
 * @param at its place, {@code file:line}
 * @param evaluated number of evaluations
 * @param counts for each {@link NullReason}, the number of failed evaluations; an evaluation with several failures is
 *     counted for the first failure
 * @param sample the first text that could not be read, shortened; empty when there is none
 */
public record NullValues(
        String event, String mapping, String expression, String at, long evaluated, List<Long> counts, String sample) {
    /** The order of reports: most nulls first. */
    private static final Comparator<NullValues> ORDER =
            Comparator.comparingLong(NullValues::total).reversed();

    public NullValues {
        counts = List.copyOf(counts);
        if (counts.size() != NullReason.all().size()) {
            throw new IllegalArgumentException("counts=" + counts.size());
        }
    }

    /** Evaluations that failed for {@code reason}. */
    public long count(NullReason reason) {
        return counts.get(reason.ordinal());
    }

    /** Evaluations that failed. */
    public long total() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /** Whether every evaluation failed. */
    public boolean isAlways() {
        return evaluated > 0 && total() >= evaluated;
    }

    /** The place and mapping of the expression, for messages: {@code shop.summ:75 (Order -> Sales)}. */
    public String place() {
        String of = mapping.isEmpty() ? event : mapping;
        return at.isEmpty() ? of : at + " (" + of + ")";
    }

    /** The sample as part of a line, such as {@code , first "12,50"}; empty when there is none. */
    public String sampleText() {
        return sample.isEmpty() ? "" : ", first \"" + ControlCharacters.replaced(sample, "?") + "\"";
    }

    /** Adds {@code before}: earlier counts of the same expression. */
    public NullValues after(NullValues before) {
        List<Long> sums = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            sums.add(counts.get(i) + before.counts.get(i));
        }
        String first = before.sample.isEmpty() ? sample : before.sample;
        return new NullValues(event, mapping, expression, at, evaluated + before.evaluated, sums, first);
    }

    /** A key of the expression that does not depend on the place of the expression. */
    public List<String> key() {
        return List.of(event, mapping, expression);
    }

    /** The reasons and their counts, as {@code 3 unreadable, 1 range}. */
    public String reasons() {
        return NullReason.all().stream()
                .filter(reason -> count(reason) > 0)
                .map(reason -> count(reason) + " " + reason.label())
                .collect(Collectors.joining(", "));
    }

    /** The expressions with nulls, most nulls first, at most {@code max}. */
    public static List<NullValues> worst(List<NullValues> all, int max) {
        return all.stream()
                .filter(values -> values.total() > 0)
                .sorted(ORDER)
                .limit(max)
                .toList();
    }
}
