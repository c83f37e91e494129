package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.sweep.GcLog.Pauses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcLogTest {
    @TempDir
    Path folder;

    @Test
    void countsPausesOfEveryCollectorAndNothingElse() {
        assertThat(GcLog.pauses("""
                [0.010s][info][gc] Using G1
                [1.234s][info][gc] GC(5) Pause Young (Normal) (G1 Evacuation Pause) 24M->20M(12056M) 3.500ms
                [1.300s][info][gc] GC(6) Concurrent Mark Cycle
                [1.310s][info][gc,phases] GC(6)   Pre Evacuate Collection Set: 0.12ms
                [1.320s][info][gc] GC(6) Pause Remark 26M->26M(12056M) 1.250ms
                [1.350s][info][gc] GC(6) Concurrent Mark Cycle 50.123ms
                [2.000s][info][gc,phases] GC(7) y: Pause Mark Start 0.250ms
                [2.001s][info][gc] GC(7) Minor Collection (Allocation Rate) 1024M(9%)->312M(3%) 0.020s
                [2.100s][info][gc] GC(8) Pause Full (G1 Compaction Pause) 24M->20M(100M) 10.000ms
                [2.200s][info][gc] GC(9) Pause Full (System.gc()) 24M->20M(100M) 11.000ms
                """)).isEqualTo(new Pauses(4, 15, 10));
    }

    @Test
    void readsFromWhereItWas() throws IOException {
        Path file = folder.resolve("gc.log");
        GcLog log = new GcLog(file);
        assertThat(log.position()).isZero();
        assertThat(log.since(0)).isEqualTo(new Pauses(0, 0, 0));
        Files.writeString(file, "GC(0) Pause Young (Normal) 1M->1M(2M) 7.0ms\n");
        long position = log.position();
        Files.writeString(file, Files.readString(file) + "GC(1) Pause Young (Normal) 1M->1M(2M) 2.0ms\n");
        assertThat(log.since(position)).isEqualTo(new Pauses(1, 2, 2));
    }
}
