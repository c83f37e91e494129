package io.summarizer.server.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdsWorkloadTest {
    private static final int SAMPLE = 200_000;

    @Test
    void aFlatLineLooksAsDocumented() throws IOException {
        String[] lines = lines(AdsWorkload.v1(1), 1_000);
        String envelope = "<134>1 2026-11-20T00:00:00\\.000000Z web03 adserver 4711 ";
        String shared = " - 17951328000\\d\\d(,\\d{1,4}){4},\\d{1,13}";
        assertThat(lines)
                .hasSize(1_000)
                .allMatch(line -> line.matches(envelope
                        + "(ad\\.impression" + shared + "(,0\\.\\d{6}){2}|ad\\.click" + shared + ",[1-5],\\d\\.\\d{6}"
                        + "|ad\\.conversion" + shared + ",[1-3],[1-4],\\d{1,2}\\.\\d{6})"));
    }

    @Test
    void aNestedLineLooksAsDocumented() throws IOException {
        String money = "\\d+\\.\\d{6}";
        String interaction = "\\{\"action_id\":[1-5],\"revenue\":" + money + "\\}";
        String conversion = "\\{\"model_id\":[1-3],\"type_id\":[1-4],\"revenue\":" + money + "\\}";
        String pattern = "<134>1 2026-11-20T00:00:00\\.000000Z web03 adserver 4711 ad\\.auction\\.v2 - "
                + "\\{\"ts\":\\d{13},\"request\":\\{\"id\":\"[0-9a-f]{16}\",\"ip\":\"10(\\.\\d{1,3}){3}\",\"ua\":\"[^\"]+\"\\},"
                + "\"placement\":\\{\"campaign_id\":\\d+,\"inventory_id\":\\d+,\"creative_id\":\\d+\\},"
                + "\"audience_attribute_id\":\\d,\"user\":\\{\"id\":\\d+,\"segments\":\\[\\d+,\\d+\\]\\},"
                + "\"cost\":\\{\"media\":0\\.\\d{6},\"data\":0\\.\\d{6}\\},"
                + "\"interactions\":\\[(" + interaction + "(," + interaction + "){0,2})?\\],"
                + "\"conversions\":\\[(" + conversion + "(," + conversion + ")?)?\\]\\}";
        assertThat(lines(AdsWorkload.v2(1), 1_000)).hasSize(1_000).allMatch(line -> line.matches(pattern));
    }

    @Test
    void linesHaveTheDocumentedLength() throws IOException {
        assertThat(bytes(AdsWorkload.v1(3), SAMPLE).length / (double) SAMPLE).isCloseTo(125, within(4.0));
        assertThat(bytes(AdsWorkload.v2(3), SAMPLE).length / (double) SAMPLE).isCloseTo(415, within(8.0));
    }

    @Test
    void kindsHaveTheirShares() {
        int[] counts = new int[AdEvent.Kind.values().length];
        AdsWorkload.v1(4).forEach(SAMPLE, event -> counts[event.kind.ordinal()]++);
        assertShare(counts[AdEvent.Kind.IMPRESSION.ordinal()], 0.90);
        assertShare(counts[AdEvent.Kind.CLICK.ordinal()], 0.08);
        assertShare(counts[AdEvent.Kind.CONVERSION.ordinal()], 0.02);

        int[] interactions = new int[AdEvent.INTERACTIONS_MAX + 1];
        int[] conversions = new int[AdEvent.CONVERSIONS_MAX + 1];
        AdsWorkload.v2(4).forEach(SAMPLE, event -> {
            interactions[event.interactions]++;
            conversions[event.conversions]++;
        });
        assertShare(interactions[0], 0.70);
        assertShare(conversions[0], 0.93);
        for (int i = 1; i < interactions.length; i++) {
            assertShare(interactions[i], 0.10);
        }
        for (int i = 1; i < conversions.length; i++) {
            assertShare(conversions[i], 0.035);
        }
    }

    @Test
    void idsFollowZipf() {
        int[] strays = new int[1];
        int[] campaigns = new int[AdsWorkload.CAMPAIGNS + 1];
        int[] inventories = new int[AdsWorkload.INVENTORIES + 1];
        AdsWorkload.v1(5).forEach(SAMPLE, event -> {
            campaigns[(int) event.campaignId]++;
            inventories[(int) event.inventoryId]++;
            strays[0] += (event.creativeId - 1) / AdsWorkload.CREATIVES_PER_CAMPAIGN == event.campaignId - 1 ? 0 : 1;
        });
        assertThat(strays[0]).as("creatives of another campaign").isZero();
        assertZipf(campaigns);
        assertZipf(inventories);
    }

    private static void assertZipf(int[] counts) {
        double sum = 0;
        for (int rank = 1; rank < counts.length; rank++) {
            sum += Math.pow(rank, -1.1);
        }
        for (int rank = 1; rank < counts.length; rank++) {
            assertShare(counts[rank], Math.pow(rank, -1.1) / sum);
        }
    }

    /** Requires a count within five standard deviations of the expectation for so many draws. */
    private static void assertShare(int count, double share) {
        assertThat((double) count).isCloseTo(SAMPLE * share, within(5 * Math.sqrt(SAMPLE * share * (1 - share))));
    }

    @Test
    void twoMillionEventsHaveAboutTwoHundredEightyThousandKeys() {
        for (AdsWorkload workload : new AdsWorkload[] {AdsWorkload.v1(1), AdsWorkload.v2(1)}) {
            BitSet keys = new BitSet();
            workload.forEach(
                    2_000_000,
                    event -> keys.set((int)
                            ((event.creativeId * AdsWorkload.INVENTORIES + event.inventoryId) * AdsWorkload.AUDIENCES
                                    + event.audienceId)));
            assertThat(keys.cardinality()).isCloseTo(293_000, within(2_000));
        }
    }

    @Test
    void usersAreDistinctAndBelowFortyBits() {
        long[] users = new long[AdsWorkload.USERS];
        for (int i = 0; i < users.length; i++) {
            users[i] = AdsWorkload.userId(i);
        }
        Arrays.parallelSort(users);
        assertThat(users[0]).isNotNegative();
        assertThat(users[users.length - 1]).isLessThan(1L << 40).isGreaterThan(1L << 39);
        for (int i = 1; i < users.length; i++) {
            if (users[i] == users[i - 1]) {
                assertThat(users[i]).as("two users share an id").isNotEqualTo(users[i - 1]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEventDoesNotDependOnThoseAroundIt(boolean nested) throws IOException {
        AdsWorkload workload = nested ? AdsWorkload.v2(6) : AdsWorkload.v1(6);
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        workload.writeTo(parts, 0, 1_000);
        workload.writeTo(parts, 1_000, 1_001);
        workload.writeTo(parts, 1_001, 5_000);
        assertThat(parts.toByteArray()).isEqualTo(bytes(workload, 5_000));
        assertThat(bytes(nested ? AdsWorkload.v2(7) : AdsWorkload.v1(7), 5_000)).isNotEqualTo(parts.toByteArray());
    }

    @Test
    void theBytesAreThoseOfEveryOtherMachine() throws IOException {
        assertThat(crc(bytes(AdsWorkload.v1(42), 100_000))).isEqualTo(868_705_427L);
        assertThat(crc(bytes(AdsWorkload.v2(42), 100_000))).isEqualTo(3_736_003_369L);
    }

    private static long crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    @Test
    void typedEventsSayWhatTheFlatLinesSay() throws IOException {
        String[] lines = lines(AdsWorkload.v1(8), 20_000);
        AdsWorkload.Reader reader = AdsWorkload.v1(8).reader();
        for (int i = 0; i < lines.length; i++) {
            AdEvent event = reader.read(i);
            String[] words = lines[i].split(" ", -1);
            String[] fields = words[7].split(",", -1);
            assertThat(words[5]).isEqualTo(event.kind.topic());
            assertThat(Arrays.copyOf(fields, 6))
                    .containsExactly(
                            Long.toString(event.timeMillis),
                            Long.toString(event.campaignId),
                            Long.toString(event.inventoryId),
                            Long.toString(event.creativeId),
                            Long.toString(event.audienceId),
                            Long.toString(event.userId));
            String[] own = Arrays.copyOfRange(fields, 6, fields.length);
            switch (event.kind) {
                case IMPRESSION ->
                    assertThat(own).containsExactly(money(event.mediaCostMicros), money(event.dataCostMicros));
                case CLICK ->
                    assertThat(own)
                            .containsExactly(
                                    Long.toString(event.actionId[0]), money(event.interactionRevenueMicros[0]));
                case CONVERSION ->
                    assertThat(own)
                            .containsExactly(
                                    Long.toString(event.modelId[0]),
                                    Long.toString(event.typeId[0]),
                                    money(event.conversionRevenueMicros[0]));
                case AUCTION -> throw new AssertionError("an auction in v1");
            }
        }
    }

    @Test
    void typedEventsSayWhatTheNestedLinesSay() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        String[] lines = lines(AdsWorkload.v2(8), 5_000);
        AdsWorkload.Reader reader = AdsWorkload.v2(8).reader();
        for (int i = 0; i < lines.length; i++) {
            AdEvent event = reader.read(i);
            JsonNode json = mapper.readTree(lines[i].substring(lines[i].indexOf('{')));
            assertThat(json.at("/ts").asLong()).isEqualTo(event.timeMillis);
            assertThat(json.at("/placement/campaign_id").asLong()).isEqualTo(event.campaignId);
            assertThat(json.at("/placement/inventory_id").asLong()).isEqualTo(event.inventoryId);
            assertThat(json.at("/placement/creative_id").asLong()).isEqualTo(event.creativeId);
            assertThat(json.at("/audience_attribute_id").asLong()).isEqualTo(event.audienceId);
            assertThat(json.at("/user/id").asLong()).isEqualTo(event.userId);
            assertThat(micros(json.at("/cost/media"))).isEqualTo(event.mediaCostMicros);
            assertThat(micros(json.at("/cost/data"))).isEqualTo(event.dataCostMicros);
            assertThat(json.get("interactions")).hasSize(event.interactions);
            for (int k = 0; k < event.interactions; k++) {
                JsonNode interaction = json.get("interactions").get(k);
                assertThat(interaction.get("action_id").asLong()).isEqualTo(event.actionId[k]);
                assertThat(micros(interaction.get("revenue"))).isEqualTo(event.interactionRevenueMicros[k]);
            }
            assertThat(json.get("conversions")).hasSize(event.conversions);
            for (int k = 0; k < event.conversions; k++) {
                JsonNode conversion = json.get("conversions").get(k);
                assertThat(conversion.get("model_id").asLong()).isEqualTo(event.modelId[k]);
                assertThat(conversion.get("type_id").asLong()).isEqualTo(event.typeId[k]);
                assertThat(micros(conversion.get("revenue"))).isEqualTo(event.conversionRevenueMicros[k]);
            }
        }
    }

    private static String money(long micros) {
        return BigDecimal.valueOf(micros, 6).toPlainString();
    }

    private static long micros(JsonNode number) {
        return new BigDecimal(number.asText()).movePointRight(6).longValueExact();
    }

    private static byte[] bytes(AdsWorkload workload, long events) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        workload.writeTo(out, events);
        return out.toByteArray();
    }

    private static String[] lines(AdsWorkload workload, long events) throws IOException {
        return new String(bytes(workload, events), StandardCharsets.US_ASCII).split("\n");
    }
}
