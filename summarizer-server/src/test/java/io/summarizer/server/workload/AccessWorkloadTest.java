package io.summarizer.server.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class AccessWorkloadTest {
    private static final int SAMPLE = 100_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aLineLooksAsDocumented() throws IOException {
        String header = "<190>Nov 20 00:00:00 web0[1-8] web\\.access: ";
        String number = "\\d+";
        String text = "\"([^\"\\\\]|\\\\[\"\\\\t])+\"";
        String seconds = "\\d\\.\\d{3}";
        List<String> members = List.of(
                "\"time\":\"2026-11-20T00:00:00\\+00:00\"",
                "\"remote_addr\":\"(\\d{1,3}(\\.\\d{1,3}){3}|2001:db8:[0-9a-f]{4}:[0-9a-f]{4}::[0-9a-f]{4})\"",
                "\"port\":" + number,
                "\"user\":\"-\"",
                "\"request_id\":\"[0-9a-f]{16}\"",
                "\"scheme\":\"https\"",
                "\"host\":\"(www|m|api)\\.example\\.com\"|\"host\":\"shop\\.example\\.de\"",
                "\"method\":\"(GET|HEAD|POST)\"",
                "\"uri\":\"/[^\"\\\\ ]*\"",
                "\"protocol\":\"HTTP/(1\\.1|2\\.0)\"",
                "\"status\":[2-5]\\d\\d",
                "\"bytes_sent\":" + number,
                "\"body_bytes\":" + number,
                "\"bytes_received\":" + number,
                "\"request_time\":" + seconds,
                "\"referer\":" + text,
                "\"user_agent\":" + text,
                "\"xff\":\"-\"",
                "\"upstream\":\"(-|10\\.0\\.3\\.[1-8]:8080)\"",
                "\"upstream_status\":\"(-|\\d{3})\"",
                "\"upstream_time\":\"(-|" + seconds + ")\"",
                "\"cache\":\"(HIT|MISS)\"",
                "\"tls\":\"TLSv1\\.[23]\"",
                "\"country\":\"[A-Z]{2}\"",
                "\"connection\":" + number);
        assertThat(members).hasSize(25);
        String pattern = header + "\\{(" + String.join("),(", members) + ")\\}";
        assertThat(lines(1, 2_000)).hasSize(2_000).allMatch(line -> line.matches(pattern));
    }

    @Test
    void linesHaveTheDocumentedLength() throws IOException {
        assertThat(bytes(2, 0, SAMPLE).length / (double) SAMPLE).isCloseTo(660, within(6.0));
    }

    @Test
    void valuesHaveTheDocumentedShares() throws IOException {
        Map<Integer, Integer> statuses = new HashMap<>();
        Map<String, Integer> hosts = new HashMap<>();
        Map<String, Integer> paths = new HashMap<>();
        Map<String, Set<String>> agents = new HashMap<>();
        int escapes = 0;
        int slow = 0;
        for (String line : lines(3, SAMPLE)) {
            JsonNode json = payload(line);
            statuses.merge(json.get("status").asInt(), 1, Integer::sum);
            hosts.merge(json.get("host").asText(), 1, Integer::sum);
            paths.merge(json.get("uri").asText().replaceAll("\\?.*", ""), 1, Integer::sum);
            agents.computeIfAbsent(json.get("remote_addr").asText(), address -> new HashSet<>())
                    .add(json.get("user_agent").asText());
            escapes += line.contains("\\") ? 1 : 0;
            slow += json.get("request_time").asDouble() >= 1 ? 1 : 0;
        }
        assertShare(statuses.getOrDefault(200, 0) + statuses.getOrDefault(201, 0), 0.93, 0.01);
        assertShare(statuses.getOrDefault(304, 0), 0.04, 0.004);
        assertShare(statuses.getOrDefault(404, 0), 0.016, 0.003);
        assertThat(statuses).containsKeys(301, 403, 499, 500, 502, 503);
        assertShare(hosts.getOrDefault("www.example.com", 0), zipf(4, 1.5), 0.01);
        assertShare(paths.getOrDefault("/", 0), zipf(WebShop.PAGES, 1.0), 0.01);
        assertThat(paths).hasSizeBetween(10_000, WebShop.PAGES);
        assertThat(agents).hasSizeGreaterThan(30_000);
        assertThat(agents.values()).as("a client keeps its browser").allMatch(texts -> texts.size() == 1);
        assertThat(escapes).isBetween(SAMPLE / 500, SAMPLE / 20);
        assertThat(slow).isBetween(SAMPLE / 50, SAMPLE / 5);
    }

    /** The share of the first of {@code ranks} ranks. */
    private static double zipf(int ranks, double exponent) {
        double sum = 0;
        for (int rank = 1; rank <= ranks; rank++) {
            sum += Math.pow(rank, -exponent);
        }
        return 1 / sum;
    }

    private static void assertShare(int count, double share, double deviation) {
        assertThat(count / (double) SAMPLE).isCloseTo(share, within(deviation));
    }

    @Test
    void anEventDoesNotDependOnThoseAroundIt() throws IOException {
        byte[] whole = bytes(6, 0, 5_000);
        assertThat(join(bytes(6, 0, 1_000), bytes(6, 1_000, 1_001), bytes(6, 1_001, 5_000)))
                .isEqualTo(whole);
        assertThat(bytes(7, 0, 5_000)).isNotEqualTo(whole);
    }

    @Test
    void timesFollowTheNumberOfTheEventAndBeginAgainAfterTenDays() throws IOException {
        long perDay = 86_400L * 1_000 * AdsWorkload.EVENTS_PER_MILLI;
        assertTime(perDay - 1, "Nov 20 23:59:59", "2026-11-20T23:59:59+00:00");
        assertTime(perDay, "Nov 21 00:00:00", "2026-11-21T00:00:00+00:00");
        assertTime(10 * perDay - 1, "Nov 29 23:59:59", "2026-11-29T23:59:59+00:00");
        assertTime(10 * perDay + 500_000, "Nov 20 00:00:05", "2026-11-20T00:00:05+00:00");
    }

    private static void assertTime(long event, String header, String time) throws IOException {
        String line = new String(bytes(1, event, event + 1), StandardCharsets.US_ASCII);
        assertThat(line).startsWith("<190>" + header + " web0");
        assertThat(payload(line).get("time").asText()).isEqualTo(time);
    }

    @Test
    void theBytesAreThoseOfEveryOtherMachine() throws IOException {
        CRC32 crc = new CRC32();
        crc.update(bytes(42, 0, SAMPLE));
        assertThat(crc.getValue()).isEqualTo(3_285_321_264L);
    }

    private static JsonNode payload(String line) throws IOException {
        return JSON.readTree(line.substring(line.indexOf('{')));
    }

    private static byte[] join(byte[]... parts) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part);
        }
        return out.toByteArray();
    }

    private static byte[] bytes(long seed, long from, long to) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AccessWorkload.of(seed).writeTo(out, from, to);
        return out.toByteArray();
    }

    private static List<String> lines(long seed, long events) throws IOException {
        return new ArrayList<>(new String(bytes(seed, 0, events), StandardCharsets.US_ASCII)
                .lines()
                .toList());
    }
}
