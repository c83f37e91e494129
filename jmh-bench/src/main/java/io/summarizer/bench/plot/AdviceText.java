package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Advice;
import io.summarizer.bench.advice.Advisor;
import io.summarizer.bench.advice.Goal;
import io.summarizer.bench.advice.MainEffect;
import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.advice.Noise.Answer;
import io.summarizer.bench.advice.Noise.Verdict;
import io.summarizer.bench.advice.Pick;
import io.summarizer.bench.advice.Workloads;
import io.summarizer.bench.advice.Workloads.Loss;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the advice in sentences, for the terminal, the report and the comments of a configuration. */
public final class AdviceText {
    private AdviceText() {}

    /** The rules for picks, and the meaning of "above the noise". */
    public static List<String> rules() {
        return List.of(
                "Throughput: the largest median of runs at full speed.",
                "Latency: the smallest median p99 at one offered rate, the one that most settings were measured at.",
                "CPU: the least CPU time for an event among the settings within "
                        + Units.percent(Advisor.CPU_SLACK)
                        + " of the largest throughput.",
                "Settings whose idle workers take CPU time (any wait but blocking) are told of, not picked.",
                "Where settings were repeated because they were best, the runs that they were chosen by do not count.",
                "Above the noise: the spread of all settings' repeats is drawn from 4,000 times as if all settings were"
                        + " equal; the luckiest of them is as far ahead in fewer than 5 % of the draws. Fewer than 8 repeats"
                        + " beyond the first of each setting: cannot tell.",
                "Averages: geometric means over groups of settings that differ in nothing else, against the default's value;"
                        + " in brackets the 95 % interval of what a group differs by. An interval on one side of 0 is above the"
                        + " noise.");
    }

    /** Returns a sentence for each pick of a workload, then remarks. */
    public static List<String> sentences(Advice advice) {
        List<String> lines = new ArrayList<>();
        advice.picks().forEach(pick -> lines.add(pick(advice, pick)));
        advice.spinning().ifPresent(one -> lines.add(spinning(advice, one)));
        advice.effects().forEach(effect -> lines.add(effect(effect)));
        lines.addAll(remarks(advice));
        lines.add(inShort(advice));
        return lines;
    }

    /** Returns the recommendation for a workload in a sentence. */
    static String inShort(Advice advice) {
        String reference = advice.referenceWords();
        Pick fastest = advice.pick(Goal.THROUGHPUT).orElseThrow();
        if (fastest.best().point().equals(advice.reference().point())) {
            return "in short: keep " + reference + ", nothing measured is faster";
        }
        String best = name(advice, fastest.best());
        return switch (fastest.answer().verdict()) {
            case ABOVE_NOISE -> "in short: take " + best + ", which is faster than " + reference;
            case WITHIN_NOISE -> "in short: keep " + reference + ", " + best + " may have been ahead by luck alone";
            case CANNOT_TELL ->
                "in short: keep " + reference + " until " + best
                        + " was ahead more often (bin/bench sweep --repeats 5)";
        };
    }

    /** The reference, the noise, and open questions. */
    public static List<String> remarks(Advice advice) {
        List<String> lines = new ArrayList<>();
        Point reference = advice.reference().point();
        if (!advice.offDefault().isEmpty()) {
            List<String> off = advice.offDefault().stream()
                    .map(factor -> factor.title() + " "
                            + (reference.value(factor).isEmpty() ? "none" : reference.value(factor)))
                    .toList();
            lines.add("the default of this machine is not among the settings; leads are over the nearest one ("
                    + String.join(", ", off) + ")");
        }
        double spread = advice.noise().spread();
        lines.add(
                Double.isNaN(spread)
                        ? "no setting was measured twice: the noise is not known"
                        : "repeats of one setting differ by " + Units.percent(spread) + " (standard deviation, "
                                + advice.noise().degrees() + " degrees of freedom)");
        lines.addAll(advice.gaps());
        return lines;
    }

    /** Setting, figure, lead and verdict of a pick. */
    public static String pick(Advice advice, Pick pick) {
        return pick.goal().words() + ": " + name(advice, pick.best()) + ": " + figure(pick) + lead(advice, pick);
    }

    /** The figure of a pick with its unit. */
    static String figure(Pick pick) {
        return figure(pick, pick.value());
    }

    static String figure(Pick pick, double value) {
        return switch (pick.goal()) {
            case THROUGHPUT -> Units.si(value) + " events/s";
            case LATENCY -> "p99 of " + Units.micros(value) + " at " + Units.si(pick.rate()) + " events/s offered";
            case CPU -> String.format(Locale.ROOT, "%.2f CPU s per million events", value);
        };
    }

