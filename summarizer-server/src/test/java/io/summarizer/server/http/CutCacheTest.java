package io.summarizer.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.store.Cut;
import io.summarizer.server.http.CutCache.Use;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CutCacheTest {
    private static final Duration KEEP = Duration.ofSeconds(60);

    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5); // about to overflow, as it may
    private final AtomicLong ids = new AtomicLong();
    private final Semaphore begun = new Semaphore(0);
    private final Semaphore permitted = new Semaphore(0);

    private final CutCache cuts =
            new CutCache(() -> new Cut(ids.incrementAndGet(), 0, List.of()), KEEP, 3, nanoTime::get);

    private final CutCache slow = new CutCache(
            () -> {
                begun.release();
                permitted.acquire();
                return new Cut(ids.incrementAndGet(), 0, List.of());
            },
            KEEP,
            3);

    @AfterEach
    void close() {
        cuts.close();
        slow.close();
    }

    private static Cut get(CompletableFuture<Cut> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    @Test
    void whoAsksWhileACutIsTakenSharesTheNextOne() throws Exception {
        CompletableFuture<Cut> first = slow.fresh(Use.ROWS);
        begun.acquire(); // the first cut is being taken, and may miss what comes now
        CompletableFuture<Cut> second = slow.fresh(Use.ROWS);
        CompletableFuture<Cut> third = slow.fresh(Use.LIST);
        permitted.release(2);

        assertThat(get(first).id()).isEqualTo(1);
        assertThat(get(second).id()).isEqualTo(2);
        assertThat(get(third)).isSameAs(get(second));
        assertThat(slow.taken()).isEqualTo(2);
    }

    @Test
    void aCutCanBeFoundUntilItsTimeIsOver() throws Exception {
        Cut cut = get(cuts.fresh(Use.ROWS));
        nanoTime.addAndGet(KEEP.toNanos() - 1);
        assertThat(cuts.find(1)).isEqualTo(new CutCache.Lookup.Found(cut));
        nanoTime.addAndGet(1);
        assertThat(cuts.find(1)).isInstanceOf(CutCache.Lookup.Gone.class);
        assertThat(cuts.size()).isZero();
    }

    @Test
    void whatWasNeverTakenIsUnknown() throws Exception {
        assertThat(cuts.find(1)).isInstanceOf(CutCache.Lookup.Unknown.class);
        get(cuts.fresh(Use.ROWS));
        assertThat(cuts.find(0)).isInstanceOf(CutCache.Lookup.Unknown.class);
        assertThat(cuts.find(2)).isInstanceOf(CutCache.Lookup.Unknown.class);
    }

    @Test
    void cutsThatNobodyPulledRowsFromGoFirst() throws Exception {
        get(cuts.fresh(Use.ROWS)); // 1
        get(cuts.fresh(Use.LIST)); // 2
        get(cuts.fresh(Use.LIST)); // 3
        get(cuts.fresh(Use.LIST)); // 4 pushes out 2
        assertThat(cuts.size()).isEqualTo(3);
        assertThat(cuts.find(2)).isInstanceOf(CutCache.Lookup.Gone.class);
        assertThat(cuts.find(3)).isInstanceOf(CutCache.Lookup.Found.class); // which makes it one that is pulled from
        get(cuts.fresh(Use.LIST)); // 5 pushes out 4
        assertThat(cuts.find(4)).isInstanceOf(CutCache.Lookup.Gone.class);
        assertThat(cuts.find(1)).isInstanceOf(CutCache.Lookup.Found.class);
        assertThat(cuts.find(5)).isInstanceOf(CutCache.Lookup.Found.class);
        get(cuts.fresh(Use.ROWS)); // 6: all are pulled from, so the oldest goes
        assertThat(cuts.find(1)).isInstanceOf(CutCache.Lookup.Gone.class);
        assertThat(cuts.find(3)).isInstanceOf(CutCache.Lookup.Found.class);
        assertThat(cuts.size()).isEqualTo(3);
    }

    @Test
    void aCutThatWasOnlyLookedAtIsNotKeptUnlessSomebodySharesItForMore() throws Exception {
        get(cuts.fresh(Use.GLANCE));
        assertThat(cuts.size()).isZero();
        assertThat(cuts.taken()).isEqualTo(1);

        CompletableFuture<Cut> first = slow.fresh(Use.GLANCE);
        begun.acquire();
        CompletableFuture<Cut> shared = slow.fresh(Use.ROWS);
        CompletableFuture<Cut> glance = slow.fresh(Use.GLANCE);
        permitted.release(2);
        get(first);
        long id = get(shared).id();
        assertThat(get(glance).id()).isEqualTo(id);
        assertThat(slow.find(id)).isInstanceOf(CutCache.Lookup.Found.class);
        assertThat(slow.size()).isEqualTo(1);
    }

    @Test
    void aFailureReachesWhoAskedAndNobodyElse() throws Exception {
        AtomicLong calls = new AtomicLong();
        try (CutCache failing = new CutCache(
                () -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("the pipeline is closed");
                    }
                    return new Cut(9, 0, List.of());
                },
                KEEP,
                3)) {
            assertThatThrownBy(() -> get(failing.fresh(Use.ROWS)))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("the pipeline is closed");
            assertThat(get(failing.fresh(Use.ROWS)).id()).isEqualTo(9);
        }
    }

    @Test
    void closingFailsThoseWhoWait() throws Exception {
        CompletableFuture<Cut> first = slow.fresh(Use.ROWS);
        begun.acquire();
        CompletableFuture<Cut> second = slow.fresh(Use.ROWS);
        slow.close();
        assertThatThrownBy(() -> get(first)).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(() -> get(second)).hasMessageContaining("the service is stopping");
        assertThatThrownBy(() -> get(slow.fresh(Use.ROWS))).hasMessageContaining("the service is stopping");
    }
}
