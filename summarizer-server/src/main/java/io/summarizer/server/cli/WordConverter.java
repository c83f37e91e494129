package io.summarizer.server.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a constant of an enum from its word for people: {@code ads-v1} for {@code ADS_V1}. */
abstract class WordConverter<E extends Enum<E>> implements ITypeConverter<E> {
    private final E[] constants;

    WordConverter(E[] constants) {
        this.constants = constants;
    }

    @Override
    public E convert(String text) {
        for (E constant : constants) {
            if (word(constant).equals(text)) {
                return constant;
            }
        }
        throw new TypeConversionException("\"" + text + "\" is not one of "
                + Arrays.stream(constants).map(WordConverter::word).collect(Collectors.joining(", ")));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
