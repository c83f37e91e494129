package io.summarizer.server.http;

import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpContentException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.server.access.AccessControl;
import io.summarizer.server.access.Role;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The checks that a request passes before its handler, in order. The first check that fails answers the request. Runs
 * on event loops.
 */
record Filters(HttpListener listener) {
    /** Largest number of parameters in an address. */
    private static final int PARAMETERS_MAX = 32;
    /** Largest number of characters of a parameter's name that an answer shows. */
    private static final int SHOWN_CHARS_MAX = 100;

    private static final List<String> CHALLENGES =
            List.of("Bearer realm=\"summarizer\"", "Basic realm=\"summarizer\", charset=\"UTF-8\"");

    /** Whether the request may go on to its handler. If not, the method has answered the request. */
    boolean pass(Exchange exchange) {
        return isUnderstood(exchange)
                && isServedHere(exchange)
                && isOfThisSite(exchange)
                && isAllowed(exchange)
                && isReady(exchange)
                && hasKnownParameters(exchange)
                && isOfTheMethod(exchange);
    }

    private static boolean isUnderstood(Exchange exchange) {
        HttpVersion version = exchange.request().protocolVersion();
        if (exchange.request().decoderResult().isSuccess()) {
            boolean isKnown = version.equals(HttpVersion.HTTP_1_1) || version.equals(HttpVersion.HTTP_1_0);
            if (!isKnown) {
                exchange.sendLast(Exchange.textOf(
                        HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "this service speaks HTTP/1.1 and HTTP/1.0\n"));
            }
            return isKnown;
        }
        Throwable cause = exchange.request().decoderResult().cause();
        HttpResponseStatus status = HttpResponseStatus.BAD_REQUEST;
        String text = "this is not an HTTP request we understand";
        if (cause instanceof TooLongHttpLineException) {
            status = HttpResponseStatus.REQUEST_URI_TOO_LONG;
            text = "the request line is longer than " + HttpListener.REQUEST_LINE_BYTES_MAX + " bytes";
        } else if (cause instanceof TooLongHttpHeaderException) {
            status = HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
            text = "the headers are larger than " + HttpListener.HEADER_BYTES_MAX + " bytes";
        } else if (cause instanceof TooLongHttpContentException) {
            status = HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
            text = "the body is larger than " + HttpListener.BODY_BYTES_MAX + " bytes, and this request takes none";
        }
        // After such a request, the start of the next request is unknown.
        exchange.sendLast(Exchange.textOf(status, text + "\n"));
        return false;
    }

    /**
     * Whether the resource is served on this connection; if not, this method has already answered. Connections beyond
     * the limit, and connections to the port for health checks, serve only resources that are open to anybody.
     */
    private boolean isServedHere(Exchange exchange) {
        boolean beyond = exchange.connection().isBeyond();
        if (exchange.resource().role() == null
                || !(beyond || listener.settings().healthOnly())) {
            return true;
        }
        DefaultFullHttpResponse response = beyond
                ? Exchange.textOf(
                        HttpResponseStatus.SERVICE_UNAVAILABLE,
                        "there are as many connections as there may be (http.max-connections and"
                                + " -per-address); try again in a moment\n")
                : Exchange.textOf(HttpResponseStatus.NOT_FOUND, "/healthz and /readyz are all there is at this port\n");
        if (beyond) {
            response.headers().set(HttpHeaderNames.RETRY_AFTER, "1");
        }
        exchange.sendLast(response);
        return false;
    }

    private boolean isOfThisSite(Exchange exchange) {
        SiteCheck.Refusal refusal =
                listener.site().refusal(exchange.channel().localAddress(), exchange.request(), exchange.resource());
        if (refusal == null) {
            return true;
        }
        HttpCounters counters = listener.counters();
        switch (refusal.rule()) {
            case HOST -> counters.refusedHosts.increment();
            case SITE -> counters.refusedSites.increment();
        }
        listener.log()
                .warn(
                        "refused an HTTP request for where it comes from",
                        () -> exchange.channel().remoteAddress() + ": "
                                + refusal.text().strip());
        exchange.text(HttpResponseStatus.FORBIDDEN, refusal.text());
        return false;
    }

