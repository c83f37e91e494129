package io.summarizer.server.cli;

import io.summarizer.server.tls.ClientTls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options by which a command reaches a running service: the service's address, the certificates to trust, the
 * command's own certificate, and the file with the token. The token itself is no option, because every user of the host
 * can read command lines.
 */
final class ServiceOptions {
    private static final String SERVER_VARIABLE = "SUMMARIZER_SERVER";
    private static final String TOKEN_VARIABLE = "SUMMARIZER_TOKEN";
    private static final String DEFAULT_SERVER = "http://127.0.0.1:8080";
    private static final int TOKEN_BYTES_MAX = 4096;

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
            description = "File with the token for requests, in its first line. Default: the variable " + TOKEN_VARIABLE
                    + ".")
    private @Nullable Path tokenFile;

    @Mixin
    private TlsOptions tls = new TlsOptions();

    /** Whether the option gives a service. */
    boolean isGiven() {
        return server != null;
    }

    /** Whether the option or the variable gives a service. */
    boolean isNamed(Map<String, String> environment) {
        return server != null || !variable(environment).isEmpty();
    }

    /** Makes a client of the service. */
    ServiceClient client(Map<String, String> environment) throws IOException, CommandFailure {
        String variable = variable(environment);
        ClientTls encrypted = tls.ofService();
        return new ServiceClient(
                server != null ? server : variable.isEmpty() ? DEFAULT_SERVER : variable,
                encrypted == null ? null : encrypted.context(),
                token(environment));
    }

    private static String variable(Map<String, String> environment) {
        return environment.getOrDefault(SERVER_VARIABLE, "").strip();
    }

    private @Nullable String token(Map<String, String> environment) throws IOException, CommandFailure {
        String token = environment.get(TOKEN_VARIABLE);
        String from = TOKEN_VARIABLE;
        if (tokenFile != null) {
            from = tokenFile.toString();
            if (Files.size(tokenFile) > TOKEN_BYTES_MAX) {
                throw CommandFailure.usage(from + ": larger than " + TOKEN_BYTES_MAX + " bytes: no token");
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
            throw CommandFailure.usage(from + ": has no token, which is one word of ASCII");
        }
        return token;
    }
}
