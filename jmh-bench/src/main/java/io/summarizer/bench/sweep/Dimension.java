package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Map;

/**
 * A direction in which one can go: the values of one factor, or of some that are only varied together.
 *
 * @param choices in the order in which they neighbour each other, where they have one
 * @param ordered whether only the next choice is a neighbour, and not every other
 */
public record Dimension(String name, List<Map<Factor, String>> choices, boolean ordered) {
    public Dimension {
        choices = choices.stream().map(Map::copyOf).toList();
    }

    /** One factor and its values. */
    public static Dimension of(Factor factor, List<String> values) {
        boolean ordered = values.stream().allMatch(value -> value.matches("\\d+"));
        return new Dimension(
                factor.column(),
                values.stream().map(value -> Map.of(factor, value)).toList(),
                ordered);
    }

    /** Two factors that always have the same value, such as the capacities of both stages. */
    public static Dimension tied(String name, Factor first, Factor second, List<String> values) {
        boolean ordered = values.stream().allMatch(value -> value.matches("\\d+"));
        return new Dimension(
                name,
                values.stream()
                        .map(value -> Map.of(first, value, second, value))
                        .toList(),
                ordered);
    }
}
