package io.summarizer.core.export;

import io.summarizer.core.store.SummaryLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The name of a table, which is a summary or a nested summary. The name determines the file name and the address of the
 * table. Immutable.
 *
 * @param summary the top-level summary
 * @param fields fields of nested summaries that lead to the table, outermost first; empty for the summary itself
 */
public record CsvName(String summary, List<String> fields) {
    public CsvName {
        fields = List.copyOf(fields);
    }

    /** The names of all tables of a plan, each summary before the summaries nested in it. */
    public static List<CsvName> all(List<SummaryLayout> summaries) {
        List<CsvName> names = new ArrayList<>();
        summaries.forEach(summary -> add(new CsvName(summary.name(), List.of()), summary, names));
        return names;
    }

    private static void add(CsvName name, SummaryLayout layout, List<CsvName> into) {
        into.add(name);
        layout.nested().forEach(nested -> add(name.below(nested.name()), nested, into));
    }

    /** The name of a table nested in this one. */
    private CsvName below(String field) {
        List<String> longer = new ArrayList<>(fields);
        longer.add(field);
        return new CsvName(summary, longer);
    }

    /** The form of the name in addresses and commands: {@code NAME}, or {@code NAME/F/G} for a nested summary. */
    public String path() {
        return fields.isEmpty() ? summary : summary + "/" + String.join("/", fields);
    }

    /** {@code NAME.csv}, {@code NAME.F.G.csv}. */
    public String file() {
        return file(path());
    }

    /** The file of the table with this {@linkplain #path path}. */
    public static String file(String path) {
        return ExportFormat.CSV.file(path);
    }
}
