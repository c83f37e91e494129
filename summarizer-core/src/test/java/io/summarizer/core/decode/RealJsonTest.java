package io.summarizer.core.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents from real services, if a folder of them lies beside the project: every top-level string against a tree. */
class RealJsonTest {
    private static final int LINES = 2000;
    private static final ObjectMapper TREES = new ObjectMapper();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "adx-bid-requests/adxrequests-lines-0001-0600.ndjson",
                "gharchive-2015-hour00/2015-01-01-0.json.gz",
                "suricata-fileinfo/eve.json",
                "wikiticker/wikiticker-2015-09-12-sampled.json.gz",
                "zeek-dns/dns.json.gz",
                "zeek-syslog/syslog.json.gz"
            })
    void readsWhatATreeHolds(String file) throws IOException {
        Path path = find(file);
        assumeThat(path).as("%s is not here", file).isNotNull();
        List<String> lines = lines(Objects.requireNonNull(path));
        assertThat(lines).isNotEmpty();
        TreeMap<String, Integer> slots = new TreeMap<>();
        for (String line : lines) {
            TREES.readTree(line).properties().forEach(field -> {
                if (field.getValue().isTextual()) {
                    slots.putIfAbsent(field.getKey(), slots.size());
                }
            });
        }
        Payloads payloads = new Payloads(Schemas.schema(
                EventSchema.Format.JSON,
                slots.entrySet().stream()
                        .map(slot -> Schemas.scalar(slot.getKey(), 1, FieldKind.STRING, slot.getValue()))
                        .toArray(FieldSchema[]::new)));
        for (String line : lines) {
            JsonNode tree = TREES.readTree(line);
            if (slots.keySet().stream().anyMatch(name -> isNoText(tree.get(name)))) {
                assertThat(payloads.read(line)).as(line).startsWith("rejected: ");
                continue;
            }
            assertThat(payloads.decode(line)).as(line).isNull();
            for (Map.Entry<String, Integer> slot : slots.entrySet()) {
                JsonNode expected = tree.get(slot.getKey());
                boolean there = payloads.event.has(InputEvent.ROOT, slot.getValue());
                assertThat(there).as("%s of %s", slot, line).isEqualTo(expected != null && !expected.isNull());
                if (there && expected != null && expected.isTextual()) {
                    assertThat(payloads.event.string(payloads.event.get(InputEvent.ROOT, slot.getValue())))
                            .isEqualTo(expected.asText());
                }
            }
        }
    }

    private static boolean isNoText(@Nullable JsonNode node) {
        return node != null && (node.isContainerNode() || node.isBoolean());
    }

    private static List<String> lines(Path path) throws IOException {
        List<String> lines = new ArrayList<>();
        try (InputStream bytes = Files.newInputStream(path);
                BufferedReader reader = new BufferedReader(new InputStreamReader(
                        path.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes,
                        StandardCharsets.UTF_8))) {
            String line;
            while (lines.size() < LINES && (line = reader.readLine()) != null) {
                if (!line.isBlank()) {
                    lines.add(line);
                }
            }
        }
        return lines;
    }

    private static @Nullable Path find(String file) {
        String given = System.getenv("SUMMARIZER_SHARED_DATA");
        if (given != null) {
            Path path = Path.of(given, file);
            return Files.exists(path) ? path : null;
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path path = at.resolve("shared/data").resolve(file);
            if (Files.exists(path)) {
                return path;
            }
        }
        return null;
    }
}
