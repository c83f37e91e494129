package io.summarizer.dsl.check;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Coverage-guided when a fuzzer runs it ({@code JAZZER_FUZZ=1}); otherwise replays its recorded inputs. */
@Tag("long") // instrumenting all classes takes longer than the inputs
class DefinitionsFuzzTest {
    @FuzzTest(maxDuration = "10m")
    void anyTextIsAnswered(FuzzedDataProvider data) {
        String summ = data.consumeString(20_000);
        String proto = data.consumeRemainingAsString();
        CheckResult result = DefinitionsCompiler.check(Map.of("a.summ", summ, "shop.proto", proto));
        if (result.isValid() != result.render().isEmpty()) {
            throw new IllegalStateException("valid with errors, or invalid without: " + result.render());
        }
    }
}