    private static String lead(Advice advice, Pick pick) {
        if (pick.best().point().equals(advice.reference().point())) {
            return ", which is " + advice.referenceWords() + ": nothing measured is better";
        }
        if (Double.isNaN(pick.margin())) {
            return "";
        }
        return ", " + margin(pick) + " than " + advice.referenceWords() + "; " + verdict(pick.answer());
    }

    /** The lead of a pick, in words. */
    static String margin(Pick pick) {
        String less = pick.goal() == Goal.LATENCY ? " shorter" : " less";
        if (pick.goal() == Goal.THROUGHPUT) {
            return Units.percent(Math.abs(pick.margin())) + (pick.margin() >= 0 ? " more" : " fewer");
        }
        return Units.percent(Math.abs(pick.margin()))
                + (pick.margin() >= 0 ? less : pick.goal() == Goal.LATENCY ? " longer" : " more");
    }

    /** A verdict with its chance. */
    static String verdict(Answer answer) {
        return answer.verdict() == Verdict.CANNOT_TELL
                ? answer.verdict().words()
                : answer.verdict().words() + " (luck alone does that in " + chance(answer.chance()) + " sweeps)";
    }

    private static String chance(double chance) {
        if (chance < 0.001) {
            return "fewer than 1 of 1,000";
        }
        return chance < 0.1
                ? String.format(Locale.ROOT, "%.0f of 1,000", chance * 1000)
                : String.format(Locale.ROOT, "%.0f of 100", chance * 100);
    }

    private static String spinning(Advice advice, Measured one) {
        double most = advice.pick(Goal.THROUGHPUT).orElseThrow().value();
        double rate = one.median(Metric.EVENTS_PER_S);
        return "at the price of CPU time while idle: " + name(advice, one) + ": " + Units.si(rate) + " events/s, "
                + Units.percent(rate / most - 1) + " more";
    }

    /** Returns the average effect of each value of a factor, and how certain the effect is. */
    static String effect(MainEffect effect) {
        String values =
                effect.values().stream().map(value -> effect(effect, value)).collect(Collectors.joining("; "));
        return "events/s by " + effect.title() + ", averages over " + effect.groups() + " settings alike but for that: "
                + values;
    }

    private static String effect(MainEffect effect, MainEffect.Value value) {
        String mean = value.name() + ": " + Units.si(value.mean());
        if (value.name().equals(effect.usual())) {
            return mean;
        }
        return mean + ", " + Units.change(value.ratio() - 1) + " (" + Units.change(value.low() - 1) + " to "
                + Units.change(value.high() - 1) + (value.differs() ? ", above the noise)" : ")");
    }

    private static String name(Advice advice, Measured one) {
        return one.point().describe(advice.reference().point());
    }

    /** Returns what each workload loses with one setting for all, and whether separate pipelines gain enough. */
    public static List<String> sentences(Workloads workloads, Point usual) {
        List<String> lines = new ArrayList<>();
        for (Loss loss : workloads.crossed()) {
            lines.add(
                    Double.isNaN(loss.share())
                            ? loss.of() + "'s best setting was not measured with " + loss.workload()
                            : loss.of() + "'s best setting takes " + lost(loss));
        }
        Point all = workloads.all();
        if (all == null) {
            lines.add("no setting was measured with every workload: whether to separate them cannot be told");
            return lines;
        }
        lines.add("one setting for all: " + all.describe(usual));
        workloads.losses().forEach(loss -> lines.add("it takes " + lost(loss)));
        boolean told =
                workloads.losses().stream().allMatch(loss -> loss.answer().verdict() != Verdict.CANNOT_TELL);
        if (workloads.apart().isEmpty() && !told) {
            lines.add("whether pipelines of their own would pay cannot be told: too few repeats");
        } else if (workloads.apart().isEmpty()) {
            lines.add("pipelines of their own do not pay by " + Units.percent(Workloads.WORTH)
                    + " of any workload above the noise: one pipeline will do");
        } else {
            lines.add("separate your workloads: named pipelines, each with what suits it");
            workloads.apart().forEach((workload, setting) -> lines.add(workload + ": " + setting.describe(usual)));
            lines.add(
                    "each was measured alone: two pipelines in one process share its processors, and a summary that both"
                            + " bring events to is written by the workers of the default pipeline, which has the one setting for all");
        }
        return lines;
    }

    private static String lost(Loss loss) {
        return loss.share() <= 0
                ? "as many events of " + loss.workload() + " as that one's own best"
                : Units.percent(loss.share()) + " fewer events of " + loss.workload() + " than that one's own best; "
                        + verdict(loss.answer());
    }
}
