package io.summarizer.core.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdHashTest {
    private static final IdKey KEY = new IdKey(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

    /** The reference below gives the results of the authors' and Rust's implementations for the empty message. */
    @Test
    void shouldBeComparedWithAReferenceThatGivesThePublishedResults() {
        assertThat(reference(2, 4, KEY, new byte[0])).containsExactly(0xe6a825ba047f81a3L, 0x930255c71472f66dL);
        assertThat(reference(1, 3, KEY, new byte[0])).containsExactly(0xbea58827b2bc7ee7L, 0x013030dd6adb62fdL);
    }

    @Test
    void shouldBeSipHashOfTheWords() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            IdKey key = new IdKey(random.nextLong(), random.nextLong());
            IdHash hash = new IdHash(key);
            Bytes message = new Bytes();
            byte[] text = new byte[random.nextInt(40)];
            random.nextBytes(text);
            long number = random.nextLong() >>> random.nextInt(64);
            switch (random.nextInt(3)) {
                case 0 -> {
                    hash.ofInt(number);
                    message.words(1, number);
                }
                case 1 -> {
                    hash.ofTimestamp(number);
                    message.words(4, number);
                }
                default -> {
                    int offset = random.nextInt(text.length + 1);
                    hash.ofText(text, offset, text.length - offset);
                    message.words(5).text(text, offset);
                }
            }
            for (int row = 0; row < 3; row++) {
                byte[] column = new byte[random.nextInt(20)];
                random.nextBytes(column);
                hash.beginRow();
                hash.add(row);
                hash.addText(column, 0, column.length);
                hash.endRow();
                byte[] expected =
                        new Bytes(message).words(row).text(column, 0).out.toByteArray();
                assertThat(new long[] {hash.high(), hash.low()})
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(reference(1, 3, key, expected));
            }
        }
    }

    @Test
    void shouldTellIdsAndRowsApart() {
        Set<String> seen = new HashSet<>();
        IdHash hash = new IdHash(KEY);
        byte[] text = "abcdefgh".getBytes(UTF_8);
        for (int value = 0; value < 100; value++) {
            hash.ofInt(value);
            add(seen, hash);
            hash.ofTimestamp(value);
            add(seen, hash);
            hash.ofDouble(value);
            add(seen, hash);
            hash.ofText(Integer.toString(value).getBytes(UTF_8), 0, value < 10 ? 1 : 2);
            add(seen, hash);
        }
        for (int length = 1; length <= 8; length++) {
            hash.ofText(text, 0, length);
            add(seen, hash);
        }
        hash.ofText(new byte[] {0, 0}, 0, 2);
        add(seen, hash);
        hash.ofText(new byte[] {0}, 0, 1);
        add(seen, hash);
        hash.ofUint(-1);
        add(seen, hash);
        hash.ofInt(-1);
        add(seen, hash);
        hash.key(new IdKey(1, 1));
        hash.ofInt(-1);
        add(seen, hash);
        assertThat(seen).hasSize(2 * (400 + 8 + 5));
    }

    @Test
    void shouldTakeWhatTheLanguageTakesForEqualForTheSame() {
        IdHash hash = new IdHash(KEY);
        hash.ofInt(7);
        String seven = row(hash, 0);
        hash.ofUint(7);
        assertThat(row(hash, 0)).isEqualTo(seven);
        hash.ofDouble(0.0);
        String zero = row(hash, 0);
        hash.ofDouble(-0.0);
        assertThat(row(hash, 0)).isEqualTo(zero);
    }

    @Test
    void shouldNotShowTheSecret() {
        assertThat(new IdKey(1234567, 7654321).toString()).doesNotContain("1234567", "7654321");
    }

    private static void add(Set<String> seen, IdHash hash) {
        assertThat(seen.add(row(hash, 0))).isTrue();
        assertThat(seen.add(row(hash, 1))).isTrue();
    }

    private static String row(IdHash hash, long row) {
        hash.beginRow();
        hash.add(row);
        hash.endRow();
        return hash.high() + " " + hash.low();
    }

    /** A message of words and texts. */
    private static final class Bytes {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Bytes() {}

        Bytes(Bytes other) {
            out.writeBytes(other.out.toByteArray());
        }

        Bytes words(long... words) {
            ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
            for (long word : words) {
                bytes.putLong(word);
            }
            out.writeBytes(bytes.array());
            return this;
        }

        Bytes text(byte[] text, int offset) {
            int length = text.length - offset;
            words(length);
            out.write(text, offset, length);
            while (out.size() % 8 != 0) {
                out.write(0);
            }
            return this;
        }
    }

    /** The paper's algorithm, byte by byte. */
    private static long[] reference(int c, int d, IdKey key, byte[] message) {
        long[] v = {
            key.first() ^ 0x736f6d6570736575L,
            key.second() ^ 0x646f72616e646f6dL ^ 0xee,
            key.first() ^ 0x6c7967656e657261L,
            key.second() ^ 0x7465646279746573L
        };
        int blocks = message.length / 8 + 1;
        for (int block = 0; block < blocks; block++) {
            long m = block == blocks - 1 ? (long) message.length << 56 : 0;
            for (int i = 0; i < 8 && block * 8 + i < message.length; i++) {
                m |= (message[block * 8 + i] & 0xffL) << (8 * i);
            }
            v[3] ^= m;
            rounds(v, c);
            v[0] ^= m;
        }
        v[2] ^= 0xee;
        rounds(v, d);
        long first = v[0] ^ v[1] ^ v[2] ^ v[3];
        v[1] ^= 0xdd;
        rounds(v, d);
        return new long[] {first, v[0] ^ v[1] ^ v[2] ^ v[3]};
    }

    private static void rounds(long[] v, int count) {
        for (int i = 0; i < count; i++) {
            v[0] += v[1];
            v[1] = Long.rotateLeft(v[1], 13);
            v[1] ^= v[0];
            v[0] = Long.rotateLeft(v[0], 32);
            v[2] += v[3];
            v[3] = Long.rotateLeft(v[3], 16);
            v[3] ^= v[2];
            v[0] += v[3];
            v[3] = Long.rotateLeft(v[3], 21);
            v[3] ^= v[0];
            v[2] += v[1];
            v[1] = Long.rotateLeft(v[1], 17);
            v[1] ^= v[2];
            v[2] = Long.rotateLeft(v[2], 32);
        }
    }
}
