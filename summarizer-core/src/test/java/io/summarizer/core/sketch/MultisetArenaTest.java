package io.summarizer.core.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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

class MultisetArenaTest {
    static Stream<Arguments> everyLayout() {
        return IntStream.rangeClosed(4, 17)
                .boxed()
                .flatMap(log2m -> IntStream.rangeClosed(1, 5).mapToObj(regwidth -> Arguments.of(log2m, regwidth)));
    }

    @Test
    void theEmptySetIsZeroAndHasNoElements() {
        MultisetArena.View view = new MultisetArena(11, 5).freeze();
        byte[] registers = new byte[2048];
        Arrays.fill(registers, (byte) 9);
        view.registers(0, registers);

        assertThat(view.cardinality(0)).isZero();
        assertThat(tokens(view, 0)).isEmpty();
        assertThat(registers).containsOnly(0);
    }

    @ParameterizedTest
    @CsvSource({"4,1", "4,2", "6,3", "11,1", "11,2"})
    void narrowRegistersEndAtTheLargestEstimate(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        MultisetArena arena = new MultisetArena(log2m, regwidth);
        long largest = MultisetArena.largestEstimate(log2m, regwidth);
        int handle = 0;
        for (int i = 0; i < 200_000; i++) {
            handle = arena.add(handle, hash(random));
        }
        assertThat(arena.freeze().cardinality(handle))
                .as("seed %d", seed)
                .isEqualTo(largest)
                .isLessThan(200_000);
    }

    @ParameterizedTest
    @MethodSource("everyLayout")
    void holdsWhatTheModelHoldsInEveryState(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        MultisetArena arena = new MultisetArena(log2m, regwidth);
        int sets = 40;
        int[] handles = new int[sets];
        SetModel[] models = new SetModel[sets];
        int[] limits = new int[sets];
        for (int i = 0; i < sets; i++) {
            models[i] = new SetModel(log2m, regwidth);
            limits[i] = 1 + random.nextInt(1 << random.nextInt(1, 11));
        }
        for (int step = 0; step < 6_000; step++) {
            int set = random.nextInt(sets);
            if (limits[set]-- <= 0) {
                continue;
            }
            long hash = hash(random);
            long place = arena.placeOf(handles[set]);
            if (place != MultisetArena.NO_PLACE) {
                int unused = arena.prefetch(place);
            }
            handles[set] = arena.add(handles[set], hash);
            models[set].add(hash);
        }
        MultisetArena.View view = arena.freeze();
        for (int i = 0; i < sets; i++) {
            assertSame(view, handles[i], models[i], "log2m=" + log2m + " regwidth=" + regwidth + " seed=" + seed);
        }
    }

    @Test
    void shouldHaveAPlaceForEachListAndForNothingElse() {
        MultisetArena arena = new MultisetArena(11, 5);
        assertThat(arena.placeOf(0)).isEqualTo(MultisetArena.NO_PLACE);
        int one = arena.add(0, 1);
        assertThat(arena.placeOf(one)).isEqualTo(MultisetArena.NO_PLACE);
        int first = arena.add(one, 2L << 40 | 2);
        int second = arena.add(arena.add(0, 3), 2L << 40 | 4);
        assertThat(arena.placeOf(first)).isNotIn(MultisetArena.NO_PLACE, arena.placeOf(second));
        int full = 0;
        for (int value = 0; value < 1000; value++) {
            full = arena.add(full, value * 0x9E3779B97F4A7C15L);
        }
        assertThat(SetLayout.kind(full)).isEqualTo(SetLayout.FULL);
        assertThat(List.of(arena.placeOf(0), arena.placeOf(one), arena.placeOf(full)))
                .containsOnly(arena.placeOf(first));

        MultisetArena withoutLists = new MultisetArena(4, 3);
        int set = withoutLists.add(withoutLists.add(0, 1), 2L << 40 | 2);
        assertThat(withoutLists.placeOf(set)).isEqualTo(MultisetArena.NO_PLACE);
    }

