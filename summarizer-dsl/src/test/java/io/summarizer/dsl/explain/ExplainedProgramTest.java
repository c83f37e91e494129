package io.summarizer.dsl.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.PayloadDecoder;
import io.summarizer.core.decode.TableDecoders;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.store.AggregateType.Operand;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.generate.PlanSources;
import io.summarizer.dsl.interpret.Messages;
import io.summarizer.dsl.interpret.RandomDefinitions;
import io.summarizer.dsl.interpret.Result;
import io.summarizer.dsl.interpret.Updates;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.LoopSteps;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Generated programs do what explanations and the interpreter say, on random definitions and random payloads: the same
 * bytes to the owners, the same texts for refusals, the same counts.
 */
class ExplainedProgramTest {
    private static final List<ZoneId> ZONES =
            List.of(ZoneId.of("Europe/Berlin"), ZoneOffset.ofHoursMinutes(5, 30), ZoneId.of("America/New_York"));

    private int records;
    private int refused;
    private int filtered;
    private int nulls;
    private int windows;
    private int untimed;
    private int early;

    /** Times by which events may be ahead of their arrival, so that some are early. */
    private static final List<Long> AHEAD = List.of(0L, 3_600_000_000L, Long.MAX_VALUE);

    @Test
    void doesWhatTheExplanationSays() {
        compare(40, 40, 0);
    }

    @Test
    @Tag("long")
    void doesWhatTheExplanationSaysForLong() {
        compare(4_000, 60, 122_500);
    }

    /** Compares {@code payloads} events for each of {@code rounds} definitions, at least {@code eventsMin} in total. */
    private void compare(int rounds, int payloads, int eventsMin) {
        long seed = Seeds.first();
        Random seeds = new Random(seed);
        int valid = 0;
        for (int round = 0; round < rounds; round++) {
            long roundSeed = seeds.nextLong();
            RandomDefinitions random = new RandomDefinitions(new Random(roundSeed));
            CheckResult checked = DefinitionsCompiler.check(Map.of("e.proto", random.proto(), "s.summ", random.summ()));
            if (checked.definitions().isEmpty()) {
                continue;
            }
            valid++;
            Random choices = new Random(roundSeed + 1);
            List<ZoneId> zones = choices.nextBoolean() ? ZONES : List.of(ZoneOffset.UTC);
            String source =
                    "seed " + seed + ", round " + round + ", zones " + zones + "\n" + random.proto() + random.summ();
            long ahead = AHEAD.get(choices.nextInt(AHEAD.size()));
            Comparison comparison = new Comparison(checked.definitions().get(), zones, ahead, source);
            for (int i = 0; i < payloads; i++) {
                comparison.process(random.payload(), choices);
            }
        }
        assertThat(valid).as("valid definitions of %d", rounds).isGreaterThan(rounds / 3);
        assertThat(valid * payloads).as("events").isGreaterThanOrEqualTo(eventsMin);
        assertThat(records).as("records").isGreaterThan(rounds * 5);
        assertThat(refused).as("refused payloads").isGreaterThan(rounds / 2);
        assertThat(filtered).as("mappings whose condition did not hold").isGreaterThan(rounds / 2);
        assertThat(nulls).as("updates of nothing").isGreaterThan(rounds);
        assertThat(windows).as("rows with a window").isGreaterThan(rounds);
        // Few definitions have such rows, so that a short run may have none.
        assertThat(untimed).as("rows without a time").isGreaterThanOrEqualTo(rounds / 200);
        assertThat(early).as("rows of early events").isGreaterThanOrEqualTo(rounds / 200);
    }

    /** A generated program beside its explanations, which are made of another decoder's fields. */
    private final class Comparison {
        private final String source;
        private final boolean repeats;
        private final Definitions definitions;
        private final EventPlan plan;
        private final EventExplainer explainer;
        private final PayloadDecoder decoder;
        private final InputEvent event = new InputEvent();
        private final MessageBatch batch = new MessageBatch(1 << 16);
        private final boolean[] active;
        private final ProgramCounts expected;

        Comparison(Definitions definitions, List<ZoneId> zones, long ahead, String source) {
            this.definitions = definitions;
            this.source = source;
            repeats = repeats(source);
            plan = new EventPlan(definitions, 0, zones);
            try {
                explainer = new EventExplainer(plan, ValueLimits.NONE, ahead);
            } catch (RuntimeException | VerifyError e) {
                throw new AssertionError(source, e);
            }
            decoder = TableDecoders.of(plan.schema());
            active = new boolean[plan.mappings().size()];
            expected = new ProgramCounts(active.length);
        }

        private String describe(byte[] payload) {
            return source + "\nactive " + Arrays.toString(active) + ", listener " + batch.listener() + "\n"
                    + new String(payload, StandardCharsets.UTF_8) + "\n"
                    + PlanSources.of(plan).all().stream()
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
            String refusal = decoder.decode(message, event);
            int repaired = event.repaired();
            Explanation explanation;
            try {
                explanation = explainer.explain(message, active, event);
            } catch (RuntimeException e) {
                throw new AssertionError(describe(payload), e);
            }
            if (refusal != null || !LoopSteps.TOO_MANY.equals(explanation.refusal())) {
                assertThat(explanation.refusal()).as(describe(payload)).isEqualTo(refusal);
            }
            if (explanation.refusal() != null) {
                refused++;
                return;
            }
            count(explanation, repaired);
            if (!counts(expected, explainer.failures())
                    .equals(counts(explainer.program().counts()))) {
                throw new AssertionError(counts(expected, explainer.failures()) + " expected, but "
                        + counts(explainer.program().counts()) + "\n" + describe(payload));
            }
            compareSteps(explanation, payload);
        }

