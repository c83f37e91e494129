package io.summarizer.core.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvelopeFaultTest {
    private static String describe(byte[] message) {
        return EnvelopeFault.describe(message, 0, message.length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<007>1 - h a p m - x | PRI has a leading zero (byte 1)",
                "<192>1 - h a p m - x | PRI 192 is above 191 (byte 1)",
                "<13>1 today h a p m - x | TIMESTAMP \"today\" is not as RFC 5424 has it (byte 6)",
                "<13>1 - h | the message ends where HOSTNAME and a space should be (byte 8)",
                "<13>1 -  a p m - x | HOSTNAME is empty; - says that there is none (byte 8)",
                "<13>1 - h a p müd - x | MSGID has a byte that is not printable ASCII (byte 15)",
                "<13>1 - h a p m x | STRUCTURED-DATA is neither - nor [...]: \"x\" (byte 16)",
                "<13>1 - h a p m [id a=\"] x | STRUCTURED-DATA is malformed: \"[id a=\"] x\" (byte 16)",
                "<13>1 - h a p m -x | there is no space after STRUCTURED-DATA (byte 17)",
                "<13>1 - h a p m - x | ``",
                "no header | ``",
            })
    void saysWhichRuleIsBroken(String message, String fault) {
        assertThat(describe(message.getBytes(StandardCharsets.UTF_8))).isEqualTo(fault);
    }

    @Test
    void saysThatAWordIsTooLongForATopic() {
        String word = "m".repeat(256);
        assertThat(describe(("<13>1 - h a p " + word + " - x").getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("MSGID has 256 bytes, at most 255 (byte 14)");
        assertThat(describe(("<13>1 - h " + word + " p m - x").getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("APP-NAME has 256 bytes, at most 255 (byte 10)");
    }

    @Test
    void findsAFaultJustWhereTheParserRejects() {
        long seed = Seeds.first();
        Random random = new Random(seed);
        byte[] good = "<134>1 2026-11-20T00:00:00.123456785Z web1 ads 77 ad.click [ev@32473 id=\"7\" x=\"a\\]b\"] 1,2,3"
                .getBytes(StandardCharsets.US_ASCII);
        byte[] other = "[]<>- \"\\=:.0159Zaé\u007f".getBytes(StandardCharsets.ISO_8859_1);
        EnvelopeParser parser = new EnvelopeParser(TopicRule.MSGID);
        int rejected = 0;
        for (int i = 0; i < 30_000; i++) {
            byte[] message = java.util.Arrays.copyOf(good, 1 + random.nextInt(good.length));
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                message[random.nextInt(message.length)] = other[random.nextInt(other.length)];
            }
            MessageBatch batch = new MessageBatch(message.length + random.nextInt(16));
            System.arraycopy(message, 0, batch.bytes(), 0, message.length);
            batch.limit(message.length);
            parser.parse(batch, batch.append(0, message.length));
            boolean isRejected = batch.message(0).rejectReason() == RejectReason.ENVELOPE;
            rejected += isRejected ? 1 : 0;
            assertThat(describe(message).isEmpty())
                    .as("%s, seed %d", new String(message, StandardCharsets.ISO_8859_1), seed)
                    .isEqualTo(!isRejected);
        }
        assertThat(rejected).isBetween(5_000, 29_000);
    }
}
