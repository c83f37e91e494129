package io.summarizer.bench.decode;

import io.summarizer.bench.e2e.Traffic;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.FieldSchema;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.MessageSchema;
import io.summarizer.core.decode.PayloadDecoder;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.dsl.codegen.GeneratedClasses;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.SourceCompiler;
import io.summarizer.dsl.generate.PlanSources;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.plan.EventPlan;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The product's decoders. Each is generated for one event type, and reads the fields that a mapping uses. */
final class GeneratedDecoder implements Contender {
    private final MessageBatch messages;
    private final List<Type> types;
    private final int[] typeOf;
    private final InputEvent event = new InputEvent();

    /** A decoder, and the slots of its fields. */
    private record Type(String name, PayloadDecoder decoder, Slots root) {}

    /** Slots of a record's scalars and lists, in the order of the fields' numbers. */
    private static final class Slots {
        final int[] scalars;
        final int[] lists;
        final Slots[] elements;

        Slots(int[] scalars, int[] lists, Slots[] elements) {
            this.scalars = scalars;
            this.lists = lists;
            this.elements = elements;
        }
    }

    GeneratedDecoder(AdPayloads payloads) {
        messages = payloads.messages();
        types = types(AdPayloads.definitions(Traffic.V1));
        typeOf = new int[payloads.count()];
        for (int message = 0; message < typeOf.length; message++) {
            for (int type = 0; type < types.size(); type++) {
                if (types.get(type).name().equals(payloads.type(message))) {
                    typeOf[message] = type;
                }
            }
        }
    }

    private static List<Type> types(Definitions definitions) {
        List<EventPlan> plans = IntStream.range(0, definitions.events().size())
                .mapToObj(event -> new EventPlan(definitions, event, List.of(ZoneOffset.UTC)))
                .toList();
        List<GeneratedSource> sources = PlanSources.of(definitions, plans).all();
        GeneratedClasses classes = SourceCompiler.compile(sources);
        List<Type> types = new ArrayList<>();
        for (EventPlan plan : plans) {
            EventSchema schema = plan.schema();
            String name = plan.type().name();
            String decoder = sources.stream()
                    .map(GeneratedSource::className)
                    .filter(className -> className.endsWith("." + name + "Decoder"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no decoder was generated for " + name));
            types.add(new Type(name, classes.newInstance(decoder, PayloadDecoder.class, schema), slots(schema.root())));
        }
        return types;
    }

    private static Slots slots(MessageSchema message) {
        List<Integer> scalars = new ArrayList<>();
        List<Integer> lists = new ArrayList<>();
        List<Slots> elements = new ArrayList<>();
        collect(message, scalars, lists, elements);
        return new Slots(
                scalars.stream().mapToInt(Integer::intValue).toArray(),
                lists.stream().mapToInt(Integer::intValue).toArray(),
                elements.toArray(new Slots[0]));
    }

    private static void collect(
            MessageSchema message, List<Integer> scalars, List<Integer> lists, List<Slots> elements) {
        message.fields().stream()
                .sorted((a, b) -> Integer.compare(a.column(), b.column()))
                .forEach(field -> collect(field, scalars, lists, elements));
    }

    private static void collect(FieldSchema field, List<Integer> scalars, List<Integer> lists, List<Slots> elements) {
        switch (field.kind()) {
            case MESSAGE -> collect(Objects.requireNonNull(field.message()), scalars, lists, elements);
            case LIST -> {
                FieldSchema value = Objects.requireNonNull(
                        Objects.requireNonNull(field.element()).value());
                lists.add(field.valueSlot());
                elements.add(slots(Objects.requireNonNull(value.message())));
            }
            default -> scalars.add(field.microsSlot() >= 0 ? field.microsSlot() : field.valueSlot());
        }
    }

    @Override
    public long decode(int message) {
        Type type = types.get(typeOf[message]);
        String problem = type.decoder().decode(messages.message(message), event);
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        return digest(0, InputEvent.ROOT, type.root());
    }

    private long digest(long before, int record, Slots slots) {
        long digest = before;
        for (int slot : slots.scalars) {
            digest = Contender.digest(digest, event.get(record, slot));
        }
        for (int i = 0; i < slots.lists.length; i++) {
            long list = event.get(record, slots.lists[i]);
            int length = InputEvent.listLength(list);
            digest = Contender.digest(digest, length);
            int element = length == 0 ? 0 : InputEvent.listHead(list);
            for (int n = 0; n < length; n++) {
                digest = digest(digest, element, slots.elements[i]);
                element = n + 1 < length ? event.next(element) : element;
            }
        }
        return digest;
    }
}
