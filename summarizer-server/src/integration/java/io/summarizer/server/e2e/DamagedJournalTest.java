package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.TopicRule;
import java.io.RandomAccessFile;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service with a damaged journal starts, and reports the missing messages, also after the next start. */
class DamagedJournalTest {
    private static final String EVENT = "<134>1 2026-11-20T00:00:00Z h a - ad.impression - 0,1,2,3,4,5,0.5,0.25";
    private static final int RELP = 1;

    @TempDir
    Path folder;

    /** Makes three records of ten messages, and flips a bit in the second. */
    private void damagedJournal(Path path) throws Exception {
        Files.createDirectories(path);
        FileDisk disk = new FileDisk(path);
        try (Journal journal = Journal.open(disk, new JournalOptions(1 << 20, 8 << 20, Compression.NONE), note -> {})) {
            for (int record = 0; record < 3; record++) {
                MessageBatch batch = new MessageBatch(4096);
                byte[] text = EVENT.getBytes(UTF_8);
                for (int i = 0; i < 10; i++) {
                    int offset = batch.limit();
                    batch.ensureCapacity(offset + text.length);
                    System.arraycopy(text, 0, batch.bytes(), offset, text.length);
                    batch.limit(offset + text.length);
                    int unused = batch.append(offset, text.length);
                }
                batch.firstStamp(1 + record * 10L);
                batch.listener(RELP);
                journal.append(batch, TopicRule.MSGID);
                journal.sync();
            }
        }
        long at;
        try (JournalReader reader = Journal.inspect(disk, 0, true)) {
            reader.next();
            reader.next();
            at = reader.position() + reader.storedBytes() / 2;
        }
        try (RandomAccessFile file =
                new RandomAccessFile(path.resolve(Journal.files(disk).get(0)).toFile(), "rw")) {
            file.seek(at);
            int was = file.read();
            file.seek(at);
            file.write(was ^ 1);
        }
    }

    @Test
    void saysHowManyMessagesAreLostAndWhereTheCopiesAre() throws Exception {
        Path data = folder.resolve("data");
        damagedJournal(data.resolve("journal"));
        for (int start = 0; start < 2; start++) {
            try (RunningService service = RunningService.withAds(data)) {
                HttpResponse<String> ready = service.get("/readyz");
                assertThat(ready.statusCode()).isEqualTo(200);
                assertThat(ready.body())
                        .startsWith("ready\n10 messages are lost with damaged parts of the journal")
                        .contains(data.resolve("journal/quarantine").toString());
                assertThat(service.metric("summarizer_journal_lost_total")).isEqualTo(10);
                assertThat(service.metric("summarizer_ledger_listener{listener=\"relp\",fate=\"lost\"}"))
                        .isEqualTo(10);
                assertThat(service.metric("summarizer_ledger_listener{listener=\"relp\",fate=\"received\"}"))
                        .isEqualTo(30);
            }
        }
        try (var copies = Files.list(data.resolve("journal/quarantine"))) {
            assertThat(copies).isNotEmpty();
        }
    }
}
