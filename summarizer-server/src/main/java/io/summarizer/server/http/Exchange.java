package io.summarizer.server.http;

import static io.netty.handler.codec.http.HttpHeaderNames.CACHE_CONTROL;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_TYPE;
import static io.netty.handler.codec.http.HttpHeaderNames.RETRY_AFTER;
import static io.netty.handler.codec.http.HttpHeaderNames.TRANSFER_ENCODING;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.snapshot.CutRevokedException;
import io.summarizer.core.store.Cut;
import io.summarizer.server.http.CutCache.Use;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request in progress, with methods to answer it. The handler calls exactly one of the answering methods. Methods are
 * called on the event loop of the connection, except for {@link #streamed}, {@link #breakOff} and {@link #close}, which
 * any thread may call.
 */
final class Exchange {
    static final String CUT_HEADER = "X-Summarizer-Cut";
    static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpListener listener;
    private final HttpConnection connection;
    private final Channel channel;
    private final FullHttpRequest request; // its body may be read only before the first hand-over
    private final QueryStringDecoder address;
    private final Router.Match match;
    private Map<String, List<String>> options = Map.of();

    Exchange(HttpListener listener, HttpConnection connection, Channel channel, FullHttpRequest request) {
        this.listener = listener;
        this.connection = connection;
        this.channel = channel;
        this.request = request;
        address = Filters.address(request.uri());
        match = listener.router().match(address.rawPath(), request.method());
    }

    /** Makes the request's resource answer the request. */
    void answer() {
        if (resource().change() != null && refuseFixed()) {
            return;
        }
        try {
            resource().handler().answer(this);
        } catch (BadRequestException e) {
            text(HttpResponseStatus.BAD_REQUEST, e.getMessage() + "\n");
        } catch (CsvQueryException e) {
            refuse(e);
        }
    }

    HttpConnection connection() {
        return connection;
    }

    Channel channel() {
        return channel;
    }

    EventLoop eventLoop() {
        return channel.eventLoop();
    }

    FullHttpRequest request() {
        return request;
    }

    Resource resource() {
        return match.resource();
    }

    QueryStringDecoder address() {
        return address;
    }

    boolean isHead() {
        return request.method().equals(HttpMethod.HEAD);
    }

    /** Returns a header; empty when it is absent. */
    String header(CharSequence name) {
        return request.headers().get(name, "");
    }

    /** Returns the values of a header that may be repeated, with commas between them. */
    String headers(CharSequence name) {
        return String.join(",", request.headers().getAll(name));
    }

    Encoding encoding() {
        return Encoding.of(headers(HttpHeaderNames.ACCEPT_ENCODING));
    }

    /** Sets the parameters of the address. The resource knows all of them. */
    void options(Map<String, List<String>> options) {
        this.options = options;
    }

    /** Returns a parameter, or null. */
    @Nullable
    String option(String name) {
        List<String> given = options(name);
        return given.isEmpty() ? null : given.get(0);
    }

    /** Returns a parameter that may be repeated. */
    List<String> options(String name) {
        return options.getOrDefault(name, List.of());
    }

    /** Returns the id of the cut that the request names, or null. */
    @Nullable
    Long cut() throws BadRequestException {
        String text = option(Router.CUT);
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new BadRequestException(
                    "cut=" + text + " is not a number; use what an answer's X-Summarizer-Cut said");
        }
    }

    /**
     * Returns those segments of the path, decoded, that stand for {@code NAME} and {@code FIELD} in the resource's
     * path.
     */
    List<String> names() throws BadRequestException {
        List<String> names = new ArrayList<>();
        try {
            for (String part : match.variables()) {
                for (String segment : part.split("/", -1)) {
                    // In a path, a plus sign means itself. The decoder would make it a space, as in forms.
                    names.add(QueryStringDecoder.decodeComponent(segment.replace("+", "%2B"), StandardCharsets.UTF_8));
                }
            }
        } catch (IllegalArgumentException e) {
            throw Filters.malformed(e);
        }
        return names;
    }

    /**
     * Continues with the cut of this id, or with a new cut when there is no id. Holds the cut until the continuation is
     * done.
     */
    void withCut(@Nullable Long id, Use use, Consumer<Cut> then) {
        if (id == null) {
            after(listener.served().cuts().fresh(use), (cut, failure) -> {
                if (failure != null) {
                    unavailable("no cut could be taken: " + failure.getMessage());
                } else {
                    holding(cut, then);
                }
            });
            return;
        }
        CutCache.Lookup lookup = listener.served().cuts().find(id);
        if (lookup instanceof CutCache.Lookup.Found found) {
            holding(found.cut(), then);
        } else if (lookup instanceof CutCache.Lookup.Revoked) {
            text(
                    HttpResponseStatus.GONE,
                    "cut " + id + " was revoked: " + CutRevokedException.REASON + "; pull again without ?cut\n");
        } else if (lookup instanceof CutCache.Lookup.Gone) {
            text(
                    HttpResponseStatus.GONE,
                    "cut " + id + " was let go: cuts can be read again for "
                            + listener.settings().limits().keepCuts().toSeconds()
                            + " s after they were last used, fewer when very many are taken; pull again without ?cut,"
                            + " unless it was that of a reset, whose rows were nowhere else\n");
        } else {
            text(HttpResponseStatus.NOT_FOUND, "there never was a cut " + id + " of this process\n");
        }
    }

    /** Continues with a cut that the caller holds, then releases the cut. */
    void holding(Cut cut, Consumer<Cut> then) {
        try {
            then.accept(cut);
        } finally {
            cut.release();
        }
    }

    /**
     * Continues on the event loop with the result of a task or with its failure. After a success the failure is null;
     * after a failure the result is null.
     */
    <T> void after(CompletableFuture<T> task, BiConsumer<T, Throwable> then) {
        var unused = task.whenCompleteAsync(
                (result, failure) -> {
                    try {
                        then.accept(result, failure);
                    } catch (RuntimeException | Error e) { // the client must not wait for an answer in any case
                        listener.log().warn("an HTTP request failed", e::toString, e);
                        close();
                    }
                },
                eventLoop());
    }

    void text(String text) {
        text(HttpResponseStatus.OK, text);
    }

    void text(HttpResponseStatus status, String text) {
        send(textOf(status, text));
    }

    /** Answers with records as JSON. */
    void json(Object value) {
        send(response(HttpResponseStatus.OK, JSON, Json.bytes(value)));
    }

    /** Answers with records as JSON, or with bytes that already are JSON. The answer names the cut. */
    void jsonOfCut(Object value, Cut cut) {
        var unused = sendOfCut(value instanceof byte[] bytes ? bytes : Json.bytes(value), cut);
    }

    /**
     * Answers with JSON. The answer names the cut. Returns a future that completes when the connection has taken all
     * bytes, or when it has failed.
     */
    ChannelFuture sendOfCut(byte[] json, Cut cut) {
        DefaultFullHttpResponse response = response(HttpResponseStatus.OK, JSON, json);
        response.headers().set(CUT_HEADER, cut.id());
        return sending(response);
    }

    /** Refuses the request if nothing can be changed; returns whether it was refused. */
    private boolean refuseFixed() {
        Optional<String> fixed =
                listener.isServing() ? listener.served().cuts().source().fixed() : Optional.empty();
        fixed.ifPresent(why -> text(HttpResponseStatus.CONFLICT, why + "\n"));
        return fixed.isPresent();
    }

    /** Answers that the requested thing is not there yet, or will never be there. */
    void notReady() {
        if (refuseFixed()) {
            return;
        }
        unavailable("not ready: " + listener.notReady().orElse("starting"));
    }

    void unavailable(String why) {
        DefaultFullHttpResponse response =
                textOf(HttpResponseStatus.SERVICE_UNAVAILABLE, why + "; try again in a moment\n");
        response.headers().set(RETRY_AFTER, "1");
        send(response);
    }

    /** Answers that there is nothing at the path, with advice. */
    void nothing(String advice) {
        text(
                HttpResponseStatus.NOT_FOUND,
                "there is nothing at this path\n" + advice + "\n"
                        + listener.router().help());
    }

    /** Answers why a query is refused. */
    void refuse(CsvQueryException refusal) {
        switch (refusal.reason()) {
            case INVALID -> text(HttpResponseStatus.BAD_REQUEST, refusal.getMessage() + "\n");
            case CONFLICT -> text(HttpResponseStatus.CONFLICT, refusal.getMessage() + "\n");
            case TOO_LARGE -> text(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, refusal.getMessage() + "\n");
            case TOO_COSTLY -> text(HttpResponseStatus.UNPROCESSABLE_ENTITY, refusal.getMessage() + "\n");
            case BUSY -> unavailable(refusal.getMessage());
        }
    }

    /** Answers that the cut was revoked before anything was sent. */
    void unavailableRevoked() {
        unavailable("the cut was revoked: " + CutRevokedException.REASON);
    }

    /** Answers a HEAD request with the head that an answer to GET would have. */
    void sendHead(HttpResponse head) {
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
        response.headers().set(head.headers());
        send(response);
    }

    void send(DefaultFullHttpResponse response) {
        var unused = sending(response);
    }

    private ChannelFuture sending(DefaultFullHttpResponse response) {
        if (BodyReader.isEndUnknown(request)) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            connection.end();
        }
        ChannelFuture sent = channel.writeAndFlush(response);
        completed(sent);
        return sent;
    }

    /** Sends the last answer of the connection. */
    void sendLast(DefaultFullHttpResponse response) {
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        connection.end();
        send(response);
    }

    /** Reports that the whole answer was handed to the channel. */
    void completed(ChannelFuture last) {
        BodyReader.answered(request);
        connection.completed(channel, last);
    }

    /** Ends an answer early, so that the client notices that rows are missing. Counts and logs this. */
    void breakOff(HttpResponse response, Throwable failure) {
        listener.counters().exportsBroken.increment();
        if (failure instanceof IOException
                || failure instanceof CsvQueryException
                || failure instanceof CutRevokedException) {
            listener.log().warn("a download broke off", () -> channel.remoteAddress() + ": " + reason(failure));
        } else {
            listener.log().warn("a download failed", () -> channel.remoteAddress() + ": " + failure, failure);
        }
        try {
            channel.eventLoop().execute(() -> breakOff(HttpUtil.isTransferEncodingChunked(response)));
        } catch (RejectedExecutionException e) {
            // The event loop has ended, and has closed the channel.
        }
    }

    /**
     * Closes the connection. Without chunks, a reset shows the early end. Only the event loop may set the option: when
     * another thread sets it, the channel may just have been closed, and its descriptor may belong to a new connection.
     */
    private void breakOff(boolean chunked) {
        if (!chunked && channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        close();
    }

    static String reason(Throwable fault) {
        String message = fault.getMessage();
        return message == null ? "the receiver closed the connection" : message;
    }

    void close() {
        var unused = channel.close();
    }

    /** Makes the head of an answer of unknown length. The answer is sent in chunks, or it ends with the connection. */
    HttpResponse streamed(String contentType) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        common(response, contentType);
        // HTTP/1.0, which some proxies speak, has no chunks. In HTTP/1.0 the end of the connection is the end of the
        // rows.
        if (request.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            response.headers().set(TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return response;
    }

    static DefaultFullHttpResponse textOf(HttpResponseStatus status, String text) {
        return response(status, TEXT, utf8(text));
    }

    static DefaultFullHttpResponse response(HttpResponseStatus status, String contentType, byte[] body) {
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        common(response, contentType);
        response.headers().set(CONTENT_LENGTH, body.length);
        return response;
    }

    private static void common(HttpResponse response, String contentType) {
        response.headers()
                .set(CONTENT_TYPE, contentType)
                .set(CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff");
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Makes a Content-Disposition for a file (RFC 6266): a plain name, for all clients, and the real name,
     * percent-encoded, if it differs from the plain name.
     */
    static String disposition(String fileName) {
        String plain = fileName.replaceAll("[^A-Za-z0-9._-]", "_");
        String value = "attachment; filename=\"" + plain + '"';
        return plain.equals(fileName) ? value : value + "; filename*=UTF-8''" + Listing.escape(fileName);
    }
}
