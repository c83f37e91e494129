package io.summarizer.bench.e2e;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * Parsed metrics in Prometheus text format 0.0.4. A sample may have labels that the caller does not know. So each
 * method covers all samples that match. Immutable.
 */
public record Scrape(List<Sample> samples) {
    private static final String NAME = "[^\\s{},=]+";
    private static final String QUOTED = "(?:[^\"\\\\]|\\\\.)*";
    private static final Pattern LABEL = Pattern.compile("(" + NAME + ")\\s*=\\s*\"(" + QUOTED + ")\"");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");
    /** Name, labels, value, and perhaps a time. */
    private static final Pattern SAMPLE = Pattern.compile("(" + NAME + ")\\s*(?:\\{((?:\\s*" + NAME + "\\s*=\\s*\""
            + QUOTED + "\"\\s*,?)*)\\s*\\})?" + "\\s*([-+]?(?:Inf|NaN|[0-9][0-9.eE+-]*))(?:\\s+-?\\d+)?");

    /** A line of the text. */
    public record Sample(String name, Map<String, String> labels, double value) {
        public Sample {
            labels = Map.copyOf(labels);
        }
    }

    public Scrape {
        samples = List.copyOf(samples);
    }

    /**
     * Parses a whole answer.
     *
     * @throws IllegalArgumentException when a line does not have the format
     */
    public static Scrape parse(String text) {
        List<Sample> samples = new ArrayList<>();
        text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && line.charAt(0) != '#')
                .forEach(line -> samples.add(sample(line)));
        return new Scrape(samples);
    }

    /** Sum of all samples with this name; 0 when there is none. */
    public double sum(String name) {
        return values(name, sample -> true).sum();
    }

    /** Values of the matching samples with this name, in the order of the text. */
    public DoubleStream values(String name, Predicate<Sample> fits) {
        return samples.stream()
                .filter(sample -> sample.name.equals(name) && fits.test(sample))
                .mapToDouble(Sample::value);
    }

    private static Sample sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new IllegalArgumentException("not a line of Prometheus text: " + line);
        }
        Map<String, String> labels = new HashMap<>();
        Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find()) {
            String value = ESCAPE.matcher(label.group(2))
                    .replaceAll(
                            escape -> Matcher.quoteReplacement(escape.group(1).equals("n") ? "\n" : escape.group(1)));
            labels.put(label.group(1), value);
        }
        return new Sample(
                sample.group(1), labels, Double.parseDouble(sample.group(3).replace("Inf", "Infinity")));
    }
}
