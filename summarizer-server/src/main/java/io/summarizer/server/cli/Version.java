package io.summarizer.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build gave this program, from a resource that it filtered. */
final class Version implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    /** For picocli, which makes one when somebody asks. */
    Version() {}

    /** As {@code 0.1.0}. */
    static String text() {
        try (InputStream in = Objects.requireNonNull(Version.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"summarizer " + text()};
    }
}
