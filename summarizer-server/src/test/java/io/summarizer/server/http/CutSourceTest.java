package io.summarizer.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.Cut;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.server.service.PlanLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CutSourceTest {
    @TempDir
    private Path definitions;

    @Test
    void updatesRevokeACutThatIsPulledAndWaitForOneThatIsSaved() throws Exception {
        Files.writeString(definitions.resolve("t.proto"), "syntax = \"proto3\"; message Hit { string page = 1; }");
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Hit on "hit" as csv;
                summary Hits { key { string page = 1; } value { sumint64 hits = 1; } }
                map Hit into Hits { key { page; } hits += 1; }
                """);
        Plan plan = PlanCompiler.compile(PlanLoader.check(definitions).definitions());
        PipelineOptions noCopies = PipelineOptions.DEFAULT.withMaxRows(100).withCutBytesMax(1);
        try (Pipeline pipeline = Pipeline.start(plan, noCopies, RejectSink.NONE)) {
            CutSource source = new PipelineCuts(pipeline);
            hit(pipeline);
            Cut pulled = source.cut();
            hit(pipeline);
            Cut saved = source.checkpoint();
            hit(pipeline);
            source.cut().release(); // after the update
            assertThat(pulled.isRevoked()).isTrue();
            assertThat(saved.isRevoked()).isFalse();
            assertThat(pipeline.gauges().cutMemory().pauses()).isPositive();
            pulled.release();
            saved.release();
            assertThat(pipeline.gauges().cutMemory().held()).isZero();
        }
    }

    /** The cuts of a pipeline. */
    private record PipelineCuts(Pipeline pipeline) implements CutSource {
        @Override
        public Cut cut() throws InterruptedException {
            return pipeline.cut();
        }

        @Override
        public Cut checkpoint() throws InterruptedException {
            return pipeline.cut(CutLease.Kind.CHECKPOINT);
        }
    }

    private static void hit(Pipeline pipeline) throws InterruptedException {
        byte[] text = "hit/a".getBytes(UTF_8);
        MessageBatch batch = pipeline.acquire();
        batch.ensureCapacity(text.length);
        System.arraycopy(text, 0, batch.bytes(), 0, text.length);
        batch.limit(text.length);
        int message = batch.append(0, text.length);
        batch.slice(message, MessageBatch.TOPIC, 0, 3);
        batch.slice(message, MessageBatch.PAYLOAD, 3, 2);
        pipeline.put(batch);
        pipeline.drain();
    }
}
