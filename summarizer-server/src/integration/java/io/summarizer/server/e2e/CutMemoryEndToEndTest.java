package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.Cut;
import io.summarizer.server.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of cuts beyond the present rows, as shown by {@code cuts.memory}. */
class CutMemoryEndToEndTest {
    private static final String HELD = "summarizer_cut_memory_bytes";
    private static final String UPDATES = "summarizer_updates_total{summary=\"Hits\"}";
    private static final int PAGES = 1_000;
    /** The bytes of the keys and counts of all rows. */
    private static final long ALL_ROWS = PAGES * 2L * Long.BYTES;

    @TempDir
    private Path folder;

    private RunningService start() throws Exception {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.proto"), "syntax = \"proto3\"; message Hit { int64 page = 1; }");
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Hit on "hit" as csv;
                summary Hits { key { int64 page = 1; } value { count hits = 1; } }
                map Hit into Hits { key { page; } hits += 1; }
                """);
        return RunningService.start(definitions, folder.resolve("data"));
    }

    /** Sends one message for each page; returns when they are in the rows. */
    private static void hitAllPages(RunningService service) throws Exception {
        long before = updates(service);
        StringBuilder lines = new StringBuilder();
        for (int page = 0; page < PAGES; page++) {
            lines.append("<134>1 2026-11-20T00:00:00Z h a - hit - ")
                    .append(page)
                    .append('\n');
        }
        service.send(lines.toString().getBytes(UTF_8));
        Await.until(() -> "not all applied", () -> updates(service) == before + PAGES);
        service.cut().release(); // workers count before owners apply; a cut is taken after both
    }

    private static long updates(RunningService service) {
        return metric(service, UPDATES);
    }

    private static long held(RunningService service) {
        return metric(service, HELD);
    }

    /** Reading metrics takes no cut, which would use memory itself. */
    private static long metric(RunningService service, String name) {
        try {
            return service.metric(name);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldRiseWhenRowsChangeUnderACutAndFallToNothingWithTheCut() throws Exception {
        try (RunningService service = start()) {
            hitAllPages(service);
            hitAllPages(service);
            assertThat(held(service))
                    .as("rows change, and nobody looks at them")
                    .isZero();
            Cut cut = service.cut();
            assertThat(held(service)).as("a cut of rows that do not change").isZero();
            hitAllPages(service);
            long once = held(service);
            assertThat(once).as("each row as it was at the cut").isGreaterThanOrEqualTo(ALL_ROWS);
            hitAllPages(service);
            assertThat(held(service)).as("what was copied is not copied again").isEqualTo(once);
            cut.release();
            assertThat(held(service)).isZero();
        }
    }

    @Test
    void shouldHoldTheRowsOfACutThatWasPulledWhileItCanBePulledAgain() throws Exception {
        try (RunningService service = start()) {
            hitAllPages(service);
            RunningService.Pulled pulled = service.pull("Hits", null);
            hitAllPages(service);
            assertThat(held(service)).isGreaterThanOrEqualTo(ALL_ROWS);
            assertThat(service.pull("Hits", pulled.cut()).csv()).isEqualTo(pulled.csv());
        }
    }
}
