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
 * The options of a command for a running service: its address, the certificates to trust, the token. A token is never
 * given on the command line, where every user of the host could read it.
 */
final class ServiceOptions {
    private static final String SERVER_VARIABLE = "SUMMARIZER_SERVER";
    private static final String TOKEN_VARIABLE = "SUMMARIZER_TOKEN";
    private static final String DEFAULT_SERVER = "http://127.0.0.1:8080";
    private static final int TOKEN_BYTES_MAX = 4096;

    private final Map<String, String> environment;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description =
                    "The running service: http://HOST:PORT, https://HOST:PORT or HOST:PORT. Default: the variable "
                            + SERVER_VARIABLE + ", else " + DEFAULT_SERVER + ".")
    private @Nullable String server;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File whose first line is the token to ask by. Default: the variable " + TOKEN_VARIABLE + ".")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "For https://: PEM file of the authorities that may have signed the service's certificate."
                    + " Default: those of this JDK.")
    private @Nullable Path ca;

    ServiceOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Whether the option gives a service. */
    boolean isGiven() {
        return server != null;
    }

    /** Whether the option or the variable gives a service. */
    boolean isNamed() {
        return server != null || !variable().isEmpty();
    }

    /** The address of the service. */
    ServiceAddress address() throws CommandFailure {
        String text = server != null ? server : variable().isEmpty() ? DEFAULT_SERVER : variable();
        return ServiceAddress.of(text, this);
    }

    private String variable() {
        return environment.getOrDefault(SERVER_VARIABLE, "").strip();
    }

    /** Makes a client that trusts the given certificates. */
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
        String token = environment.get(TOKEN_VARIABLE);
        String from = TOKEN_VARIABLE;
        if (tokenFile != null) {
            from = tokenFile.toString();
            if (Files.size(tokenFile) > TOKEN_BYTES_MAX) {
                throw new CommandFailure(
                        CommandFailure.Kind.USAGE, from + ": larger than " + TOKEN_BYTES_MAX + " bytes: no token");
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
            throw new CommandFailure(CommandFailure.Kind.USAGE, from + ": has no token, which is one word of ASCII");
        }
        return token;
    }
}
