package io.summarizer.bench.e2e;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * Metrics in Prometheus text format 0.0.4, read. Labels may be more than one asks for: a question is answered over all samples
 * that fit. Immutable.
 */
public final class Scrape {
    private final List<Sample> samples;

    /** A line of the text. */
    public record Sample(String name, Map<String, String> labels, double value) {
        public Sample {
            labels = Map.copyOf(labels);
        }
    }

    private Scrape(List<Sample> samples) {
        this.samples = samples;
    }

    /**
     * Reads a whole answer.
     *
     * @throws IllegalArgumentException when a line is none of the format
     */
    public static Scrape parse(String text) {
        List<Sample> samples = new ArrayList<>();
        text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && line.charAt(0) != '#')
                .forEach(line -> samples.add(new Line(line).sample()));
        return new Scrape(List.copyOf(samples));
    }

    /** All there is. */
    public List<Sample> samples() {
        return samples;
    }

    /** Sum over all samples of this name; 0 when there is none. */
    public double sum(String name) {
        return values(name, sample -> true).sum();
    }

    /** Values of the samples of this name that fit, in the order of the text. */
    public DoubleStream values(String name, Predicate<Sample> fits) {
        return samples.stream()
                .filter(sample -> sample.name.equals(name) && fits.test(sample))
                .mapToDouble(Sample::value);
    }

    /** One line, read from left to right. */
    private static final class Line {
        private final String text;
        private int at;

        Line(String text) {
            this.text = text;
        }

        Sample sample() {
            String name = until(" \t{");
            Map<String, String> labels = new HashMap<>();
            skip(" \t");
            if (at < text.length() && text.charAt(at) == '{') {
                at++;
                labels(labels);
            }
            String[] rest = text.substring(at).strip().split("\\s+"); // a time may follow
            return new Sample(name, labels, number(rest[0]));
        }

        private void labels(Map<String, String> labels) {
            while (true) {
                skip(", \t");
                if (next() == '}') {
                    return;
                }
                at--;
                String label = until("= \t");
                skip("= \t");
                if (next() != '"') {
                    throw wrong();
                }
                labels.put(label, quoted());
            }
        }

        private String quoted() {
            StringBuilder value = new StringBuilder();
            for (char c = next(); c != '"'; c = next()) {
                if (c == '\\') {
                    char escaped = next();
                    value.append(escaped == 'n' ? '\n' : escaped);
                } else {
                    value.append(c);
                }
            }
            return value.toString();
        }

        private char next() {
            if (at == text.length()) {
                throw wrong();
            }
            return text.charAt(at++);
        }

        private String until(String ends) {
            int start = at;
            while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(start, at);
        }

        private void skip(String chars) {
            while (at < text.length() && chars.indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private double number(String number) {
            return switch (number) {
                case "+Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> {
                    try {
                        yield Double.parseDouble(number);
                    } catch (NumberFormatException e) {
                        throw wrong();
                    }
                }
            };
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("not a line of Prometheus text: " + text);
        }
    }
}
