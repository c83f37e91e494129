package io.summarizer.flink.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Evaluator;
import io.summarizer.core.receive.RecordFramer;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.result.ResultNames;
import io.summarizer.core.store.Partitions;
import io.summarizer.flink.job.JobDefinition;
import io.summarizer.flink.job.JobPlan;
import io.summarizer.flink.job.TestJobs;
import io.summarizer.flink.record.Decision;
import io.summarizer.flink.record.GroupUpdates;
import io.summarizer.flink.record.KeyGroups;
import io.summarizer.flink.result.ResultCommitter;
import io.summarizer.flink.result.ResultFolder;
import io.summarizer.flink.result.Results;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // Flink declares that closing may be interrupted
class OwnOperatorTest {
    private static final long TIME = 1_700_000_040_000L; // a whole minute
    private static final long MINUTE = 60_000;
    private static final int KEY_GROUPS = 16;

    private static final String EVENTS = """
            syntax = "proto3";
            message Order { int64 customer = 1; int64 at = 2; }
            """;

    private static final String DEFINITIONS = """
            import "events.proto";
            event Order on "shop.order.#" as csv;
            summary Minutes {
                window minute every 1m close after 10s;
                key { timestamp minute = 1; int64 customer = 2; }
                value { count orders = 1; }
            }
            map Order into Minutes { key { minute = timestamp(at); customer; } orders += 1; }
            """;

    @TempDir
    Path folder;

    private JobDefinition job() {
        return TestJobs.of(EVENTS, DEFINITIONS, folder, KEY_GROUPS);
    }

