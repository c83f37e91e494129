package io.summarizer.flink.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this program, which the build writes into a resource. Made by picocli. */
final class Version implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    @Override
    public String[] getVersion() throws IOException {
        try (InputStream in = Objects.requireNonNull(Version.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            Properties properties = new Properties();
            properties.load(in);
            return new String[] {"summarizer-flink " + properties.getProperty("version")};
        }
    }
}
