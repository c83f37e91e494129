package io.summarizer.core.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.agkn.hll.HLL;
import net.agkn.hll.HLLType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link HllWriter} and {@link HllReader} against the specification and against java-hll. */
class HllExchangeTest {
    private static final int[] SIZES = {0, 1, 3, 40, 160, 321, 1_500};

    static Stream<Arguments> everyLayout() {
        return IntStream.rangeClosed(4, 17)
                .boxed()
                .flatMap(log2m -> IntStream.rangeClosed(1, 5).mapToObj(regwidth -> Arguments.of(log2m, regwidth)));
    }

    @Test
    void theHeaderNamesTheModifiersOfThePostgresColumn() {
        assertThat(written(HllFormat.of(11, 5))).isEqualTo("118b7f");
        assertThat(written(new HllFormat(11, 5, 0, true))).isEqualTo("118b40");
        assertThat(written(new HllFormat(11, 5, 1, true))).isEqualTo("118b41");
        assertThat(written(new HllFormat(11, 5, 256, false))).isEqualTo("118b09");
        assertThat(written(new HllFormat(17, 1, -1, true))).isEqualTo("11117f");
    }

    @Test
    void pairsOfASparseBodyAreNumberAndValueFromTheHighBitsOn() {
        // Register 11 with value 6 and register 1099 with value 19: the example of the specification, with regwidth 5.
        long one = 11 | 1L << (11 + 5);
        long other = 1099 | 1L << (11 + 18);
        assertThat(written(HllFormat.of(11, 5), one, other)).isEqualTo("138b7f" + "0166" + "8973");
    }

    @Test
    void registersOfAFullBodyFollowEachOtherFromTheHighBitsOn() {
        // Registers 1, 2 and 3 with those values, as in the specification.
        String written = written(new HllFormat(4, 5, -1, false), 1 | 1L << 4, 2 | 1L << 5, 3 | 1L << 6);
        assertThat(written).isEqualTo("14843f" + "00443000000000000000");
    }

    @Test
    void aSetThatNoRegisterKnowsAnythingOfIsEmpty() {
        assertThat(written(HllFormat.of(11, 5), 5)).isEqualTo("118b7f");
    }

    @Test
    void textIsWhatPostgresReadsAsBytes() {
        MultisetArena arena = new MultisetArena(11, 5);
        int handle = arena.add(0, 11 | 1L << 16);
        HllWriter writer = new HllWriter(HllFormat.of(11, 5));
        int length = writer.writeText(arena.freeze(), handle);
        assertThat(new String(writer.text(), 0, length, StandardCharsets.US_ASCII))
                .isEqualTo("\\x138b7f0166");
    }

    @Test
    void noPairIsHiddenByTheZerosThatFillUpTheLastByte() {
        // Two pairs of five bits leave six over, which a reader takes for a third: register 0 with value 0.
        assertThat(written(HllFormat.of(4, 1), 1L << 4, 1 | 1L << 4)).isEqualTo("14047f" + "c000");
        assertThat(written(HllFormat.of(4, 1), 1L << 4)).isEqualTo("13047f" + "08");
    }

    @ParameterizedTest
    @MethodSource("everyLayout")
    void javaHllReadsWhatIsWrittenAsTheSameRegisters(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        HllWriter writer = new HllWriter(HllFormat.of(log2m, regwidth));
        for (int size : SIZES) {
            MultisetArena arena = new MultisetArena(log2m, regwidth);
            HLL reference = new HLL(log2m, regwidth, 0, false, HLLType.FULL);
            int handle = 0;
            for (int i = 0; i < size; i++) {
                long hash = MultisetArenaTest.hash(random);
                handle = arena.add(handle, hash);
                reference.addRaw(hash);
            }
            MultisetArena.View view = arena.freeze();
            int length = writer.write(view, handle);

            HLL read = new HLL(log2m, regwidth, 0, false, HLLType.FULL);
            read.union(HLL.fromBytes(Arrays.copyOf(writer.bytes(), length)));
            assertThat(read.toBytes())
                    .as("log2m=%d regwidth=%d size=%d seed=%d", log2m, regwidth, size, seed)
                    .isEqualTo(reference.toBytes());
        }
    }

