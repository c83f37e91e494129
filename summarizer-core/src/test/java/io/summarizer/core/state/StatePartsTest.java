package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a state file beside rows. */
class StatePartsTest {
    @TempDir
    Path folder;

    private final Cut cut = StateFileTest.small().freeze(7, 8);

    @Test
    void shouldGiveBackWhatWasWrittenWhateverItsSize() throws Exception {
        Random random = new Random(5);
        for (int bytes : new int[] {0, 1, 1000, StateFormat.PIECE_BYTES, StateFormat.PIECE_BYTES + 1, 3_500_000}) {
            byte[] large = new byte[bytes];
            random.nextBytes(large);
            Path file = folder.resolve("one.state");
            StateWriter.write(
                    cut,
                    file,
                    2,
                    List.of(
                            CutPart.of("small", out -> out.write(new byte[] {1, 2})),
                            CutPart.of("large", out -> out.write(large)),
                            dribble()));
            try (StateFile state = StateFile.open(file)) {
                state.verify(2);
                assertThat(read(state, "small")).containsExactly(1, 2);
                assertThat(read(state, "large")).isEqualTo(large);
                assertThat(read(state, "dribble")).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
                assertThat(state.part("larg")).isEmpty();
                assertThat(state.cutId()).isEqualTo(7);
            }
        }
    }

    /** A part that is written a byte at a time. */
    private static CutPart dribble() {
        return new CutPart() {
            @Override
            public String name() {
                return "dribble";
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                for (int i = 0; i < 10; i++) {
                    out.write(i);
                }
            }
        };
    }

    @Test
    void shouldLoadTheRowsOfAFileThatHasPartsAsOfOneThatHasNone() throws Exception {
        Path file = folder.resolve("with.state");
        StateWriter.write(cut, file, 1, List.of(CutPart.of("part", out -> out.write(new byte[100]))));
        var with = States.empty(StateFileTest.small().layouts());
        States.load(file, with);
        assertThat(States.dump(with)).isEqualTo(States.dump(StateFileTest.small()));
    }

    @Test
    void shouldNoticeAnyBitThatChangesInAPart() throws Exception {
        byte[] part = new byte[300];
        new Random(6).nextBytes(part);
        Path file = folder.resolve("one.state");
        StateWriter.write(cut, file, 1, List.of(CutPart.of("part", out -> out.write(part))));
        byte[] bytes = Files.readAllBytes(file);
        int at = indexOf(bytes, part);
        for (int i = at - StateFormat.BLOCK_HEADER_BYTES; i < at + part.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 4;
            Files.write(file, damaged);
            try (StateFile state = StateFile.open(file)) {
                assertThatThrownBy(() -> state.verify(1)).as("byte %d", i).isInstanceOf(StateException.class);
                assertThatThrownBy(() -> read(state, "part")).as("byte %d", i).isInstanceOf(StateException.class);
            }
        }
    }

    /** Finds random bytes, which are stored uncompressed. */
    private static int indexOf(byte[] bytes, byte[] part) {
        for (int i = 0; i + part.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("the part was compressed");
    }

    private static byte[] read(StateFile state, String part) throws IOException {
        try (InputStream in = state.part(part).orElseThrow()) {
            return in.readAllBytes();
        }
    }
}
