package io.summarizer.bench.store;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Totals in a {@code HashMap} from key objects to row objects. Each event takes a lookup of its own, however large its
 * batch is.
 */
final class MapTotals<K> implements KeyedTotals {
    private final Map<K, Row> rows = new HashMap<>();
    private final KeyOf<K> keys;

    private static final class Row {
        long count;
        long amount;
    }

    private interface KeyOf<K> {
        K key(KeyedEvents events, int event);
    }

    private MapTotals(KeyOf<K> keys) {
        this.keys = keys;
    }

    /** {@code HashMap<Integer, Row>}. */
    static MapTotals<Integer> ofIntegers() {
        return new MapTotals<>(KeyedEvents::id);
    }

    /**
     * {@code HashMap<String, Row>}. First converts the bytes of an event's key to a String, like code that reads a
     * socket.
     */
    static MapTotals<String> ofStrings() {
        return new MapTotals<>((events, event) ->
                new String(events.names(), events.nameOffset(event), events.nameLength(event), StandardCharsets.UTF_8));
    }

    @Override
    public void add(KeyedEvents events, int from, int to) {
        for (int event = from; event < to; event++) {
            K key = keys.key(events, event);
            Row row = rows.get(key);
            if (row == null) {
                row = new Row();
                rows.put(key, row);
            }
            row.count++;
            row.amount += events.amount(event);
        }
    }

    @Override
    public Map<String, Totals> totals() {
        Map<String, Totals> totals = new HashMap<>();
        rows.forEach((key, row) -> totals.put(key.toString(), new Totals(row.count, row.amount)));
        return totals;
    }
}
