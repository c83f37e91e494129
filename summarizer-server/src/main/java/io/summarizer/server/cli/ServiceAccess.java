package io.summarizer.server.cli;

import io.summarizer.server.tls.ClientTls;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of a command that asks a running service: whom it believes, and by what token it may ask. A token never stands on the
 * command line, where every user of the host could read it.
 */
final class ServiceAccess {
    private static final String VARIABLE = "SUMMARIZER_TOKEN";
    private static final int TOKEN_BYTES_MAX = 4096;

    private final Map<String, String> environment;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "The token by which to ask is its first line. Default: what the variable " + VARIABLE + " is.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "For https://: PEM file with the certificates by which the service's is believed."
                    + " Default: those of this JDK.")
    private @Nullable Path ca;

    ServiceAccess(Map<String, String> environment) {
        this.environment = environment;
    }

    /** A client that believes whom it should. */
    HttpClient.Builder client() throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (ca != null) {
            builder.sslContext(ClientTls.of(ca, null, null).context());
        }
        return builder;
    }

    /** Adds the token, if there is one. */
    void authorize(HttpRequest.Builder request) throws IOException, CommandFailure {
        String token = token();
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
    }

    private @Nullable String token() throws IOException, CommandFailure {
        String token = environment.get(VARIABLE);
        String from = VARIABLE;
        if (tokenFile != null) {
            from = tokenFile.toString();
            if (Files.size(tokenFile) > TOKEN_BYTES_MAX) {
                throw new CommandFailure(from + ": larger than " + TOKEN_BYTES_MAX + " bytes: no token");
            }
            token = new String(Files.readAllBytes(tokenFile), StandardCharsets.ISO_8859_1)
                    .lines()
                    .findFirst()
                    .orElse("");
        }
        if (token == null) {
            return null;
        }
        token = token.strip();
        if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new CommandFailure(from + ": has no token, which is one word of ASCII");
        }
        return token;
    }
}
