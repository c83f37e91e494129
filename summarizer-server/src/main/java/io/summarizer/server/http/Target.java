package io.summarizer.server.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.server.access.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a request asks for, read from its path and query. Immutable. */
sealed interface Target {
    /** The web page. */
    record Page() implements Target {}

    /**
     * The list of summaries.
     *
     * @param keep whether its cut can be read again
     */
    record Listing(@Nullable Long cut, boolean keep) implements Target {}

    /** A summary's rows, or those of a nested one. */
    record Csv(
            String summary, List<String> fields, @Nullable Long cut, CsvQuery query) implements Target {
        public Csv {
            fields = List.copyOf(fields);
        }

        /** Name of the file that a browser saves: {@code NAME.csv}, {@code NAME.F.G.csv}. */
        String fileName() {
            return new CsvName(summary, fields).file();
        }
    }

    /** What became of every message. */
    record Ledger(@Nullable Long cut) implements Target {}

    /** All summaries, as a state file. */
    record State(@Nullable Long cut) implements Target {}

    /** That a summary be emptied. */
    record Reset(String summary) implements Target {}

    /** The cuts of resets that are kept. */
    record Resets() implements Target {}

    /** What becomes of topics. */
    record Topics(List<String> topics) implements Target {
        public Topics {
            topics = List.copyOf(topics);
        }
    }

    /** How summaries are defined. */
    record Definitions() implements Target {}

    /** The definitions that are in force, as files. */
    record DefinitionTexts() implements Target {}

    /** That the definitions be read anew. */
    record Reload() implements Target {}

    /** What reading the definitions anew would do. */
    record Plan() implements Target {}

    /**
     * Prometheus text.
     *
     * @param names of the metrics to show; none: all
     */
    record Metrics(Set<String> names) implements Target {
        public Metrics {
            names = Set.copyOf(names);
        }
    }

    /** Whether the process lives. */
    record Healthz() implements Target {}

    /** Whether it takes traffic. */
    record Readyz() implements Target {}

    /**
     * Nothing of ours.
     *
     * @param below the path below {@link #SUMMARIES}, decoded; empty when it is another
     */
    record Nothing(String below) implements Target {}

    /** Makes no sense. */
    record Bad(String why) implements Target {}

    /** What it takes to ask for it; null: anybody may. What makes no sense is nobody's business but theirs who may ask. */
    default @Nullable Role needs() {
        if (this instanceof Healthz || this instanceof Readyz) {
            return null;
        }
        return this instanceof Reset || this instanceof Reload || this instanceof Plan || this instanceof State
                ? Role.ADMIN
                : Role.READ;
    }

    String CSV = ".csv";
    String RESET = "/reset";
    String SUMMARIES = "/summaries";
    String STATE = "/state";
    String LEDGER = "/ledger";
    String RESETS = "/resets";
    String TOPICS = "/topics";
    String METRICS = "/metrics";
    String DEFINITIONS = "/definitions";

    String CUT = "cut";
    String KEEP = "keep";
    String TOPIC = "topic";
    /** As other programs that Prometheus reads call it. */
    String NAMES = "name[]";
    /** Parameters in an address. */
    int PARAMETERS_MAX = 32;

    /** Reads a request line's target. */
    static Target of(String uri) {
        try {
            QueryStringDecoder decoder =
                    new QueryStringDecoder(uri, StandardCharsets.UTF_8, true, PARAMETERS_MAX + 1, true);
            int given =
                    decoder.parameters().values().stream().mapToInt(List::size).sum();
            if (given > PARAMETERS_MAX) {
                return new Bad("more than " + PARAMETERS_MAX + " query parameters");
            }
            return of(decoder.rawPath(), decoder.parameters());
        } catch (IllegalArgumentException e) {
            return new Bad("the request's path or query is not well-formed: " + e.getMessage());
        } catch (CsvQueryException e) {
            return new Bad(e.getMessage());
        }
    }

