package io.summarizer.bench.advice;

import io.summarizer.bench.sweep.Factor;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the results advise for one workload.
 *
 * @param reference what leads are over: the default configuration, or the one measured that is nearest to it
 * @param offDefault factors in which the reference is not the default; empty when it is
 * @param candidates settings that took part
 * @param noise of throughput
 * @param picks one for each goal that the results can tell about
 * @param spinning the best for throughput of those that take CPU time while idle, when it beats the pick
 * @param effects what queues, workers and JDKs give on average over all settings that are alike in the rest
 * @param gaps what the results cannot tell, and why
 */
public record Advice(
        String workload,
        Measured reference,
        Set<Factor> offDefault,
        List<Measured> candidates,
        Noise noise,
        List<Pick> picks,
        Optional<Measured> spinning,
        List<MainEffect> effects,
        List<String> gaps) {

    /** The pick for a goal, when there is one. */
    public Optional<Pick> pick(Goal goal) {
        return picks.stream().filter(pick -> pick.goal() == goal).findFirst();
    }

    /** What leads are over, in words. */
    public String referenceWords() {
        return offDefault.isEmpty() ? "the default" : "the setting nearest to the default";
    }
}