        private void count(Explanation explanation, int repaired) {
            expected.countInvalidUtf8(repaired);
            Explanation.Identity identity = explanation.identity();
            expected.countWithoutId(identity != null && identity.id().isNull() ? 1 : 0);
            for (int i = 0; i < active.length; i++) {
                switch (explanation.mappings().get(i).outcome()) {
                    case APPLIED -> expected.countApplied(i);
                    case FILTERED -> {
                        expected.countFiltered(i);
                        filtered++;
                    }
                    case OTHER_TOPIC -> assertThat(active[i]).isFalse();
                }
            }
        }

        private void compareSteps(Explanation explanation, byte[] payload) {
            List<String> told = new ArrayList<>();
            boolean isWhole = true;
            for (Explanation.OfMapping mapping : explanation.mappings()) {
                SummaryLayout layout = definitions.summaries().stream()
                        .filter(summary -> summary.name().equals(mapping.summary()))
                        .findFirst()
                        .orElseThrow();
                isWhole &= tell(mapping.steps(), layout, new StringBuilder(), told);
            }
            records += told.size();
            if (isWhole) {
                List<String> lines = Updates.of(definitions.summaries(), explainer.written()).stream()
                        .filter(line -> !line.startsWith(Updates.GUARD))
                        .toList();
                assertThat(told)
                        .as(source + new String(payload, StandardCharsets.UTF_8))
                        .isEqualTo(lines);
            }
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

        private String counts(ProgramCounts counts) {
            return counts(counts, counts.nulls.total());
        }

        /**
         * The counts as text. Equal expressions of a mapping share a count, and a message counts once in it; the
         * interpreter counts each of them. If there may be such, the text only tells whether there are nulls.
         */
        private String counts(ProgramCounts counts, long failures) {
            return Arrays.toString(counts.applied) + Arrays.toString(counts.filtered) + " utf8 " + counts.invalidUtf8()
                    + " nulls " + (repeats ? String.valueOf(failures > 0) : String.valueOf(failures)) + " extracts "
                    + counts.extractsAbandoned() + " without id " + counts.withoutId();
        }
    }

    /** Prints steps in the format of {@link Updates}; false when some were left out. */
    private boolean tell(List<Step> steps, SummaryLayout layout, StringBuilder line, List<String> lines) {
        boolean isWhole = true;
        for (Step step : steps) {
            if (step instanceof Step.Row row) {
                StringBuilder record = new StringBuilder(row.summary()).append(key(row.key(), layout));
                if (layout.window() != null) {
                    windows += row.rejected() == null ? 1 : 0;
                    untimed += row.rejected() == Fate.UNTIMED ? 1 : 0;
                    early += row.rejected() == Fate.EARLY ? 1 : 0;
                }
                isWhole &= tell(row.steps(), layout, record, lines);
                lines.add(record.toString());
            } else if (step instanceof Step.Nested nested && nested.isEntered()) {
                SummaryLayout inner = layout.nested().stream()
                        .filter(candidate -> candidate.name().equals(nested.summary()))
                        .findFirst()
                        .orElseThrow();
                line.append(' ')
                        .append(nested.summary())
                        .append(key(nested.key(), inner))
                        .append('{');
                isWhole &= tell(nested.steps(), inner, line, lines);
                line.append('}');
            } else if (step instanceof Step.Loop loop) {
                isWhole &= loop.elements().size() == Math.max(0, loop.length());
                for (Step.Element element : loop.elements()) {
                    isWhole &= tell(element.steps(), layout, line, lines);
                }
            } else if (step instanceof Step.Update update) {
                Result raw = update.raw();
                if (!update.isApplied() || raw == null) {
                    nulls++;
                    continue;
                }
                SummaryLayout.ValueColumn column = layout.values().stream()
                        .filter(candidate -> candidate.name().equals(update.column()))
                        .findFirst()
                        .orElseThrow();
                boolean isDouble = column.type().operand() == Operand.DOUBLE;
                line.append(' ').append(column.name()).append('=').append(spelt(raw, isDouble));
            }
        }
        return isWhole;
    }

    private static String key(List<Step.KeyColumn> columns, SummaryLayout layout) {
        List<String> key = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Result raw = columns.get(i).raw();
            KeyType type = layout.keys().get(i).type();
            key.add(
                    raw.isNull()
                            ? "null"
                            : switch (type) {
                                case BOOL -> Boolean.toString(raw.bits() != 0);
                                case UINT64 -> Long.toUnsignedString(raw.bits());
                                default -> spelt(raw, false);
                            });
        }
        return "[" + String.join(", ", key) + "]";
    }

    private static String spelt(Result raw, boolean isDouble) {
        String text = raw.text();
        if (text != null) {
            return '"' + text + '"';
        }
        return isDouble ? Double.toString(Double.longBitsToDouble(raw.bits())) : Long.toString(raw.bits());
    }
}