    private static KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner(
            JobDefinition job) throws Exception {
        Integer[] representatives = KeyGroups.representatives(KEY_GROUPS);
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new OwnOperator(job),
                updates -> representatives[updates.keyGroup()],
                null,
                Types.INT,
                KEY_GROUPS,
                1,
                0);
    }

    @Test
    void closedWindowsStayInMemoryUntilTheCoordinatorHasCommittedThem() throws Exception {
        JobDefinition job = job();
        try (KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner = owner(job)) {
            owner.open();
            send(job, owner, TIME, TIME + MINUTE, TIME + 2 * MINUTE);
            checkpoint(owner, 1);
            assertThat(windows(1)).isEmpty(); // all are open
            boundary(owner, TIME + MINUTE);
            checkpoint(owner, 2);
            assertThat(windows(2)).hasSize(1);
            owner.notifyOfCompletedCheckpoint(2); // Flink tells the owner, and perhaps not the coordinator
            boundary(owner, TIME + 2 * MINUTE);
            checkpoint(owner, 3);
            assertThat(windows(3)).hasSize(2);
            owner.processElement2(new Decision.Committed(2), 0);
            checkpoint(owner, 4);
            assertThat(windows(4)).hasSize(1); // the one that result 2 does not have
            owner.processElement2(new Decision.Committed(4), 0);
            checkpoint(owner, 5);
            assertThat(windows(5)).isEmpty();
        }
    }

    @Test
    void anotherRunWritesTheWindowsOfACheckpointToOtherFiles() throws Exception {
        JobDefinition job = job();
        for (int run = 1; run <= 2; run++) {
            try (KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner = owner(job)) {
                owner.open();
                send(job, owner, TIME);
                boundary(owner, TIME + MINUTE);
                checkpoint(owner, 1);
                assertThat(windows(1)).hasSize(run);
            }
        }
    }

    @Test
    void windowsOfACheckpointThatFailsBeforeItsListCanBeFound() throws Exception {
        JobDefinition job = job();
        try (KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner = owner(job)) {
            owner.open();
            send(job, owner, TIME);
            boundary(owner, TIME + MINUTE);
            Files.createDirectories(folder.resolve(ResultNames.rows(1, 0, 1)).resolveSibling("owner-000-of-001.bin"));
            assertThatThrownBy(() -> checkpoint(owner, 1)).hasStackTraceContaining("owner-000-of-001.bin");
            assertThat(windows(1)).hasSize(1);
        }
        Files.delete(folder.resolve(ResultNames.rows(1, 0, 1)).resolveSibling("owner-000-of-001.bin"));
        ResultFolder results = new ResultFolder(folder.toUri().toString());
        assertThat(new ResultCommitter(results, "job", "definitions", KEY_GROUPS, 1, List.of()).begin())
                .isEmpty();
        assertThat(windows(1)).isEmpty();
    }

    @Test
    void lateUpdatesAreCountedByWindowAlsoAfterARestore() throws Exception {
        JobDefinition job = job();
        OperatorSubtaskState saved;
        try (KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner = owner(job)) {
            owner.open();
            send(job, owner, TIME, TIME + MINUTE);
            boundary(owner, TIME + MINUTE);
            checkpoint(owner, 1); // closes the first window
            send(job, owner, TIME, TIME, TIME - MINUTE, TIME + MINUTE);
            saved = owner.snapshot(2, TIME);
            assertThat(late(2)).isEqualTo(Map.of(1000 * (TIME - MINUTE), 1L, 1000 * TIME, 2L));
        }
        try (KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner = owner(job)) {
            owner.initializeState(saved);
            owner.open();
            send(job, owner, TIME);
            checkpoint(owner, 3);
            assertThat(late(3)).isEqualTo(Map.of(1000 * (TIME - MINUTE), 1L, 1000 * TIME, 3L));
        }
    }

    @Test
    void lateUpdatesAreForgottenWithTheirWindowAndWithTheirSummary() throws Exception {
        JobDefinition job = TestJobs.of(
                EVENTS, DEFINITIONS.replace("close after 10s", "close after 10s keep 5m"), folder, KEY_GROUPS);
        OperatorSubtaskState saved;
        try (KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner = owner(job)) {
            owner.open();
            boundary(owner, TIME + 2 * MINUTE);
            checkpoint(owner, 1);
            send(job, owner, TIME, TIME + MINUTE);
            checkpoint(owner, 2);
            assertThat(late(2)).containsOnlyKeys(1000 * TIME, 1000 * (TIME + MINUTE));
            saved = owner.snapshot(3, TIME + 6 * MINUTE);
            assertThat(late(3)).containsOnlyKeys(1000 * (TIME + MINUTE));
        }
        JobDefinition renamed = TestJobs.of(EVENTS, DEFINITIONS.replace("Minutes", "Others"), folder, KEY_GROUPS);
        try (KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner = owner(renamed)) {
            owner.initializeState(saved);
            owner.open();
            checkpoint(owner, 4);
            assertThat(late(4)).isEmpty();
        }
    }

    private Map<Long, Long> late(long checkpoint) throws IOException {
        return Results.late(folder, checkpoint, "Minutes");
    }

    private static void send(
            JobDefinition job,
            KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner,
            long... times)
            throws Exception {
        JobPlan plan = JobPlan.compile(job.definitions(), job.options(), 1);
        try (GroupUpdates.Packer packer = new GroupUpdates.Packer()) {
            Evaluator evaluator = new Evaluator(
                    plan,
                    plan.options(1),
                    Partitions.of(KEY_GROUPS),
                    SavedIds.none(job.keys().idKey()),
                    (keyGroup, updates) -> process(owner, packer.pack(keyGroup, updates)),
                    RejectSink.NONE);
            MessageBatch batch = new MessageBatch(1024);
            batch.firstStamp((TIME + 10 * MINUTE) * 1000);
            RecordFramer framer = new RecordFramer(job.recordRule());
            for (long time : times) {
                String message = "<13>1 - - - - shop.order - 7," + time;
                framer.take(batch, ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)), null);
            }
            evaluator.process(batch);
            evaluator.flush();
        }
    }

    private static void process(
            KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner, GroupUpdates updates) {
        try {
            owner.processElement1(updates, 0);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void boundary(
            KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner, long before)
            throws Exception {
        owner.processElement2(new Decision.Boundary(0, before * 1000), 0);
    }

    private static void checkpoint(
            KeyedTwoInputStreamOperatorTestHarness<Integer, GroupUpdates, Decision, Void> owner, long number)
            throws Exception {
        var unused = owner.snapshot(number, TIME + number);
    }

    /** The files of closed windows that were written for a checkpoint. */
    private List<Path> windows(long checkpoint) throws IOException {
        Path windows = folder.resolve("windows");
        if (!Files.exists(windows)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(windows)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith("%020d-".formatted(checkpoint)))
                    .toList();
        }
    }
}
