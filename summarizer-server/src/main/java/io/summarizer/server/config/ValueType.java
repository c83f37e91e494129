package io.summarizer.server.config;

import io.netty.util.NetUtil;
import io.summarizer.core.deliver.Export;
import io.summarizer.core.deliver.Export.Schedule;
import io.summarizer.core.deliver.FilePattern;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.server.kafka.KafkaStart;
import io.summarizer.server.tls.AllowedNames;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The type of a value: its parser and its allowed texts.
 *
 * @param <T> type of the parsed value; immutable
 */
final class ValueType<T> {
    private static final Pattern BIND = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\[\\]\\s]+):(\\d{1,5})");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}) ?(B|KiB|MiB|GiB)?");
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}) ?%");
    private static final Pattern TIME_OF_DAY = Pattern.compile("([01]\\d|2[0-3]):([0-5]\\d)");
    private static final Pattern KAFKA_TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,12}) ?(us|ms|s|m|h|d)");

    private final String allowed;
    private final List<String> words;
    private final Reader<T> reader;

    /** A parser of a text. A null result means that the text is invalid. */
    @FunctionalInterface
    private interface Reader<T> {
        @Nullable
        T read(String text);
    }

    private ValueType(String allowed, List<String> words, Reader<T> reader) {
        this.allowed = allowed;
        this.words = words;
        this.reader = reader;
    }

    private ValueType(String allowed, Reader<T> reader) {
        this(allowed, List.of(), reader);
    }

    private ValueType(List<String> words, Reader<T> reader) {
        this(String.join(", ", words), words, reader);
    }

    /** Returns the value, or null when the text is not valid. */
    @Nullable
    T read(String text) {
        return reader.read(text);
    }

    /** The allowed texts, for people. */
    String allowed() {
        return allowed;
    }

    /** The allowed texts, if these are a few words. */
    List<String> words() {
        return words;
    }

    /** One of the given constants of an enum; {@code BUSY_SPIN} is written {@code busy-spin}. */
    @SafeVarargs
    static <E extends Enum<E>> ValueType<E> oneOf(E... constants) {
        Map<String, E> byText = new LinkedHashMap<>();
        for (E constant : constants) {
            byText.put(text(constant), constant);
        }
        return new ValueType<>(List.copyOf(byText.keySet()), byText::get);
    }

    /** The text of a constant in a configuration. */
    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code true} or {@code false}. */
    static ValueType<Boolean> bool() {
        List<String> words = List.of("true", "false");
        return new ValueType<>(words, text -> words.contains(text) ? Boolean.valueOf(text) : null);
    }

    /** Items separated by commas. */
    private static <T> ValueType<List<T>> list(String allowed, Reader<T> item) {
        return new ValueType<>(allowed, text -> {
            List<T> items = new ArrayList<>();
            for (String each : text.split(",", -1)) {
                T read = item.read(each.strip());
                if (read == null) {
                    return null;
                }
                items.add(read);
            }
            return items;
        });
    }

    /** Names of hosts, or patterns of such names. */
    static ValueType<List<String>> names() {
        return list(
                "names with commas between them, as in: web1.example.com, *.eu.example.com",
                name -> AllowedNames.isPattern(name) ? name : null);
    }

    /** Names of hosts, patterns of such names, or addresses. */
    static ValueType<List<String>> hosts() {
        return list(
                "names or addresses with commas between them, as in: events.example.com, *.eu.example.com, 192.0.2.7",
                name -> AllowedNames.isPattern(name) || NetUtil.isValidIpV6Address(name) ? name : null);
    }

    /** Topic patterns. */
    static ValueType<List<TopicPattern>> topics() {
        return list(
                "patterns of topics with commas between them, as in: ad.auction.#, ad.bid.*",
                pattern -> pattern.isEmpty() || pattern.contains(" ") ? null : TopicPattern.of(pattern));
    }

    /** Addresses of Kafka brokers, or {@code off} for none. */
    static ValueType<List<String>> brokersOrOff() {
        ValueType<List<String>> brokers = list(
                "HOST:PORT with commas between them, as in kafka1.example.com:9092, kafka2.example.com:9092; or off",
                text -> {
                    InetSocketAddress address = bind().read(text);
                    return address == null || address.getPort() == 0 ? null : text;
                });
        return new ValueType<>(brokers.allowed, text -> text.equals("off") ? List.of() : brokers.read(text));
    }

    /** Names of Kafka topics. */
    static ValueType<List<String>> kafkaTopics() {
        return list(
                "names of Kafka topics with commas between them, as in ad-events, web.access",
                name -> KAFKA_TOPIC.matcher(name).matches() && !name.equals(".") && !name.equals("..") ? name : null);
    }

    /** The rule by which a Kafka record gets its topic. Another key sets the rule's bound on messages. */
    static ValueType<RecordRule> topicFrom() {
        String prefix = "header:";
        return new ValueType<>("syslog, topic, or header:NAME, as in header:event-type", text -> switch (text) {
            case "syslog" -> new RecordRule(Source.SYSLOG, "", 1);
            case "topic" -> new RecordRule(Source.TOPIC, "", 1);
            default ->
                text.startsWith(prefix) && text.length() > prefix.length()
                        ? new RecordRule(Source.HEADER, text.substring(prefix.length()), 1)
                        : null;
        });
    }

    /** The place at which a Kafka topic is read first. */
    static ValueType<KafkaStart> kafkaStart() {
        return new ValueType<>(
                "earliest, latest, or a time with its offset from UTC, as in 2026-11-20T00:00:00Z",
                text -> switch (text) {
                    case "earliest" -> new KafkaStart(KafkaStart.Kind.EARLIEST, 0);
                    case "latest" -> new KafkaStart(KafkaStart.Kind.LATEST, 0);
                    default -> {
                        try {
                            yield new KafkaStart(
                                    KafkaStart.Kind.TIME,
                                    OffsetDateTime.parse(text).toInstant().toEpochMilli());
                        } catch (DateTimeException e) {
                            yield null;
                        }
                    }
                });
    }

    /** A Kafka group, or {@code off} for none. */
    static ValueType<Optional<String>> groupOrOff() {
        return new ValueType<>(
                "the name of a Kafka group; or off",
                text -> text.isEmpty() ? null : text.equals("off") ? Optional.empty() : Optional.of(text));
    }

    static ValueType<Integer> integer(int min, int max) {
        ValueType<Long> count = count(min, max);
        return new ValueType<>(count.allowed, text -> {
            Long value = count.read(text);
            return value == null ? null : (Integer) value.intValue();
        });
    }

    static ValueType<Long> count(long min, long max) {
        return new ValueType<>("a whole number from " + min + " to " + max, text -> {
            Long value = number(text);
            return value == null || value < min || value > max ? null : value;
        });
    }

    /** Bytes: {@code 65536}, {@code 64KiB}, {@code 1 MiB}. */
    static ValueType<Long> size(long min, long max) {
        String allowed = "a size from " + sizeText(min) + " to " + sizeText(max) + ", in B, KiB, MiB or GiB";
        return new ValueType<>(allowed, text -> {
            Matcher matcher = SIZE.matcher(text);
            if (!matcher.matches()) {
                return null;
            }
            String unit = matcher.group(2) == null ? "B" : matcher.group(2);
            long factor = switch (unit) {
                case "KiB" -> 1L << 10;
                case "MiB" -> 1L << 20;
                case "GiB" -> 1L << 30;
                default -> 1;
            };
            long digits = Long.parseLong(matcher.group(1));
            return digits > max / factor || digits * factor < min ? null : (Long) (digits * factor);
        });
    }

    /** A number of bytes in the form of {@link #size}, or a share of the maximum heap of the process: {@code 25%}. */
    static ValueType<Long> heap(long min, int percentMax) {
        ValueType<Long> size = size(min, 1L << 40);
        String allowed = "a size of at least " + sizeText(min) + ", in B, KiB, MiB or GiB, or from 1% to " + percentMax
                + "% of the heap";
        return new ValueType<>(allowed, text -> {
            Matcher matcher = PERCENT.matcher(text);
            if (!matcher.matches()) {
                return size.read(text);
            }
            int percent = Integer.parseInt(matcher.group(1));
            return percent < 1 || percent > percentMax
                    ? null
                    : (Long) Math.max(min, Runtime.getRuntime().maxMemory() / 100 * percent);
        });
    }

    /** {@code 500ms}, {@code 5s}, {@code 5m}, {@code 1h}, {@code 1d}; {@code 0s} where min is zero. */
    static ValueType<Duration> duration(Duration min, Duration max) {
        String allowed =
                "a duration from " + durationText(min) + " to " + durationText(max) + ", in us, ms, s, m, h or d";
        return new ValueType<>(allowed, text -> {
            Matcher matcher = DURATION.matcher(text);
            if (!matcher.matches()) {
                return null;
            }
            long amount = Long.parseLong(matcher.group(1));
            Duration value = switch (matcher.group(2)) {
                case "us" -> Duration.of(amount, ChronoUnit.MICROS);
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                case "h" -> Duration.ofHours(amount);
                default -> Duration.ofDays(amount);
            };
            return value.compareTo(min) < 0 || value.compareTo(max) > 0 ? null : value;
        });
    }

    /** A time of the day, as the duration since midnight. */
    static ValueType<Duration> timeOfDay() {
        return new ValueType<>("a time of the day in UTC, as in 00:05", text -> {
            Matcher matcher = TIME_OF_DAY.matcher(text);
            return matcher.matches()
                    ? Duration.ofHours(Long.parseLong(matcher.group(1))).plusMinutes(Long.parseLong(matcher.group(2)))
                    : null;
        });
    }

    /** The word {@code close}. */
    static ValueType<Schedule> onClose() {
        return new ValueType<>(List.of("close"), text -> text.equals("close") ? Schedule.CLOSE : null);
    }

    /** The format of exported files. */
    static ValueType<Export.Format> format() {
        Map<String, Export.Format> byWord = new LinkedHashMap<>();
        for (Export.Format format : Export.Format.values()) {
            byWord.put(format.word(), format);
        }
        return new ValueType<>(List.copyOf(byWord.keySet()), byWord::get);
    }

    /** A summary or a nested summary. */
    static ValueType<CsvName> table() {
        return new ValueType<>("a summary, as in Traffic, or a nested one, as in Traffic/pages", text -> {
            List<String> names = List.of(text.split("/", -1));
            return names.contains("") ? null : new CsvName(names.get(0), names.subList(1, names.size()));
        });
    }

    /** Key columns to group by, as in the parameter {@code by} of a pull; an empty text for a single group. */
    static ValueType<List<String>> columns() {
        return new ValueType<>("columns with commas between them, as in: host, status", text -> {
            CsvQuery.Grouping grouping = query("by", text).grouping();
            return grouping == null ? null : grouping.by();
        });
    }

    /** A condition, as in the parameter {@code where} of a pull. */
    static ValueType<String> condition() {
        return new ValueType<>("a condition, as in: requests > 10", text -> {
            String where = query("where", text).where();
            return where.isEmpty() ? null : where;
        });
    }

    /** Returns a query with only this parameter; when the text is invalid, the query for everything. */
    private static CsvQuery query(String parameter, String text) {
        try {
            return CsvQuery.parse(Map.of(parameter, text));
        } catch (CsvQueryException e) {
            return CsvQuery.ALL;
        }
    }

    /** The names of exported files. */
    static ValueType<FilePattern> filePattern() {
        ValueType<Path> path = path();
        return new ValueType<>(
                "the path of a file, in which {summary}, {window}, {date} and {cut} may stand, as in"
                        + " /srv/exports/{summary}-{window}.csv",
                text -> {
                    Path value = text.endsWith("/") ? null : path.read(text);
                    try {
                        return value == null ? null : FilePattern.of(value.toAbsolutePath());
                    } catch (IllegalArgumentException e) {
                        return null;
                    }
                });
    }

    /** {@code HOST:PORT}; an IPv6 address in brackets. A name is not resolved here, but when the listener is bound. */
    static ValueType<InetSocketAddress> bind() {
        return new ValueType<>("HOST:PORT, as in 127.0.0.1:5514 or [::1]:5514, with a port from 0 to 65535", text -> {
            Matcher matcher = BIND.matcher(text);
            if (!matcher.matches()) {
                return null;
            }
            int port = Integer.parseInt(matcher.group(2));
            String host = matcher.group(1);
            if (host.startsWith("[")) {
                host = host.substring(1, host.length() - 1);
            }
            return port > 65535 ? null : InetSocketAddress.createUnresolved(host, port);
        });
    }

    /** An address as in {@link #bind}, or {@code off} for no listener. */
    static ValueType<Optional<InetSocketAddress>> bindOrOff() {
        ValueType<InetSocketAddress> bind = bind();
        return new ValueType<>(bind.allowed + "; or off", text -> {
            if (text.equals("off")) {
                return Optional.empty();
            }
            InetSocketAddress address = bind.read(text);
            return address == null ? null : Optional.of(address);
        });
    }

    /** A path. A leading {@code ~/} means the user's home. */
    static ValueType<Path> path() {
        return new ValueType<>("a path", text -> {
            try {
                String home = System.getProperty("user.home", "");
                return text.isEmpty() ? null : text.startsWith("~/") ? Path.of(home, text.substring(2)) : Path.of(text);
            } catch (InvalidPathException e) {
                return null;
            }
        });
    }

    static ValueType<ZoneId> zone() {
        return new ValueType<>("a time zone, as in UTC, Europe/Berlin or +02:00", text -> {
            try {
                return ZoneId.of(text);
            } catch (DateTimeException e) {
                return null;
            }
        });
    }

    private static @Nullable Long number(String text) {
        try {
            return Long.valueOf(text.replace("_", ""));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static String sizeText(long bytes) {
        String[] units = {"GiB", "MiB", "KiB"};
        for (int i = 0; i < units.length; i++) {
            int shift = 30 - 10 * i;
            if (bytes >= 1L << shift && bytes % (1L << shift) == 0) {
                return (bytes >> shift) + units[i];
            }
        }
        return bytes + "B";
    }

    private static String durationText(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 86_400_000 == 0 && millis > 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
