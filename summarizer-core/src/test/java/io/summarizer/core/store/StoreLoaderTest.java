package io.summarizer.core.store;

import static io.summarizer.core.store.Rows.key;
import static io.summarizer.core.store.Rows.layout;
import static io.summarizer.core.store.Rows.store;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreLoaderTest {
    private static final int[][] ORDERS = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    @ParameterizedTest
    @EnumSource(
            value = AggregateType.class,
            names = {"SUMINT32", "SUMINT64", "SUMCURRENCY", "COUNT"})
    void shouldKeepAnIntegerSumAtTheBoundThatOnePartReachedInWhateverOrder(AggregateType type) {
        for (int[] order : ORDERS) {
            assertThat(longs(type, order, -5, Long.MAX_VALUE, 70)).isEqualTo(Long.MAX_VALUE);
            assertThat(longs(type, order, 5L << 40, Long.MIN_VALUE, 70)).isEqualTo(Long.MIN_VALUE);
            assertThat(longs(type, order, Long.MIN_VALUE, 9, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
            assertThat(longs(type, order, 1L << 40, 9, -3)).isEqualTo((1L << 40) + 6);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AggregateType.class,
            names = {"SUMFLOAT", "SUMDOUBLE"})
    void shouldKeepASumOfDoublesAtTheBoundThatOnePartReachedInWhateverOrder(AggregateType type) {
        double bound = Double.MAX_VALUE;
        for (int[] order : ORDERS) {
            assertThat(doubles(type, order, -1e308, bound, 70)).isEqualTo(bound);
            assertThat(doubles(type, order, 1e308, -bound, 70)).isEqualTo(-bound);
            assertThat(doubles(type, order, bound, 9, -bound)).isEqualTo(bound);
            assertThat(doubles(type, order, 1, 2.5, -3)).isEqualTo(0.5);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AggregateType.class,
            names = {"SUMINT32", "SUMINT64"})
    void shouldCountWhatIsLostToASumAtItsBoundAsOne(AggregateType type) {
        SummaryStore store = loaded(type, loader -> {
            loader.addLong(0, 0);
            loader.addLong(0, Long.MAX_VALUE);
            loader.addLong(0, -4);
            loader.addLong(0, Long.MAX_VALUE);
        });
        assertThat(store.saturations()).isEqualTo(2);
    }

    private static long longs(AggregateType type, int[] order, long... parts) {
        return only(loaded(type, loader -> {
                    for (int part : order) {
                        loader.addLong(0, parts[part]);
                    }
                }))
                .longValue(0);
    }

    private static double doubles(AggregateType type, int[] order, double... parts) {
        return only(loaded(type, loader -> {
                    for (int part : order) {
                        loader.addDouble(0, parts[part]);
                    }
                }))
                .doubleValue(0);
    }

    private static SummaryStore loaded(AggregateType type, Consumer<StoreLoader> parts) {
        SummaryLayout layout = layout("s", List.of(KeyType.INT64), List.of(type));
        SummaryStore store = store(layout);
        StoreLoader loader = new StoreLoader(store);
        KeyBuffer key = key(layout, 1);
        loader.enter(key, key.hash(), 0);
        parts.accept(loader);
        return store;
    }

    private static RowCursor only(SummaryStore store) {
        RowCursor row = store.freeze().cursor();
        assertThat(row.next()).isTrue();
        return row;
    }
}
