package io.summarizer.dsl.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.window.WindowInput;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.generate.AllocatedHere;
import io.summarizer.dsl.model.Definitions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The window's column of records, and the progress of the windows. */
class WindowedProgramTest {
    private static final int PACKED = 0;
    private static final int NAMED = 1;
    private static final int PARTS = 2;

    private static final Definitions DEFINITIONS = DefinitionsCompiler.check(Map.of("e.proto", """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            message E {
              message Part { google.protobuf.Timestamp at = 1; }
              google.protobuf.Timestamp time = 1;
              string host = 2;
              int64 n = 3;
              repeated Part parts = 4;
            }
            """, "e.summ", """
            import "e.proto";
            event E on "#" as json;
            summary Packed {
                window minute every 5m close after 2m;
                key { int64 n = 1; timestamp minute = 2; timestamp other = 3; }
                value { count events = 1; }
            }
            summary Named {
                window day every 1d zone "Europe/Berlin" close after 2m;
                key { string host = 1; timestamp day = 2; }
                value { count events = 1; }
            }
            summary Parts {
                window hour every 1h close after 2m;
                key { timestamp hour = 1; }
                value { count parts = 1; }
            }
            map E into Packed where coalesce(n, 0) >= 0 { key { n; minute = time; other = time; } events += 1; }
            map E into Named { key { host; day = time; } events += 1; }
            map E into Parts { for p in parts { key { hour = p.at; } parts += 1; } }
            """))
            .definitions()
            .orElseThrow();

    private static final long ARRIVAL = micros("2026-07-20T12:00:00Z");

    private final Program program = new Program(DEFINITIONS).arrival(ARRIVAL);

    private static long micros(String time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
    }

    @Test
    void aTimeBecomesTheStartOfItsWindow() {
        assertThat(program.run("{\"time\": \"2026-07-20T11:59:59.5Z\", \"n\": 3, \"host\": \"a\"}"))
                .containsExactly(
                        "Packed[3, " + micros("2026-07-20T11:55:00Z") + ", " + micros("2026-07-20T11:59:59.5Z")
                                + "] events=1",
                        "Named[\"a\", " + micros("2026-07-19T22:00:00Z") + "] events=1");
    }

    @Test
    void anAbsentTimeStaysNullAndDoesNotMoveTheProgress() {
        assertThat(program.run("{\"n\": 3, \"host\": \"a\"}"))
                .containsExactly("Packed[3, null, null] events=1", "Named[\"a\", null] events=1");
        assertThat(program.windows(PACKED).progress()).isEqualTo(WindowInput.NONE);
        assertThat(program.windows(NAMED).progress()).isEqualTo(WindowInput.NONE);
    }

    @Test
    void aTimeMoreThanTheBoundAfterTheArrivalIsEarly() {
        assertThat(program.run("{\"time\": \"2026-07-20T13:00:00Z\"}"))
                .containsExactly(
                        "Packed[null, " + micros("2026-07-20T13:00:00Z") + ", " + micros("2026-07-20T13:00:00Z")
                                + "] events=1",
                        "Named[null, " + micros("2026-07-19T22:00:00Z") + "] events=1");
        assertThat(program.run("{\"time\": \"2026-07-20T13:00:00.000001Z\"}"))
                .containsExactly(
                        "Packed[null, " + SummaryWindow.EARLY + ", " + micros("2026-07-20T13:00:00.000001Z")
                                + "] events=1",
                        "Named[null, " + SummaryWindow.EARLY + "] events=1");
    }

    @Test
    void theProgressIsTheGreatestTimeButNoLaterThanTheArrivals() {
        program.run("{\"time\": \"2026-07-20T11:00:00Z\"}");
        assertThat(program.windows(PACKED).progress()).isEqualTo(micros("2026-07-20T11:00:00Z"));
        program.run("{\"time\": \"2026-07-20T10:00:00Z\"}");
        assertThat(program.windows(PACKED).progress()).isEqualTo(micros("2026-07-20T11:00:00Z"));
        program.run("{\"time\": \"2026-07-20T18:00:00Z\"}"); // early, so it moves nothing
        assertThat(program.windows(PACKED).progress()).isEqualTo(micros("2026-07-20T11:00:00Z"));
        program.run("{\"time\": \"2026-07-20T12:30:00Z\"}");
        assertThat(program.windows(PACKED).progress()).isEqualTo(ARRIVAL);
        assertThat(program.windows(PARTS).progress()).isEqualTo(WindowInput.NONE);
    }

    @Test
    void anEventThatAMappingFiltersDoesNotMoveTheProgressOfItsSummary() {
        program.run("{\"time\": \"2026-07-20T11:00:00Z\", \"n\": -1}");
        assertThat(program.windows(PACKED).progress()).isEqualTo(WindowInput.NONE);
        assertThat(program.windows(NAMED).progress()).isEqualTo(micros("2026-07-20T11:00:00Z"));
    }

    @Test
    void aWindowTakesNoAllocation() throws Exception {
        Plan plan = PlanCompiler.compile(DEFINITIONS);
        EventProgram events = plan.newProgram(0);
        events.useWindows(summary -> program.windows(summary));
        MessageBatch messages = new MessageBatch(1 << 16);
        messages.firstStamp(ARRIVAL);
        byte[][] payloads = {
            "{\"time\": \"2026-07-20T11:59:59.5Z\", \"n\": 3}".getBytes(StandardCharsets.UTF_8),
            "{\"time\": \"2026-07-18T11:59:59.5Z\", \"n\": 3}".getBytes(StandardCharsets.UTF_8),
            "{\"n\": 3}".getBytes(StandardCharsets.UTF_8)
        };
        IMessage[] inputs = Arrays.stream(payloads)
                .map(payload -> Messages.add(messages, "x", payload))
                .toArray(IMessage[]::new);
        boolean[] active = {true, true, true};
        UpdateBatch batch = new UpdateBatch(1 << 12);
        UpdateRouter router = (summary, hash) -> batch;
        AllocatedHere.Work work = () -> {
            for (int i = 0; i < 3_000; i++) {
                batch.clear();
                events.process(inputs[i % inputs.length], active, router);
            }
        };
        work.run();
        assertThat(AllocatedHere.during(work)).isLessThan(3_000);
    }

    @Test
    void eachRowOfALoopHasItsOwnWindow() {
        program.active(false, false, true);
        assertThat(program.run("{\"parts\": [{\"at\": \"2026-07-20T09:10:00Z\"}, {}, {\"at\": "
                        + "\"2026-07-20T11:20:00Z\"}, {\"at\": \"2026-07-21T00:00:00Z\"}]}"))
                .containsExactly(
                        "Parts[" + micros("2026-07-20T09:00:00Z") + "] parts=1",
                        "Parts[null] parts=1",
                        "Parts[" + micros("2026-07-20T11:00:00Z") + "] parts=1",
                        "Parts[" + SummaryWindow.EARLY + "] parts=1");
        assertThat(program.windows(PARTS).progress()).isEqualTo(micros("2026-07-20T11:20:00Z"));
    }
}
