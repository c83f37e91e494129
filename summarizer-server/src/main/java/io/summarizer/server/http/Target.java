package io.summarizer.server.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request asks for, read from its path and query. Immutable. */
sealed interface Target {
    /** The web page. */
    record Page() implements Target {}

    /** The list of summaries. */
    record Listing(@Nullable Long cut) implements Target {}

    /** A summary's rows, or those of a nested one. */
    record Csv(
            String summary, List<String> fields, @Nullable Long cut) implements Target {
        public Csv {
            fields = List.copyOf(fields);
        }

        /** Name of the file that a browser saves: {@code NAME.csv}, {@code NAME.F.G.csv}. */
        String fileName() {
            StringBuilder name = new StringBuilder(summary);
            fields.forEach(field -> name.append('.').append(field));
            return name.append(".csv").toString();
        }
    }

    /** All summaries, as a state file. */
    record State(@Nullable Long cut) implements Target {}

    /** That a summary be emptied. */
    record Reset(String summary) implements Target {}

    /** Prometheus text. */
    record Metrics() implements Target {}

    /** Whether the process lives. */
    record Healthz() implements Target {}

    /** Whether it takes traffic. */
    record Readyz() implements Target {}

    /** Nothing of ours. */
    record Nothing(String hint) implements Target {}

    /** Makes no sense. */
    record Bad(String why) implements Target {}

    String CSV = ".csv";
    String RESET = "/reset";
    String SUMMARIES = "/summaries";
    String STATE = "/state";

    /** Reads a request line's target. */
    static Target of(String uri) {
        try {
            QueryStringDecoder decoder = new QueryStringDecoder(uri);
            return of(decoder.rawPath(), decoder.parameters());
        } catch (IllegalArgumentException e) {
            return new Bad("the request's path or query is not well-formed: " + e.getMessage());
        }
    }

    private static Target of(String path, Map<String, List<String>> options) {
        boolean rows = path.equals(SUMMARIES) || path.equals(STATE) || path.startsWith(SUMMARIES + "/");
        Long cut = null;
        for (Map.Entry<String, List<String>> option : options.entrySet()) {
            if (!rows || !option.getKey().equals("cut")) {
                return new Bad("unknown query option '" + option.getKey() + "'; "
                        + (rows ? "only 'cut' is known here" : "none is known here"));
            }
            String text = option.getValue().get(option.getValue().size() - 1);
            try {
                cut = Long.valueOf(text);
            } catch (NumberFormatException e) {
                return new Bad("cut=" + text + " is not a number; use what an answer's X-Summarizer-Cut said");
            }
        }
        return switch (path) {
            case "/" -> new Page();
            case SUMMARIES -> new Listing(cut);
            case STATE -> new State(cut);
            case "/metrics" -> new Metrics();
            case "/healthz" -> new Healthz();
            case "/readyz" -> new Readyz();
            default -> rows ? csv(path.substring(SUMMARIES.length() + 1), cut) : new Nothing("");
        };
    }

    private static Target csv(String path, @Nullable Long cut) {
        if (path.endsWith(RESET) && path.indexOf('/') == path.length() - RESET.length()) {
            return new Reset(name(path.substring(0, path.length() - RESET.length())));
        }
        if (!path.endsWith(CSV)) {
            return new Nothing(path.isEmpty() ? "" : "did you mean " + SUMMARIES + "/" + path + CSV + " ?\n");
        }
        List<String> names = new ArrayList<>();
        for (String segment : path.substring(0, path.length() - CSV.length()).split("/", -1)) {
            if (segment.isEmpty()) {
                return new Nothing("");
            }
            names.add(name(segment));
        }
        return new Csv(names.get(0), names.subList(1, names.size()), cut);
    }

    private static String name(String segment) {
        // A plus is a plus in a path; the decoder takes it for a space, as in forms.
        return QueryStringDecoder.decodeComponent(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
