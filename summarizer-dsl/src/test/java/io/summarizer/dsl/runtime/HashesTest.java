package io.summarizer.dsl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares {@link Hashes} with the Murmur3 of hash4j. */
class HashesTest {
    private static final Hasher128 ORACLE = Hashing.murmur3_128();

    @Test
    void shouldBeMurmur3ForEachLengthAndPlace() {
        Random random = new Random(1);
        byte[] bytes = new byte[300];
        random.nextBytes(bytes);
        for (int length = 0; length <= 260; length++) {
            for (int from = 0; from < 40; from++) {
                assertThat(Hashes.hash(bytes, from, length))
                        .as("%d bytes at %d", length, from)
                        .isEqualTo(ORACLE.hashBytesToLong(bytes, from, length));
            }
        }
    }

    @Test
    void shouldBeMurmur3OfIntegers() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            long bits = i < 64 ? 1L << i : random.nextLong();
            assertThat(Hashes.hash(bits)).as("%d", bits).isEqualTo(ORACLE.hashLongToLong(bits));
        }
    }
}
