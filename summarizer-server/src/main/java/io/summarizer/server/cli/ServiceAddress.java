package io.summarizer.server.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The address of a running service, and exchanges with it. Used by one thread. */
final class ServiceAddress {
    private static final int OK = 200;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** A reset or a reload may take a while: it copies rows and waits for cuts. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final String text;
    private final URI base;
    private final ServiceOptions options;
    private @Nullable HttpClient client;

    private ServiceAddress(String text, URI base, ServiceOptions options) {
        this.text = text;
        this.base = base;
        this.options = options;
    }

    /** Parses the option's address: {@code http://HOST:PORT}, {@code https://HOST:PORT}, or {@code HOST:PORT}. */
    static ServiceAddress of(String option, ServiceOptions options) throws CommandFailure {
        String scheme = "http://";
        try {
            URI base = URI.create(option.contains("://") ? option : scheme + option);
            if (base.getHost() != null && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return new ServiceAddress(option, base, options);
            }
        } catch (IllegalArgumentException e) {
            // Reported below, in other words.
        }
        throw new CommandFailure(CommandFailure.Kind.USAGE, "--server: \"" + option + "\" is not http://HOST:PORT");
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

    private String answer(HttpRequest.Builder request) throws IOException, CommandFailure, InterruptedException {
        HttpResponse<String> response = send(request.timeout(TIMEOUT), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw refused(response.uri().getPath(), response.statusCode(), response.body());
        }
        return response.body();
    }

    /** Sends a request, with the token if there is one. */
    <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
            throws IOException, CommandFailure, InterruptedException {
        options.authorize(request);
        HttpClient http = client;
        if (http == null) {
            http = options.client().connectTimeout(CONNECT_TIMEOUT).build();
            client = http;
        }
        try {
            return http.send(request.build(), handler);
        } catch (SSLException e) {
            throw new CommandFailure(
                    "no TLS with " + text + ": " + e.getMessage()
                            + "; --ca FILE has the certificates that are believed, if not those of this JDK",
                    e);
        } catch (ConnectException e) {
            throw new CommandFailure("nothing answers at " + text + "; is the service running? (summarizer serve)", e);
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    "no answer from " + text + "; is that the address of `http listening on`, not of syslog?", e);
        }
    }

    /**
     * Makes the failure for an answer other than 200.
     *
     * @param what was requested
     * @param said the body of the answer; several lines become details
     */
    CommandFailure refused(String what, int status, String said) {
        String body = said.strip();
        String line = what + ": " + text + " answered " + status;
        return body.contains("\n")
                ? CommandFailure.withDetails(Exit.kindOf(status), body, line)
                : new CommandFailure(Exit.kindOf(status), body.isEmpty() ? line : line + ": " + body);
    }

    @Override
    public String toString() {
        return text;
    }
}
