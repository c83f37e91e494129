package io.summarizer.server.cli;

import io.summarizer.core.ledger.Fate;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.server.service.FileRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Explains why a run that read messages made no rows. Possible reasons are a wrong file, wrong definitions or a
 * condition.
 */
final class NothingMatched {
    private static final int SHOWN = 5;

    private NothingMatched() {}

    /** Returns lines about unmatched, rejected and filtered messages, with the most common topics and reasons. */
    static String explain(FileRun.Result result, Plan plan) {
        FileRun.Counts counts = result.counts();
        List<String> lines = new ArrayList<>();
        lines.add("nothing came of " + Units.count(counts.received(), "message") + ":");
        if (counts.unmatched() > 0) {
            lines.add("  " + Units.count(counts.unmatched()) + " unmatched: no event type takes their topic");
            sample(result.topics(), counts.unmatched(), lines);
            result.topics().stream().limit(SHOWN).forEach(topic -> lines.add("    " + topic(topic)));
            more(result.topics(), lines);
            lines.add("    these definitions take: "
                    + plan.events().stream()
                            .flatMap(event -> event.topics().stream())
                            .map(TopicPattern::toString)
                            .distinct()
                            .limit(2 * SHOWN)
                            .collect(Collectors.joining(", ")));
        }
        long rejected = counts.refused();
        if (rejected > 0) {
            lines.add("  " + Units.count(rejected) + " rejected");
            sample(result.refusals(), rejected, lines);
            result.refusals().stream()
                    .limit(SHOWN)
                    .forEach(refusal -> lines.add("    " + Units.count(refusal.count()) + " " + refusal.what()));
            more(result.refusals(), lines);
        }
        for (Fate reason : Fate.rejections()) {
            long updates = counts.rejected().getOrDefault(reason.label(), 0L);
            if (reason.isOfUpdates() && updates > 0) {
                lines.add("  " + Units.count(updates) + " rejected as " + reason.label() + ", once for each mapping");
            }
        }
        if (counts.filtered() > 0) {
            lines.add("  " + Units.count(counts.filtered()) + " kept out by a where, once for each mapping");
        }
        return String.join("\n", lines);
    }

    private static String topic(FileRun.Common topic) {
        return Units.count(topic.count()) + " "
                + (topic.what().isEmpty()
                        ? "without a topic, as lines without a syslog header are; --topic NAME gives them one"
                        : "of topic " + topic.what());
    }

    /** Adds a line if the causes are only those of the first messages. */
    private static void sample(List<FileRun.Common> causes, long total, List<String> lines) {
        long counted = causes.stream().mapToLong(FileRun.Common::count).sum();
        if (counted > 0 && counted < total) {
            lines.add("    of the first " + Units.count(counted) + ":");
        }
    }

    private static void more(List<FileRun.Common> causes, List<String> lines) {
        if (causes.size() > SHOWN) {
            lines.add("    and " + Units.count(causes.size() - SHOWN) + " others");
        }
    }
}
