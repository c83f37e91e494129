package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.journal.SimulatedJournals;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages that were in the journal and cannot be read from it any more are in the ledger, once. */
class LostMessagesTest {
    private static final SumPlan PLAN = new SumPlan(1, List.of("A"));
    private static final JournalOptions JOURNAL = new JournalOptions(64 << 10, 512 << 10, Compression.NONE);
    private static final PipelineOptions OPTIONS = PipelineOptions.DEFAULT.withMode(PipelineMode.LOCKED, 1);
    private static final int RECORD = 10;

    private final Random random = new Random(1);
    private final SimulatedDisk disk = new SimulatedDisk(random);

    /**
     * Writes a record of {@value #RECORD} messages for each of these listeners, and damages the bytes of the second
     * one.
     */
    private void journal(boolean header, int... listeners) throws IOException {
        Journal journal = SimulatedJournals.open(disk.folder("journal"), JOURNAL, random::nextInt);
        for (int i = 0; i < listeners.length; i++) {
            MessageBatch batch = new MessageBatch(1024);
            for (int message = 0; message < RECORD; message++) {
                SumPlan.add(batch, "x", i, 1);
            }
            batch.firstStamp(1 + (long) i * RECORD);
            batch.listener(listeners[i]);
            journal.append(batch, TopicRule.MSGID);
            journal.sync();
        }
        journal.close();
        String file = Journal.files(disk.folder("journal")).get(0);
        int at;
        try (JournalReader reader = Journal.inspect(disk.folder("journal"), 0, true)) {
            assertThat(reader.next()).isEqualTo(JournalReader.Entry.MESSAGES);
            assertThat(reader.next()).isEqualTo(JournalReader.Entry.MESSAGES);
            at = (int) (header ? reader.position() : reader.position() + reader.storedBytes() - 8 - RECORD);
        }
        ((SimulatedDisk) disk.folder("journal")).flip(file, at, 1);
    }

    /** Recovers, writes a checkpoint if requested, and ends. */
    private LedgerCounts recover(boolean checkpoint) throws Exception {
        Journal journal = SimulatedJournals.open(disk.folder("journal"), JOURNAL, random::nextInt);
        Checkpoints checkpoints = Checkpoints.open(disk.folder("checkpoints"), 1, note -> {});
        PipelineRecovery recovery = PipelineRecovery.open(
                checkpoints,
                journal,
                name -> PLAN,
                () -> new PipelineRecovery.Beginning("plan", PLAN, PLAN.newSummaries(1_000)),
                OPTIONS,
                RejectSink.NONE,
                1,
                new RecoveryProgress(),
                note -> {});
        try (Pipeline pipeline = recovery.pipeline()) {
            pipeline.ledger().name(1, "relp");
            recovery.replay(null, RangeSource.NONE, recovery.pipeline().plan(), 0);
            if (checkpoint) {
                DurableControls durable =
                        new DurableControls(recovery, checkpoints, journal, null, names -> {}, () -> {}, () -> {});
                assertThat(durable.checkpoint(true)).isPresent();
            }
            LedgerCounts counts = LedgerAssert.assertSettled(pipeline);
            assertThat(pipeline.ledger().lost()).isEqualTo(counts.total().count(Fate.LOST));
            return counts;
        } finally {
            SimulatedJournals.discard(journal);
        }
    }

    private static Account listener(LedgerCounts counts, String name) {
        return counts.listeners().stream()
                .filter(account -> account.name().equals(name))
                .findFirst()
                .orElseGet(() -> LedgerCounts.none(name));
    }

    @Test
    void shouldCountWhatADamagedRecordHadOnceHoweverOftenItIsReadAgain() throws Exception {
        journal(false, 1, 1, 1);
        for (int start = 0; start < 2; start++) {
            assertThat(listener(recover(false), "relp")).hasToString("relp: received=30 applied=20 lost=10");
        }
        assertThat(recover(true).total().count(Fate.LOST)).isEqualTo(RECORD);
        for (int start = 0; start < 2; start++) {
            assertThat(listener(recover(true), "relp")).hasToString("relp: received=30 applied=20 lost=10");
        }
    }

    @Test
    void shouldKnowTheListenerByTheRecordsAroundADamagedHeader() throws Exception {
        journal(true, 1, 1, 1);
        assertThat(listener(recover(false), "relp")).hasToString("relp: received=30 applied=20 lost=10");
    }

    @Test
    void shouldHaveAnAccountForWhatAnyListenerMayHaveTaken() throws Exception {
        journal(true, 1, 1, 2);
        LedgerCounts counts = recover(true);
        assertThat(listener(counts, "relp")).hasToString("relp: received=10 applied=10");
        assertThat(listener(counts, "journal")).hasToString("journal: received=10 lost=10");
        assertThat(listener(recover(true), "journal")).hasToString("journal: received=10 lost=10");
    }
}
