package io.summarizer.bench.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.store.KeyedTotals.Totals;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedTotalsTest {
    private static final int KEYS = 500;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 512})
    void allComeToTheSameTotals(int batch) {
        KeyedEvents events = new KeyedEvents(KEYS, 3);
        Map<String, Totals> byId = new HashMap<>();
        Map<String, Totals> byName = new HashMap<>();
        for (int event = 0; event < KeyedEvents.COUNT; event++) {
            Totals one = new Totals(1, events.amount(event));
            byId.merge("" + events.id(event), one, KeyedTotalsTest::sum);
            byName.merge(KeyedEvents.name(events.id(event)), one, KeyedTotalsTest::sum);
        }
        assertThat(totals(StoreTotals.ofIntegers(), events, batch)).isEqualTo(byId);
        assertThat(totals(MapTotals.ofIntegers(), events, batch)).isEqualTo(byId);
        assertThat(totals(StoreTotals.ofStrings(), events, batch)).isEqualTo(byName);
        assertThat(totals(MapTotals.ofStrings(), events, batch)).isEqualTo(byName);
    }

    private static Map<String, Totals> totals(KeyedTotals totals, KeyedEvents events, int batch) {
        KeyedStoreBenchmark.addAll(totals, events, batch);
        return totals.totals();
    }

    private static Totals sum(Totals a, Totals b) {
        return new Totals(a.count() + b.count(), a.amount() + b.amount());
    }
}
