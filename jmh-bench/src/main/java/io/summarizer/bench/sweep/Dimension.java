package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Map;

/**
 * A dimension of a space: the choices for one factor, or for several factors that never vary separately.
 *
 * @param choices for each choice, the values of the factors; sorted if {@code ordered} is true
 * @param ordered whether the choices have an order; if so, only adjacent choices are neighbours; otherwise any two
 *     choices are neighbours
 */
public record Dimension(String name, List<Map<Factor, String>> choices, boolean ordered) {
    public Dimension {
        choices = choices.stream().map(Map::copyOf).toList();
    }

    /** Makes a dimension of one factor and its values. */
    public static Dimension of(Factor factor, List<String> values) {
        boolean ordered = values.stream().allMatch(value -> value.matches("\\d+"));
        return new Dimension(
                factor.column(),
                values.stream().map(value -> Map.of(factor, value)).toList(),
                ordered);
    }

    /** Makes a dimension of two factors with equal values, such as the capacities of both stages. */
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
