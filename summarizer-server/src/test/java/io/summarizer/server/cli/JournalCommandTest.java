package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read a journal. */
class JournalCommandTest {
    @TempDir
    private Path data;

    @BeforeEach
    void write() throws IOException {
        try (Journal journal = Journal.open(
                new FileDisk(data.resolve("journal")),
                new JournalOptions(64 * 1024, 1 << 20, Compression.ZSTD),
                note -> {})) {
            journal.append(batch("one", "two"), TopicRule.MSGID);
            MessageBatch rejected = batch("three");
            rejected.reject(0, RejectReason.OVERSIZE);
            rejected.firstStamp(2_000_000);
            rejected.listener(1);
            journal.append(rejected, TopicRule.MSGID);
            journal.appendControl(new Control(Control.Kind.RESET, "S", List.of(3L)));
            journal.append(batch("four"), TopicRule.MSGID);
        }
    }

    private static MessageBatch batch(String... messages) {
        MessageBatch batch = new MessageBatch(100);
        for (String message : messages) {
            byte[] bytes = message.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, batch.bytes(), batch.limit(), bytes.length);
            batch.append(batch.limit(), bytes.length);
            batch.limit(batch.limit() + bytes.length);
        }
        batch.firstStamp(1_000_000);
        return batch;
    }

    private Path segment() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("journal"))) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void listsSegments() {
        Commands.Outcome outcome = Commands.run("journal", "ls", data.toString());
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .startsWith(
                        "0000000000000000000.0000000000.0000000001.journal: messages 0 to 3, from 1970-01-01T00:00:01.000000Z on; "
                                + "4 messages in 3 records, ")
                .endsWith(" times larger, 1 control\n");
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void writesMessagesOut() {
        assertThat(Commands.run("journal", "cat", data.toString()).out()).isEqualTo("one\ntwo\nthree\nfour\n");
        assertThat(Commands.run("journal", "cat", data.toString(), "--framing", "octet")
                        .out())
                .isEqualTo("3 one3 two5 three4 four");
        assertThat(Commands.run("journal", "cat", data.toString(), "--from", "1", "--to", "3", "--sequences")
                        .out())
                .isEqualTo("1\t1000001\t0\t-\ttwo\n2\t2000000\t1\toversize\tthree\n");
    }

    @Test
    void verifiesAndSaysWhatIsMissing() throws IOException {
        Commands.Outcome sound = Commands.run("journal", "verify", data.toString());
        assertThat(sound.exit()).isZero();
        assertThat(sound.out()).startsWith("messages 0 to 3");
        byte[] bytes = Files.readAllBytes(segment());
        bytes[4096 + 64] ^= 1;
        Files.write(segment(), bytes);
        Commands.Outcome damaged = Commands.run("journal", "verify", data.toString());
        assertThat(damaged.exit()).isEqualTo(1);
        assertThat(damaged.err())
                .contains("cannot be read at byte 4,096", "2 messages are missing, sequences 0 to 1")
                .contains("summarizer: the journal cannot be read at 1 place; 2 messages of it are missing");
        assertThat(Commands.run("journal", "cat", data.toString()).out()).isEqualTo("three\nfour\n");
        assertThat(Files.exists(data.resolve("journal/quarantine"))).isFalse();
    }

    @Test
    void saysThatThereIsNoJournal() {
        Commands.Outcome outcome =
                Commands.run("journal", "ls", data.resolve("other").toString());
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err()).contains("there is no journal: ");
    }

    @Test
    void wantsToKnowWhatToDo() {
        Commands.Outcome outcome = Commands.run("journal");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("subcommand");
    }
}
