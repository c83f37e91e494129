package io.summarizer.core.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.UpdateBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyWordsTest {
    private static String hash(List<KeyColumn> columns, Object... values) {
        KeyBuffer key = new KeyBuffer(new KeyLayout(columns));
        key.reset();
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Number number) {
                key.setLong(i, number.longValue());
            } else if (values[i] instanceof String text) {
                byte[] bytes = text.getBytes(UTF_8);
                key.setString(i, bytes, 0, bytes.length);
            } else {
                key.setNull(i);
            }
        }
        UpdateBatch batch = new UpdateBatch(64);
        batch.beginRow(0, key, 0, 0);
        IdHash hash = new IdHash(new IdKey(1, 2));
        hash.ofInt(7);
        hash.beginRow();
        new KeyWords(columns).addTo(hash, batch.bytes(), batch.row() + UpdateBatch.KEY_OFFSET);
        hash.endRow();
        return hash.high() + " " + hash.low();
    }

    private static KeyColumn column(int number, KeyType type) {
        return new KeyColumn("c" + number, number, type);
    }

    private static final Object NULL = new Object();

    @Test
    void shouldHashAKeyTheSameUnderWiderTypesAndInAnotherOrder() {
        List<KeyColumn> narrow = List.of(
                column(1, KeyType.INT32),
                column(2, KeyType.UINT32),
                column(3, KeyType.STRING),
                column(5, KeyType.STRING),
                column(6, KeyType.BOOL));
        List<KeyColumn> wide = List.of(
                column(5, KeyType.STRING),
                column(6, KeyType.BOOL),
                column(2, KeyType.UINT64),
                column(1, KeyType.INT64),
                column(3, KeyType.STRING));
        assertThat(hash(narrow, -5, 0xfffffff0L, "ab", "c", 1)).isEqualTo(hash(wide, "c", 1, 0xfffffff0L, -5, "ab"));
        assertThat(hash(narrow, -5, NULL, "ab", NULL, NULL)).isEqualTo(hash(wide, NULL, NULL, NULL, -5, "ab"));
    }

    @Test
    void shouldTellKeysApart() {
        List<KeyColumn> columns = List.of(
                column(1, KeyType.INT64),
                column(2, KeyType.STRING),
                column(3, KeyType.STRING),
                column(4, KeyType.BOOL));
        Set<String> seen = new HashSet<>();
        int keys = 0;
        for (Object number : new Object[] {0, 1, -1, 256, NULL}) {
            for (Object first : new Object[] {"", "a", "ab", "abcdefgh", "abcdefghi", NULL}) {
                for (Object second : new Object[] {"", "a", "b", "\0", NULL}) {
                    for (Object bool : new Object[] {0, 1, NULL}) {
                        seen.add(hash(columns, number, first, second, bool));
                        keys++;
                    }
                }
            }
        }
        assertThat(seen).hasSize(keys);
    }

    @Test
    void shouldTellNullsApartInKeysOfManyColumns() {
        List<KeyColumn> columns = new ArrayList<>();
        Object[] values = new Object[130];
        for (int i = 0; i < values.length; i++) {
            columns.add(column(values.length - i, KeyType.INT64));
            values[i] = 0;
        }
        Set<String> seen = new HashSet<>();
        seen.add(hash(columns, values));
        for (int i = 0; i < values.length; i++) {
            values[i] = NULL;
            assertThat(seen.add(hash(columns, values))).isTrue();
            values[i] = 0;
        }
    }
}
