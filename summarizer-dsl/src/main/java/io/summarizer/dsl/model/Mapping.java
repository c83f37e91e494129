package io.summarizer.dsl.model;

import io.summarizer.core.route.TopicPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one event type updates one summary.
 *
 * @param name for people: {@code Event->Summary}, with {@code #2} and so on where a pair has several
 * @param event position in {@link Definitions#events()}
 * @param summary position in {@link Definitions#summaries()}
 * @param topic the narrower pattern of {@code map E on PATTERN}, or null
 * @param where condition, or null
 * @param origin where that is, or else the mapping
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

    /** A mapping that stands in no file. */
    public Mapping(
            String name,
            int event,
            int summary,
            @Nullable TopicPattern topic,
            @Nullable Expression where,
            List<Statement> body) {
        this(name, event, summary, topic, where, body, Origin.NONE);
    }
}
