package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.ledger.Chart;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import java.util.List;
import java.util.stream.IntStream;

/** All definitions, checked and compiled. Immutable and shared by all threads. */
public interface Plan {
    /** Top-level summaries; updates refer to them by position. */
    List<SummaryLayout> summaries();

    /** The code that updates the rows of summary {@code summary} and of the summaries nested in it. */
    RowCode.Tree rowCode(int summary);

    /** The result of {@link #rowCode} for each summary. */
    default List<RowCode.Tree> rowCodes() {
        return IntStream.range(0, summaries().size()).mapToObj(this::rowCode).toList();
    }

    /** Empty stores for these summaries, with the bounds of {@code options}. */
    default Summaries newSummaries(PipelineOptions options) {
        return newSummaries(Partitions.ALL, options);
    }

    /** Empty stores of these partitions, with the bounds of {@code options}. */
    default Summaries newSummaries(Partitions here, PipelineOptions options) {
        return new Summaries(
                here,
                summaries(),
                rowCodes(),
                options.maxRows(),
                options.windows().openMax(),
                ByteBudget.ofState(options.stateBytesMax()));
    }

    /** Empty stores for these summaries, without a bound on bytes. */
    default Summaries newSummaries(long maxRows) {
        return new Summaries(summaries(), rowCodes(), maxRows);
    }

    /** The event types; {@link #newProgram} takes a position in this list. */
    List<Event> events();

    /**
     * The rules for event types whose events are counted once: one rule for each such event type and each summary that
     * the event type updates. Guards of updates refer to the rules by position.
     */
    default List<Dedup> dedups() {
        return List.of();
    }

    /** A program for event type {@code event}, for one parser worker. */
    EventProgram newProgram(int event);

    /** The names of everything that is counted. */
    default Chart chart() {
        return new Chart(
                summaries().stream().map(SummaryLayout::name).toList(),
                events().stream()
                        .map(event -> new Chart.EventType(
                                event.name(),
                                event.mappings().stream()
                                        .map(mapping -> new Chart.Mapping(
                                                mapping.name(),
                                                mapping.summary(),
                                                !mapping.topics().isEmpty()))
                                        .toList()))
                        .toList());
    }

    /** The routes from topics to these event types. */
    static TopicRouter.Table routes(List<Event> events) {
        return new TopicRouter.Table(events.stream()
                .map(event -> new TopicRouter.Candidate(
                        event.topics(),
                        event.mappings().stream().map(Mapping::topics).toList()))
                .toList());
    }

    /**
     * An event type.
     *
     * @param topics the patterns for the topics of the event type; patterns of different event types never match the
     *     same topic
     * @param format {@code csv}, {@code json} or {@code text}
     */
    record Event(String name, List<TopicPattern> topics, String format, List<Mapping> mappings) {
        public Event {
            topics = List.copyOf(topics);
            mappings = List.copyOf(mappings);
        }
    }

    /**
     * A rule by which each event of one type is counted only once in a summary. All mappings from the event type to the
     * summary share one memory of ids.
     *
     * @param event position in {@link #events()}
     * @param summary position in {@link #summaries()}
     * @param by the expression that gives the id, as text
     * @param windowMicros time after an event during which another event with the same id is a duplicate
     */
    record Dedup(int event, int summary, String by, long windowMicros) {}

    /**
     * A mapping of an event type into a summary.
     *
     * @param summary position in {@link #summaries()}
     * @param topics the mapping's own, narrower pattern, or empty when it has none
     */
    record Mapping(String name, int summary, List<TopicPattern> topics) {
        public Mapping {
            topics = List.copyOf(topics);
        }
    }
}
