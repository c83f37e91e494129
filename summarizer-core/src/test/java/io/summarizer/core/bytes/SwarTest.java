package io.summarizer.core.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SwarTest {
    @Test
    void findsTheFirstLfAsAPlainLoopDoes() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(120)];
            for (int i = 0; i < bytes.length; i++) {
                // Neighbours of LF, with and without the high bit, are where such tricks fail.
                bytes[i] = (byte)
                        (random.nextInt(40) == 0
                                ? '\n'
                                : "\u0009\u000b\u008a\u0089\u0000\u00ff\u000e ".charAt(random.nextInt(8)));
            }
            int from = random.nextInt(bytes.length + 1);
            int to = from + random.nextInt(bytes.length - from + 1);
            int expected = -1;
            for (int i = from; i < to && expected < 0; i++) {
                expected = bytes[i] == '\n' ? i : -1;
            }
            assertThat(Swar.indexOfLf(bytes, from, to))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(expected);
        }
    }

    @Test
    void findsWhatEndsAStretchOfAStringAsAPlainLoopDoes() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(60)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte)
                        (random.nextInt(20) == 0
                                ? "\"\\\u001f\u0000".charAt(random.nextInt(4))
                                : random.nextInt(4) > 0
                                        ? "!#[] \u007f".charAt(random.nextInt(6))
                                        : "!#[] \u00a2\u00dc\u009f\u0080\u00ff\u007f".charAt(random.nextInt(11)));
            }
            int from = random.nextInt(bytes.length + 1);
            int to = from + random.nextInt(bytes.length - from + 1);
            int quote = -1;
            int control = -1;
            int nonAscii = -1;
            for (int i = to - 1; i >= from; i--) {
                if (bytes[i] == '"' || bytes[i] == '\\') {
                    quote = i;
                    control = i;
                    nonAscii = i;
                } else if (bytes[i] >= 0 && bytes[i] < ' ') {
                    control = i;
                    nonAscii = i;
                } else if (bytes[i] < 0) {
                    nonAscii = i;
                }
            }
            // The quote's place also serves for a comma.
            byte[] commas = bytes.clone();
            for (int i = 0; i < bytes.length; i++) {
                commas[i] = (byte) (bytes[i] == '"' || bytes[i] == '\\' ? ',' : bytes[i] == ',' ? '-' : bytes[i]);
            }
            assertThat(Swar.indexOf((byte) ',', commas, from, to))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(quote);
            assertThat(Swar.indexOfQuoteBackslashOrControl(bytes, from, to))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(control);
            assertThat(Swar.indexOfStringEndOrNonAscii(bytes, from, to))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(nonAscii);
        }
    }

    @Test
    void tellsPrintableBytesInEveryPlace() {
        for (int value = 0; value < 256; value++) {
            boolean printable = value > ' ' && value < 0x7f;
            for (int place = 0; place < 8; place++) {
                for (long others : new long[] {0x2121212121212121L, 0x7e7e7e7e7e7e7e7eL}) {
                    long word = (others & ~(0xffL << (8 * place))) | ((long) value << (8 * place));
                    assertThat(Swar.firstByte(Swar.notPrintable(word)))
                            .as("%x", word)
                            .isEqualTo(printable ? 8 : place);
                }
            }
        }
        assertThat(Swar.notPrintable(0x20007f80ff0a411fL)).isEqualTo(0x8080808080800080L);
    }
}
