package io.summarizer.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.receive.ArrivalClock;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@Tag("races")
class JournalWriterTest {
    private static final int SEGMENT = 16 * 1024;
    private static final JournalOptions OPTIONS = new JournalOptions(SEGMENT, 8 * SEGMENT, Compression.NONE);

    @TempDir
    private Path folder;

    private FlakyDisk disk = new FlakyDisk(new FileDisk(Path.of("")));
    private @Nullable Journal journal;
    private @Nullable JournalWriter writer;

    /** The batches of the target, in order. */
    private final List<String> taken = new CopyOnWriteArrayList<>();

    private final List<Long> stamps = new CopyOnWriteArrayList<>();
    private final AtomicInteger checkpointsWanted = new AtomicInteger();
    /** Permits for the target. */
    private final Semaphore room = new Semaphore(1_000_000);

    @BeforeEach
    void open() throws IOException {
        disk = new FlakyDisk(new FileDisk(folder.resolve("journal")));
        Journal journal = Journal.open(disk, OPTIONS, note -> {});
        this.journal = journal;
        writer = start(journal, 2);
    }

    private JournalWriter start(Journal journal, long gatherMillis) {
        return JournalWriter.start(
                journal,
                new ArrivalClock(0, 0),
                listener -> TopicRule.MSGID,
                this::take,
                checkpointsWanted::incrementAndGet,
                16,
                Long.MAX_VALUE,
                TimeUnit.MILLISECONDS.toNanos(5),
                TimeUnit.MILLISECONDS.toNanos(gatherMillis));
    }

    @AfterEach
    void close() throws IOException {
        room.release(1_000_000);
        writer().close();
        try {
            journal().close();
        } catch (IOException e) {
            // when the disk was left failing
        }
    }

    private Journal journal() {
        Journal journal = this.journal;
        if (journal == null) {
            throw new AssertionError();
        }
        return journal;
    }

    private JournalWriter writer() {
        JournalWriter writer = this.writer;
        if (writer == null) {
            throw new AssertionError();
        }
        return writer;
    }

    private void take(MessageBatch batch, Runnable whileWaiting) throws InterruptedException {
        while (!room.tryAcquire(1, TimeUnit.MILLISECONDS)) {
            whileWaiting.run();
        }
        assertThat(journal().syncedSequence()).isGreaterThanOrEqualTo(batch.endSequence());
        taken.addAll(Messages.of(batch));
        stamps.add(batch.firstStamp());
    }

    private static MessageBatch batch(String... messages) {
        MessageBatch batch = Messages.batch(messages);
        batch.firstStamp(0);
        return batch;
    }

    /** Counts the notifications that a batch is durable. */
    private static final class Durables implements Receipt {
        final AtomicInteger durable = new AtomicInteger();

        @Override
        public void durable() {
            durable.incrementAndGet();
        }

        @Override
        public void applied() {
            throw new AssertionError("the journal applies nothing");
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void offer(MessageBatch batch) throws InterruptedException {
        await(() -> writer().offer(batch));
    }

    private List<String> journalled() throws IOException {
        List<String> messages = new ArrayList<>();
        MessageBatch batch = new MessageBatch(1024);
        try (JournalReader reader = Journal.inspect(new FileDisk(folder.resolve("journal")), 0, true)) {
            while (reader.next() != JournalReader.Entry.END) {
                reader.fill(batch);
                messages.addAll(Messages.of(batch));
            }
        }
        return messages;
    }

    /** The time for which batches are gathered is longer here than the test may take. */
    @Test
    void gathersBatchesForWhichNobodyWaits() throws InterruptedException {
        writer().close();
        writer = start(journal(), TimeUnit.HOURS.toMillis(1));
        long before = journal().counters().syncs.sum();
        int batches = writer().capacity(); // while the thread gathers, the queue may take no more
        for (int i = 0; i < batches; i++) {
            offer(batch("m" + i));
            TimeUnit.MILLISECONDS.sleep(1); // so that the thread could sync each of them
        }
        writer().close();
        assertThat(taken).hasSize(batches);
        assertThat(batches).isGreaterThan(8);
        assertThat(journal().counters().syncs.sum() - before).isLessThanOrEqualTo(3);
    }

    /** The time for which batches are gathered is longer here than the test may take. */
    @Test
    void doesNotGatherWhenSomebodyWaits() throws Exception {
        writer().close();
        writer = start(journal(), TimeUnit.HOURS.toMillis(1));
        Durables durables = new Durables();
        for (int i = 0; i < 8; i++) {
            offer(batch("gathers"));
            if (i % 2 == 0) {
                TimeUnit.MILLISECONDS.sleep(i); // so that the thread gathers, or not yet
            }
            MessageBatch batch = batch("m" + i);
            batch.receipt(durables);
            offer(batch);
            int expected = i + 1;
            await(() -> durables.durable.get() == expected);
        }
        offer(batch("gathers"));
        assertThat(writer().append(new Control(Control.Kind.RESET, "x", List.of(1L))))
                .isZero();
        writer().close(); // must not gather either
        assertThat(taken).hasSize(17);
    }

    @Test
    void tellsReceiptsAndHandsOverInTheOrderOfTheJournal() throws Exception {
        Durables receipt = new Durables();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            MessageBatch batch = batch("a" + i, "b" + i);
            batch.receipt(receipt);
            offer(batch);
            all.add("a" + i);
            all.add("b" + i);
        }
        writer().drain();
        assertThat(taken).isEqualTo(all);
        assertThat(receipt.durable).hasValue(100);
        assertThat(stamps).isSorted().doesNotContain(0L);
        assertThat(writer().handedOver()).isEqualTo(200);
        assertThat(writer().state()).isEqualTo(JournalWriter.State.RUNNING);
        assertThat(journalled()).isEqualTo(all);
    }

