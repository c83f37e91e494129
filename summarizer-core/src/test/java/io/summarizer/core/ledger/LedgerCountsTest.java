package io.summarizer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.Cut;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerCountsTest {
    private static Account account(String name, Random random) {
        long[] fates = random.longs(Fate.all().size(), 0, 1000).toArray();
        return new Account(name, Arrays.stream(fates).sum() + random.nextInt(10), fates);
    }

    private static LedgerCounts random(Random random) {
        List<Account> listeners = IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> account("listener" + i, random))
                .toList();
        List<Account> events = IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> account("Event" + i, random))
                .toList();
        List<LedgerCounts.OfMapping> mappings = IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> new LedgerCounts.OfMapping(
                        "Event", "Summary" + i % 2, account("mapping" + i, random), account("mapping" + i, random)))
                .toList();
        return new LedgerCounts(listeners, events, mappings, account("former", random));
    }

    private static byte[] bytes(LedgerCounts counts) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        counts.writeTo(out);
        return out.toByteArray();
    }

    @Test
    void shouldReadWhatItWrote() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            LedgerCounts counts = random(random);
            assertThat(LedgerCounts.read(bytes(counts))).as("seed %d", seed).isEqualTo(counts);
        }
    }

    @Test
    void shouldAddUpAccountsOfTheSameName() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            LedgerCounts one = random(random);
            LedgerCounts two = random(random);
            LedgerCounts sum = one.plus(two);
            assertThat(sum.total()).as("seed %d", seed).isEqualTo(one.total().plus(two.total()));
            assertThat(sum.former()).isEqualTo(one.former().plus(two.former()));
            assertThat(sum.listeners())
                    .hasSize(Math.max(one.listeners().size(), two.listeners().size()));
            for (String summary : List.of("Summary0", "Summary1")) {
                assertThat(sum.intoSummary(summary))
                        .isEqualTo(one.intoSummary(summary).plus(two.intoSummary(summary)));
                assertThat(sum.intoSummarySinceReset(summary))
                        .isEqualTo(one.intoSummarySinceReset(summary).plus(two.intoSummarySinceReset(summary)));
            }
            assertThat(one.plus(LedgerCounts.NONE)).isEqualTo(one);
        }
    }

    @Test
    void shouldReadItsJson() throws IOException {
        long seed = new Random().nextLong();
        LedgerCounts counts = random(new Random(seed));
        Cut cut = new Cut(7, 0, List.of(), CutLease.unmanaged(), List.of(), List.of(counts));
        LedgerCounts read = LedgerJson.read(new ByteArrayInputStream(LedgerJson.of(cut)));
        // Only listeners show lost messages.
        assertThat(read.listeners()).as("seed %d", seed).isEqualTo(counts.listeners());
        assertThat(read.events()).hasSameSizeAs(counts.events());
        assertThatThrownBy(() -> LedgerJson.read(new ByteArrayInputStream("[]".getBytes(StandardCharsets.UTF_8))))
                .hasMessage("this is no ledger");
    }

    @Test
    void shouldRefuseWhatIsCutShortOrOfAnotherVersion() throws IOException {
        byte[] whole = bytes(random(new Random(7)));
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> LedgerCounts.read(part)).isInstanceOf(IOException.class);
        }
        whole[3]++;
        assertThatThrownBy(() -> LedgerCounts.read(whole)).hasMessageContaining("version 3");
    }

    /** As written by the version without fate {@code lost} and without accounts since a reset. */
    @Test
    void shouldReadVersionOneAndTakeEverythingToBeSinceTheLastReset() throws IOException {
        List<String> labels = List.of(
                "applied",
                "filtered",
                "unmatched",
                "duplicate",
                "frame",
                "oversize",
                "envelope",
                "payload",
                "limit",
                "fault");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(1);
        out.writeInt(labels.size());
        for (String label : labels) {
            out.writeUTF(label);
        }
        out.writeInt(1);
        writeVersionOne("relp", 60, labels.size(), out);
        out.writeInt(0);
        out.writeInt(1);
        out.writeUTF("Click");
        out.writeUTF("Clicks");
        writeVersionOne("Click->Clicks", 55, labels.size(), out);
        writeVersionOne("former", 55, labels.size(), out);
        LedgerCounts counts = LedgerCounts.read(bytes.toByteArray());
        assertThat(counts.listeners())
                .hasToString("[relp: received=60 applied=1 filtered=2 unmatched=3 duplicate=4 frame=5 oversize=6"
                        + " envelope=7 payload=8 limit=9 fault=10 in-flight=5]");
        LedgerCounts.OfMapping mapping = counts.mappings().get(0);
        assertThat(mapping.account().rejected()).isEqualTo(45);
        assertThat(mapping.sinceReset()).isEqualTo(mapping.account());
    }

    private static void writeVersionOne(String name, long received, int fates, DataOutputStream out)
            throws IOException {
        out.writeUTF(name);
        out.writeLong(received);
        for (int fate = 1; fate <= fates; fate++) {
            out.writeLong(fate);
        }
    }

    @Test
    void shouldSumMappingsOfASummaryAndAllListeners() {
        long[] one = new long[Fate.all().size()];
        one[Fate.APPLIED.ordinal()] = 3;
        one[Fate.LIMIT.ordinal()] = 2;
        Account account = new Account("x", 7, one);
        LedgerCounts counts = new LedgerCounts(
                List.of(account, account),
                List.of(),
                List.of(
                        new LedgerCounts.OfMapping("E", "A", account, account),
                        new LedgerCounts.OfMapping("F", "A", account, account),
                        new LedgerCounts.OfMapping("E", "B", account, account)),
                LedgerCounts.none("former"));
        assertThat(counts.total().received()).isEqualTo(14);
        assertThat(counts.total().inFlight()).isEqualTo(4);
        assertThat(counts.intoSummary("A").rejected()).isEqualTo(4);
        assertThat(counts.intoSummary("B").count(Fate.APPLIED)).isEqualTo(3);
        assertThat(account).hasToString("x: received=7 applied=3 limit=2 in-flight=2");
        assertThat(account.settled()).hasToString("x: received=5 applied=3 limit=2");
    }
}
