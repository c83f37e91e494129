package io.summarizer.core.evolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableUnloaderTest {
    private static final SummaryLayout LAYOUT =
            Rows.layout("s", List.of(KeyType.STRING), List.of(AggregateType.LASTSTRING));

    private final SummaryStore store = Rows.store(LAYOUT);

    private void put(long stamp, int length) {
        Rows.apply(store, Rows.key(LAYOUT, "k".repeat(600)), stamp, ops -> Rows.addText(ops, 0, "x".repeat(length)));
    }

    private TableUnloader unloader() {
        return new TableUnloader(Table.of(LAYOUT).get(0), store.freeze(), null, 1_000);
    }

    @Test
    void shouldRefuseARowThatNoBlockTakes() throws Exception {
        put(1, 400);
        assertThat(unloader().next().rows()).isEqualTo(1);
        put(2, 401);
        assertThatThrownBy(() -> unloader().next())
                .isInstanceOf(RowRefusedException.class)
                .hasMessage(
                        "s: a row has more texts and sets than a state file takes, 1000 bytes; shorten what is kept,"
                                + " as by substr");
    }
}