    /** Lists of all sizes, up to those that end where a chunk does. */
    @Test
    void shouldTouchEveryList() {
        MultisetArena arena = new MultisetArena(11, 5);
        SplittableRandom random = new SplittableRandom(5);
        for (int set = 0; set < 20_000; set++) {
            int handle = 0;
            for (int value = random.nextInt(1 << random.nextInt(9)); value >= 0; value--) {
                handle = arena.add(handle, random.nextLong());
                long place = arena.placeOf(handle);
                int unused = place == MultisetArena.NO_PLACE ? 0 : arena.prefetch(place);
            }
        }
        assertThat(arena.bytesUsed()).as("many chunks").isGreaterThan(1 << 20);
    }

    @ParameterizedTest
    @CsvSource({"4,1", "4,5", "8,4", "11,5", "11,1", "11,2", "11,3", "13,5", "14,4", "15,3", "16,5", "17,5"})
    void registersAreThoseOfJavaHll(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int size : new int[] {1, 2, 3, 50, 320, 321, 2_000, 30_000}) {
            MultisetArena arena = new MultisetArena(log2m, regwidth);
            HLL reference = new HLL(log2m, regwidth, 0, false, HLLType.FULL);
            int handle = 0;
            for (int i = 0; i < size; i++) {
                long hash = hash(random);
                handle = arena.add(handle, hash);
                reference.addRaw(hash);
            }
            byte[] registers = new byte[1 << log2m];
            arena.freeze().registers(handle, registers);
            assertThat(registers).as("size=%d seed=%d", size, seed).isEqualTo(registersOf(reference, log2m, regwidth));
        }
    }

    @ParameterizedTest
    @MethodSource("everyLayout")
    void aUnionIsWhatAddingAllHashesGives(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        MultisetArena arena = new MultisetArena(log2m, regwidth);
        MultisetArena other = new MultisetArena(log2m, regwidth);
        for (int trial = 0; trial < 40; trial++) {
            SetModel model = new SetModel(log2m, regwidth);
            int handle = addRandom(arena, random, model);
            int otherHandle = addRandom(other, random, model);
            MultisetArena.View view = other.freeze();
            byte[] before = registers(view, otherHandle);

            handle = arena.union(handle, view, otherHandle);

            String context = "log2m=" + log2m + " regwidth=" + regwidth + " trial=" + trial + " seed=" + seed;
            assertSame(arena.freeze(), handle, model, context);
            assertThat(registers(view, otherHandle)).as(context).isEqualTo(before);
        }
    }

    @Test
    void aUnionWithAnEarlierViewOfItselfChangesNothing() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        MultisetArena arena = new MultisetArena(11, 5);
        for (int size : new int[] {0, 1, 2, 200, 5_000}) {
            SetModel model = new SetModel(11, 5);
            int handle = 0;
            for (int i = 0; i < size; i++) {
                long hash = hash(random);
                handle = arena.add(handle, hash);
                model.add(hash);
            }
            int united = arena.union(handle, arena.freeze(), handle);
            assertThat(united).isEqualTo(handle);
            assertSame(arena.freeze(), united, model, "size=" + size + " seed=" + seed);
        }
    }

    @Test
    void aUnionLeavesEarlierViewsAsTheyWere() {
        SplittableRandom random = new SplittableRandom(11);
        MultisetArena arena = new MultisetArena(11, 5);
        MultisetArena other = new MultisetArena(11, 5);
        int full = 0;
        int otherFull = 0;
        for (int i = 0; i < 1_000; i++) {
            full = arena.add(full, random.nextLong());
            otherFull = other.add(otherFull, random.nextLong());
        }
        MultisetArena.View before = arena.freeze();
        byte[] registersBefore = registers(before, full);

        int united = arena.union(full, other.freeze(), otherFull);

        assertThat(registers(arena.freeze(), united)).isNotEqualTo(registersBefore);
        assertThat(registers(before, full)).isEqualTo(registersBefore);
    }

    @Test
    void refusesTheUnionOfSetsWithOtherRegisters() {
        MultisetArena arena = new MultisetArena(11, 5);
        assertThatThrownBy(() -> arena.union(0, new MultisetArena(12, 5).freeze(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("log2m=11")
                .hasMessageContaining("log2m=12");
    }

    private static int addRandom(MultisetArena arena, SplittableRandom random, SetModel model) {
        int handle = 0;
        for (int i = random.nextInt(1 << random.nextInt(11)); i > 0; i--) {
            long hash = hash(random);
            handle = arena.add(handle, hash);
            model.add(hash);
        }
        return handle;
    }

    /** Reads the FULL body of a serialized java-hll set: registers in order, most significant bit first. */
    private static byte[] registersOf(HLL hll, int log2m, int regwidth) {
        byte[] bytes = hll.toBytes();
        byte[] registers = new byte[1 << log2m];
        if (bytes.length == 3) { // an EMPTY body: every hash was ignored
            return registers;
        }
        int bit = 3 * 8;
        for (int i = 0; i < registers.length; i++) {
            for (int b = 0; b < regwidth; b++, bit++) {
                registers[i] = (byte) ((registers[i] << 1) | ((bytes[bit >>> 3] >>> (7 - (bit & 7))) & 1));
            }
        }
        return registers;
    }

    @ParameterizedTest
    @CsvSource({"4,1", "6,5", "11,5", "14,5", "17,4"})
    void orderAndRepetitionDoNotMatter(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int size : new int[] {1, 2, 5, 33, 319, 320, 321, 1_500}) {
            List<Long> hashes = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                hashes.add(hash(random));
            }
            MultisetArena arena = new MultisetArena(log2m, regwidth);
            int once = addAll(arena, 0, hashes);
            Collections.shuffle(hashes, new Random(seed));
            int twice = addAll(arena, addAll(arena, 0, hashes), hashes);
            MultisetArena.View view = arena.freeze();

            assertThat(view.isFull(twice)).as("seed=%d", seed).isEqualTo(view.isFull(once));
            assertThat(registers(view, twice)).as("seed=%d", seed).isEqualTo(registers(view, once));
            if (!view.isFull(once)) {
                assertThat(tokens(view, twice)).as("seed=%d", seed).isEqualTo(tokens(view, once));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"11,5", "5,3", "17,5"})
    void aViewStaysAsItWasWhileItsSetsGrowOn(int log2m, int regwidth) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        MultisetArena arena = new MultisetArena(log2m, regwidth);
        int sets = 60;
        int[] handles = new int[sets];
        List<MultisetArena.View> views = new ArrayList<>();
        List<int[]> handlesThen = new ArrayList<>();
        List<byte[][]> registersThen = new ArrayList<>();
        List<long[]> cardinalitiesThen = new ArrayList<>();
        for (int round = 0; round < 12; round++) {
            for (int i = 0; i < 60 << (round / 2); i++) {
                int set = Math.min(random.nextInt(sets), random.nextInt(sets));
                handles[set] = arena.add(handles[set], hash(random));
            }
            MultisetArena.View view = arena.freeze();
            int[] now = handles.clone();
            views.add(view);
            handlesThen.add(now);
            registersThen.add(
                    IntStream.of(now).mapToObj(h -> registers(view, h)).toArray(byte[][]::new));
            cardinalitiesThen.add(IntStream.of(now).mapToLong(view::cardinality).toArray());
        }
        for (int round = 0; round < views.size(); round++) {
            MultisetArena.View view = views.get(round);
            int[] then = handlesThen.get(round);
            assertThat(IntStream.of(then).mapToLong(view::cardinality).toArray())
                    .as("round=%d seed=%d", round, seed)
                    .isEqualTo(cardinalitiesThen.get(round));
            for (int set = 0; set < sets; set++) {
                assertThat(registers(view, then[set]))
                        .as("round=%d set=%d seed=%d", round, set, seed)
                        .isEqualTo(registersThen.get(round)[set]);
            }
        }
    }

    @Test
    void countsExactlyUntilThreeHundredTwentyValues() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        MultisetArena arena = new MultisetArena(11, 5);
        int handle = 0;
        SetModel model = new SetModel(11, 5);
        for (int i = 1; i <= 320; i++) {
            long hash = random.nextLong();
            handle = arena.add(handle, hash);
            model.add(hash);
            MultisetArena.View view = arena.freeze();
            assertThat(view.isFull(handle)).isFalse();
            assertThat(view.cardinality(handle)).as("seed=%d", seed).isEqualTo(model.tokenCount());
        }
    }

    @Test
    void hashesEqualInTwentySixBitsKeepTheLargerZeroCount() {
        MultisetArena arena = new MultisetArena(11, 5);
        long low = 0x2abcdefL;
        int handle = arena.add(0, low | (1L << 30));
        handle = arena.add(handle, low | (1L << 28));
        assertThat(tokens(arena.freeze(), handle)).containsExactly(((int) low << 6) | 6);
        handle = arena.add(handle, low | (1L << 40));
        assertThat(tokens(arena.freeze(), handle)).containsExactly(((int) low << 6) | 16);
        handle = arena.add(handle, low + 1);
        handle = arena.add(handle, low);
        handle = arena.add(handle, low | (1L << 63));
        assertThat(tokens(arena.freeze(), handle)).containsExactly(((int) low << 6) | 39, ((int) (low + 1) << 6) | 1);
    }

    @Test
    void theHashZeroIsAValueWhileCountedAndNoneInRegisters() {
        MultisetArena arena = new MultisetArena(11, 5);
        int handle = arena.add(0, 0);
        MultisetArena.View view = arena.freeze();
        assertThat(view.cardinality(handle)).isEqualTo(1);
        assertThat(registers(view, handle)).containsOnly(0);
    }

    @Test
    void freedSlotsAreUsedAgain() {
        MultisetArena arena = new MultisetArena(11, 5);
        SplittableRandom random = new SplittableRandom(1);
        growOneSet(arena, random);
        long before = arena.bytesUsed();
        for (int i = 0; i < 5; i++) {
            growOneSet(arena, random);
        }
        // Only the registers remain: sets reuse the lists of those before them.
        assertThat(arena.bytesUsed() - before).isLessThan(2 * 17_000L + 11_000);
    }

    private static void growOneSet(MultisetArena arena, SplittableRandom random) {
        int handle = 0;
        for (int i = 0; i < 400; i++) {
            handle = arena.add(handle, random.nextLong());
        }
    }

    @ParameterizedTest
    @CsvSource({"1,4.0", "2,12.5", "4,20.5", "16,70", "320,1400", "1000,1400"})
    void takesNoMoreMemoryThanDocumented(int values, double bytesMax) {
        SplittableRandom random = new SplittableRandom(values);
        MultisetArena arena = new MultisetArena(11, 5);
        int sets = 2_000_000 / Math.max(10, values);
        for (int i = 0; i < sets; i++) {
            int handle = 0;
            for (int v = 0; v < values; v++) {
                handle = arena.add(handle, random.nextLong());
            }
        }
        assertThat(4 + (double) arena.bytesUsed() / sets).isLessThanOrEqualTo(bytesMax + 40_000.0 / sets);
    }

    @Test
    void setsOfTheSizesThatTablesHaveAverageLessThanThirtyBytes() {
        int[] shareInTenThousand = {6_000, 2_000, 1_000, 800, 190, 10};
        int[] sizeMin = {1, 2, 3, 5, 31, 1_000};
        int[] sizeMax = {1, 2, 4, 30, 160, 5_000};
        SplittableRandom random = new SplittableRandom(3);
        MultisetArena arena = new MultisetArena(11, 5);
        int sets = 100_000;
        for (int group = 0; group < shareInTenThousand.length; group++) {
            for (int i = 0; i < sets / 10_000 * shareInTenThousand[group]; i++) {
                int size = random.nextInt(sizeMin[group], sizeMax[group] + 1);
                int handle = 0;
                for (int v = 0; v < size; v++) {
                    handle = arena.add(handle, random.nextLong());
                }
            }
        }
        assertThat(4 + (double) arena.bytesUsed() / sets).isLessThan(30);
    }

    @Test
    void anArenaWithFewSetsHoldsTwoChunksOfListsAndOneOfRegisters() {
        MultisetArena arena = new MultisetArena(11, 5);
        growOneSet(arena, new SplittableRandom(2));
        assertThat(arena.bytesUsed()).isLessThan(2 * 17_000L + 11_000);
    }

    @Test
    void stateIsWhatItWasWhenThisWasWritten() {
        // State files and exports depend on this: a change here needs a new version of theirs.
        long fingerprint = 0;
        for (int log2m : new int[] {4, 11, 17}) {
            for (int regwidth : new int[] {1, 4, 5}) {
                SplittableRandom random = new SplittableRandom(7);
                MultisetArena arena = new MultisetArena(log2m, regwidth);
                for (int size : new int[] {1, 2, 3, 7, 100, 320, 321, 5_000}) {
                    int handle = 0;
                    for (int i = 0; i < size; i++) {
                        handle = arena.add(handle, random.nextLong());
                    }
                    MultisetArena.View view = arena.freeze();
                    byte[] registers = registers(view, handle);
                    fingerprint = fingerprint * 31 + Arrays.hashCode(registers);
                    for (int token : view.isFull(handle) ? new int[0] : tokens(view, handle)) {
                        fingerprint = fingerprint * 31 + token;
                    }
                    fingerprint = fingerprint * 31 + view.cardinality(handle);
                }
            }
        }
        assertThat(Long.toHexString(fingerprint)).isEqualTo("d835727e307cf450");
    }

    @ParameterizedTest
    @CsvSource({"3,5", "18,5", "11,0", "11,6", "-1,5"})
    void refusesLayoutsThatItCannotHold(int log2m, int regwidth) {
        assertThatThrownBy(() -> new MultisetArena(log2m, regwidth))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not");
    }

    /**
     * Mostly random; sometimes one of few, sometimes with few bits, so that equal tokens and rare zero counts occur.
     */
    static long hash(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(50);
            case 1 -> (1L << random.nextInt(64)) | random.nextInt(4);
            case 2 -> (random.nextLong() << 20) | 0x12345;
            default -> random.nextLong();
        };
    }

    private static int addAll(MultisetArena arena, int handle, List<Long> hashes) {
        for (long hash : hashes) {
            handle = arena.add(handle, hash);
        }
        return handle;
    }

    private static void assertSame(MultisetArena.View view, int handle, SetModel model, String context) {
        assertThat(view.isFull(handle)).as(context).isEqualTo(model.tokenCount() > model.tokenCountMax());
        assertThat(registers(view, handle)).as(context).isEqualTo(model.registers());
        if (!view.isFull(handle)) {
            assertThat(tokens(view, handle)).as(context).isEqualTo(model.tokens());
            assertThat(view.cardinality(handle)).as(context).isEqualTo(model.tokenCount());
        }
    }

    private static byte[] registers(MultisetArena.View view, int handle) {
        byte[] registers = new byte[1 << view.log2m()];
        view.registers(handle, registers);
        return registers;
    }

    private static int[] tokens(MultisetArena.View view, int handle) {
        IntStream.Builder tokens = IntStream.builder();
        view.forEachToken(handle, tokens::add);
        return tokens.build().toArray();
    }
}
