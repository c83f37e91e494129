package io.summarizer.server.cli;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.server.http.Listing;
import io.summarizer.server.json.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The address of a running service, and exchanges with it over HTTP. Used by one thread. */
final class ServiceClient {
    private static final int PORT_MAX = 65_535;
    private static final int OK = 200;
    private static final String CUT_HEADER = "X-Summarizer-Cut";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Longest wait for an answer. A reset or a reload may take long, because it copies rows and waits for cuts. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /** Longest wait for the first rows, and for further rows. It is longer than {@code http.query-timeout} can be. */
    private static final Duration PULL_TIMEOUT = Duration.ofMinutes(65);

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int ERROR_CHARS_MAX = 4_000;
    private final String text;
    private final URI base;
    private final @Nullable String token;
    private final HttpClient http;

    /**
     * Makes a client, which does not connect yet.
     *
     * @param text {@code http://HOST:PORT}, {@code https://HOST:PORT}, or {@code HOST:PORT}
     * @param trust context with the trusted certificates; null means the certificates that this JDK trusts
     * @param token the token; null when requests have no token
     */
    ServiceClient(String text, @Nullable SSLContext trust, @Nullable String token) throws CommandFailure {
        this.text = text;
        base = base(text);
        this.token = token;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        http = (trust == null ? builder : builder.sslContext(trust)).build();
    }

    private static URI base(String text) throws CommandFailure {
        try {
            URI base = URI.create(text.contains("://") ? text : "http://" + text);
            if (base.getHost() != null
                    && base.getPort() <= PORT_MAX
                    && (base.getPath().isEmpty() || base.getPath().equals("/"))
                    && base.getQuery() == null
                    && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return base;
            }
        } catch (IllegalArgumentException e) {
            // Reported below, in other words.
        }
        throw CommandFailure.usage("--server: \"" + text + "\" is not http://HOST:PORT");
    }

    URI resolve(String path) {
        return base.resolve(path);
    }

    /** Returns the answer to a GET; any status but 200 is a failure. */
    String get(String path) throws IOException, CommandFailure, InterruptedException {
        return answer(HttpRequest.newBuilder(resolve(path)).GET());
    }

    /** Returns the answer to a POST without a body; any status but 200 is a failure. */
    String post(String path) throws IOException, CommandFailure, InterruptedException {
        return answer(HttpRequest.newBuilder(resolve(path)).POST(HttpRequest.BodyPublishers.noBody()));
    }

    /** Returns the answer to a POST of a file; any status but 200 is a failure. */
    String post(String path, Path file) throws IOException, CommandFailure, InterruptedException {
        // With Expect, a refusal comes before the file is sent.
        return answer(HttpRequest.newBuilder(resolve(path))
                .expectContinue(true)
                .POST(HttpRequest.BodyPublishers.ofFile(file)));
    }

    private String answer(HttpRequest.Builder request) throws IOException, CommandFailure, InterruptedException {
        HttpResponse<String> response = send(request.timeout(TIMEOUT), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw refused(response.uri().getPath(), response.statusCode(), response.body());
        }
        return response.body();
    }

    /** Lists all summaries. */
    List<Listing.Entry> summaries() throws IOException, CommandFailure, InterruptedException {
        return List.of(Json.MAPPER.readValue(get(Listing.SUMMARIES), Listing.Entry[].class));
    }

    /** Writes the CSV of a summary; returns the cut that was read. See {@link #rows} for the parameters. */
    String csv(String name, String address, Map<String, String> parameters, boolean gzip, OutputStream out)
            throws IOException, CommandFailure, InterruptedException {
        try (Rows rows = rows(name, address, parameters, gzip)) {
            rows.body.transferTo(out);
            return rows.cut;
        }
    }

    /**
     * The rows of a summary, while they arrive.
     *
     * @param cut the cut that is read
     * @param body the rows; if they end too early, reading throws an exception that says so
     */
    record Rows(String cut, InputStream body) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /**
     * Begins a pull of the CSV of a summary.
     *
     * @param name name of the table in messages, {@code NAME} or {@code NAME/FIELD}
     * @param address address of the CSV, as in the list of summaries
     * @param parameters query parameters, such as the cut to read again
     * @param gzip whether to request a gzip answer, which is returned unchanged
     */
    Rows rows(String name, String address, Map<String, String> parameters, boolean gzip)
            throws IOException, CommandFailure, InterruptedException {
        String query = parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + Listing.escape(parameter.getValue()))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(resolve(address + (query.isEmpty() ? "" : "?" + query)))
                .timeout(PULL_TIMEOUT);
        if (gzip) {
            request.header("Accept-Encoding", "gzip");
        }
        HttpResponse<InputStream> response = send(request, HttpResponse.BodyHandlers.ofInputStream());
        InputStream body = response.body();
        if (response.statusCode() != OK) {
            try (body) {
                throw refused(
                        name,
                        response.statusCode(),
                        new String(body.readNBytes(ERROR_CHARS_MAX), StandardCharsets.UTF_8));
            }
        }
        String brokenOff = name + ": the answer of " + text
                + " ended before its rows did: the service stopped, or let go of"
                + " the cut because too many rows changed meanwhile (cuts.memory); its log says which";
        return new Rows(
                response.headers().firstValue(CUT_HEADER).orElse(""),
                new BufferedInputStream(new WatchedBody(body, brokenOff, PULL_TIMEOUT), BUFFER_BYTES));
    }

    /** Sends a request, with the token if there is one. */
    private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
            throws IOException, CommandFailure, InterruptedException {
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return http.send(request.build(), handler);
        } catch (SSLException e) {
            boolean isAsked = String.valueOf(e.getMessage()).contains("certificate_required");
            throw new CommandFailure(
                    "no TLS with " + text + ": " + e.getMessage()
                            + (isAsked
                                    ? "; the service asks for a certificate: give --cert FILE and --key FILE"
                                    : "; --ca FILE has the certificates that are believed, if not those of this JDK"),
                    e);
        } catch (ConnectException e) {
            throw new CommandFailure("nothing answers at " + text + "; is the service running? (summarizer serve)", e);
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    "no answer from " + text + "; is that the address of `http listening on`, not of syslog?", e);
        } catch (IOException e) {
            if (!"http".equals(base.getScheme())) {
                throw new CommandFailure(
                        "no answer from " + text + ": " + DiskErrors.describe(e)
                                + "; if it asks for certificates, give --cert FILE and --key FILE",
                        e);
            }
            // A listener with TLS closes a plaintext connection without an answer.
            String tls = "https://" + base.getRawAuthority();
            throw new CommandFailure(
                    text + " closed the connection without an answer (" + e.getMessage()
                            + "); does it use TLS? Then ask " + tls
                            + "; is it a listener for syslog? Then ask the address of `http listening on`",
                    e);
        }
    }

    /**
     * Makes the failure for an answer other than 200.
     *
     * @param what names the request
     * @param said the body of the answer; if it has several lines, they become the details of the failure
     */
    private CommandFailure refused(String what, int status, String said) {
        String body = said.strip();
        String line = what + ": " + text + " answered " + status
                + (status == Exit.UNAUTHORIZED
                        ? " (give --token-file FILE, or the token itself in SUMMARIZER_TOKEN)"
                        : "");
        return body.contains("\n")
                ? CommandFailure.withDetails(Exit.ofStatus(status), body, line)
                : new CommandFailure(Exit.ofStatus(status), body.isEmpty() ? line : line + ": " + body);
    }

    @Override
    public String toString() {
        return text;
    }
}
