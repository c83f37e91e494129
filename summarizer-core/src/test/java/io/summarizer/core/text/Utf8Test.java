package io.summarizer.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {
    @Test
    void judgesRandomBytesAsTheJdkDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int valid = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = randomBytes(random);
            boolean expected = decodes(bytes);
            valid += expected ? 1 : 0;
            assertThat(Utf8.isValid(bytes, 0, bytes.length))
                    .as("seed %d, round %d", seed, i)
                    .isEqualTo(expected);
        }
        assertThat(valid).isBetween(10_000, 90_000);
    }

    @Test
    void countsAndSkipsCodePoints() {
        byte[] bytes = "aé€𝄞z".getBytes(StandardCharsets.UTF_8);
        assertThat(Utf8.codePoints(bytes, 0, bytes.length)).isEqualTo(5);
        assertThat(Utf8.skip(bytes, 0, bytes.length, 0)).isZero();
        assertThat(Utf8.skip(bytes, 0, bytes.length, 2)).isEqualTo(3);
        assertThat(Utf8.skip(bytes, 0, bytes.length, 4)).isEqualTo(10);
        assertThat(Utf8.skip(bytes, 0, bytes.length, 99)).isEqualTo(bytes.length);
        assertThat(Utf8.isAscii(bytes, 0, 1)).isTrue();
        assertThat(Utf8.isAscii(bytes, 0, bytes.length)).isFalse();
    }

    @Test
    void encodesEveryCodePoint() {
        byte[] target = new byte[4];
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                continue;
            }
            int end = Utf8.put(target, 0, codePoint);
            assertThat(new String(target, 0, end, StandardCharsets.UTF_8).codePointAt(0))
                    .isEqualTo(codePoint);
        }
    }

    private static byte[] randomBytes(Random random) {
        byte[] bytes = "plain text, then some 𝄞€é".getBytes(StandardCharsets.UTF_8);
        for (int flips = random.nextInt(3); flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean() ? random.nextInt(256) : 0xe0);
        }
        int from = random.nextInt(bytes.length);
        return java.util.Arrays.copyOfRange(bytes, from, from + random.nextInt(bytes.length - from + 1));
    }

    private static boolean decodes(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
