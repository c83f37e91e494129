package io.summarizer.server.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.core.message.RejectReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedWorkloadTest {
    private static final int LIMIT = 4_096;
    private final MalformedWorkload workload = new MalformedWorkload(9, LIMIT);

    @Test
    void everyHundredthLineIsBrokenInTenWaysInTurn() {
        Set<Defect> seen = new HashSet<>();
        for (long i = 0; i < 1_000; i++) {
            Defect defect = workload.defect(i);
            assertThat(defect != null).isEqualTo(i % 100 == 99);
            if (defect != null) {
                seen.add(defect);
            }
        }
        assertThat(seen).containsExactlyInAnyOrder(Defect.values()).hasSize(10);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 99, 100, 150, 700, 1_000, 123_456})
    void countsPerReasonAreThoseOfTheLines(long lines) {
        Map<RejectReason, Long> counted = new EnumMap<>(RejectReason.class);
        counted.put(RejectReason.PAYLOAD, 0L);
        counted.put(RejectReason.ENVELOPE, 0L);
        counted.put(RejectReason.OVERSIZE, 0L);
        workload.forEachBroken(lines, (line, defect) -> counted.merge(defect.reason(), 1L, Long::sum));
        AtomicLong good = new AtomicLong();
        workload.forEachGood(lines, event -> good.incrementAndGet());

        assertThat(workload.rejected(lines)).isEqualTo(counted);
        assertThat(good.get()).isEqualTo(lines - lines / 100);
    }

    @Test
    void goodLinesAreThoseOfTheReferenceWorkload() throws IOException {
        String flat = text(workload.line(42));
        String nested = text(workload.line(43));
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        AdsWorkload.v1(9).writeTo(expected, 42, 43);
        AdsWorkload.v2(9).writeTo(expected, 43, 44);
        assertThat(flat + "\n" + nested + "\n").isEqualTo(expected.toString(StandardCharsets.US_ASCII));
    }

    @Test
    void theStreamIsItsLinesInOrder() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        workload.writeTo(out, 1_500);
        String[] lines = out.toString(StandardCharsets.US_ASCII).split("\n");
        assertThat(lines).hasSize(1_500);
        for (int i = 0; i < lines.length; i++) {
            assertThat(lines[i]).isEqualTo(text(workload.line(i)));
        }
    }

    @ParameterizedTest
    @EnumSource(Defect.class)
    void onlyTheOversizeLineIsAboveTheLimit(Defect defect) {
        byte[] line = workload.line(99 + 100L * defect.ordinal());
        if (defect == Defect.OVERSIZE) {
            assertThat(line).hasSizeGreaterThan(LIMIT);
        } else {
            assertThat(line).hasSizeLessThan(AdEncoder.LINE_BYTES_MAX + 64);
        }
    }

    @Test
    void eachDefectIsWhereItsNameSays() {
        assertThatThrownBy(() -> new ObjectMapper().readTree(payload(broken(Defect.TRUNCATED_JSON))));
        assertThat(payload(broken(Defect.UNCLOSED_QUOTE))).matches("\\d+,\"1,[^\"]*");
        assertThat(payload(broken(Defect.NOT_A_NUMBER))).matches("\\d+,1x2,.*");
        assertThat(payload(broken(Defect.INTEGER_OUT_OF_RANGE))).contains("\"user\":{\"id\":9223372036854775808,");
        assertThat(payload(broken(Defect.FRACTION_FOR_INTEGER))).contains("{\"campaign_id\":1.5,");
        assertThat(payload(broken(Defect.WRONG_JSON_TYPE))).contains("\"audience_attribute_id\":[3],");
        assertThat(broken(Defect.TRUNCATED_HEADER)).isEqualTo("<134>1 2026-11-20T00:00:00.000000Z web03 adserver");
        assertThat(broken(Defect.TIMESTAMP_WITHOUT_ZONE)).startsWith("<134>1 2026-11-20T00:00:00.000000 web03 ");
        assertThat(broken(Defect.UNCLOSED_STRUCTURED_DATA))
                .matches("<134>1 \\S+Z web03 adserver 4711 ad\\.\\w+ \\[ev@32473 id=\"7\" [^\\]]*");
        assertThat(broken(Defect.OVERSIZE)).matches("<134>1 .*\\} +");
    }

    @Test
    void refusesALimitThatGoodLinesMightExceed() {
        assertThatThrownBy(() -> new MalformedWorkload(1, 500))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxMessageBytes=500");
    }

    private String broken(Defect defect) {
        return text(workload.line(99 + 100L * defect.ordinal()));
    }

    private static String payload(String line) {
        return line.substring(line.indexOf(" - ") + 3);
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.US_ASCII);
    }
}
