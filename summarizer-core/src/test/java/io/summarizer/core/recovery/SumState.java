package io.summarizer.core.recovery;

import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.pipeline.SumPlan.Sum;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The expected rows of {@link SumPlan}s: messages add to them, resets empty them, other definitions take effect. */
final class SumState {
    /** The effect of definitions. */
    private record Definition(long factor, List<String> summaries) {}

    private static final Map<String, Definition> DEFINITIONS = new TreeMap<>(Map.of(
            "one", new Definition(1, List.of("A")),
            "two", new Definition(1_000, List.of("A", "B")),
            "three", new Definition(1_000_000, List.of("C", "B", "A"))));

    /** Names of all definitions. */
    static final List<String> NAMES = List.copyOf(DEFINITIONS.keySet());

    /** Names of all summaries in definitions. */
    static final List<String> SUMMARIES = List.of("A", "B", "C");

    private final Map<String, Map<Long, Sum>> sums = new TreeMap<>();
    private Definition inForce;

    /** A state without rows, under these definitions. */
    SumState(String definitions) {
        inForce = definition(definitions);
        define(definitions);
    }

    private static Definition definition(String name) {
        return Objects.requireNonNull(DEFINITIONS.get(name));
    }

    /** Definitions by their name. */
    static SumPlan plan(String name) {
        return new SumPlan(definition(name).factor, definition(name).summaries);
    }

    /** Switches to other definitions: rows of summaries that they have, too, stay. */
    void define(String definitions) {
        inForce = definition(definitions);
        sums.keySet().retainAll(inForce.summaries);
        inForce.summaries.forEach(summary -> sums.putIfAbsent(summary, new TreeMap<>()));
    }

    /** Empties a summary. */
    void reset(String summary) {
        sums.put(summary, new TreeMap<>());
    }

    /** Adds a message. */
    void add(long key, long value) {
        Sum one = new Sum(1, inForce.factor * value);
        inForce.summaries.forEach(
                summary -> sums.computeIfAbsent(summary, s -> new TreeMap<>()).merge(key, one, Sum::plus));
    }

    /** By summary and key. */
    Map<String, Map<Long, Sum>> sums() {
        return sums;
    }
}
