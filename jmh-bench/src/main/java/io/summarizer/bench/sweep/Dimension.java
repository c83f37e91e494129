package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Map;

/**
 * A dimension of a search: the values of one factor, or of several factors that only vary together.
 *
 * @param choices the choices, ordered so that neighbours are adjacent if there is an order
 * @param ordered whether only adjacent choices are neighbours; otherwise all choices are neighbours
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

    /** Makes a dimension of two factors that always have the same value, such as the capacities of both stages. */
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
