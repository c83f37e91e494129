package io.summarizer.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Pulls summaries from a running service over HTTP. Used by one thread. */
final class SummaryClient {
    private static final int OK = 200;
    private static final String CUT_HEADER = "X-Summarizer-Cut";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int ERROR_CHARS_MAX = 4_000;

    private final ServiceAddress service;

    /**
     * A summary of the service.
     *
     * @param nested its nested ones by path, outer before inner, as in {@code interactions} or {@code a/b}
     */
    record Summary(String name, long rows, long updates, List<String> nested) {}

    /**
     * Address and parameters of a pull.
     *
     * @param path {@code NAME} or {@code NAME/FIELD}
     * @param parameters of the address, such as the cut to read again
     * @param gzip whether to request gzip, and write it unchanged
     */
    record Request(String path, Map<String, String> parameters, boolean gzip) {
        Request {
            parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        }

        static Request of(String path) {
            return new Request(path, Map.of(), false);
        }
    }

    SummaryClient(ServiceAddress service) {
        this.service = service;
    }

    /** Lists all summaries. */
    List<Summary> summaries() throws IOException, CommandFailure, InterruptedException {
        List<Summary> summaries = new ArrayList<>();
        for (JsonNode summary : Json.MAPPER.readTree(service.get("/summaries"))) {
            List<String> nested = new ArrayList<>();
            summary.path("nested")
                    .forEach(inner -> nested.add(inner.path("path").asText()));
            summaries.add(new Summary(
                    summary.path("name").asText(),
                    summary.path("rows").asLong(),
                    summary.path("updates").asLong(),
                    nested));
        }
        return summaries;
    }

    /** Writes the CSV of a summary; returns the cut that was read. */
    String csv(Request request, OutputStream out) throws IOException, CommandFailure, InterruptedException {
        String query = request.parameters().entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + escape(parameter.getValue()))
                .collect(Collectors.joining("&"));
        HttpResponse<InputStream> response =
                get(csvPath(request.path()) + (query.isEmpty() ? "" : "?" + query), request.gzip());
        try (InputStream body = response.body()) {
            if (response.statusCode() != OK) {
                throw service.refused(
                        request.path(),
                        response.statusCode(),
                        new String(body.readNBytes(ERROR_CHARS_MAX), StandardCharsets.UTF_8));
            }
            copy(request.path(), body, out);
        }
        return response.headers().firstValue(CUT_HEADER).orElse("");
    }

    /** Copies like {@code transferTo}, with an explanation when the answer breaks off. */
    private void copy(String path, InputStream body, OutputStream out) throws IOException, CommandFailure {
        byte[] buffer = new byte[BUFFER_BYTES];
        while (true) {
            int read;
            try {
                read = body.read(buffer);
            } catch (IOException e) {
                throw new CommandFailure(
                        path + ": the answer of " + service
                                + " ended before its rows did: the service stopped, or let go of"
                                + " the cut because too many rows changed meanwhile (cuts.memory); its log says which",
                        e);
            }
            if (read < 0) {
                return;
            }
            out.write(buffer, 0, read);
        }
    }

    /** The address of the CSV of {@code NAME} or {@code NAME/FIELD}. */
    URI csvUri(String path) {
        return service.resolve(csvPath(path));
    }

    private static String csvPath(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(SummaryClient::escape)
                .collect(Collectors.joining("/", "/summaries/", ".csv"));
    }

    private static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpResponse<InputStream> get(String path, boolean gzip)
            throws IOException, CommandFailure, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(service.resolve(path)).timeout(TIMEOUT);
        if (gzip) {
            request.header("Accept-Encoding", "gzip");
        }
        return service.send(request, HttpResponse.BodyHandlers.ofInputStream());
    }
}
