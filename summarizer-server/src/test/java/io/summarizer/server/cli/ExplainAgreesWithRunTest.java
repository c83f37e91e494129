package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sum of {@code explain} over single messages equals the result of {@code run} over all of them. */
class ExplainAgreesWithRunTest {
    private static final int EVENTS = 120;
    private static final Pattern ADDED = Pattern.compile("^ *(\\w+) \\+= .*: adds (-?[0-9.]+)$", Pattern.MULTILINE);
    private static final Pattern ROW =
            Pattern.compile("^  row of CampaignDetails\n((?:    key .*\n)+)", Pattern.MULTILINE);

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(InputStream in, String... command) {
        InputStream before = System.in;
        System.setIn(in);
        try {
            return Main.run(Terminal.of(out, err), Map.of(), command);
        } finally {
            System.setIn(before);
        }
    }

    private String take(ByteArrayOutputStream stream) {
        String text = stream.toString(StandardCharsets.UTF_8);
        stream.reset();
        return text;
    }

    @Test
    void theSumsAndCountsAreTheSame() throws IOException {
        long seed = Seeds.first();
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        for (String version : new String[] {"ads-v1", "ads-v2"}) {
            String number = Long.toString(random.nextInt(1 << 30));
            run(InputStream.nullInputStream(), "generate", version, "--events", "" + EVENTS, "--seed", number);
            take(out).lines().forEach(lines::add);
        }
        // Some lines get another byte, in the envelope, the topic or the payload.
        for (int i = 0; i < EVENTS / 2; i++) {
            StringBuilder line = new StringBuilder(lines.get(random.nextInt(lines.size())));
            line.setCharAt(random.nextInt(line.length()), "x[,\"<.7 -".charAt(random.nextInt(9)));
            lines.add(line.toString());
        }
        Collections.shuffle(lines, random);
        byte[] input = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        String schemas = ProjectHome.path().resolve("schemas").toString();

        run(new ByteArrayInputStream(input), "explain", "--definitions", schemas, "--max", "10000", "-");
        String told = take(out);
        assertThat(take(err)).as("seed %d", seed).isEqualTo("by the definitions in " + schemas + "\n");
        assertThat(run(
                        new ByteArrayInputStream(input),
                        "run",
                        "--definitions",
                        schemas,
                        "--out",
                        folder.toString(),
                        "-"))
                .isZero();
        String report = take(err);

        assertThat(report)
                .as("seed %d", seed)
                .contains("received  " + count("^frame ", told) + " messages")
                .contains("updates   " + count("^mapping .*: applied$", told) + "\n")
                .contains("unmatched " + count("\\(unmatched\\)$", told) + "\n")
                .contains("rejected  " + count("rejected \\(\\w+\\)", told));
        Map<String, BigDecimal> sums = new HashMap<>();
        for (Matcher added = ADDED.matcher(told); added.find(); ) {
            sums.merge(added.group(1), new BigDecimal(added.group(2)), BigDecimal::add);
        }
        assertThat(sums.get("media_cost")).as("seed %d", seed).isPositive();
        List<String> rows = Files.readAllLines(folder.resolve("CampaignDetails.csv"));
        for (String column : new String[] {"impression_count", "media_cost", "data_cost"}) {
            assertThat(sums.get(column)).as("%s, seed %d", column, seed).isEqualByComparingTo(sum(rows, column));
        }
        assertThat(ROW.matcher(told)
                        .results()
                        .map(row -> row.group(1).replaceAll(": \\S+ is ", "="))
                        .distinct())
                .as("keys, seed %d", seed)
                .hasSize(rows.size() - 1);
    }

    private static long count(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .count();
    }

    private static BigDecimal sum(List<String> rows, String column) {
        int position = List.of(rows.get(0).split(",", -1)).indexOf(column);
        return rows.stream()
                .skip(1)
                .map(row -> row.split(",", -1)[position])
                .map(BigDecimal::new)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
