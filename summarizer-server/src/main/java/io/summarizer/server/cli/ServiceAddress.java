package io.summarizer.server.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/** Where a running service answers HTTP, and short exchanges with it. */
final class ServiceAddress {
    /** What a service does at one request may take a while: rows are copied, cuts awaited. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final String text;
    private final URI base;

    private ServiceAddress(String text, URI base) {
        this.text = text;
        this.base = base;
    }

    /** The address that an option gave: {@code http://HOST:PORT}, or {@code HOST:PORT}. */
    static ServiceAddress of(String option) throws CommandFailure {
        try {
            URI base = URI.create(option.contains("://") ? option : "http://" + option);
            var unused = HttpRequest.newBuilder(base.resolve("/"));
            return new ServiceAddress(option, base);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("--server: \"" + option + "\" is not http://HOST:PORT", e);
        }
    }

    URI resolve(String path) {
        return base.resolve(path);
    }

    HttpResponse<String> get(String path) throws IOException, CommandFailure, InterruptedException {
        return send(HttpRequest.newBuilder(resolve(path)).GET());
    }

    HttpResponse<String> post(String path) throws IOException, CommandFailure, InterruptedException {
        return send(HttpRequest.newBuilder(resolve(path)).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, CommandFailure, InterruptedException {
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new CommandFailure("nothing answers at " + text + "; is the service running? (summarizer serve)", e);
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    "no answer from " + text + "; is that the address of `http listening on`, not of syslog?", e);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
