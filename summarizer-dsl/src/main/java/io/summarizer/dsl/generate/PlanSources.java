package io.summarizer.dsl.generate;

import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.codegen.DeepStack;
import io.summarizer.dsl.codegen.GeneratedClasses;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.plan.EventPlan;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The sources of all classes of a set of definitions: row code for each summary, and a decoder and a program for each
 * event type. Immutable. Equal definitions give equal text.
 */
public final class PlanSources {
    private final List<GeneratedSource> sources = new ArrayList<>();
    private final List<RowSources> rows = new ArrayList<>();
    private final List<String> programs = new ArrayList<>();

    private PlanSources(List<SummaryLayout> summaries, List<EventPlan> events) {
        Names names = new Names();
        for (SummaryLayout summary : summaries) {
            RowSources source = RowSources.of(summary, names);
            rows.add(source);
            sources.addAll(source.sources());
        }
        for (EventPlan event : events) {
            EventSchema schema = event.schema();
            String name = event.type().name();
            String decoder = null;
            if (schema.format() != EventSchema.Format.TEXT) {
                decoder = names.type(name + " decoder");
                sources.add(DecoderGenerator.generate(decoder, name, schema));
            }
            GeneratedSource program = ProgramGenerator.generate(names.type(name + " program"), event, decoder);
            sources.add(program);
            programs.add(program.className());
        }
    }

    /** The sources of some definitions. */
    public static PlanSources of(Definitions definitions) {
        return of(
                definitions,
                IntStream.range(0, definitions.events().size())
                        .mapToObj(event -> new EventPlan(definitions, event, List.of(ZoneOffset.UTC)))
                        .toList());
    }

    /** The sources of definitions. The event types are already planned. */
    public static PlanSources of(Definitions definitions, List<EventPlan> events) {
        return DeepStack.call(() -> new PlanSources(definitions.summaries(), events));
    }

    /** The sources of one event type, without the summaries. */
    public static PlanSources of(EventPlan event) {
        return DeepStack.call(() -> new PlanSources(List.of(), List.of(event)));
    }

    /** Instances of the row code of all summaries, from the compiled classes of all sources. */
    public List<RowCode.Tree> rows(GeneratedClasses classes) {
        return rows.stream().map(row -> row.instance(classes)).toList();
    }

    /** All classes. */
    public List<GeneratedSource> all() {
        return List.copyOf(sources);
    }

    /**
     * Class name of the {@link io.summarizer.core.pipeline.EventProgram} of event type {@code event}. The constructor
     * of this class takes the {@link EventPlan}.
     */
    public String program(int event) {
        return programs.get(event);
    }
}
