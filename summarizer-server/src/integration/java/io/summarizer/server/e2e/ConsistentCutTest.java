package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pulls while events flow show one state of the stream: rows, nested rows and totals agree. */
@Tag("races")
class ConsistentCutTest {
    private static final int SENDERS = 2;
    private static final int PULLS = 12;
    private static final int CHUNKS_A_PULL = 10;
    private static final int CHUNK_EVENTS = 250;
    private static final int KEYS = 4;
    private static final String SUMMARY = "CampaignDetails";

    @TempDir
    Path folder;

    /** Every v1 event is one update and counts one in exactly one of the three tables. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pipeline.mode=queued",
                "pipeline.mode=inline",
                "pipeline.mode=locked",
                "pipelines.clicks.topics=ad.click.# pipelines.clicks.parse.workers=2",
                "pipeline.batch.messages=16 pipeline.batch.linger=2ms",
            })
    void eachCutIsAWhole(String settings) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
        Semaphore[] chunks = new Semaphore[SENDERS];
        Future<?>[] senders = new Future<?>[SENDERS];
        try (RunningService service = RunningService.withAds(
                folder,
                Stream.concat(
                                Stream.of(
                                        "pipeline.parse.workers=2",
                                        "pipeline.summarize.workers=2",
                                        "pipeline.netty-workers=2"),
                                Stream.of(settings.split(" ")))
                        .toArray(String[]::new))) {
            for (int i = 0; i < SENDERS; i++) {
                long seed = i;
                Semaphore mayGo = new Semaphore(0);
                chunks[i] = mayGo;
                senders[i] = threads.submit(() -> {
                    send(service, seed, mayGo);
                    return null;
                });
            }
            Map<String, Long> before = new HashMap<>();
            long updatesBefore = 0;
            int whileFlowing = 0;
            for (int pull = 0; pull < PULLS; pull++) {
                for (Semaphore mayGo : chunks) {
                    mayGo.release(CHUNKS_A_PULL);
                }
                long updates = pullAndCheck(service, before);
                assertThat(updates).isGreaterThanOrEqualTo(updatesBefore);
                whileFlowing += updates > updatesBefore ? 1 : 0;
                updatesBefore = updates;
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
            assertThat(whileFlowing).as("cuts that were taken in mid-stream").isPositive();

            long events = (long) SENDERS * PULLS * CHUNKS_A_PULL * CHUNK_EVENTS;
            service.awaitReceived(events);
            assertThat(pullAndCheck(service, before)).isEqualTo(events);
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Checks one cut, also against the counts of an earlier one, which it replaces; returns its updates. */
    private static long pullAndCheck(RunningService service, Map<String, Long> before) throws Exception {
        RunningService.Pulled rows = service.pull(SUMMARY, null);
        String cut = rows.cut();
        RunningService.Pulled interactions = service.pull(SUMMARY + "/interactions", cut);
        RunningService.Pulled conversions = service.pull(SUMMARY + "/conversions", cut);
        long updates = service.updates(SUMMARY, cut);
        RunningService.Pulled again = service.pull(SUMMARY, cut);
        assertThat(List.of(interactions.cut(), conversions.cut(), again.cut())).containsOnly(cut);
        assertThat(sorted(again.csv()).equals(sorted(rows.csv())))
                .as("a cut read again is the same")
                .isTrue();

        Set<String> parents = new HashSet<>();
        Map<String, Long> counts = new HashMap<>();
        long sum = add(rows.csv(), KEYS, parents, counts);
        Set<String> interactionParents = new HashSet<>();
        sum += add(interactions.csv(), KEYS + 1, interactionParents, counts);
        Set<String> conversionParents = new HashSet<>();
        sum += add(conversions.csv(), KEYS + 2, conversionParents, counts);
        assertThat(sum).as("counts of all rows of cut " + cut).isEqualTo(updates);
        assertThat(parents.containsAll(interactionParents) && parents.containsAll(conversionParents))
                .as("all parents of nested rows are in the same cut")
                .isTrue();
        List<String> shrunk = before.entrySet().stream()
                .filter(row -> counts.getOrDefault(row.getKey(), 0L) < row.getValue())
                .map(Map.Entry::getKey)
                .toList();
        assertThat(shrunk).as("rows whose counts shrank").isEmpty();
        before.clear();
        before.putAll(counts);
        return updates;
    }

    /** Adds the counts, which follow the keys, by row; returns their sum. */
    private static long add(String csv, int keys, Set<String> parents, Map<String, Long> counts) {
        long[] sum = {0};
        csv.lines().skip(1).forEach(line -> {
            String[] cells = line.split(",", -1);
            parents.add(String.join(",", List.of(cells).subList(0, KEYS)));
            long count = Long.parseLong(cells[keys]);
            String row = keys + ":" + String.join(",", List.of(cells).subList(0, keys));
            if (counts.put(row, count) != null) {
                throw new AssertionError("row " + row + " is there twice");
            }
            sum[0] += count;
        });
        return sum[0];
    }

    private static List<String> sorted(String csv) {
        return csv.lines().sorted().toList();
    }

    private static void send(RunningService service, long seed, Semaphore mayGo)
            throws IOException, InterruptedException {
        AdsWorkload workload = AdsWorkload.v1(seed);
        try (TcpTarget target = TcpTarget.connect(service.syslog())) {
            for (int chunk = 0; chunk < PULLS * CHUNKS_A_PULL; chunk++) {
                mayGo.acquire();
                ByteArrayOutputStream lines = new ByteArrayOutputStream();
                workload.writeTo(lines, (long) chunk * CHUNK_EVENTS, (chunk + 1L) * CHUNK_EVENTS);
                target.send(ByteBuffer.wrap(lines.toByteArray()));
            }
            target.finish();
        }
    }
}
