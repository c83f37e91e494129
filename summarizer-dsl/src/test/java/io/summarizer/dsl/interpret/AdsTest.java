package io.summarizer.dsl.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The ad server's definitions, from their text to updates. */
class AdsTest {
    private final Plan plan = plan();
    private final Updates updates = new Updates(plan.summaries());
    private final MessageBatch batch = new MessageBatch(1 << 12);
    private final Random random = new Random();

    private static Plan plan() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("schemas/ads.summ"))) {
                CheckResult result = DefinitionsCompiler.check(at.resolve("schemas"));
                assertThat(result.render()).isEmpty();
                return PlanCompiler.compile(result.definitions().orElseThrow());
            }
        }
        throw new IllegalStateException("no schemas folder");
    }

    private EventProgram program(String event) {
        for (int i = 0; i < plan.events().size(); i++) {
            if (plan.events().get(i).name().equals(event)) {
                return plan.newProgram(i);
            }
        }
        throw new IllegalArgumentException(event);
    }

    private List<String> run(EventProgram program, String payload) {
        batch.clear();
        assertThat(program.process(
                        Messages.add(batch, "ad", payload.getBytes(StandardCharsets.UTF_8)),
                        new boolean[] {true},
                        updates))
                .as(payload)
                .isNull();
        return updates.take();
    }

    private static String hash(long user) {
        return Long.toString(Hashing.murmur3_128().hashLongToLong(user));
    }

    private static String decimal(long micros) {
        return BigDecimal.valueOf(micros, 6).toPlainString();
    }

    @Test
    void impressionsClicksAndConversionsMeetInOneRow() {
        assertThat(run(program("Impression"), "1795132800000,7,8,9,10,11,0.004219,0.000312"))
                .containsExactly("CampaignDetails[7, 8, 9, 10] impression_count=1 impression_uu=" + hash(11)
                        + " media_cost=4219 data_cost=312");
        assertThat(run(program("Click"), "1795132800000,7,8,9,10,11,3,1.5"))
                .containsExactly("CampaignDetails[7, 8, 9, 10] interactions[3]{ count=1 uu_count=" + hash(11)
                        + " revenue=1500000}");
        assertThat(run(program("Conversion"), "1795132800000,7,8,9,10,11,2,1,20"))
                .containsExactly("CampaignDetails[7, 8, 9, 10] conversions[2, 1]{ count=1 uu_count=" + hash(11)
                        + " revenue=20000000}");
    }

    @Test
    void auctionsUpdateAllThatCameOfThem() {
        long seed = System.nanoTime();
        random.setSeed(seed);
        EventProgram program = program("Auction");
        for (int round = 0; round < 2000; round++) {
            long user = random.nextLong() >>> 24;
            long media = random.nextInt(1_000_000);
            long data = random.nextInt(1_000_000);
            String key =
                    random.nextInt(9) + ", " + random.nextInt(9) + ", " + random.nextInt(9) + ", " + random.nextInt(9);
            String[] keys = key.split(", ");
            StringBuilder expected = new StringBuilder("CampaignDetails[" + key + "] impression_count=1 impression_uu="
                    + hash(user) + " media_cost=" + media + " data_cost=" + data);
            List<String> interactions = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                long revenue = random.nextInt();
                interactions.add("{\"action_id\":" + i + ",\"revenue\":" + decimal(revenue) + "}");
                expected.append(
                        " interactions[" + i + "]{ count=1 uu_count=" + hash(user) + " revenue=" + revenue + "}");
            }
            List<String> conversions = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                long revenue = random.nextInt();
                conversions.add(
                        "{\"model_id\":" + i + ",\"type_id\":" + 2 * i + ",\"revenue\":" + decimal(revenue) + "}");
                expected.append(" conversions[" + i + ", " + 2 * i + "]{ count=1 uu_count=" + hash(user) + " revenue="
                        + revenue + "}");
            }
            String payload = """
                    {"ts":1795132800000,"request":{"id":"0123456789abcdef","ip":"10.0.0.1","ua":"a/1.0"},\
                    "placement":{"campaign_id":%s,"inventory_id":%s,"creative_id":%s},"audience_attribute_id":%s,\
                    "user":{"id":%d,"segments":[1,2]},"cost":{"media":%s,"data":%s},"interactions":%s,"conversions":%s}""".formatted(
                    keys[0], keys[1], keys[2], keys[3], user, decimal(media), decimal(data), interactions, conversions);
            assertThat(run(program, payload)).as("seed %d", seed).containsExactly(expected.toString());
        }
        assertThat(program.counts().applied).containsExactly(2000);
    }
}