    @Test
    void keepsTheStampsThatABatchHas() throws Exception {
        MessageBatch batch = batch("a");
        batch.firstStamp(42);
        offer(batch);
        writer().drain();
        assertThat(stamps).containsExactly(42L);
    }

    @Test
    void refusesBatchesWhileTheTargetHasNoRoomAndSaysWhenItHas() throws Exception {
        room.drainPermits();
        int accepted = 0;
        while (writer().offer(batch("m" + accepted)) || writer().queued() < writer().capacity()) {
            accepted++;
            assertThat(accepted).isLessThan(1_000);
            TimeUnit.MILLISECONDS.sleep(1);
        }
        CountDownLatch resumed = new CountDownLatch(1);
        writer().onRoom(resumed::countDown);
        assertThat(resumed.getCount()).isEqualTo(1);
        room.release(1_000);
        resumed.await();
        assertThat(writer().offer(batch("last"))).isTrue();
        writer().drain();
        assertThat(taken).endsWith("last");
    }

    @Test
    void appendsControlsAlsoWhileTheTargetHasNoRoom() throws Exception {
        room.drainPermits();
        offer(batch("a"));
        await(() -> journal().syncedSequence() == 1);
        Control control = new Control(Control.Kind.RESET, "x", List.of(1L));
        assertThat(writer().append(control)).isEqualTo(0);
        assertThat(writer().append(control)).isEqualTo(1);
        assertThat(journal().syncedControls()).isEqualTo(2);
        room.release(10);
        offer(batch("b"));
        writer().drain();
        assertThat(writer().append(control)).isEqualTo(2);
    }

