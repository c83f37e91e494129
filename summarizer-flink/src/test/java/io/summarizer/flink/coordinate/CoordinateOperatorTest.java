package io.summarizer.flink.coordinate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultNames;
import io.summarizer.core.window.LateUpdates;
import io.summarizer.flink.job.TestJobs;
import io.summarizer.flink.record.Decision;
import io.summarizer.flink.record.Progress;
import io.summarizer.flink.result.OwnerFiles;
import io.summarizer.flink.result.ResultFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // Flink declares that closing may be interrupted
class CoordinateOperatorTest {
    private static final int KEY_GROUPS = 16;

    private static final String DEFINITIONS = """
            import "events.proto";
            event Order on "shop.order.#" as csv;
            summary Sales { key { int64 customer = 1; } value { count orders = 1; } }
            map Order into Sales { key { customer; } orders += 1; }
            """;

    @TempDir
    Path folder;

    private OneInputStreamOperatorTestHarness<Progress, Decision> coordinator() throws Exception {
        return new OneInputStreamOperatorTestHarness<>(new CoordinateOperator(TestJobs.of(
                "syntax = \"proto3\"; message Order { int64 customer = 1; }", DEFINITIONS, folder, KEY_GROUPS)));
    }

    /** Writes what an owner writes. */
    private void write(long checkpoint) throws IOException {
        ResultFolder results = new ResultFolder(folder.toUri().toString());
        ByteArrayOutputStream ledger = new ByteArrayOutputStream();
        LedgerCounts.NONE.writeTo(ledger);
        results.writeLedger(checkpoint, "own", 0, 1, ledger.toByteArray());
        Manifest.RowFile rows = new Manifest.RowFile(ResultNames.rows(checkpoint, 0, 1), 0, KEY_GROUPS - 1, 0);
        results.writeOwner(checkpoint, 0, 1, new OwnerFiles(rows, List.of(), List.of(), new LateUpdates()));
    }

    @Test
    void ownersAreToldOfACheckpointOnceItsManifestIsWritten() throws Exception {
        try (OneInputStreamOperatorTestHarness<Progress, Decision> coordinator = coordinator()) {
            coordinator.open();
            for (long checkpoint = 1; checkpoint <= 3; checkpoint++) {
                write(checkpoint);
                var unused = coordinator.snapshot(checkpoint, 1_700_000_000_000L + checkpoint);
            }
            assertThat(coordinator.extractOutputValues()).isEmpty();
            coordinator.notifyOfCompletedCheckpoint(2); // it missed 1
            assertThat(folder.resolve(ResultNames.manifest(2))).exists();
            assertThat(coordinator.extractOutputValues()).containsExactly(new Decision.Committed(2));
            coordinator.notifyOfCompletedCheckpoint(2);
            coordinator.notifyOfCompletedCheckpoint(3);
            assertThat(coordinator.extractOutputValues())
                    .containsExactly(new Decision.Committed(2), new Decision.Committed(3));
        }
    }

    @Test
    void ownersAreNotToldOfACheckpointThatCouldNotBeCommitted() throws Exception {
        try (OneInputStreamOperatorTestHarness<Progress, Decision> coordinator = coordinator()) {
            coordinator.open();
            var unused = coordinator.snapshot(1, 1_700_000_000_000L);
            assertThatThrownBy(() -> coordinator.notifyOfCompletedCheckpoint(1))
                    .hasMessageContaining("lacks files of subtasks");
            assertThat(coordinator.extractOutputValues()).isEmpty();
        }
    }
}
