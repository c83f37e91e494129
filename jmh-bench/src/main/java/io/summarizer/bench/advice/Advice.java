package io.summarizer.bench.advice;

import io.summarizer.bench.sweep.Factor;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The advice that the results give for one workload.
 *
 * @param reference the setting to compare with: the default configuration or, if the default was not measured, the
 *     measured configuration nearest to the default
 * @param offDefault factors in which the reference differs from the default; empty when the reference is the default
 * @param candidates settings among which the picks were chosen
 * @param noise the noise of throughput
 * @param picks one setting for each goal that the results can decide
 * @param spinning the fastest setting whose idle workers use CPU time, if this setting is faster than the pick for
 *     throughput; otherwise empty
 * @param effects average effects of the queues, of the numbers of workers and of the JDKs
 * @param gaps questions that the results leave open, with the reasons
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

    /** The pick for a goal; empty when there is none. */
    public Optional<Pick> pick(Goal goal) {
        return picks.stream().filter(pick -> pick.goal() == goal).findFirst();
    }

    /** The reference, in words. */
    public String referenceWords() {
        return offDefault.isEmpty() ? "the default" : "the setting nearest to the default";
    }
}
