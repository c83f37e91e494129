package io.summarizer.dsl.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.TopicMessages;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.DefinitionsCompiler;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A row with more bytes of texts than a state file takes. A reload has no file, so it takes the row. */
@Timeout(120)
class LargeRowReloadTest {
    private static final int COLUMNS = 7;
    private static final int TEXT_BYTES = 15 << 20;

    private static Plan plan(String more) {
        String columns = IntStream.range(0, COLUMNS)
                .mapToObj(i -> "laststring t" + i + " = " + (i + 1) + ";")
                .collect(Collectors.joining(" "));
        String updates =
                IntStream.range(0, COLUMNS).mapToObj(i -> "t" + i + " += text;").collect(Collectors.joining(" "));
        String definitions = """
                import "hit.proto";
                event Hit on "hit.#" as csv;
                summary A { key { int32 k = 1; } value { %s %s } }
                map Hit into A { key { k = small; } %s }
                """.formatted(columns, more, updates);
        return PlanCompiler.compile(DefinitionsCompiler.check(Map.of("a.summ", definitions, "hit.proto", Drafts.PROTO))
                .definitions()
                .orElseThrow());
    }

    @Test
    void shouldTakeARowThatIsTooLargeForAFile() throws Exception {
        PipelineOptions options = PipelineOptions.DEFAULT.withValues(new ValueLimits(1024, 16 << 20));
        try (Pipeline pipeline = Pipeline.start(plan(""), options, RejectSink.NONE)) {
            MessageBatch batch = pipeline.acquire();
            TopicMessages.append(batch, "hit", "1,7,5," + "x".repeat(TEXT_BYTES));
            pipeline.put(batch);
            pipeline.drain();
            var unused = pipeline.reload(plan("count n = 8;"));
            Cut cut = pipeline.cut();
            try {
                assertThat(cut.summary("A").orElseThrow().rows(List.of())).isEqualTo(1);
            } finally {
                cut.release();
            }
            assertThat(pipeline.gauges().failures()).isZero();
        }
    }
}
