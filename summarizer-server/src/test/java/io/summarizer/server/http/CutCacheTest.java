package io.summarizer.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.pipeline.ResetRefusedException;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryView;
import io.summarizer.server.http.CutCache.Use;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
        begun.acquire(); // the first cut is in progress, and may miss what follows
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
        nanoTime.addAndGet(KEEP.toNanos() - 1); // since it was read
        assertThat(cuts.size()).isEqualTo(1);
        nanoTime.addAndGet(1);
        assertThat(cuts.find(1)).isInstanceOf(CutCache.Lookup.Gone.class);
        assertThat(cuts.size()).isZero();
    }

    /** A source with nothing newer gives the cut before again, and each hold ends once. */
    @Test
    void aSourceMayGiveTheSameCutAgain() throws Exception {
        CutLease lease = CutLease.unmanaged();
        AtomicBoolean released = new AtomicBoolean();
        lease.whenReleased(() -> released.set(true));
        Cut cut = new Cut(7, 0, List.of(), lease);
        CutSource source = () -> {
            assertThat(cut.acquire()).isTrue();
            return cut;
        };
        try (CutCache same = new CutCache(source, KEEP, 3, nanoTime::get)) {
            for (Use use : List.of(Use.ROWS, Use.LIST, Use.GLANCE, Use.ROWS)) {
                get(same.fresh(use)).release();
            }
            assertThat(same.size()).isEqualTo(1);
            cut.release(); // the source has another cut now
            assertThat(released).isFalse();
            nanoTime.addAndGet(KEEP.toNanos());
            assertThat(same.size()).isZero();
            assertThat(released).isTrue();
        }
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
        assertThat(cuts.find(3)).isInstanceOf(CutCache.Lookup.Found.class); // which counts as a pull from it
        get(cuts.fresh(Use.LIST)); // 5 pushes out 4
        assertThat(cuts.find(4)).isInstanceOf(CutCache.Lookup.Gone.class);
        assertThat(cuts.find(1)).isInstanceOf(CutCache.Lookup.Found.class);
        assertThat(cuts.find(5)).isInstanceOf(CutCache.Lookup.Found.class);
        get(cuts.fresh(Use.ROWS)); // 6: all were pulled from, so the least recently used is evicted
        assertThat(cuts.find(3)).isInstanceOf(CutCache.Lookup.Gone.class);
        assertThat(cuts.find(1)).isInstanceOf(CutCache.Lookup.Found.class);
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
    void aCutHoldsForItsTimeWhileSomebodyPullsEverySecond() throws Exception {
        try (CutCache polled =
                new CutCache(() -> new Cut(ids.incrementAndGet(), 0, List.of()), KEEP, 256, nanoTime::get)) {
            long first = get(polled.fresh(Use.ROWS)).id();
            for (int second = 1; second <= 40; second++) {
                nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
                assertThat(get(polled.fresh(Use.ROWS)).id()).isEqualTo(first + second);
            }
            for (int second = 1; second <= 200; second++) {
                assertThat(polled.find(first)).as("after %s s", second).isInstanceOf(CutCache.Lookup.Found.class);
                nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
                get(polled.fresh(Use.ROWS));
            }
            assertThat(polled.find(first + 1)).isInstanceOf(CutCache.Lookup.Gone.class);
            assertThat(polled.size()).isEqualTo(61); // those of the last 60 s and the first; that of 60 s ago is gone
        }
    }

    @Test
    void theLastCutIsHandedOutAgainWhileNothingIsProcessed() throws Exception {
        AtomicLong processed = new AtomicLong(7);
        try (CutCache reusing = new CutCache(counting(processed), KEEP, 3, nanoTime::get)) {
            Cut first = get(reusing.fresh(Use.LIST));
            nanoTime.addAndGet(KEEP.toNanos() - 1);
            assertThat(get(reusing.fresh(Use.ROWS))).isSameAs(first);
            assertThat(get(reusing.fresh(Use.GLANCE))).isNotSameAs(first); // it is shown with its time
            nanoTime.addAndGet(KEEP.toNanos() - 1); // since it was last handed out
            assertThat(get(reusing.fresh(Use.ROWS))).isSameAs(first);
            assertThat(reusing.taken()).isEqualTo(2);

            processed.incrementAndGet();
            Cut second = get(reusing.fresh(Use.ROWS));
            assertThat(second).isNotSameAs(first);
            assertThat(get(reusing.fresh(Use.LIST))).isSameAs(second);
            nanoTime.addAndGet(KEEP.toNanos());
            assertThat(get(reusing.fresh(Use.LIST))).isNotSameAs(second); // it was released
        }
    }

    @Test
    void whatIsProcessedWhileACutIsTakenMakesTheNextOneNew() throws Exception {
        AtomicLong processed = new AtomicLong();
        CutSource source = counting(processed);
        CutSource busy = new CutSource() {
            @Override
            public Cut cut() throws InterruptedException {
                Cut cut = source.cut();
                processed.incrementAndGet(); // after the cut
                return cut;
            }

            @Override
            public OptionalLong state() {
                return source.state();
            }
        };
        try (CutCache reusing = new CutCache(busy, KEEP, 3, nanoTime::get)) {
            Cut first = get(reusing.fresh(Use.ROWS));
            assertThat(get(reusing.fresh(Use.ROWS))).isNotSameAs(first);
        }
    }

    private CutSource counting(AtomicLong processed) {
        return new CutSource() {
            @Override
            public Cut cut() {
                return new Cut(ids.incrementAndGet(), 0, List.of());
            }

            @Override
            public OptionalLong state() {
                return OptionalLong.of(processed.get());
            }
        };
    }

    @Test
    void aCutStaysWhileItIsReadAndForItsTimeAfterwards() throws Exception {
        Cut cut = get(cuts.fresh(Use.ROWS));
        CutCache.Reading one = cuts.reading(cut);
        CutCache.Reading other = cuts.reading(cut);
        nanoTime.addAndGet(3 * KEEP.toNanos());
        for (int i = 0; i < 5; i++) {
            get(cuts.fresh(Use.ROWS)); // nor do others evict it
        }
        one.close();
        nanoTime.addAndGet(KEEP.toNanos());
        assertThat(cuts.size()).isEqualTo(1);
        other.close();
        nanoTime.addAndGet(KEEP.toNanos() - 1);
        assertThat(cuts.size()).isEqualTo(1);
        nanoTime.addAndGet(1);
        assertThat(cuts.find(cut.id())).isInstanceOf(CutCache.Lookup.Gone.class);
        cuts.reading(cut).close(); // has no effect on it
        assertThat(cuts.size()).isZero();
    }

    @Test
    void aCutIsHeldByTheCacheByWhoAskedAndByReadersAndByNobodyElse() throws Exception {
        CutMemory memory = new CutMemory(1 << 20);
        CutSource source = () -> new Cut(ids.incrementAndGet(), 0, List.of(), memory.lease(CutLease.Kind.READ));
        try (CutCache leased = new CutCache(source, KEEP, 1, nanoTime::get)) {
            get(leased.fresh(Use.GLANCE)).release();
            assertThat(memory.held()).as("a glance is not kept").isZero();

            Cut cut = get(leased.fresh(Use.ROWS));
            cut.release();
            assertThat(memory.held()).as("kept").isEqualTo(1);
            assertThat(leased.find(cut.id())).isEqualTo(new CutCache.Lookup.Found(cut));
            CutCache.Reading reading = leased.reading(cut);
            cut.release();
            Cut other = get(leased.fresh(Use.ROWS)); // keeps only one, but not the one that is being read
            other.release();
            Cut third = get(leased.fresh(Use.ROWS));
            third.release();
            assertThat(memory.held()).as("the last, and the one that is read").isEqualTo(2);
            reading.close();
            reading.close();
            assertThat(memory.held()).isEqualTo(1);
            nanoTime.addAndGet(KEEP.toNanos());
            assertThat(leased.size()).isZero();
            assertThat(memory.held()).isZero();
            get(leased.fresh(Use.ROWS)).release();
        }
        assertThat(memory.held()).as("closed").isZero();
    }

    @Test
    void allWhoShareACutHoldIt() throws Exception {
        CutMemory memory = new CutMemory(1 << 20);
        try (CutCache sharing = new CutCache(
                () -> {
                    begun.release();
                    permitted.acquire();
                    return new Cut(ids.incrementAndGet(), 0, List.of(), memory.lease(CutLease.Kind.READ));
                },
                KEEP,
                3)) {
            CompletableFuture<Cut> first = sharing.fresh(Use.GLANCE);
            begun.acquire();
            CompletableFuture<Cut> second = sharing.fresh(Use.GLANCE);
            CompletableFuture<Cut> third = sharing.fresh(Use.GLANCE);
            permitted.release(2);
            get(first).release();
            get(second).release();
            assertThat(memory.held()).isEqualTo(1);
            assertThat(get(third).acquire()).isTrue();
            get(third).release();
            get(third).release();
            assertThat(memory.held()).isZero();
        }
    }

    /** Makes a source whose resets each return the cut of a summary of this name. */
    private CutSource emptying(CutMemory memory) {
        return new CutSource() {
            @Override
            public Cut cut() {
                return new Cut(ids.incrementAndGet(), 0, List.of(), memory.lease(CutLease.Kind.READ));
            }

            @Override
            public Optional<Cut> reset(String summary) {
                SummaryView view = Cuts.of(0, summary, 1).summaries().get(0);
                return Optional.of(Cut.last(
                        ids.incrementAndGet(),
                        0,
                        List.of(view),
                        memory.lease(CutLease.Kind.LAST),
                        List.of(),
                        List.of()));
            }

            @Override
            public Cut checkpoint() {
                return new Cut(ids.incrementAndGet(), 0, List.of(), memory.lease(CutLease.Kind.CHECKPOINT));
            }
        };
    }

    private static Cut emptied(CutCache cache) throws Exception {
        return cache.reset("Hits").get(30, TimeUnit.SECONDS).orElseThrow();
    }

    @Test
    void theCutOfAResetStaysForItsTimeHoweverManyAreTakenAndReadMeanwhile() throws Exception {
        CutMemory memory = new CutMemory(1 << 20);
        try (CutCache cache = new CutCache(emptying(memory), KEEP, 3, nanoTime::get)) {
            Cut last = emptied(cache);
            last.release();
            for (int i = 0; i < 10; i++) {
                Cut cut = get(cache.fresh(Use.ROWS));
                var unused = cache.reading(cut); // and never closed
                cut.release();
            }
            assertThat(cache.find(last.id())).isEqualTo(new CutCache.Lookup.Found(last));
            last.release();
            nanoTime.addAndGet(KEEP.toNanos());
            assertThat(cache.find(last.id())).isInstanceOf(CutCache.Lookup.Gone.class);
        }
    }

    @Test
    void theCutsOfResetsAreListedWhileTheyAreKept() throws Exception {
        CutMemory memory = new CutMemory(1 << 20);
        try (CutCache cache = new CutCache(emptying(memory), KEEP, 3, nanoTime::get)) {
            assertThat(cache.resets()).isEmpty();
            Cut first = emptied(cache);
            first.release();
            nanoTime.addAndGet(KEEP.toNanos() / 4);
            Cut second = emptied(cache);
            second.release();
            get(cache.fresh(Use.ROWS)).release();
            List<CutCache.Emptied> both = cache.resets();
            assertThat(both)
                    .containsExactly(
                            new CutCache.Emptied(first, KEEP.minus(KEEP.dividedBy(4))),
                            new CutCache.Emptied(second, KEEP));
            nanoTime.addAndGet(KEEP.toNanos() * 3 / 4);
            List<CutCache.Emptied> one = cache.resets();
            assertThat(one).extracting(CutCache.Emptied::cut).containsExactly(second);
            one.forEach(each -> each.cut().release());
            nanoTime.addAndGet(KEEP.toNanos());
            assertThat(cache.resets()).isEmpty();
            assertThat(memory.held()).as("by who listed them").isEqualTo(2);
            both.forEach(each -> each.cut().release());
            assertThat(memory.held()).isZero();
        }
    }

    @Test
    void pullsGoOnWhileAResetWaitsForTheDisk() throws Exception {
        CutSource emptying = emptying(new CutMemory(1 << 20));
        CutSource waiting = new CutSource() {
            @Override
            public Cut cut() throws InterruptedException {
                return emptying.cut();
            }

            @Override
            public Optional<Cut> reset(String summary) throws InterruptedException {
                Optional<Cut> cut = emptying.reset(summary);
                begun.release();
                permitted.acquire();
                return cut;
            }

            @Override
            public Cut checkpoint() throws InterruptedException {
                return emptying.checkpoint();
            }

            @Override
            public OptionalLong state() {
                return OptionalLong.of(0);
            }
        };
        try (CutCache cache = new CutCache(waiting, KEEP, 3, nanoTime::get)) {
            CompletableFuture<Optional<Cut>> reset = cache.reset("Hits");
            begun.acquire();
            Cut during = get(cache.fresh(Use.ROWS));
            assertThat(reset).isNotDone();
            permitted.release();
            Cut last = reset.get(30, TimeUnit.SECONDS).orElseThrow();
            Cut after = get(cache.fresh(Use.ROWS));
            assertThat(after.id()).as("not one from before the reset was done").isGreaterThan(during.id());
            List.of(during, last, after).forEach(Cut::release);
        }
    }

    @Test
    void whenAllThatAreKeptAreCutsOfResetsNothingIsEmptiedAndOthersAreNotKept() throws Exception {
        CutMemory memory = new CutMemory(1 << 20);
        try (CutCache cache = new CutCache(emptying(memory), KEEP, 3, nanoTime::get)) {
            long first = ids.get() + 1;
            for (int i = 0; i < 3; i++) {
                emptied(cache).release();
            }
            assertThatThrownBy(() -> emptied(cache))
                    .hasCauseInstanceOf(ResetRefusedException.class)
                    .hasMessageContaining("the last 3 resets");
            assertThat(ids.get()).as("nothing was emptied").isEqualTo(first + 2);
            Cut pulled = get(cache.fresh(Use.ROWS));
            assertThat(pulled.acquire()).as("who asked holds it").isTrue();
            pulled.release();
            pulled.release();
            assertThat(cache.find(pulled.id())).isInstanceOf(CutCache.Lookup.Gone.class);
            assertThat(memory.held()).isEqualTo(3);
            for (long id = first; id < first + 3; id++) {
                assertThat(cache.find(id)).isInstanceOf(CutCache.Lookup.Found.class);
            }
            nanoTime.addAndGet(KEEP.toNanos());
            emptied(cache).release();
        }
    }

    @Test
    void aCheckpointIsHeldByWhoAskedAloneAndItsIdIsKnown() throws Exception {
        CutMemory memory = new CutMemory(1 << 20);
        try (CutCache cache = new CutCache(emptying(memory), KEEP, 3, nanoTime::get)) {
            Cut cut = cache.checkpoint();
            assertThat(cache.size()).isZero();
            assertThat(cache.taken()).isEqualTo(1);
            assertThat(memory.held()).isEqualTo(1);
            assertThat(cache.find(cut.id())).isInstanceOf(CutCache.Lookup.Gone.class);
            cut.release();
            assertThat(memory.held()).isZero();
        }
    }

    @Test
    void aRevokedCutIsRememberedAsSuchAndNotHandedOutAgain() throws Exception {
        CutMemory memory = new CutMemory(1);
        AtomicLong processed = new AtomicLong();
        CutSource source = new CutSource() {
            @Override
            public Cut cut() {
                return new Cut(ids.incrementAndGet(), 0, List.of(), memory.lease(CutLease.Kind.READ));
            }

            @Override
            public OptionalLong state() {
                return OptionalLong.of(processed.get());
            }
        };
        try (CutCache revoking = new CutCache(source, KEEP, 3, nanoTime::get)) {
            Cut cut = get(revoking.fresh(Use.ROWS));
            ChunkedBytes table = new ChunkedBytes();
            table.append();
            table.freeze(memory.lease(CutLease.Kind.READ));
            table.writable(0)[0] = 1;
            assertThat(cut.isRevoked()).isTrue();
            cut.release();
            assertThat(revoking.find(cut.id())).isInstanceOf(CutCache.Lookup.Revoked.class);
            assertThat(revoking.size()).isZero();
            assertThat(get(revoking.fresh(Use.ROWS)))
                    .as("nothing was processed since")
                    .isNotSameAs(cut);
            nanoTime.addAndGet(KEEP.toNanos());
            assertThat(revoking.find(cut.id())).isInstanceOf(CutCache.Lookup.Gone.class);
        }
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
