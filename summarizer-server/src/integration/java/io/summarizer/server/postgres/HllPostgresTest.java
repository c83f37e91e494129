package io.summarizer.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hashing;
import io.summarizer.core.sketch.HllFormat;
import io.summarizer.core.sketch.HllReader;
import io.summarizer.core.sketch.HllWriter;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.server.cli.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sets of the Summarizer in PostgreSQL, and sets of PostgreSQL in the Summarizer. */
class HllPostgresTest {
    private static PostgresCluster postgres;

    private @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        postgres = PostgresCluster.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Test
    void hashesAreThoseOfPostgres() throws IOException, InterruptedException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder numbers = new StringBuilder();
        StringBuilder texts = new StringBuilder();
        List<String> expectedNumbers = new ArrayList<>();
        List<String> expectedTexts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            long number = random.nextLong() >> random.nextInt(64);
            String text = "é€😀x,\"'".repeat(random.nextInt(6)) + number;
            numbers.append(numbers.isEmpty() ? "" : ",")
                    .append("('")
                    .append(number)
                    .append("'::bigint)");
            texts.append(texts.isEmpty() ? "" : ",")
                    .append("('")
                    .append(text.replace("'", "''"))
                    .append("')");
            expectedNumbers.add(Long.toString(Hashing.murmur3_128().hashLongToLong(number)));
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            expectedTexts.add(Long.toString(Hashing.murmur3_128().hashBytesToLong(utf8)));
        }
        assertThat(postgres.query("SELECT hll_hash_bigint(v) FROM (VALUES " + numbers + ") t(v)"))
                .as("seed=%d", seed)
                .isEqualTo(expectedNumbers);
        assertThat(postgres.query("SELECT hll_hash_text(v) FROM (VALUES " + texts + ") t(v)"))
                .as("seed=%d", seed)
                .isEqualTo(expectedTexts);
    }

    @Test
    void setsOfEveryLayoutLoadByCopyAndUniteBothWays() throws IOException, InterruptedException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int[] sizes = {0, 1, 2, 30, 150, 320, 321, 2_500};
        StringBuilder script = new StringBuilder();
        List<MultisetArena> arenas = new ArrayList<>();
        List<int[]> ours = new ArrayList<>();
        List<int[]> theirs = new ArrayList<>();
        for (int log2m = 4; log2m <= 17; log2m++) {
            for (int regwidth = 1; regwidth <= 5; regwidth++) {
                MultisetArena arena = new MultisetArena(log2m, regwidth);
                int[] own = new int[sizes.length];
                int[] other = new int[sizes.length];
                String layout = log2m + "_" + regwidth;
                Path hashes = folder.resolve("hashes_" + layout + ".csv");
                StringBuilder lines = new StringBuilder();
                for (int id = 0; id < sizes.length; id++) {
                    for (int i = 0; i < sizes[id]; i++) {
                        own[id] = arena.add(own[id], random.nextLong());
                    }
                    for (int i = 0; i < sizes[sizes.length - 1 - id]; i++) {
                        long hash = random.nextLong();
                        other[id] = arena.add(other[id], hash);
                        lines.append(id).append(',').append(hash).append('\n');
                    }
                }
                Files.writeString(hashes, lines);
                Path sets = folder.resolve("sets_" + layout + ".csv");
                Files.write(sets, csv(arena, own));
                script.append("""
                        CREATE TABLE s%1$s (id int, hll hll(%2$d,%3$d));
                        CREATE TABLE h%1$s (id int, hash bigint);
                        \\copy s%1$s FROM '%4$s' WITH (FORMAT csv, HEADER)
                        \\copy h%1$s FROM '%5$s' WITH (FORMAT csv)
                        CREATE TABLE p%1$s AS
                            SELECT s.id, s.hll, coalesce(t.made, hll_empty(%2$d,%3$d)) AS made
                            FROM s%1$s s LEFT JOIN
                                (SELECT id, hll_add_agg(hash::hll_hashval, %2$d, %3$d) AS made FROM h%1$s GROUP BY id) t
                                USING (id);
                        SELECT made, hll || made, hll = (hll || hll) FROM p%1$s ORDER BY id;
                        """.formatted(layout, log2m, regwidth, sets, hashes));
                arenas.add(arena);
                ours.add(own);
                theirs.add(other);
            }
        }
        List<String> answers = postgres.query(script.toString());
        assertThat(answers).hasSize(arenas.size() * sizes.length);
        for (int layout = 0; layout < arenas.size(); layout++) {
            MultisetArena arena = arenas.get(layout);
            for (int id = 0; id < sizes.length; id++) {
                String[] answer = answers.get(layout * sizes.length + id).split("\\|");
                String context =
                        "log2m=" + arena.log2m() + " regwidth=" + arena.regwidth() + " id=" + id + " seed=" + seed;
                MultisetArena read = new MultisetArena(arena.log2m(), arena.regwidth());
                int made = HllReader.union(read, 0, answer[0]);
                int united = HllReader.union(read, 0, answer[1]);
                MultisetArena.View view = arena.freeze();
                assertThat(registers(read, made)).as(context).isEqualTo(registers(arena, theirs.get(layout)[id]));
                int expected = arena.union(ours.get(layout)[id], view, theirs.get(layout)[id]);
                assertThat(registers(read, united)).as(context).isEqualTo(registers(arena, expected));
                if (arena.log2m() + arena.regwidth() >= 8) {
                    // With narrower pairs PostgreSQL may take the padding bits of a byte for one more; the Summarizer
                    // avoids that.
                    assertThat(answer[2])
                            .as("%s: the same bytes that PostgreSQL writes", context)
                            .isEqualTo("t");
                }
            }
        }
    }

    @Test
    void postgresEstimatesTheCardinalityThatWeEstimate() throws IOException, InterruptedException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int[] sizes = {0, 1, 2, 10, 100, 320, 500, 1_000, 2_000, 20_000, 100_000};
        MultisetArena arena = new MultisetArena(11, 5);
        int[] handles = new int[sizes.length];
        for (int id = 0; id < sizes.length; id++) {
            for (int i = 0; i < sizes[id]; i++) {
                handles[id] = arena.add(handles[id], random.nextLong());
            }
        }
        Path file = folder.resolve("sets.csv");
        Files.write(file, csv(arena, handles));
        List<String> cardinalities = postgres.query("""
                CREATE TABLE cardinalities (id int, hll hll(11,5,-1,1));
                \\copy cardinalities FROM '%s' WITH (FORMAT csv, HEADER)
                SELECT hll_cardinality(hll) FROM cardinalities ORDER BY id;
                """.formatted(file));
        MultisetArena.View view = arena.freeze();
        for (int id = 0; id < sizes.length; id++) {
            long estimate = view.cardinality(handles[id]);
            // The estimators differ by the bias of the classic one and by the information of tokens beyond registers.
            assertThat(Double.parseDouble(cardinalities.get(id)))
                    .as("size=%d seed=%d", sizes[id], seed)
                    .isBetween(estimate * 0.9 - 1, estimate * 1.1 + 1);
        }
    }

    @Test
    void aCsvOfOursLoadsByCopyAndUnitesWithWhatPostgresMakesOfTheSameEvents() throws IOException, InterruptedException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(
                definitions.resolve("t.proto"),
                "syntax = \"proto3\"; message Visit { string page = 1; int64 visitor = 2; string name = 3; }");
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Visit on "visit" as csv;
                summary Pages {
                    key { string page = 1; }
                    value { multiset64 visitors = 1; multiset64(log2m = 13, regwidth = 4) names = 2; }
                }
                map Visit into Pages { key { page; } visitors += visitor; names += name; }
                """);
        StringBuilder visits = new StringBuilder();
        StringBuilder messages = new StringBuilder();
        for (int page = 0; page < 12; page++) {
            for (int i = 0; i < 1 << page; i++) {
                long visitor = random.nextLong(-2_500, 2_500);
                String visit = "page" + page + "," + visitor + ",é" + visitor % 1_000;
                visits.append(visit).append('\n');
                messages.append("<134>1 2026-11-20T00:00:00Z h a - visit - ")
                        .append(visit)
                        .append('\n');
            }
        }
        Path csv = Files.writeString(folder.resolve("visits.csv"), visits);
        Path log = Files.writeString(folder.resolve("visits.log"), messages);
        Path out = folder.resolve("out");
        Commands.Outcome outcome = Commands.run(
                "run",
                "--definitions",
                definitions.toString(),
                "--out",
                out.toString(),
                "--distinct",
                "both",
                log.toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(Files.readAllLines(out.resolve("Pages.csv")))
                .hasSize(13)
                .first()
                .isEqualTo("page,visitors,visitors_hll,names,names_hll");

        List<String> sets = postgres.query("""
                CREATE TABLE pages
                    (page text, visitors bigint, visitors_hll hll(11,5,-1,1), names bigint, names_hll hll(13,4,-1,1));
                CREATE TABLE visits (page text, visitor bigint, name text);
                \\copy pages FROM '%s' WITH (FORMAT csv, HEADER)
                \\copy visits FROM '%s' WITH (FORMAT csv)
                CREATE TABLE made AS
                    SELECT page, hll_add_agg(hll_hash_bigint(visitor), 11, 5) AS visitors,
                        hll_add_agg(hll_hash_text(name), 13, 4) AS names
                    FROM visits GROUP BY page;
                SELECT visitors_hll, made.visitors FROM pages JOIN made USING (page) ORDER BY page;
                SELECT names_hll, made.names FROM pages JOIN made USING (page) ORDER BY page;
                """.formatted(out.resolve("Pages.csv"), csv));
        assertThat(sets).hasSize(24);
        for (int i = 0; i < sets.size(); i++) {
            String[] pair = sets.get(i).split("\\|");
            MultisetArena read = i < 12 ? new MultisetArena(11, 5) : new MultisetArena(13, 4);
            int ours = HllReader.union(read, 0, pair[0]);
            int theirs = HllReader.union(read, 0, pair[1]);
            assertThat(registers(read, ours)).as("row=%d seed=%d", i, seed).isEqualTo(registers(read, theirs));
        }
        assertThat(postgres.query("""
                        SELECT hll_union_agg(visitors_hll) = (SELECT hll_union_agg(visitors) FROM made),
                            hll_union_agg(names_hll) = (SELECT hll_union_agg(names) FROM made),
                            hll_union_agg(visitors_hll) = (SELECT hll_union_agg(either) FROM
                                (SELECT visitors_hll AS either FROM pages WHERE page > 'page3'
                                 UNION ALL SELECT visitors FROM made WHERE page <= 'page3') mixed)
                        FROM pages
                        """)).as("seed=%d", seed).containsExactly("t|t|t");
    }

    @Test
    void aColumnOfOtherModifiersIsRefusedUnlessTheHeaderNamesThem() throws IOException, InterruptedException {
        HllFormat format = new HllFormat(12, 5, 256, false);
        MultisetArena arena = new MultisetArena(12, 5);
        HllWriter writer = new HllWriter(format);
        int handle = arena.add(0, Hashing.murmur3_128().hashLongToLong(7));
        int length = writer.writeText(arena.freeze(), handle);
        String text = new String(writer.text(), 0, length, StandardCharsets.US_ASCII);

        assertThat(postgres.query("SELECT hll_cardinality('" + text + "'::hll(12,5,256,0) || "
                        + "hll_add(hll_empty(12,5,256,0), hll_hash_bigint(7)))"))
                .hasSize(1)
                .first()
                .satisfies(cardinality ->
                        assertThat(Double.parseDouble(cardinality)).isBetween(0.9, 1.1));
        assertThatThrownBy(() -> postgres.query("SELECT '" + text + "'::hll(12,5)"))
                .hasMessageContaining("explicit threshold does not match");
        assertThatThrownBy(() -> postgres.query("SELECT '" + text + "'::hll(11,5,256,0)"))
                .hasMessageContaining("register count does not match");
    }

    private static List<String> csv(MultisetArena arena, int[] handles) {
        HllWriter writer = new HllWriter(HllFormat.of(arena.log2m(), arena.regwidth()));
        MultisetArena.View view = arena.freeze();
        List<String> lines = new ArrayList<>();
        lines.add("id,hll");
        for (int id = 0; id < handles.length; id++) {
            int length = writer.writeText(view, handles[id]);
            lines.add(id + "," + new String(writer.text(), 0, length, StandardCharsets.US_ASCII));
        }
        return lines;
    }

    private static byte[] registers(MultisetArena arena, int handle) {
        byte[] registers = new byte[1 << arena.log2m()];
        arena.freeze().registers(handle, registers);
        return registers;
    }
}
