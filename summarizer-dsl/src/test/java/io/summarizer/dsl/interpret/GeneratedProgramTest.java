package io.summarizer.dsl.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.generate.PlanSources;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.plan.EventPlan;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Generated programs equal the interpreter, on random definitions and random payloads: the same bytes to the owners,
 * the same texts for refusals, the same counts.
 */
class GeneratedProgramTest {
    private static final List<ZoneId> ZONES =
            List.of(ZoneId.of("Europe/Berlin"), ZoneOffset.ofHoursMinutes(5, 30), ZoneId.of("America/New_York"));

    @Test
    void doesWhatTheInterpreterDoes() {
        compare(60, 40, 0);
    }

    @Test
    @Tag("long")
    void doesWhatTheInterpreterDoesForLong() {
        compare(4_000, 60, 122_500);
    }

    /** Compares {@code payloads} events for each of {@code rounds} definitions, at least {@code eventsMin} in total. */
    private static void compare(int rounds, int payloads, int eventsMin) {
        long seed = Seeds.first();
        Random seeds = new Random(seed);
        int valid = 0;
        int records = 0;
        int refused = 0;
        for (int round = 0; round < rounds; round++) {
            long roundSeed = seeds.nextLong();
            RandomDefinitions random = new RandomDefinitions(new Random(roundSeed));
            CheckResult checked = DefinitionsCompiler.check(Map.of("e.proto", random.proto(), "s.summ", random.summ()));
            if (checked.definitions().isEmpty()) {
                continue;
            }
            valid++;
            Definitions definitions = checked.definitions().get();
            Random choices = new Random(roundSeed + 1);
            List<ZoneId> zones = choices.nextBoolean() ? ZONES : List.of(ZoneOffset.UTC);
            Comparison comparison = new Comparison(
                    definitions,
                    zones,
                    "seed " + seed + ", round " + round + ", zones " + zones + "\n" + random.proto() + random.summ());
            for (int i = 0; i < payloads; i++) {
                comparison.process(random.payload(), choices);
            }
            comparison.compareCounts();
            records += comparison.records;
            refused += comparison.refused;
        }
        assertThat(valid).as("valid definitions of %d", rounds).isGreaterThan(rounds / 3);
        assertThat(valid * payloads).as("events").isGreaterThanOrEqualTo(eventsMin);
        assertThat(records).as("records").isGreaterThan(rounds * 5);
        assertThat(refused).as("refused payloads").isGreaterThan(rounds / 2);
    }

    /** A generated program beside an interpreter. */
    private static final class Comparison {
        private final String source;
        private final boolean repeats;
        private final Definitions definitions;
        private final EventPlan eventPlan;
        private final EventProgram generated;
        private final EventProgram interpreter;
        private final UpdateBatch generatedUpdates = new UpdateBatch(256);
        private final UpdateBatch interpretedUpdates = new UpdateBatch(256);
        private final MessageBatch batch = new MessageBatch(1 << 16);
        private final boolean[] active;
        int records;
        int refused;

        Comparison(Definitions definitions, List<ZoneId> zones, String source) {
            this.definitions = definitions;
            this.source = source;
            repeats = repeats(source);
            eventPlan = new EventPlan(definitions, 0, zones);
            Plan plan;
            try {
                plan = PlanCompiler.compile(definitions, new PlanCompiler.Options(zones));
                generated = plan.newProgram(0);
            } catch (RuntimeException | VerifyError e) {
                throw new AssertionError(source, e);
            }
            interpreter = new Interpreter(eventPlan);
            IdKey key = new IdKey(3, 4);
            interpreter.useIdKey(key);
            generated.useIdKey(key);
            active = new boolean[plan.events().get(0).mappings().size()];
        }

        private String describe(byte[] payload) {
            return source + "\nactive " + Arrays.toString(active) + ", listener " + batch.listener() + "\n"
                    + new String(payload, StandardCharsets.UTF_8) + "\n"
                    + PlanSources.of(definitions, List.of(eventPlan)).all().stream()
                            .map(GeneratedSource::text)
                            .collect(Collectors.joining("\n"));
        }

        void process(byte[] payload, Random choices) {
            batch.clear();
            batch.listener(choices.nextInt(ZONES.size() + 1));
            for (int i = 0; i < active.length; i++) {
                active[i] = choices.nextInt(6) != 0;
            }
            batch.firstStamp(1_795_132_800_000_000L);
            IMessage message = Messages.add(batch, "ad.impression.us", payload);
            @Nullable String refusal;
            @Nullable String expectedRefusal;
            try {
                expectedRefusal = interpreter.process(message, active, (summary, hash) -> interpretedUpdates);
                refusal = generated.process(message, active, (summary, hash) -> generatedUpdates);
            } catch (RuntimeException e) {
                throw new AssertionError(describe(payload), e);
            }
            refused += refusal == null ? 0 : 1;
            records += generatedUpdates.records();
            if (!String.valueOf(expectedRefusal).equals(String.valueOf(refusal))
                    || !Arrays.equals(
                            interpretedUpdates.bytes(),
                            0,
                            interpretedUpdates.limit(),
                            generatedUpdates.bytes(),
                            0,
                            generatedUpdates.limit())
                    || !counts(interpreter).equals(counts(generated))) {
                assertThat(spelt(generatedUpdates) + refusal + counts(generated))
                        .as(describe(payload))
                        .isEqualTo(spelt(interpretedUpdates) + expectedRefusal + counts(interpreter));
                throw new AssertionError("other bytes\n" + describe(payload));
            }
            generatedUpdates.clear();
            interpretedUpdates.clear();
        }

        private String spelt(UpdateBatch updates) {
            return String.join("\n", Updates.of(definitions.summaries(), updates)) + "\n";
        }

        /** Whether a mapping may have two equal expressions that can fail: parts of otherwise equal statements. */
        private static boolean repeats(String source) {
            Set<String> parts = new HashSet<>();
            return source.lines()
                    .flatMap(line -> Stream.of(line.split("[\\[\\];{},]| where ")))
                    .map(part -> part.replaceAll("[\\s()]", ""))
                    .filter(part -> part.matches("[kv]\\d+\\+?=.+") || part.length() > 12)
                    .anyMatch(part -> !parts.add(part));
        }

        /**
         * The counts as text. Equal expressions of a mapping share a count, and a message counts once in it; the
         * interpreter counts each of them. If there may be such, the text only tells whether there are nulls.
         */
        private String counts(EventProgram program) {
            ProgramCounts counts = program.counts();
            long total = counts.nulls.total();
            String nulls = repeats ? String.valueOf(total > 0) : String.valueOf(total);
            return Arrays.toString(counts.applied) + Arrays.toString(counts.filtered) + " utf8 " + counts.invalidUtf8()
                    + " nulls " + nulls + " extracts " + counts.extractsAbandoned()
                    + " without id " + counts.withoutId();
        }

        void compareCounts() {
            assertThat(counts(generated)).as(source).isEqualTo(counts(interpreter));
        }
    }
}
