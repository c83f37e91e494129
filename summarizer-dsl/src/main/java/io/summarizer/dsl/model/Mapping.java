package io.summarizer.dsl.model;

import io.summarizer.core.route.TopicPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of one event type into one summary.
 *
 * @param name name in reports: {@code Event->Summary}; further mappings of the same pair end in {@code #2} and so on
 * @param event position of the event type in {@link Definitions#events()}
 * @param summary position of the summary in {@link Definitions#summaries()}
 * @param topic the mapping's own topic pattern, which follows {@code on} in {@code map E on PATTERN}, or null
 * @param where condition, or null
 * @param origin place of the condition, or place of the mapping when there is no condition
 */
public record Mapping(
        String name,
        int event,
        int summary,
        @Nullable TopicPattern topic,
        @Nullable Expression where,
        List<Statement> body,
        Origin origin) {
    public Mapping {
        body = List.copyOf(body);
    }
}
