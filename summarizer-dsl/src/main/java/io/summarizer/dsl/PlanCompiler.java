package io.summarizer.dsl;

import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.codegen.GeneratedClasses;
import io.summarizer.dsl.codegen.SourceCompiler;
import io.summarizer.dsl.generate.PlanSources;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.plan.EventPlan;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compiles checked definitions to a {@link Plan}. For each event type, the compiler plans the decoding, generates Java,
 * and compiles the Java. Stateless.
 */
public final class PlanCompiler {
    private PlanCompiler() {}

    /**
     * The settings on which a plan depends in addition to the definitions.
     *
     * @param zones time zones for times without a zone, by number of the listener; listeners beyond the list have the
     *     last zone
     * @param year the year of syslog times without a year, or {@link SyslogTime#NO_YEAR}
     */
    public record Options(List<ZoneId> zones, int year) {
        /** All times without a zone are UTC. */
        public static final Options DEFAULT = new Options(List.of(ZoneOffset.UTC));

        /**
         * Makes options with these zones. With these options, a time without a year gets its year from the arrival of
         * its message.
         */
        public Options(List<ZoneId> zones) {
            this(zones, SyslogTime.NO_YEAR);
        }

        public Options {
            zones = List.copyOf(zones);
            if (zones.isEmpty()) {
                throw new IllegalArgumentException("at least one zone is needed");
            }
        }
    }

    /** The plan of {@code definitions}, with times in UTC. */
    public static Plan compile(Definitions definitions) {
        return compile(definitions, Options.DEFAULT);
    }

    /** The plan of {@code definitions}. */
    public static Plan compile(Definitions definitions, Options options) {
        List<EventPlan> events = IntStream.range(0, definitions.events().size())
                .mapToObj(event -> new EventPlan(definitions, event, options.zones(), options.year()))
                .toList();
        PlanSources sources = PlanSources.of(definitions, events);
        GeneratedClasses classes = SourceCompiler.compile(sources.all());
        return new CompiledPlan(
                definitions.summaries(),
                sources.rows(classes),
                events(definitions),
                dedups(definitions),
                events,
                sources,
                classes);
    }

    /** Describes the event types in the order of {@link Plan#events()}, without compiling them. */
    public static List<Plan.Event> events(Definitions definitions) {
        return IntStream.range(0, definitions.events().size())
                .mapToObj(event -> describe(
                        definitions.events().get(event),
                        definitions.mappings().stream().filter(mapping -> mapping.event() == event)))
                .toList();
    }

    private static List<Plan.Dedup> dedups(Definitions definitions) {
        return definitions.countedOnce().stream()
                .map(once -> {
                    EventType.Dedup dedup = Objects.requireNonNull(
                            definitions.events().get(once.event()).dedup());
                    return new Plan.Dedup(
                            once.event(), once.summary(), SummText.whole(dedup.by()), dedup.windowMicros());
                })
                .toList();
    }

    private static Plan.Event describe(EventType event, Stream<Mapping> mappings) {
        return new Plan.Event(
                event.name(),
                event.topics(),
                event.format().name().toLowerCase(Locale.ROOT),
                mappings.map(mapping -> {
                            TopicPattern topic = mapping.topic();
                            return new Plan.Mapping(
                                    mapping.name(), mapping.summary(), topic == null ? List.of() : List.of(topic));
                        })
                        .toList());
    }

    private record CompiledPlan(
            List<SummaryLayout> summaries,
            List<RowCode.Tree> rows,
            List<Plan.Event> events,
            List<Plan.Dedup> dedups,
            List<EventPlan> plans,
            PlanSources sources,
            GeneratedClasses classes)
            implements Plan {
        @Override
        public RowCode.Tree rowCode(int summary) {
            return rows.get(summary);
        }

        @Override
        public EventProgram newProgram(int event) {
            return classes.newInstance(sources.program(event), EventProgram.class, plans.get(event));
        }
    }
}
