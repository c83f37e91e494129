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
