package io.summarizer.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.text.DecimalText;
import io.summarizer.core.text.TimestampText;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ScalarReaderTest {
    private static final ZoneId[] ZONES = {ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("+05:30")};
    private static final String[] TEXTS = {
        "2026-11-20T00:00:00+00:00",
        "2026-11-20T00:00:00",
        "2026-11-20",
        "20261120T000000Z",
        "1574553663979",
        "2026-11-20T00:00:00.123456789123456789",
        "-0.1",
        ""
    };

    @Test
    void shouldReadATimestampLikeTheLastOneAsOneThatItNeverSaw() {
        long seed = Seeds.first();
        SplittableRandom random = new SplittableRandom(seed);
        FieldSchema field = Schemas.scalar("t", 1, FieldKind.TIMESTAMP, 0);
        ScalarReader reader = new ScalarReader();
        ZoneId zone = ZONES[0];
        byte[] text = {};
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            if (random.nextInt(3) == 0) {
                text = TEXTS[random.nextInt(TEXTS.length)].getBytes(StandardCharsets.US_ASCII);
            }
            if (random.nextInt(3) == 0 && text.length > 0) {
                text[random.nextInt(text.length)] = (byte) "0123456789-+TZ:".charAt(random.nextInt(15));
            }
            if (random.nextInt(5) == 0) {
                zone = ZONES[random.nextInt(ZONES.length)];
            }
            reader.zone(zone);
            long expected = TimestampText.parseAny(new DecimalText(), text, 0, text.length, zone);
            long actual;
            try {
                actual = reader.timestamp(field, text, 0, text.length);
                read++;
            } catch (BadPayloadException e) {
                actual = TimestampText.INVALID;
            }
            assertThat(actual)
                    .as("seed %d, round %d: %s, %s", seed, round, new String(text, StandardCharsets.US_ASCII), zone)
                    .isEqualTo(expected);
        }
        assertThat(read).as("seed %d", seed).isGreaterThan(2_000);
    }
}
