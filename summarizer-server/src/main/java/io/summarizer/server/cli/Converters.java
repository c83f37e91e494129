package io.summarizer.server.cli;

import io.summarizer.server.replay.Destination;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.TypeConversionException;

/** Parsers for the option and argument types that picocli cannot parse. Stateless. */
final class Converters {
    private Converters() {}

    /** Adds to a command the parsers of enums ({@code ads-v1} means {@code ADS_V1}) and of destinations. */
    static void register(CommandLine line) {
        line.registerConverter(Destination.class, Converters::destination);
        line.getCommandSpec().args().stream()
                .map(ArgSpec::type)
                .filter(Class::isEnum)
                .forEach(type -> registerEnum(type, line));
    }

    private static Destination destination(String text) {
        try {
            return Destination.of(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static <E> void registerEnum(Class<E> type, CommandLine line) {
        line.registerConverter(
                type,
                text -> Stream.of(type.getEnumConstants())
                        .filter(constant -> word(constant).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new TypeConversionException("\"" + text + "\" is not one of "
                                + Stream.of(type.getEnumConstants())
                                        .map(Converters::word)
                                        .collect(Collectors.joining(", ")))));
    }

    private static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
