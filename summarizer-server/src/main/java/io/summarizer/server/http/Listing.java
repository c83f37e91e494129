package io.summarizer.server.http;

import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables of a cut: the summaries in the order of their definitions, each followed by its nested summaries, outer
 * before inner. A listing reads no rows, so it costs little.
 */
public record Listing(List<Entry> summaries) {
    public static final String SUMMARIES = "/summaries";
    static final String CSV = ".csv";

    /**
     * A summary: the numbers of its rows and of the updates applied to it, the address of its CSV, and its nested
     * summaries. The components are the members of its JSON.
     */
    public record Entry(String name, long rows, long updates, String csv, List<Nested> nested) {}

    /**
     * A nested summary. Also JSON.
     *
     * @param path the field names that lead to the nested summary, with slashes between
     */
    public record Nested(String path, long rows, String csv) {}

    /**
     * The answer to {@code POST /summaries/NAME/reset}, as JSON: the size of the summary before the reset, and the
     * address where its rows can still be pulled.
     *
     * @param cut id of the cut of the reset
     */
    record Emptied(String summary, long cut, long rows, long updates, String csv, long keptSeconds) {
        static Emptied of(Cut cut, Duration kept) {
            Entry entry = entry(cut.summaries().get(0)); // without the summary that received its overflow
            return new Emptied(
                    entry.name(),
                    cut.id(),
                    entry.rows(),
                    entry.updates(),
                    entry.csv() + "?cut=" + cut.id(),
                    kept.toSeconds());
        }
    }

    static Listing of(Cut cut) {
        return new Listing(cut.summaries().stream().map(Listing::entry).toList());
    }

    static Entry entry(SummaryView view) {
        List<Nested> nested = new ArrayList<>();
        collect(view, view.layout(), List.of(), List.of(), nested);
        String name = view.layout().name();
        return new Entry(name, view.rows(List.of()), view.updates(), csv(name), nested);
    }

    private static void collect(
            SummaryView view, SummaryLayout at, List<Integer> path, List<String> fields, List<Nested> found) {
        for (int i = 0; i < at.nested().size(); i++) {
            SummaryLayout inner = at.nested().get(i);
            List<Integer> innerPath = append(path, i);
            List<String> innerFields = append(fields, inner.name());
            found.add(new Nested(
                    String.join("/", innerFields),
                    view.rows(innerPath),
                    href(view.layout().name(), innerFields)));
            collect(view, inner, innerPath, innerFields, found);
        }
    }

    private static <T> List<T> append(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return List.copyOf(longer);
    }

    /** The address of a summary's CSV. */
    static String csv(String summary) {
        return href(summary, List.of());
    }

    /** The address of a summary's time windows. */
    static String windows(String summary) {
        return SUMMARIES + '/' + escape(summary) + "/windows";
    }

    private static String href(String summary, List<String> fields) {
        StringBuilder href = new StringBuilder(SUMMARIES).append('/').append(escape(summary));
        fields.forEach(field -> href.append('/').append(escape(field)));
        return href.append(CSV).toString();
    }

    /** Escapes a segment of a path, or a parameter's value. */
    public static String escape(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Returns advice for a path below {@code /summaries} that names no table. The advice names the table with whose
     * name the path begins, if there is one.
     */
    String advice(String path) {
        String asked = path.replace('/', '.');
        String best = "";
        String csv = "";
        for (Entry entry : summaries) {
            if (entry.name().length() > best.length() && isNamed(asked, entry.name())) {
                best = entry.name();
                csv = entry.csv();
            }
            for (Nested nested : entry.nested()) {
                String name = entry.name() + "." + nested.path().replace('/', '.');
                if (name.length() > best.length() && isNamed(asked, name)) {
                    best = name;
                    csv = nested.csv();
                }
            }
        }
        return csv.isEmpty() ? SUMMARIES + " lists what there is\n" : "did you mean " + csv + " ?\n";
    }

    private static boolean isNamed(String asked, String name) {
        return asked.equals(name) || asked.startsWith(name + ".");
    }
}
