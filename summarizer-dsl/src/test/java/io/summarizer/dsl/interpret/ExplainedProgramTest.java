package io.summarizer.dsl.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.store.AggregateType.Operand;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.explain.Explainer;
import io.summarizer.dsl.explain.Explanation;
import io.summarizer.dsl.explain.Step;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.runtime.ExpressionProbes.Result;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An explanation has the updates that the generated program sends, on random definitions and random payloads. */
class ExplainedProgramTest {
    private static final int PAYLOADS = 25;
    private static final List<ZoneId> ZONES = List.of(ZoneId.of("Europe/Berlin"), ZoneOffset.UTC);

    private int explained;
    private int refused;
    private int filtered;
    private int nulls;

    @Test
    void tellsWhatTheProgramDoes() {
        compare(12);
    }

    @Test
    @Tag("long")
    void tellsWhatTheProgramDoesForLong() {
        compare(2_000);
    }

    private void compare(int rounds) {
        long seed = Seeds.first();
        Random seeds = new Random(seed);
        // A few definitions may have no false condition by chance: a dozen more will.
        for (int round = 0; round < rounds || (!hasSeenAll(rounds) && round < 20 * rounds); round++) {
            long roundSeed = seeds.nextLong();
            RandomDefinitions random = new RandomDefinitions(new Random(roundSeed));
            CheckResult checked = DefinitionsCompiler.check(Map.of("e.proto", random.proto(), "s.summ", random.summ()));
            if (checked.definitions().isPresent()) {
                compare(
                        checked.definitions().get(),
                        random,
                        new Random(roundSeed + 1),
                        "seed " + seed + ", round " + round + "\n" + random.proto() + random.summ());
            }
        }
        assertThat(hasSeenAll(rounds))
                .as(
                        "seed %d: %d lines compared, %d payloads refused, %d mappings whose condition did not hold, %d updates of nothing",
                        seed, explained, refused, filtered, nulls)
                .isTrue();
    }

    private boolean hasSeenAll(int rounds) {
        return explained > rounds * 3 && refused > rounds / 2 && filtered > rounds / 2 && nulls > rounds;
    }

    private void compare(Definitions definitions, RandomDefinitions random, Random choices, String source) {
        PlanCompiler.Options options = new PlanCompiler.Options(ZONES);
        EventProgram program = PlanCompiler.compile(definitions, options).newProgram(0);
        Explainer explainer = new Explainer(definitions, options, ValueLimits.NONE);
        boolean[] active =
                new boolean[PlanCompiler.events(definitions).get(0).mappings().size()];
        for (int i = 0; i < PAYLOADS; i++) {
            byte[] payload = random.payload();
            for (int mapping = 0; mapping < active.length; mapping++) {
                active[mapping] = choices.nextInt(6) != 0;
            }
            MessageBatch batch = new MessageBatch(1 << 16);
            batch.listener(choices.nextInt(3));
            batch.firstStamp(1_795_132_800_000_000L);
            IMessage message = Messages.add(batch, "ad.impression.us", payload);
            UpdateBatch updates = new UpdateBatch(256);
            String refusal = program.process(message, active, (summary, hash) -> updates);
            Explanation explanation;
            try {
                explanation = explainer.explain(0, message, active);
            } catch (RuntimeException e) {
                throw new AssertionError(source + new String(payload, StandardCharsets.UTF_8), e);
            }
            assertThat(explanation.refusal()).as(source).isEqualTo(refusal);
            refused += refusal == null ? 0 : 1;
            List<String> expected = Updates.of(definitions.summaries(), updates).stream()
                    .filter(line -> !line.startsWith(Updates.GUARD))
                    .toList();
            List<String> told = new ArrayList<>();
            boolean isWhole = true;
            for (Explanation.OfMapping mapping : explanation.mappings()) {
                filtered += mapping.outcome() == Explanation.Outcome.FILTERED ? 1 : 0;
                SummaryLayout layout = definitions.summaries().stream()
                        .filter(summary -> summary.name().equals(mapping.summary()))
                        .findFirst()
                        .orElseThrow();
                isWhole &= tell(mapping.steps(), layout, new StringBuilder(), told);
            }
            if (isWhole) {
                assertThat(told)
                        .as(source + new String(payload, StandardCharsets.UTF_8))
                        .isEqualTo(expected);
                explained += told.size();
            }
        }
    }

    /** Prints steps in the format of {@link Updates}; false when some were left out. */
    private boolean tell(List<Step> steps, SummaryLayout layout, StringBuilder line, List<String> lines) {
        boolean isWhole = true;
        for (Step step : steps) {
            if (step instanceof Step.Row row) {
                StringBuilder record = new StringBuilder(row.summary()).append(key(row.key(), layout));
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