    private static Target of(String path, Map<String, List<String>> options) throws CsvQueryException {
        if (path.equals(TOPICS)) {
            return topics(options);
        }
        if (path.equals(METRICS)) {
            return metrics(options);
        }
        boolean rows = path.startsWith(SUMMARIES + "/");
        Map<String, String> given = new HashMap<>();
        List<String> known = known(path, rows);
        for (Map.Entry<String, List<String>> option : options.entrySet()) {
            if (!known.contains(option.getKey())) {
                return new Bad(unknown(option.getKey(), known));
            }
            if (option.getValue().size() > 1) {
                return new Bad("'" + option.getKey() + "' is given more than once");
            }
            given.put(option.getKey(), option.getValue().get(0));
        }
        Long cut = null;
        String text = given.get(CUT);
        if (text != null) {
            try {
                cut = Long.valueOf(text);
            } catch (NumberFormatException e) {
                return new Bad("cut=" + text + " is not a number; use what an answer's X-Summarizer-Cut said");
            }
        }
        return switch (path) {
            case "/" -> new Page();
            case SUMMARIES -> listing(cut, given.get(KEEP));
            case STATE -> new State(cut);
            case LEDGER -> new Ledger(cut);
            case RESETS -> new Resets();
            case DEFINITIONS -> new Definitions();
            case DEFINITIONS + "/files" -> new DefinitionTexts();
            case DEFINITIONS + "/reload" -> new Reload();
            case DEFINITIONS + "/plan" -> new Plan();
            case "/healthz" -> new Healthz();
            case "/readyz" -> new Readyz();
            default -> {
                String name = rows ? path.substring(SUMMARIES.length() + 1) : "";
                yield isReset(path)
                        ? new Reset(name(name.substring(0, name.length() - RESET.length())))
                        : rows ? csv(name, cut, CsvQuery.parse(given)) : new Nothing("");
            }
        };
    }

    private static Target topics(Map<String, List<String>> options) {
        for (String option : options.keySet()) {
            if (!option.equals(TOPIC)) {
                return new Bad(unknown(option, List.of(TOPIC)));
            }
        }
        List<String> topics = options.getOrDefault(TOPIC, List.of());
        return topics.isEmpty()
                ? new Bad("name one topic or several: " + TOPICS + "?topic=ad.click.us&topic=ad.click.de")
                : new Topics(topics);
    }

    private static Target metrics(Map<String, List<String>> options) {
        for (String option : options.keySet()) {
            if (!option.equals(NAMES)) {
                return new Bad(unknown(option, List.of(NAMES)));
            }
        }
        return new Metrics(new HashSet<>(options.getOrDefault(NAMES, List.of())));
    }

    private static Target listing(@Nullable Long cut, @Nullable String keep) {
        if (keep == null) {
            return new Listing(cut, true);
        }
        return keep.equals("no")
                ? new Listing(cut, false)
                : new Bad("keep=" + keep + ": the one thing to say is keep=no, for a cut that is not read again");
    }

    private static List<String> known(String path, boolean rows) {
        if (path.equals(SUMMARIES)) {
            return List.of(CUT, KEEP);
        }
        if (path.equals(STATE) || path.equals(LEDGER)) {
            return List.of(CUT);
        }
        List<String> known = new ArrayList<>();
        if (rows && !isReset(path)) {
            known.add(CUT);
            known.addAll(CsvQuery.PARAMETERS);
        }
        return known;
    }

    private static String unknown(String option, List<String> known) {
        String nearest = Suggestions.nearest(option, known);
        String shown = option.length() <= 100 ? option : option.substring(0, 100) + "...";
        return "unknown query parameter '" + shown + "'; "
                + (nearest.isEmpty() ? "" : "did you mean '" + nearest + "'? ")
                + (known.isEmpty() ? "none is known here" : "known here: " + String.join(", ", known));
    }

    /** Whether a path below {@link #SUMMARIES} is that of a summary's reset. */
    private static boolean isReset(String path) {
        return path.endsWith(RESET) && path.indexOf('/', SUMMARIES.length() + 1) == path.length() - RESET.length();
    }

    private static Target csv(String path, @Nullable Long cut, CsvQuery query) {
        if (!path.endsWith(CSV)) {
            return new Nothing(name(path));
        }
        List<String> names = new ArrayList<>();
        for (String segment : path.substring(0, path.length() - CSV.length()).split("/", -1)) {
            if (segment.isEmpty()) {
                return new Nothing("");
            }
            names.add(name(segment));
        }
        return new Csv(names.get(0), names.subList(1, names.size()), cut, query);
    }

    private static String name(String segment) {
        // A plus is a plus in a path; the decoder takes it for a space, as in forms.
        return QueryStringDecoder.decodeComponent(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
