package io.summarizer.dsl.check;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.dsl.parse.Ast;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A summary during the check: a layout in which some types may still be unknown. Immutable.
 *
 * @param typeName name of the summary's declaration
 * @param limit limit of the summary's keys
 * @param window the summary's windows; null when the summary has no windows, or when their declaration has an error,
 *     which was reported
 * @param incomplete whether a part was left out because of an error; if so, the declaration of an unknown name is
 *     possibly in this part
 * @param depth levels of summaries, including this one
 * @param size number of summaries, including this one
 */
record SummaryShape(
        String typeName,
        List<Key> keys,
        List<Value> values,
        List<Nested> nested,
        SummaryLimit limit,
        @Nullable SummaryWindow window,
        boolean incomplete,
        int depth,
        long size) {
    /** A key column. The type is null when it has an error, which was reported. */
    record Key(Ast.Name name, int number, @Nullable KeyType type) {}

    /** A value column. The type is null when it has an error, which was reported. */
    record Value(Ast.Name name, int number, @Nullable AggregateType type, int log2m, int regwidth) {}

    /** A nested summary. */
    record Nested(Ast.Name name, int number, SummaryShape shape) {}

    SummaryShape {
        keys = List.copyOf(keys);
        values = List.copyOf(values);
        nested = List.copyOf(nested);
    }

    /** The layout. May be called only when no error was reported. */
    SummaryLayout layout(String name, int number) {
        return new SummaryLayout(
                name,
                number,
                keys.stream()
                        .map(key -> new KeyColumn(key.name.text(), key.number, known(key.type)))
                        .toList(),
                values.stream()
                        .map(value -> new ValueColumn(
                                value.name.text(), value.number, known(value.type), value.log2m, value.regwidth))
                        .toList(),
                nested.stream()
                        .map(each -> each.shape.layout(each.name.text(), each.number))
                        .toList(),
                limit,
                window);
    }

    /** The layout without columns. May be called even when other parts are unknown. */
    SummaryLayout tables(String name) {
        return new SummaryLayout(
                name,
                0,
                List.of(),
                List.of(),
                nested.stream().map(each -> each.shape.tables(each.name.text())).toList(),
                limit);
    }

    private static <T> T known(@Nullable T type) {
        if (type == null) {
            throw new IllegalStateException("a column without a type was not reported");
        }
        return type;
    }

    /** Position of the key column of this name, or -1. */
    int key(String name) {
        return keyNames().indexOf(name);
    }

    /** Position of the value column of this name, or -1. */
    int value(String name) {
        return valueNames().indexOf(name);
    }

    /** Position of the nested summary of this name, or -1. */
    int nested(String name) {
        return nestedNames().indexOf(name);
    }

    List<String> keyNames() {
        return keys.stream().map(key -> key.name.text()).toList();
    }

    List<String> valueNames() {
        return values.stream().map(value -> value.name.text()).toList();
    }

    List<String> nestedNames() {
        return nested.stream().map(each -> each.name.text()).toList();
    }
}
