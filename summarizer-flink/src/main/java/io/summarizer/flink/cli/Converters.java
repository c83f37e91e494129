package io.summarizer.flink.cli;

import io.summarizer.core.receive.Framing;
import io.summarizer.flink.options.StartAt;
import io.summarizer.flink.options.TopicFrom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parsers of option values, spelt as in the configuration of the service. Stateless. */
final class Converters {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9}) ?(B|KiB|MiB)?");
    private static final int MESSAGE_BYTES_MIN = 480;
    private static final int MESSAGE_BYTES_MAX = 16 << 20;

    private Converters() {}

    /** Adds the parsers to a command. */
    static void register(CommandLine line) {
        line.registerConverter(Duration.class, Converters::duration);
        line.registerConverter(ZoneId.class, Converters::zone);
        line.registerConverter(Framing.class, Converters::framing);
        line.registerConverter(StartAt.class, text -> explained(StartAt::parse, text));
        line.registerConverter(TopicFrom.class, text -> explained(TopicFrom::parse, text));
    }

    private static <T> T explained(Function<String, T> parser, String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("\"" + text + "\" is not a duration such as 500ms, 10s or 5m");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new TypeConversionException("\"" + text + "\" is not a time zone such as UTC or Europe/Berlin");
        }
    }

    private static Framing framing(String text) {
        for (Framing framing : Framing.values()) {
            if (framing.name().toLowerCase(Locale.ROOT).equals(text)) {
                return framing;
            }
        }
        throw new TypeConversionException("\"" + text + "\" is not one of auto, octet, lf");
    }

    /** The parser of a size in bytes. Made by picocli. */
    static final class Size implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            Matcher matcher = SIZE.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("\"" + text + "\" is not a size such as 256KiB or 1MiB");
            }
            long bytes = Long.parseLong(matcher.group(1))
                    * switch (String.valueOf(matcher.group(2))) {
                        case "KiB" -> 1 << 10;
                        case "MiB" -> 1 << 20;
                        default -> 1;
                    };
            if (bytes < MESSAGE_BYTES_MIN || bytes > MESSAGE_BYTES_MAX) {
                throw new TypeConversionException("\"" + text + "\" is not from " + MESSAGE_BYTES_MIN + "B to 16MiB");
            }
            return (int) bytes;
        }
    }
}
