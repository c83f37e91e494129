package io.summarizer.server.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** Where a running service answers HTTP, and short exchanges with it. */
final class ServiceAddress {
    /** What a service does at one request may take a while: rows are copied, cuts awaited. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final String text;
    private final URI base;
    private final ServiceAccess access;

    private ServiceAddress(String text, URI base, ServiceAccess access) {
        this.text = text;
        this.base = base;
        this.access = access;
    }

    /** The address that an option gave: {@code http://HOST:PORT}, {@code https://HOST:PORT}, or {@code HOST:PORT}. */
    static ServiceAddress of(String option, ServiceAccess access) throws CommandFailure {
        try {
            URI base = URI.create(option.contains("://") ? option : "http://" + option);
            var unused = HttpRequest.newBuilder(base.resolve("/"));
            return new ServiceAddress(option, base, access);
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
        access.authorize(request);
        try {
            return access.client().build().send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
        } catch (SSLException e) {
            throw noTls(text, e);
        } catch (ConnectException e) {
            throw new CommandFailure("nothing answers at " + text + "; is the service running? (summarizer serve)", e);
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    "no answer from " + text + "; is that the address of `http listening on`, not of syslog?", e);
        }
    }

    static CommandFailure noTls(String server, SSLException e) {
        return new CommandFailure(
                "no TLS with " + server + ": " + e.getMessage()
                        + "; --ca FILE has the certificates that are believed, if not those of this JDK",
                e);
    }

    @Override
    public String toString() {
        return text;
    }
}
