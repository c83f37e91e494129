package io.summarizer.server.cli;

import io.summarizer.server.replay.Destination;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code HOST:PORT}, also after {@code tcp://}, {@code relp://}, {@code tls://} or {@code relps://}. */
final class DestinationConverter implements ITypeConverter<Destination> {
    @Override
    public Destination convert(String text) {
        try {
            return Destination.of(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
