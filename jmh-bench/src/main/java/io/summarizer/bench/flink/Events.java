package io.summarizer.bench.flink;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of events for Flink. Stateless. */
public final class Events {
    private static final String START = "<134>1 2026-11-20T00:00:00.000000Z web01 adserver 4711 ad.impression - ";
    private static final int COLUMNS = 10;

    private Events() {}

    /** Writes impressions, each with a key of its own. */
    public static void distinctKeys(Path file, long first, long count) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
            for (long key = first; key < first + count; key++) {
                out.write(START + "1795132800000," + key % 200 + ',' + key % 150 + ',' + key % 1_000 + ',' + key + ','
                        + key * 7 + ",0.002517,0.000334\n");
            }
        }
    }

    /** Writes v1 events without their syslog headers: the topic is the first of {@value #COLUMNS} columns. */
    public static void withoutHeaders(Path events, Path file) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(events, StandardCharsets.ISO_8859_1);
                BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int topic = line.indexOf(" ad.") + 1;
                int end = line.indexOf(' ', topic);
                String row = line.substring(topic, end) + ',' + line.substring(line.indexOf("- ", end) + 2);
                long columns = 1 + row.chars().filter(c -> c == ',').count();
                out.write(row);
                out.write(",".repeat((int) (COLUMNS - columns)));
                out.write('\n');
            }
        }
    }
}