    @Test
    void asksForACheckpointAndWaitsForItWhenTheJournalIsFull() throws Exception {
        String large = "x".repeat(2_000);
        Durables receipt = new Durables();
        int offered = 0;
        while (writer().state() != JournalWriter.State.FULL) {
            MessageBatch batch = batch(large + offered);
            batch.receipt(receipt);
            if (writer().offer(batch)) {
                offered++;
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        await(() -> checkpointsWanted.get() >= 2); // when it was half full, and now
        assertThat(journal().bytes()).isLessThanOrEqualTo(OPTIONS.maxBytes());
        assertThat(receipt.durable.get()).isLessThan(offered);
        assertThat(writer().trouble()).contains("full");
        int acknowledged = receipt.durable.get();
        TimeUnit.MILLISECONDS.sleep(20);
        assertThat(receipt.durable).hasValue(acknowledged);
        Thread releaser = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                journal().release(writer().handedOver(), 0);
                try {
                    TimeUnit.MILLISECONDS.sleep(1);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        releaser.start();
        writer().drain();
        releaser.interrupt();
        releaser.join();
        assertThat(receipt.durable).hasValue(offered);
        assertThat(taken).hasSize(offered);
        assertThat(writer().state()).isEqualTo(JournalWriter.State.RUNNING);
        assertThat(writer().trouble()).isEmpty();
    }

    @Test
    void asksForAnotherCheckpointWheneverAnEighthMoreIsTaken() throws Exception {
        String large = "x".repeat(2_000);
        while (journal().liveBytes() < 4 * SEGMENT) {
            offer(batch(large));
            writer().drain();
        }
        offer(batch("half full"));
        writer().drain();
        assertThat(checkpointsWanted).hasValue(1);
        for (int segments = 5; segments < 8; segments++) {
            while (journal().liveBytes() < (long) segments * SEGMENT) {
                offer(batch(large));
                writer().drain();
            }
            offer(batch("an eighth more"));
            writer().drain();
            assertThat(checkpointsWanted).hasValue(segments - 3);
        }
        assertThat(writer().state()).isEqualTo(JournalWriter.State.RUNNING);
        journal().release(writer().handedOver(), 0);
        offer(batch("empty"));
        writer().drain();
        assertThat(checkpointsWanted).hasValue(4);
    }

    @Test
    void acknowledgesNothingWhileForcesFailAndAllOfItOnceAfterwards() throws Exception {
        offer(batch("a"));
        writer().drain();
        disk.failForces("Input/output error");
        Durables receipt = new Durables();
        for (String text : List.of("b", "c", "d")) {
            MessageBatch batch = batch(text);
            batch.receipt(receipt);
            offer(batch);
        }
        await(() -> writer().state() == JournalWriter.State.FAILING);
        assertThat(writer().trouble()).isEqualTo("the journal cannot be written: Input/output error");
        assertThatThrownBy(() -> writer().append(new Control(Control.Kind.RESET, "x", List.of())))
                .isInstanceOf(IOException.class)
                .hasMessage("the journal cannot be written: Input/output error");
        TimeUnit.MILLISECONDS.sleep(30);
        assertThat(receipt.durable).hasValue(0);
        assertThat(taken).containsExactly("a");
        disk.failForces(null);
        writer().drain();
        assertThat(receipt.durable).hasValue(3);
        assertThat(taken).containsExactly("a", "b", "c", "d");
        assertThat(writer().state()).isEqualTo(JournalWriter.State.RUNNING);
        assertThat(journalled()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void leavesNothingOfARefusedControlToTheNextProcess() throws Exception {
        Control control = new Control(Control.Kind.RESET, "x", List.of(1L));
        offer(batch("a"));
        assertThat(writer().append(control)).isEqualTo(0);
        await(() -> journal().bytes() == 2 * SEGMENT); // the next one is prepared, so only the control's force can fail
        disk.failForces("Input/output error");
        CompletableFuture<Throwable> refused = CompletableFuture.supplyAsync(() -> {
            try {
                return new AssertionError("control " + writer().append(control));
            } catch (IOException | InterruptedException e) {
                return e;
            }
        });
        // Not the count of failures: the force of the prepared segment may fail, too.
        await(() -> refused.isDone() || writer().state() == JournalWriter.State.FAILING);
        disk.failForces(null);
        assertThat(refused.get())
                .isInstanceOf(IOException.class)
                .hasMessage("the journal cannot be written: Input/output error");
        writer().close();
        journal().close();
        try (Journal next = Journal.open(disk, OPTIONS, note -> {})) {
            assertThat(next.endControl()).isEqualTo(1);
            assertThat(next.controls(0)).hasSize(1);
            assertThat(next.endSequence()).isEqualTo(1);
        }
    }

    @Test
    void doesNotSayThatAControlIsMissingBeforeThatIsCertain() throws Exception {
        Control control = new Control(Control.Kind.RESET, "x", List.of());
        assertThat(writer().append(control)).isEqualTo(0);
        await(() -> journal().bytes() == 2 * SEGMENT); // the next one is prepared, and would be enough
        disk.failForces("Input/output error");
        disk.failSyncs("Input/output error");
        CompletableFuture<JournalWriter.State> told = CompletableFuture.supplyAsync(() -> {
            try {
                throw new AssertionError("control " + writer().append(control));
            } catch (IOException | InterruptedException e) {
                return writer().state();
            }
        });
        await(() -> writer().state() == JournalWriter.State.FAILING);
        long bytes = journal().liveBytes();
        TimeUnit.MILLISECONDS.sleep(30);
        assertThat(told).isNotDone();
        assertThat(journal().liveBytes()).isEqualTo(bytes); // a retry takes no room
        writer().close();
        assertThat(told.get()).isEqualTo(JournalWriter.State.CLOSED);
    }

    @Test
    void answersWhoWaitsForAControlWhenItDies() throws Exception {
        disk.breakForces(true);
        assertThatThrownBy(() -> writer().append(new Control(Control.Kind.RESET, "x", List.of())))
                .isInstanceOf(IOException.class);
        assertThat(writer().state()).isEqualTo(JournalWriter.State.DEAD);
        assertThat(writer().failure().get()).hasMessage("broken");
        disk.breakForces(false);
    }

    @Test
    void goesOnWhenADiskThatWasFullHasRoom() throws Exception {
        disk.failCreates("No space left on device");
        disk.failWrites("No space left on device");
        Durables receipt = new Durables();
        MessageBatch batch = batch("a");
        batch.receipt(receipt);
        offer(batch);
        await(() -> writer().state() == JournalWriter.State.FAILING);
        assertThat(writer().trouble()).isEqualTo("the journal cannot be written: No space left on device");
        assertThat(receipt.durable).hasValue(0);
        disk.failCreates(null);
        disk.failWrites(null);
        writer().drain();
        assertThat(receipt.durable).hasValue(1);
        assertThat(taken).containsExactly("a");
    }

    @Test
    void givesUpWhatCannotBeWrittenWhenItIsClosed() throws Exception {
        disk.failForces("Input/output error");
        Durables receipt = new Durables();
        MessageBatch batch = batch("a", "b");
        batch.receipt(receipt);
        offer(batch);
        await(() -> writer().state() == JournalWriter.State.FAILING);
        writer().close();
        assertThat(receipt.durable).hasValue(0);
        assertThat(taken).isEmpty();
        assertThat(writer().abandoned()).isEqualTo(2);
        assertThat(writer().state()).isEqualTo(JournalWriter.State.CLOSED);
        assertThat(writer().offer(batch("c"))).isFalse();
        assertThatThrownBy(() -> writer().append(new Control(Control.Kind.RESET, "x", List.of())))
                .hasMessageContaining("closed");
    }

    @Test
    void journalsWhatWaitsBeforeItIsClosed() throws Exception {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            offer(batch("m" + i));
            all.add("m" + i);
        }
        writer().close();
        assertThat(taken).isEqualTo(all);
        assertThat(journalled()).isEqualTo(all);
    }

    @Test
    void diesLoudlyWhenTheTargetDoes() throws Exception {
        AtomicBoolean tried = new AtomicBoolean();
        writer().close();
        JournalWriter failing = JournalWriter.start(
                journal(),
                new ArrivalClock(0, 0),
                listener -> TopicRule.MSGID,
                (batch, whileWaiting) -> {
                    tried.set(true);
                    throw new IllegalStateException("the pipeline has failed");
                },
                () -> {},
                16,
                Long.MAX_VALUE);
        assertThat(failing.offer(batch("a"))).isTrue();
        assertThat(failing.failure().get()).hasMessage("the pipeline has failed");
        assertThat(tried).isTrue();
        assertThat(failing.state()).isEqualTo(JournalWriter.State.DEAD);
        assertThat(failing.offer(batch("b"))).isFalse();
        failing.onRoom(() -> {
            throw new AssertionError("there is no room, and never will be");
        });
        failing.drain();
        failing.close();
    }

    /**
     * Many connections, a disk that fails at times, occasional checkpoints: each message once, in the order of its
     * sender.
     */
    @Test
    void losesAndRepeatsNothingUnderTrouble() throws Exception {
        int senders = 4;
        int batches = 300;
        Durables receipt = new Durables();
        AtomicBoolean done = new AtomicBoolean();
        Thread trouble = new Thread(() -> {
            Random random = new Random(1);
            while (!done.get()) {
                disk.failForces(random.nextInt(4) == 0 ? "Input/output error" : null);
                disk.failWrites(random.nextInt(8) == 0 ? "Input/output error" : null);
                journal().release(writer().handedOver(), 0);
                try {
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(4));
                } catch (InterruptedException e) {
                    return;
                }
            }
            disk.failForces(null);
            disk.failWrites(null);
        });
        trouble.start();
        List<Thread> threads = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            String prefix = "s" + sender + ".";
            threads.add(new Thread(() -> {
                try {
                    for (int i = 0; i < batches; i++) {
                        MessageBatch batch = batch(prefix + i);
                        batch.receipt(receipt);
                        offer(batch);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        done.set(true);
        trouble.join();
        Thread releaser = new Thread(() -> {
            while (writer().handedOver() < (long) senders * batches) {
                journal().release(writer().handedOver(), 0);
                Thread.onSpinWait();
            }
        });
        releaser.start();
        writer().drain();
        releaser.join();
        assertThat(receipt.durable).hasValue(senders * batches);
        assertThat(taken).hasSize(senders * batches).doesNotHaveDuplicates();
        for (int sender = 0; sender < senders; sender++) {
            String prefix = "s" + sender + ".";
            List<String> own =
                    taken.stream().filter(text -> text.startsWith(prefix)).toList();
            for (int i = 0; i < batches; i++) {
                assertThat(own.get(i)).isEqualTo(prefix + i);
            }
        }
    }
}
