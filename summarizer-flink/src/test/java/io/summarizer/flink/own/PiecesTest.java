package io.summarizer.flink.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PiecesTest {
    private static final int PIECE = 64 * 1024;

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** The bytes as pieces, written in two parts. */
    private static byte[] pieces(byte[] bytes, int split) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream pieces = Pieces.to(out)) {
            pieces.write(bytes, 0, split);
            for (int i = split; i < Math.min(bytes.length, split + 3); i++) {
                pieces.write(bytes[i]);
            }
            int left = Math.min(bytes.length, split + 3);
            pieces.write(bytes, left, bytes.length - left);
        }
        return out.toByteArray();
    }

    @Test
    void bytesAreReadAsTheyWereWrittenWhereverTheWritesAreSplit() throws IOException {
        for (int length : new int[] {0, 1, 5, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE}) {
            byte[] bytes = bytes(length);
            for (int split = 0; split <= length; split += length < 10 ? 1 : 4093) {
                byte[] stored = Arrays.copyOf(pieces(bytes, split), pieces(bytes, split).length + 9);
                ByteArrayInputStream in = new ByteArrayInputStream(stored);
                ByteArrayOutputStream read = new ByteArrayOutputStream();
                Pieces.copy(in, read);
                assertThat(read.toByteArray()).isEqualTo(bytes);
                assertThat(in.available()).isEqualTo(9); // what follows is not read
            }
        }
    }

    @Test
    void piecesThatAreCutOffAnywhereAreNoState() throws IOException {
        byte[] stored = pieces(bytes(300), 7);
        for (int length = 0; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThatThrownBy(() -> Pieces.copy(new ByteArrayInputStream(cut), new ByteArrayOutputStream()))
                    .isInstanceOf(EOFException.class);
        }
        stored[3] = -1;
        assertThatThrownBy(() -> Pieces.copy(new ByteArrayInputStream(stored), new ByteArrayOutputStream()))
                .hasMessageContaining("length=");
    }
}
