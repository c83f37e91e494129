package io.summarizer.core.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullValues;
import io.summarizer.core.result.Manifest.OfSummary;
import io.summarizer.core.result.Manifest.RowFile;
import io.summarizer.core.result.Manifest.Window;
import io.summarizer.core.store.ClosedWindows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestTest {
    private static final long HOUR = 3_600_000_000L;

    @Test
    void readsWhatItWrote() throws IOException {
        Manifest manifest = sample();
        assertThat(read(json(manifest))).isEqualTo(manifest);
    }

    @Test
    void readsTheEarliestAndTheLatestWindow() throws IOException {
        RowFile all = new RowFile("all", 0, 7, 1);
        Window first = window(Long.MIN_VALUE + 1_000_000, Long.MIN_VALUE + HOUR, new RowFile("w1", 0, 1, 1));
        Window last = window(Long.MAX_VALUE - HOUR, Long.MAX_VALUE, new RowFile("w2", 0, 1, 1));
        Manifest manifest = of(all, new OfSummary("T", 1, Long.MAX_VALUE, List.of(first, last)));
        assertThat(read(json(manifest)).summaries()).isEqualTo(manifest.summaries());
    }

    @Test
    void hasTheDocumentedMembers() throws IOException {
        String json = json(new Manifest(
                42,
                "shop",
                1_764_547_200_000_000L,
                "ab12",
                1,
                List.of(new RowFile(ResultNames.rows(42, 0, 1), 0, 0, 10)),
                List.of(new OfSummary(
                        "Traffic",
                        7,
                        HOUR,
                        List.of(new Window(
                                0,
                                HOUR,
                                3,
                                99,
                                2,
                                List.of(new RowFile(ResultNames.window("Traffic", 0, 41, 0, 1, 1), 0, 0, 99)))))),
                LedgerCounts.NONE));
        assertThat(json)
                .startsWith(
                        "{\"version\":1,\"checkpoint\":42,\"job\":\"shop\",\"time\":\"2025-12-01T00:00:00.000000Z\","
                                + "\"definitions\":\"ab12\",\"key_groups\":1,"
                                + "\"files\":[{\"file\":\"checkpoints/00000000000000000042/000-of-001.state\","
                                + "\"first_key_group\":0,\"last_key_group\":0,\"bytes\":10}],"
                                + "\"summaries\":[{\"name\":\"Traffic\",\"updates\":7,\"boundary\":\"1970-01-01T01:00:00.000000Z\","
                                + "\"windows\":[{\"start\":\"1970-01-01T00:00:00.000000Z\",\"end\":\"1970-01-01T01:00:00.000000Z\","
                                + "\"rows\":3,\"bytes\":99,\"late\":2,\"files\":[{\"file\":"
                                + "\"windows/Traffic/19700101T000000Z/00000000000000000041-000-of-001-00000001.state\","
                                + "\"first_key_group\":0,\"last_key_group\":0,\"bytes\":99}]}]}],"
                                + "\"ledger\":{\"cut\":42,\"taken\":\"2025-12-01T00:00:00Z\",\"listeners\":[]");
        assertThat(ResultNames.checkpoint("00000000000000000042.json")).hasValue(42);
        assertThat(ResultNames.manifest(42)).isEqualTo("manifests/00000000000000000042.json");
        assertThat(ResultNames.checkpoint("99999999999999999999.json")).isEmpty();
        assertThat(ResultNames.checkpoint("42.json")).isEmpty();
    }

    @Test
    void skipsMembersThatItDoesNotKnow() throws IOException {
        Manifest manifest = sample();
        String more = json(manifest)
                .replace("\"job\"", "\"colour\":{\"deep\":[1,2,{\"x\":null}]},\"job\"")
                .replace("\"rows\"", "\"kind\":\"hourly\",\"rows\"")
                .replace("\"bytes\"", "\"etag\":[],\"bytes\"");
        assertThat(read(more)).isEqualTo(manifest);
    }

    @Test
    void refusesAnotherVersion() throws IOException {
        assertThatThrownBy(() -> read(json(sample()).replace("\"version\":1", "\"version\":2")))
                .isInstanceOf(ResultException.class)
                .hasMessageContaining("m.json: is a manifest of version 2, and this program reads version 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../etc/passwd",
                "checkpoints/../../x",
                "/etc/passwd",
                "",
                "a//b",
                ".",
                "a/./b",
                "a\\\\..\\\\b",
                "C:x",
                "a/\\u0000b",
                ".hidden",
                "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17"
            })
    void refusesNamesOutsideOfTheFolder(String file) throws IOException {
        String hostile = json(sample()).replace(ResultNames.rows(42, 0, 2), file);
        assertThatThrownBy(() -> read(hostile))
                .isInstanceOf(ResultException.class)
                .hasMessageContaining("is not the name of a file in the folder of results");
    }

    @Test
    void refusesKeyGroupsThatAreMissingOrThereTwice() {
        assertThatThrownBy(() -> read(json(ofFiles(new RowFile("a", 0, 6, 1)))))
                .hasMessageContaining("the files have 7 of 8 key groups");
        assertThatThrownBy(() -> read(json(ofFiles(new RowFile("a", 0, 4, 1), new RowFile("b", 4, 7, 1)))))
                .hasMessageContaining("the key group 4 is in two files");
        assertThatThrownBy(() -> read(json(ofFiles(new RowFile("a", 0, 8, 1)))))
                .hasMessageContaining("has the key groups 0 to 8 of 8");
        assertThatThrownBy(() -> read(json(ofFiles(new RowFile("a", 5, 4, 1), new RowFile("b", 0, 7, 1)))))
                .hasMessageContaining("has the key groups 5 to 4 of 8");
        assertThatThrownBy(() -> read(json(ofFiles(new RowFile("a", 0, 3, 1), new RowFile("a", 4, 7, 1)))))
                .hasMessageContaining("a is named twice");
    }

    @Test
    void refusesWindowsThatOverlapOrAreNotClosed() {
        RowFile all = new RowFile("all", 0, 7, 1);
        Window first = new Window(0, HOUR, 1, 1, 0, List.of(new RowFile("w1", 0, 1, 1)));
        Window second = new Window(HOUR, 2 * HOUR, 1, 1, 0, List.of(new RowFile("w2", 0, 1, 1)));
        Window same = new Window(0, HOUR, 1, 1, 0, List.of(new RowFile("w3", 0, 1, 1)));
        for (List<Window> windows : List.of(List.of(second, first), List.of(first, same))) {
            assertThatThrownBy(() -> read(json(of(all, new OfSummary("T", 1, 9 * HOUR, windows)))))
                    .hasMessageContaining("the closed windows of T overlap");
        }
        assertThatThrownBy(() -> read(json(of(all, new OfSummary("T", 1, HOUR, List.of(first, second))))))
                .hasMessageContaining("begin at the boundary or after it");
        assertThatThrownBy(() -> read(
                        json(of(all, new OfSummary("T", 1, HOUR, List.of()), new OfSummary("T", 1, HOUR, List.of())))))
                .hasMessageContaining("the summary T is there twice");
    }

    @Test
    void refusesEveryPrefixAndLaterText() throws IOException {
        String json = json(sample()).strip();
        for (int length = 0; length < json.length(); length++) {
            String part = json.substring(0, length);
            assertThatThrownBy(() -> read(part))
                    .isInstanceOf(ResultException.class)
                    .hasMessageContaining("m.json: ");
        }
        assertThatThrownBy(() -> read(json + "{}")).hasMessageContaining("has text after its end");
    }

    @Test
    void boundsArrays() throws IOException {
        String many = String.join(",", Collections.nCopies(Manifest.KEY_GROUPS_MAX + 1, "{\"file\":\"x\"}"));
        String json = json(sample()).replaceFirst("\"files\":\\[", "\"files\":[" + many + ",");
        assertThatThrownBy(() -> read(json)).hasMessageContaining("has more than 32768 files");
        String deep = json(sample()).replace("\"job\"", "\"x\":" + "[".repeat(100) + "]".repeat(100) + ",\"job\"");
        assertThatThrownBy(() -> read(deep)).isInstanceOf(ResultException.class).hasMessageContaining("nesting depth");
        String lists = json(sample()).replace("\"listeners\"", "\"x\":[" + "[],".repeat(1 << 20) + "1],\"listeners\"");
        assertThatThrownBy(() -> read(lists)).hasMessageContaining("the ledger has more than");
    }

    @Test
    void writesNothingThatIsTooLargeToRead() {
        Window window = window(0, HOUR, new RowFile("w", 0, 1, 1));
        Manifest many = of(
                new RowFile("all", 0, 7, 1),
                new OfSummary("T", 1, HOUR, Collections.nCopies(ManifestJson.WINDOWS_MAX + 1, window)));
        assertThatThrownBy(() -> many.writeTo(OutputStream.nullOutputStream()))
                .isInstanceOf(ResultException.class)
                .hasMessageContaining("would have 1048577 closed windows of T, and readers take 1048576")
                .hasMessageContaining("give the summaries with windows a keep");
        assertThatThrownBy(() -> ManifestJson.write(sample(), OutputStream.nullOutputStream(), 1000))
                .isInstanceOf(ResultException.class)
                .hasMessageContaining("would have more than 1000 bytes");
    }

    private static Manifest ofFiles(RowFile... files) {
        return new Manifest(42, "", 0, "", 8, List.of(files), List.of(), LedgerCounts.NONE);
    }

    private static Manifest of(RowFile file, OfSummary... summaries) {
        return new Manifest(42, "", 0, "", 8, List.of(file), List.of(summaries), LedgerCounts.NONE);
    }

    private static Manifest sample() {
        long[] fates = new long[Fate.all().size()];
        fates[Fate.APPLIED.ordinal()] = 5;
        fates[Fate.LATE.ordinal()] = 2;
        Account account = new Account("orders", 8, fates);
        List<Long> counts = NullReason.all().stream()
                .map(reason -> (long) reason.ordinal() + 1)
                .toList();
        LedgerCounts ledger = new LedgerCounts(
                List.of(new Account("kafka", 8, fates)),
                List.of(account),
                List.of(new LedgerCounts.OfMapping(
                        "orders", "Traffic", new Account("o -> t", 8, fates), new Account("o -> t", 8, fates))),
                LedgerCounts.none("former"),
                List.of(new NullValues("orders", "o -> t", "a += \"b\"", "shop.summ:7", 9, counts, "12,50")));
        return new Manifest(
                42,
                "shop \u00fc",
                1_764_547_200_123_456L,
                "ab12",
                128,
                List.of(
                        new RowFile(ResultNames.rows(42, 0, 2), 0, 63, 1000),
                        new RowFile(ResultNames.rows(42, 1, 2), 64, 127, 2000)),
                List.of(
                        new OfSummary("Plain", 5, ClosedWindows.NO_BOUNDARY, List.of()),
                        new OfSummary(
                                "Traffic",
                                6,
                                2 * HOUR,
                                List.of(
                                        window(
                                                0,
                                                HOUR,
                                                new RowFile(ResultNames.window("Traffic", 0, 7, 0, 2, 1), 0, 63, 7)),
                                        window(
                                                HOUR,
                                                2 * HOUR,
                                                new RowFile(ResultNames.window("Traffic", HOUR, 8, 0, 2, 1), 0, 63, 7),
                                                new RowFile(
                                                        ResultNames.window("Traffic", HOUR, 8, 1, 2, 1),
                                                        64,
                                                        127,
                                                        7))))),
                ledger);
    }

    private static Window window(long start, long end, RowFile... files) {
        return new Window(start, end, 10, 7L * files.length, 1, List.of(files));
    }

    private static String json(Manifest manifest) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        manifest.writeTo(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Manifest read(String json) throws IOException {
        return Manifest.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), "m.json");
    }
}