    private boolean isAllowed(Exchange exchange) {
        AccessControl access = listener.settings().access();
        Role needed = exchange.resource().role();
        if (access == null || needed == null) {
            return true;
        }
        AccessControl.Answer answer =
                access.decide(exchange.request().headers().getAll(HttpHeaderNames.AUTHORIZATION), needed);
        if (answer == AccessControl.Answer.GRANTED) {
            return true;
        }
        listener.log().warn("denied an HTTP request", () -> exchange.channel().remoteAddress() + ": " + answer.label());
        if (answer == AccessControl.Answer.ROLE) {
            exchange.connection()
                    .deny(
                            Exchange.textOf(
                                    HttpResponseStatus.FORBIDDEN, "this takes a token of role " + needed.word() + "\n"),
                            exchange);
        } else {
            DefaultFullHttpResponse response = Exchange.textOf(
                    HttpResponseStatus.UNAUTHORIZED,
                    "this takes a token that is known here: Authorization: Bearer TOKEN, or TOKEN as the"
                            + " password of a user of any name\n");
            response.headers().add(HttpHeaderNames.WWW_AUTHENTICATE, CHALLENGES);
            exchange.connection().deny(response, exchange);
        }
        return false;
    }

    private boolean isReady(Exchange exchange) {
        if (listener.isServing() || exchange.resource().role() == null) {
            return true;
        }
        exchange.notReady();
        return false;
    }

    private static boolean hasKnownParameters(Exchange exchange) {
        try {
            exchange.options(known(exchange.address(), exchange.resource()));
            return true;
        } catch (BadRequestException e) {
            exchange.text(HttpResponseStatus.BAD_REQUEST, e.getMessage() + "\n");
            return false;
        }
    }

    private static Map<String, List<String>> known(QueryStringDecoder address, Resource resource)
            throws BadRequestException {
        Map<String, List<String>> options;
        try {
            options = address.parameters();
        } catch (IllegalArgumentException e) {
            throw malformed(e);
        }
        if (options.values().stream().mapToInt(List::size).sum() > PARAMETERS_MAX) {
            throw new BadRequestException("more than " + PARAMETERS_MAX + " query parameters");
        }
        if (resource.isNothing()) {
            return options; // the answer is 404 whatever the parameters are
        }
        for (Map.Entry<String, List<String>> option : options.entrySet()) {
            if (!resource.parameters().contains(option.getKey())) {
                throw new BadRequestException(unknown(option.getKey(), resource.parameters()));
            }
            if (option.getValue().size() > 1 && !resource.repeats()) {
                throw new BadRequestException("'" + option.getKey() + "' is given more than once");
            }
        }
        return options;
    }

    private static String unknown(String option, List<String> known) {
        String nearest = Suggestions.nearest(option, known);
        String shown = option.length() <= SHOWN_CHARS_MAX ? option : option.substring(0, SHOWN_CHARS_MAX) + "...";
        return "unknown query parameter '" + shown + "'; "
                + (nearest.isEmpty() ? "" : "did you mean '" + nearest + "'? ")
                + (known.isEmpty() ? "none is known here" : "known here: " + String.join(", ", known));
    }

    private boolean isOfTheMethod(Exchange exchange) {
        if (exchange.resource().isNothing()) {
            return true; // another method would find nothing, either
        }
        HttpMethod method = exchange.request().method();
        Resource.Change change = exchange.resource().change();
        if (change == null
                ? method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)
                : method.equals(HttpMethod.POST)) {
            return change == null || mayChange(exchange, change);
        }
        String allowed = listener.router().methods(exchange.resource().path());
        DefaultFullHttpResponse response = Exchange.textOf(
                HttpResponseStatus.METHOD_NOT_ALLOWED, method + " is not allowed here; allowed: " + allowed + "\n");
        response.headers().set(HttpHeaderNames.ALLOW, allowed);
        exchange.send(response);
        return false;
    }

    /**
     * Whether a POST may make a change. If it may not, an answer that says so has already been sent. The request must
     * have no {@code Origin}, and no body unless the resource takes one. A browser sends a page's POST requests without
     * asking the user, but always with an {@code Origin}, even if the page's name resolves to this host (DNS
     * rebinding).
     */
    private static boolean mayChange(Exchange exchange, Resource.Change change) {
        String origin = exchange.request().headers().get(HttpHeaderNames.ORIGIN);
        if (origin != null) {
            exchange.text(
                    HttpResponseStatus.FORBIDDEN,
                    "a page (Origin: " + origin + ") may not " + change.what() + "; use " + change.command()
                            + " or curl -X POST\n");
            return false;
        }
        if (!change.takesBody() && exchange.request().content().isReadable()) {
            exchange.text(HttpResponseStatus.BAD_REQUEST, "this request takes no body, so nothing was done\n");
            return false;
        }
        return true;
    }

    /** Parses the path and the parameters of a request, without decoding them. */
    static QueryStringDecoder address(String uri) {
        return new QueryStringDecoder(uri, StandardCharsets.UTF_8, true, PARAMETERS_MAX + 1, true);
    }

    static BadRequestException malformed(IllegalArgumentException e) {
        return new BadRequestException("the request's path or query is not well-formed: " + e.getMessage());
    }
}
