package io.summarizer.bench.sweep;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The points of one workload: a default point, and the dimensions along which points differ from the default point.
 * Immutable.
 *
 * @param defaults values of all factors, including factors without a meaning at the default point
 */
public record Space(Map<Factor, String> defaults, List<Dimension> dimensions) {
    public Space {
        defaults = Map.copyOf(defaults);
        dimensions = List.copyOf(dimensions);
    }

    /** The default point. */
    public Point base() {
        return Point.of(defaults);
    }

    /** Returns a space with the same default point and other dimensions. */
    public Space along(List<Dimension> others) {
        return new Space(defaults, others);
    }

    /** Returns the default point with changed values. */
    public Point with(Map<Factor, String> changes) {
        return with(base(), changes);
    }

    private Point with(Point from, Map<Factor, String> changes) {
        EnumMap<Factor, String> values = new EnumMap<>(defaults);
        from.values().forEach((factor, value) -> {
            if (!value.isEmpty()) {
                values.put(factor, value);
            }
        });
        values.putAll(changes);
        return Point.of(values);
    }

    /** Returns the distinct points of all combinations of choices. */
    public Set<Point> grid() {
        Collection<Point> points = List.of(base());
        for (Dimension dimension : dimensions) {
            Set<Point> more = new LinkedHashSet<>();
            for (Point point : points) {
                for (Map<Factor, String> choice : dimension.choices()) {
                    more.add(with(point, choice));
                }
            }
            points = more;
        }
        return new LinkedHashSet<>(points);
    }

    /** Returns the default point and all points that differ from it by one choice. */
    public Set<Point> oneAtATime() {
        Set<Point> points = new LinkedHashSet<>();
        points.add(base());
        for (Dimension dimension : dimensions) {
            for (Map<Factor, String> choice : dimension.choices()) {
                points.add(with(choice));
            }
        }
        return points;
    }

    /** The points one step away. */
    public List<Point> neighbours(Point point) {
        Set<Point> found = new LinkedHashSet<>();
        for (Dimension dimension : dimensions) {
            List<Map<Factor, String>> choices = dimension.choices();
            int at = at(dimension, point);
            for (int i = 0; i < choices.size(); i++) {
                if (!dimension.ordered() || at < 0 || Math.abs(i - at) == 1) {
                    found.add(with(point, choices.get(i)));
                }
            }
        }
        found.remove(point);
        return new ArrayList<>(found);
    }

    private static int at(Dimension dimension, Point point) {
        for (int i = 0; i < dimension.choices().size(); i++) {
            if (dimension.choices().get(i).entrySet().stream()
                    .allMatch(value -> point.value(value.getKey()).equals(value.getValue()))) {
                return i;
            }
        }
        return -1;
    }
}
