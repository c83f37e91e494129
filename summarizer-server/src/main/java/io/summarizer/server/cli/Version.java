package io.summarizer.server.cli;

import io.summarizer.server.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The version of this program. The build writes it into a resource, which this class reads. */
@SuppressWarnings("NullAway.Init") // picocli sets the command
final class Version implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    @Spec
    private CommandSpec command;

    /** Called by picocli on demand. */
    Version() {}

    /** The version as {@code 0.1.0}. */
    static String text() {
        try (InputStream in = Objects.requireNonNull(Version.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The version as {@code summarizer 0.1.0}. */
    static String line() {
        return "summarizer " + text();
    }

    @Override
    public String[] getVersion() {
        boolean json = command.commandLine().getParseResult().hasMatchedOption("--json");
        return new String[] {json ? new String(Json.bytes(Map.of("version", text())), StandardCharsets.UTF_8) : line()};
    }
}
