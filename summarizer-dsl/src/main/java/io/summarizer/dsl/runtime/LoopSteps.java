package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.plan.EventPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Counts the steps that the loops of an event's mappings would take, before the loops run. The count assumes that every
 * {@code where} is true. The steps of nested loops multiply, so even a message of ordinary size can cause too many
 * steps.
 *
 * <p>The counter skips events that are too short to reach the bound, and stops at the bound. Used by one program.
 */
public final class LoopSteps {
    /** Maximum number of elements that all loops of one event may visit together. */
    public static final long MAX = 1_000_000;

    /** The reason for rejecting an event whose loops would take more than {@link #MAX} steps. */
    public static final String TOO_MANY =
            String.format(Locale.ROOT, "its lists would take more than %,d steps of `for`", MAX);

    /** Minimum number of bytes that a list element takes in a payload: a digit and a comma. */
    private static final int ELEMENT_BYTES = 2;

    /** Loops that are not within another loop, by mapping. */
    private final List<List<Loop>> mappings;

    private final int harmlessBytes;
    /** Record of the current element, by id of the loop. */
    private final int[] records;

    /**
     * A loop.
     *
     * @param outer loop whose element has the list, or -1 when the event itself has the list
     * @param repeats whether the inner loops take the same number of steps for each element of this loop; if so, the
     *     steps are counted for one element only
     */
    private record Loop(int id, int outer, int slot, boolean repeats, List<Loop> within) {}

    /** A counter for the loops of {@code plans}, the mappings of one event type. */
    public LoopSteps(List<EventPlan.MappingPlan> plans) {
        // Number of loops, by depth.
        List<Integer> loops = new ArrayList<>();
        mappings = plans.stream()
                .map(plan -> loops(plan, plan.mapping().body(), 0, loops))
                .toList();
        harmlessBytes = harmlessBytes(loops);
        records = new int
                [plans.stream().mapToInt(EventPlan.MappingPlan::loops).max().orElse(0)];
    }

    private static List<Loop> loops(
            EventPlan.MappingPlan plan, List<Statement> statements, int depth, List<Integer> counts) {
        List<Loop> loops = new ArrayList<>();
        for (Statement statement : statements) {
            if (statement instanceof Statement.Nested nested) {
                loops.addAll(loops(plan, nested.body(), depth, counts));
            } else if (statement instanceof Statement.For loop) {
                if (counts.size() == depth) {
                    counts.add(0);
                }
                counts.set(depth, counts.get(depth) + 1);
                List<Loop> within = loops(plan, loop.body(), depth + 1, counts);
                loops.add(new Loop(
                        loop.id(),
                        EventPlan.MappingPlan.loop(loop.list().root()),
                        plan.field(loop.list()).valueSlot(),
                        !dependsOn(within, loop.id()),
                        within));
            }
        }
        return List.copyOf(loops);
    }

    private static boolean dependsOn(List<Loop> loops, int id) {
        for (Loop loop : loops) {
            if (loop.outer == id || dependsOn(loop.within, id)) {
                return true;
            }
        }
        return false;
    }

    /** Greatest length at which a payload surely has too few elements to cause more than {@link #MAX} steps. */
    private static int harmlessBytes(List<Integer> loops) {
        if (loops.isEmpty()) {
            return Integer.MAX_VALUE;
        }
        int harmless = 0;
        for (int bit = Long.SIZE - Long.numberOfLeadingZeros(MAX); bit >= 0; bit--) {
            harmless += mostSteps(loops, harmless + (1 << bit)) <= MAX ? 1 << bit : 0;
        }
        return harmless * ELEMENT_BYTES;
    }

    private static double mostSteps(List<Integer> loops, int elements) {
        double steps = 0;
        double each = 1;
        for (int count : loops) {
            each *= elements;
            steps += count * each;
        }
        return steps;
    }

    /** Whether the loops of the active mappings would take more than {@link #MAX} steps for this event. */
    public boolean exceeded(InputEvent event, boolean[] active, int payloadBytes) {
        if (payloadBytes <= harmlessBytes) {
            return false;
        }
        long steps = 0;
        for (int i = 0; i < mappings.size() && steps <= MAX; i++) {
            if (active[i]) {
                steps += steps(event, mappings.get(i), MAX - steps);
            }
        }
        return steps > MAX;
    }

    /**
     * Total steps of several loops that follow one another. When the total is above {@code most}, the result may be any
     * number above {@code most}.
     */
    private long steps(InputEvent event, List<Loop> loops, long most) {
        long steps = 0;
        for (int i = 0; i < loops.size() && steps <= most; i++) {
            steps += steps(event, loops.get(i), most - steps);
        }
        return steps;
    }

    private long steps(InputEvent event, Loop loop, long most) {
        int record = loop.outer < 0 ? InputEvent.ROOT : records[loop.outer];
        if (!event.has(record, loop.slot)) {
            return 0;
        }
        long list = event.get(record, loop.slot);
        int length = InputEvent.listLength(list);
        if (loop.within.isEmpty() || length == 0) {
            return length;
        }
        int element = InputEvent.listHead(list);
        records[loop.id] = element;
        if (loop.repeats) {
            // Limit the inner number to the bound, so that products do not overflow when loops are nested deeply.
            return length * (1 + Math.min(most, steps(event, loop.within, most)));
        }
        long steps = length;
        for (int left = length; left > 0 && steps <= most; left--) {
            records[loop.id] = element;
            steps += steps(event, loop.within, most - steps);
            element = event.next(element);
        }
        return steps;
    }
}