    @ParameterizedTest
    @MethodSource("everyLayout")
    void readsWhatJavaHllWritesInAllItsTypes(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int size : SIZES) {
            HLL reference = new HLL(log2m, regwidth, -1, true, HLLType.EMPTY);
            SetModel model = new SetModel(log2m, regwidth);
            for (int i = 0; i < size; i++) {
                long hash = MultisetArenaTest.hash(random);
                reference.addRaw(hash);
                model.add(hash);
            }
            MultisetArena arena = new MultisetArena(log2m, regwidth);
            int handle = 0;
            for (int i = 0; i < random.nextInt(500); i++) {
                long hash = MultisetArenaTest.hash(random);
                handle = arena.add(handle, hash);
                model.add(hash);
            }
            byte[] bytes = reference.toBytes();
            handle = HllReader.union(arena, handle, bytes, 0, bytes.length);
            assertThat(registers(arena, handle))
                    .as(
                            "log2m=%d regwidth=%d size=%d type=%s seed=%d",
                            log2m, regwidth, size, reference.getType(), seed)
                    .isEqualTo(model.registers());
        }
    }

    @ParameterizedTest
    @MethodSource("everyLayout")
    void readsBackWhatItWrote(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (HllFormat format : new HllFormat[] {
            HllFormat.of(log2m, regwidth),
            new HllFormat(log2m, regwidth, 0, false),
            new HllFormat(log2m, regwidth, 64, true)
        }) {
            HllWriter writer = new HllWriter(format);
            for (int size : SIZES) {
                MultisetArena arena = new MultisetArena(log2m, regwidth);
                int handle = 0;
                for (int i = 0; i < size; i++) {
                    handle = arena.add(handle, MultisetArenaTest.hash(random));
                }
                MultisetArena.View view = arena.freeze();
                int length = writer.writeText(view, handle);
                String text = new String(writer.text(), 0, length, StandardCharsets.US_ASCII);
                MultisetArena second = new MultisetArena(log2m, regwidth);
                int read = HllReader.union(second, 0, text);

                assertThat(registers(second, read))
                        .as("%s seed=%d", format, seed)
                        .isEqualTo(registers(arena, handle));
                // Written again, now from registers, it is the same text.
                int again = writer.writeText(second.freeze(), read);
                assertThat(new String(writer.text(), 0, again, StandardCharsets.US_ASCII))
                        .as("%s seed=%d", format, seed)
                        .isEqualTo(text);
            }
        }
    }

    @Test
    void anExplicitSetKeepsWhatTokensKeep() {
        MultisetArena arena = new MultisetArena(11, 5);
        byte[] bytes = HexFormat.of().parseHex("128b7f" + "cba79700677cdeaa" + "0000000000000001");
        int handle = HllReader.union(arena, 0, bytes, 0, bytes.length);
        MultisetArena.View view = arena.freeze();
        assertThat(view.isFull(handle)).isFalse();
        assertThat(view.cardinality(handle)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "118b, at least 3 bytes",
        "218b7f, version 2",
        "108b7f, undefined",
        "118b7f00, EMPTY",
        "158b7f, type 5",
        "118c7f, log2m=12",
        "11ab7f, regwidth=6",
        "128b7f00, EXPLICIT",
        "128b7f00000000000000020000000000000001, do not ascend",
        "128b7f00000000000000010000000000000001, do not ascend",
        "138b7f00, SPARSE",
        "138b7f89730166, registers that do not ascend",
        "148b7f00, FULL",
    })
    void refusesWhatIsNoSetAndSaysWhy(String hex, String reason) {
        MultisetArena arena = new MultisetArena(11, 5);
        assertThatThrownBy(() -> HllReader.union(arena, 0, "\\x" + hex))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({"118b7f", "\\x118b7", "\\x118b7g", "\\x118b7٣"})
    void refusesTextThatIsNotHex(String text) {
        assertThatThrownBy(() -> HllReader.union(new MultisetArena(11, 5), 0, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hex");
    }

    @Test
    void damagedBytesAreRefusedOrReadButNeverBreak() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int trial = 0; trial < 20_000; trial++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 2 && random.nextInt(4) > 0) {
                bytes[0] = (byte) (0x10 | random.nextInt(5));
                bytes[1] = (byte) 0x84;
            }
            MultisetArena arena = new MultisetArena(4, 5);
            try {
                int handle = HllReader.union(arena, 0, bytes, 0, bytes.length);
                assertThat(registers(arena, handle)).as("seed=%d", seed).hasSize(16);
            } catch (IllegalArgumentException e) {
                assertThat(e).as("seed=%d", seed).hasMessageContaining("HLL");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"3,5,-1", "18,5,-1", "11,6,-1", "11,5,3", "11,5,-2", "11,5,32768"})
    void refusesModifiersThatNoColumnHas(int log2m, int regwidth, int explicitMax) {
        assertThatThrownBy(() -> new HllFormat(log2m, regwidth, explicitMax, true))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesSetsWithOtherRegistersThanTheHeaderSays() {
        HllWriter writer = new HllWriter(HllFormat.of(12, 5));
        assertThatThrownBy(() -> writer.write(new MultisetArena(11, 5).freeze(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("log2m=11");
    }

    private static String written(HllFormat format, long... hashes) {
        MultisetArena arena = new MultisetArena(format.log2m(), format.regwidth());
        int handle = 0;
        for (long hash : hashes) {
            handle = arena.add(handle, hash);
        }
        MultisetArena.View view = arena.freeze();
        HllWriter writer = new HllWriter(format);
        int length = writer.write(view, handle);
        return HexFormat.of().formatHex(writer.bytes(), 0, length);
    }

    private static byte[] registers(MultisetArena arena, int handle) {
        byte[] registers = new byte[1 << arena.log2m()];
        arena.freeze().registers(handle, registers);
        return registers;
    }
}
