package io.summarizer.server.http;

import static io.netty.handler.codec.http.HttpHeaderNames.ACCEPT;
import static io.netty.handler.codec.http.HttpHeaderNames.ACCEPT_ENCODING;
import static io.netty.handler.codec.http.HttpHeaderNames.ALLOW;
import static io.netty.handler.codec.http.HttpHeaderNames.AUTHORIZATION;
import static io.netty.handler.codec.http.HttpHeaderNames.CACHE_CONTROL;
import static io.netty.handler.codec.http.HttpHeaderNames.CONNECTION;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_DISPOSITION;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_ENCODING;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_SECURITY_POLICY;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_TYPE;
import static io.netty.handler.codec.http.HttpHeaderNames.ETAG;
import static io.netty.handler.codec.http.HttpHeaderNames.HOST;
import static io.netty.handler.codec.http.HttpHeaderNames.IF_NONE_MATCH;
import static io.netty.handler.codec.http.HttpHeaderNames.ORIGIN;
import static io.netty.handler.codec.http.HttpHeaderNames.RETRY_AFTER;
import static io.netty.handler.codec.http.HttpHeaderNames.TRANSFER_ENCODING;
import static io.netty.handler.codec.http.HttpHeaderNames.VARY;
import static io.netty.handler.codec.http.HttpHeaderNames.WWW_AUTHENTICATE;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.concurrent.Future;
import io.summarizer.core.bytes.CutRevokedException;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.pipeline.ResetRefusedException;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryView;
import io.summarizer.server.access.AccessControl;
import io.summarizer.server.access.Role;
import io.summarizer.server.explain.TopicReport;
import io.summarizer.server.explain.Topics;
import io.summarizer.server.http.CutCache.Use;
import io.summarizer.server.net.Roster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP connection: takes a request, answers it, then reads the next. Auto-read is off, so a client that sends many
 * requests at once has them answered one by one and waits meanwhile.
 *
 * <p>State belongs to the event loop. {@link #save} and {@link #write} run on the thread of state files, and touch nothing but the
 * channel there.
 */
final class HttpConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final String CUT_HEADER = "X-Summarizer-Cut";
    private static final String LEDGER_HEADER = "X-Summarizer-Ledger";
    private static final String SINCE_RESET_HEADER = "X-Summarizer-Ledger-Since-Reset";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";
    private static final String CSV = "text/csv; charset=utf-8; header=present";
    private static final String STATE_FILE = "application/octet-stream";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String ONE_STATE = "a state file is being written, and there is one at a time";
    private static final String REVOKED =
            "rows changed since it was taken needed more memory than cuts may have (cuts.memory)";
    private static final List<String> CHALLENGES =
            List.of("Bearer realm=\"summarizer\"", "Basic realm=\"summarizer\", charset=\"UTF-8\"");
    private static final String UNAUTHORIZED = "this takes a token that is known here:"
            + " Authorization: Bearer TOKEN, or TOKEN as the password of a user of any name\n";

    /** Requests without a good token that a connection may make. */
    private static final int DENIALS_MAX = 5;

    private static final String ENDPOINTS = """
            /                             the web page
            /summaries                    what there is, as JSON (?keep=no: of a cut that is not kept)
            /summaries/NAME.csv           a summary's rows
            /summaries/NAME/FIELD.csv     the rows of a nested summary (NAME/F/G.csv, deeper)
                ?columns=a,b  ?where=a > 1  ?order_by=a desc,b  ?limit=10  ?profile=excel|pg  ?distinct=hll|both
            /summaries/NAME/reset         empties a summary (POST)
            /resets                       the cuts of resets that are kept, as JSON
            /ledger                       what became of every message, as JSON
            /state                        all summaries, as a state file
            /topics?topic=T               which event type and mappings take messages of topic T (also as JSON)
            /definitions                  how summaries are defined, as JSON
            /definitions/files            the definitions that are in force, as JSON
            /definitions/plan             what reading the definitions anew would do (POST)
            /definitions/reload           reads the definitions anew (POST)
            /metrics                      Prometheus metrics (?name[]=M: of this name)
            /healthz, /readyz             whether it lives, whether it takes traffic
            """;

    /** Bound on the stall timeout of a state file. A new cut slows updates meanwhile, and others wait for the only permit. */
    private static final Duration SAVE_STALL = Duration.ofSeconds(10);
    /** Rate at which the client of a state file has to take it. */
    private static final long SAVE_BYTES_PER_SECOND = 1 << 20;

    private final HttpListener listener;
    private final Roster.Seat<Channel> seat;
    private final boolean beyond; // the limit on connections: asked for health only
    private boolean waiting; // for a request
    private boolean begun; // a request, of which a part came
    private boolean answeredInRead; // the request that the read under way brought
    private int denials;
    private @Nullable Future<?> deadline;

    HttpConnection(HttpListener listener, Roster.Seat<Channel> seat, boolean beyond) {
        this.listener = listener;
        this.seat = seat;
        this.beyond = beyond;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        begun = true; // who connects means to ask
        waiting = true;
        arm(ctx.channel(), listener.settings().connections().requestTimeout());
        var unused = ctx.channel().read();
        ctx.fireChannelActive();
    }

    /** A read that brought a part of a request, or was asked for while one was under way, is not satisfied yet. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (waiting) {
            if (!begun && !answeredInRead) {
                begun = true;
                arm(ctx.channel(), listener.settings().connections().requestTimeout());
            }
            ctx.read();
        }
        answeredInRead = false;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        disarm();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof PrematureChannelClosureException) {
            listener.log()
                    .warn(
                            "an HTTP client went away within a request",
                            () -> String.valueOf(ctx.channel().remoteAddress()));
        } else if (!(cause instanceof IOException)) {
            listener.log().warn("an HTTP request failed", cause::toString, cause);
        }
        close(ctx.channel());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        waiting = false;
        answeredInRead = true;
        disarm();
        long now = listener.now();
        seat.completed(now);
        seat.busy(true, now);
        listener.counters().requests.increment();
        Channel channel = ctx.channel();
        if (request.decoderResult().isFailure()) {
            refuseUndecodable(channel, request.decoderResult().cause());
            return;
        }
        Target target = Target.of(request.uri());
        if (beyond || listener.settings().healthOnly()) {
            if (!(target instanceof Target.Healthz || target instanceof Target.Readyz)) {
                refuseAllButHealth(channel);
                return;
            }
        }
        SiteCheck.Refusal refusal = listener.site().refusal(channel.localAddress(), request, target);
        if (refusal != null) {
            refuseSite(channel, refusal);
            return;
        }
        if (!mayAsk(channel, request, target.needs())) {
            return;
        }
        if (!listener.isServing() && !(target instanceof Target.Healthz || target instanceof Target.Readyz)) {
            unavailable(channel, "not ready: " + listener.notReady().orElse("starting"));
            return;
        }
        if (target instanceof Target.Reset reset) {
            if (mayChange(channel, request, "empty summaries", "bin/summarizer reset")) {
                reset(channel, reset.summary());
            }
            return;
        }
        if (target instanceof Target.Reload || target instanceof Target.Plan) {
            if (mayChange(channel, request, "read definitions anew", "bin/summarizer reload")) {
                DefinitionsControl definitions = listener.definitions();
                definitions(channel, target instanceof Target.Reload ? definitions.reload() : definitions.plan());
            }
            return;
        }
        if (target instanceof Target.Bad bad) { // whatever the method, which may be right for the path
            text(channel, HttpResponseStatus.BAD_REQUEST, bad.why() + "\n");
            return;
        }
        boolean head = request.method().equals(HttpMethod.HEAD);
        if (!head && !request.method().equals(HttpMethod.GET)) {
            DefaultFullHttpResponse response = response(
                    HttpResponseStatus.METHOD_NOT_ALLOWED,
                    TEXT,
                    utf8(request.method() + " is not allowed; use GET or HEAD\n"));
            response.headers().set(ALLOW, "GET, HEAD");
            send(channel, response);
            return;
        }
        if (target instanceof Target.Page) {
            String host = request.headers().get(HOST, "");
            withCut(channel, null, Use.GLANCE, cut -> page(channel, cut, host));
        } else if (target instanceof Target.Listing listing) {
            Use use = listing.keep() ? Use.LIST : Use.GLANCE;
            withCut(channel, listing.cut(), use, cut -> listing(channel, cut, listing.keep() || listing.cut() != null));
        } else if (target instanceof Target.Csv csv) {
            withCut(channel, csv.cut(), Use.ROWS, cut -> csv(channel, cut, csv, Client.of(request, head)));
        } else if (target instanceof Target.Ledger ledger) {
            withCut(channel, ledger.cut(), Use.LIST, cut -> ledger(channel, cut));
        } else if (target instanceof Target.Resets) {
            resets(channel);
        } else if (target instanceof Target.State state) {
            state(channel, state.cut(), Client.of(request, head));
        } else if (target instanceof Target.Topics topics) {
            topics(channel, topics, request.headers().get(ACCEPT, ""));
        } else if (target instanceof Target.Definitions) {
            withCut(
                    channel,
                    null,
                    Use.GLANCE,
                    cut -> send(channel, response(HttpResponseStatus.OK, "application/json", DefinedTable.json(cut))));
        } else if (target instanceof Target.DefinitionTexts) {
            definitionTexts(channel);
        } else if (target instanceof Target.Metrics metrics) {
            metrics(channel, metrics.names());
        } else if (target instanceof Target.Healthz) {
            text(channel, HttpResponseStatus.OK, "ok\n");
        } else if (target instanceof Target.Readyz) {
            Optional<String> notReady = listener.notReady();
            if (notReady.isEmpty()) {
                text(channel, HttpResponseStatus.OK, "ready\n" + listener.remarks());
            } else {
                text(channel, HttpResponseStatus.SERVICE_UNAVAILABLE, "not ready: " + notReady.get() + "\n");
            }
        } else if (target instanceof Target.Nothing nothing) {
            if (nothing.below().isEmpty()) {
                nothing(channel, "");
            } else {
                withCut(
                        channel,
                        null,
                        Use.GLANCE,
                        cut -> nothing(channel, Listing.of(cut).advice(nothing.below())));
            }
        }
    }

    private void nothing(Channel channel, String advice) {
        text(channel, HttpResponseStatus.NOT_FOUND, "there is nothing at this path\n" + advice + "\n" + ENDPOINTS);
    }

    private void refuseAllButHealth(Channel channel) {
        DefaultFullHttpResponse response = beyond
                ? response(
                        HttpResponseStatus.SERVICE_UNAVAILABLE,
                        TEXT,
                        utf8("there are as many connections as there may be (http.max-connections and -per-address);"
                                + " try again in a moment\n"))
                : response(
                        HttpResponseStatus.NOT_FOUND,
                        TEXT,
                        utf8("/healthz and /readyz are all there is at this port\n"));
        if (beyond) {
            response.headers().set(RETRY_AFTER, "1");
        }
        response.headers().set(CONNECTION, HttpHeaderValues.CLOSE);
        send(channel, response);
    }

    private void refuseSite(Channel channel, SiteCheck.Refusal refusal) {
        HttpCounters counters = listener.counters();
        switch (refusal.rule()) {
            case HOST -> counters.refusedHosts.increment();
            case SITE -> counters.refusedSites.increment();
        }
        listener.log()
                .warn(
                        "refused an HTTP request for where it comes from",
                        () -> channel.remoteAddress() + ": " + refusal.text().strip());
        text(channel, HttpResponseStatus.FORBIDDEN, refusal.text());
    }

    /** Whether whoever asks may do so. Else it is answered; and a connection on which that happens again and again is closed. */
    private boolean mayAsk(Channel channel, FullHttpRequest request, @Nullable Role needed) {
        AccessControl access = listener.settings().access();
        if (access == null || needed == null) {
            return true;
        }
        AccessControl.Answer answer = access.decide(request.headers().getAll(AUTHORIZATION), needed);
        if (answer == AccessControl.Answer.GRANTED) {
            return true;
        }
        listener.log().warn("denied an HTTP request", () -> channel.remoteAddress() + ": " + answer.label());
        boolean role = answer == AccessControl.Answer.ROLE;
        DefaultFullHttpResponse response = role
                ? response(
                        HttpResponseStatus.FORBIDDEN, TEXT, utf8("this takes a token of role " + needed.word() + "\n"))
                : response(HttpResponseStatus.UNAUTHORIZED, TEXT, utf8(UNAUTHORIZED));
        if (!role) {
            response.headers().add(WWW_AUTHENTICATE, CHALLENGES);
        }
        if (++denials < DENIALS_MAX) {
            send(channel, response);
        } else {
            response.headers().set(CONNECTION, HttpHeaderValues.CLOSE);
            arm(channel, listener.settings().stallTimeout());
            var unused = channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }
        return false;
    }

    /**
     * Whether this is a POST that no page in a browser sends, be it one that got here under a name of its own (DNS
     * rebinding): a browser sends such requests unasked, always with their origin. Else it is answered.
     */
    private boolean mayChange(Channel channel, FullHttpRequest request, String what, String command) {
        if (!request.method().equals(HttpMethod.POST)) {
            DefaultFullHttpResponse response = response(
                    HttpResponseStatus.METHOD_NOT_ALLOWED,
                    TEXT,
                    utf8(request.method() + " is not allowed here; use POST\n"));
            response.headers().set(ALLOW, "POST");
            send(channel, response);
            return false;
        }
        String origin = request.headers().get(ORIGIN);
        if (origin != null) {
            text(
                    channel,
                    HttpResponseStatus.FORBIDDEN,
                    "a page (Origin: " + origin + ") may not " + what + "; use " + command + " or curl -X POST\n");
            return false;
        }
        if (request.content().isReadable()) {
            text(channel, HttpResponseStatus.BAD_REQUEST, "this request takes no body, so nothing was done\n");
            return false;
        }
        return true;
    }

    private void definitions(Channel channel, CompletableFuture<DefinitionsControl.Answer> answered) {
        var unused = answered.whenCompleteAsync(
                (answer, failure) -> {
                    if (failure != null) {
                        unavailable(channel, "the definitions were not read: " + failure.getMessage());
                        return;
                    }
                    String said = answer.text().strip();
                    switch (answer.outcome()) {
                        case DONE -> text(channel, HttpResponseStatus.OK, said + "\n");
                        case INVALID -> text(channel, HttpResponseStatus.UNPROCESSABLE_ENTITY, said + "\n");
                        case REFUSED -> text(channel, HttpResponseStatus.CONFLICT, said + "\n");
                        case RECOVERING -> unavailable(channel, said);
                        case FAILED -> text(channel, HttpResponseStatus.INTERNAL_SERVER_ERROR, said + "\n");
                    }
                },
                channel.eventLoop());
    }

    private void reset(Channel channel, String summary) {
        var unused = listener.cuts()
                .reset(summary)
                .whenCompleteAsync(
                        (cut, failure) -> {
                            if (failure instanceof ResetRefusedException) {
                                unavailable(channel, summary + " was not emptied: " + failure.getMessage());
                            } else if (failure != null) {
                                unavailable(
                                        channel, "no cut of " + summary + " can be pulled: " + failure.getMessage());
                            } else if (cut.isEmpty()) {
                                text(channel, HttpResponseStatus.NOT_FOUND, "there is no summary " + summary + "\n");
                            } else {
                                try {
                                    guarded(channel, () -> emptied(channel, cut.get()));
                                } finally {
                                    cut.get().release();
                                }
                            }
                        },
                        channel.eventLoop());
    }

    private void emptied(Channel channel, Cut cut) {
        byte[] answer = Listing.emptied(cut, listener.settings().keepCuts());
        DefaultFullHttpResponse response = response(HttpResponseStatus.OK, JSON, answer);
        response.headers().set(CUT_HEADER, cut.id());
        send(channel, response);
    }

    private void resets(Channel channel) {
        List<CutCache.Emptied> resets = listener.cuts().resets();
        try {
            guarded(channel, () -> send(channel, response(HttpResponseStatus.OK, JSON, Listing.resets(resets))));
        } finally {
            resets.forEach(reset -> reset.cut().release());
        }
    }

    private void refuseUndecodable(Channel channel, Throwable cause) {
        HttpResponseStatus status = HttpResponseStatus.BAD_REQUEST;
        String text = "this is not an HTTP request we understand";
        if (cause instanceof TooLongHttpLineException) {
            status = HttpResponseStatus.REQUEST_URI_TOO_LONG;
            text = "the request line is longer than " + HttpListener.REQUEST_LINE_BYTES_MAX + " bytes";
        } else if (cause instanceof TooLongHttpHeaderException) {
            status = HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
            text = "the headers are larger than " + HttpListener.HEADER_BYTES_MAX + " bytes";
        }
        DefaultFullHttpResponse response = response(status, TEXT, utf8(text + "\n"));
        response.headers().set(CONNECTION, HttpHeaderValues.CLOSE); // where the next request starts is anybody's guess
        send(channel, response);
    }

    /** Goes on, on the event loop, with the cut of this id or else with a new one. */
    private void withCut(Channel channel, @Nullable Long id, Use use, Consumer<Cut> then) {
        if (id == null) {
            var unused = listener.cuts()
                    .fresh(use)
                    .whenCompleteAsync(
                            (cut, failure) -> {
                                if (failure != null) {
                                    unavailable(channel, "no cut could be taken: " + failure.getMessage());
                                } else {
                                    guarded(channel, () -> held(cut, then));
                                }
                            },
                            channel.eventLoop());
            return;
        }
        CutCache.Lookup lookup = listener.cuts().find(id);
        if (lookup instanceof CutCache.Lookup.Found found) {
            held(found.cut(), then);
        } else if (lookup instanceof CutCache.Lookup.Revoked) {
            text(
                    channel,
                    HttpResponseStatus.GONE,
                    "cut " + id + " was revoked: " + REVOKED + "; pull again without ?cut\n");
        } else if (lookup instanceof CutCache.Lookup.Gone) {
            text(
                    channel,
                    HttpResponseStatus.GONE,
                    "cut " + id + " was let go: cuts can be read again for "
                            + listener.settings().keepCuts().toSeconds()
                            + " s after they were last used, fewer when very many are taken; pull again without ?cut,"
                            + " unless it was that of a reset, whose rows were nowhere else\n");
        } else {
            text(channel, HttpResponseStatus.NOT_FOUND, "there never was a cut " + id + " of this process\n");
        }
    }

    /** Goes on with a cut that is held until that is done. */
    private static void held(Cut cut, Consumer<Cut> then) {
        try {
            then.accept(cut);
        } finally {
            cut.release();
        }
    }

    private void page(Channel channel, Cut cut, String host) {
        DefaultFullHttpResponse response = response(
                HttpResponseStatus.OK,
                "text/html; charset=utf-8",
                listener.page().render(cut, host));
        response.headers().set(CONTENT_SECURITY_POLICY, listener.page().contentSecurityPolicy());
        send(channel, response);
    }

    private void listing(Channel channel, Cut cut, boolean kept) {
        DefaultFullHttpResponse response =
                response(HttpResponseStatus.OK, JSON, Listing.of(cut).json());
        if (kept) {
            response.headers().set(CUT_HEADER, cut.id());
        }
        send(channel, response);
    }

    private void ledger(Channel channel, Cut cut) {
        DefaultFullHttpResponse response = response(HttpResponseStatus.OK, JSON, LedgerJson.of(cut));
        response.headers().set(CUT_HEADER, cut.id());
        send(channel, response);
    }

    private void topics(Channel channel, Target.Topics asked, String accept) {
        Topics topics = listener.topics();
        if (topics == null) {
            unavailable(channel, "not ready: " + listener.notReady().orElse("starting"));
            return;
        }
        List<TopicReport> reports = asked.topics().stream().map(topics::report).toList();
        if (accept.contains(JSON)) {
            send(channel, response(HttpResponseStatus.OK, JSON, TopicListing.json(reports)));
        } else {
            text(
                    channel,
                    HttpResponseStatus.OK,
                    reports.stream().map(TopicReport::text).collect(Collectors.joining()));
        }
    }

    private void definitionTexts(Channel channel) {
        Optional<DefinitionsInForce> inForce = listener.definitions().inForce();
        if (inForce.isEmpty()) {
            unavailable(channel, "not ready: " + listener.notReady().orElse("starting"));
        } else {
            send(channel, response(HttpResponseStatus.OK, JSON, inForce.get().json()));
        }
    }

    private void metrics(Channel channel, Set<String> names) {
        send(
                channel,
                response(
                        HttpResponseStatus.OK,
                        PROMETHEUS,
                        utf8(listener.metrics().scrape(names))));
    }

    private void csv(Channel channel, Cut cut, Target.Csv target, Client client) {
        Optional<SummaryView> summary = cut.summary(target.summary());
        if (summary.isEmpty() && cut.isLast()) {
            text(
                    channel,
                    HttpResponseStatus.NOT_FOUND,
                    "cut " + cut.id() + " has "
                            + cut.summaries().get(0).layout().name() + " alone, which was emptied at it; pull "
                            + target.summary() + " without ?cut\n");
            return;
        }
        if (summary.isEmpty()) {
            StringBuilder text = new StringBuilder("there is no summary " + target.summary() + "\n");
            Listing.of(cut)
                    .summaries()
                    .forEach(entry -> text.append(entry.href()).append('\n'));
            text(channel, HttpResponseStatus.NOT_FOUND, text.toString());
            return;
        }
        SummaryView view = summary.get();
        try {
            var unused = view.path(target.fields());
        } catch (IllegalArgumentException e) {
            StringBuilder text = new StringBuilder(e.getMessage() + "\n");
            Listing.of(cut).summaries().stream()
                    .filter(entry -> entry.name().equals(target.summary()))
                    .flatMap(entry -> entry.nested().stream())
                    .forEach(nested -> text.append(nested.href()).append('\n'));
            text(channel, HttpResponseStatus.NOT_FOUND, text.toString());
            return;
        }
        Encoding encoding = client.encoding;
        String tag = listener.tags().tag(cut.id(), target.query(), encoding);
        if (EntityTags.matches(client.ifNoneMatch, tag)) {
            DefaultFullHttpResponse same = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.NOT_MODIFIED, Unpooled.EMPTY_BUFFER);
            ofCut(same, cut, view.layout().overflowOf(), tag);
            send(channel, same);
            return;
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        common(response, CSV);
        ofCut(response, cut, view.layout().overflowOf(), tag);
        response.headers().set(CONTENT_DISPOSITION, contentDisposition(target.fileName()));
        if (encoding != Encoding.IDENTITY) {
            response.headers().set(CONTENT_ENCODING, encoding.token());
        }
        if (client.chunked) {
            response.headers().set(TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        Pull.Asked asked = new Pull.Asked(view, target, encoding, client.head);
        CutCache.Reading reading = listener.cuts().reading(cut);
        Pull pull = new Pull(listener, this, channel, response, asked, reading);
        if (!listener.pulls().begin(pull)) {
            reading.close();
            listener.counters().exportsRefused.increment();
            unavailable(channel, "too many downloads are under way");
            return;
        }
        pull.start();
    }

    /**
     * Answers with a state file, one at a time. Of a new cut it is one that is not revoked, or a large and busy state could never be saved;
     * it slows updates, so it is taken when its thread is there, and let go with the last byte written.
     */
    private void state(Channel channel, @Nullable Long id, Client client) {
        if (client.head) {
            withCut(channel, id, Use.ROWS, cut -> {
                DefaultFullHttpResponse full =
                        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
                full.headers().set(stateHead(cut, client).headers());
                send(channel, full);
            });
        } else if (id == null) {
            saving(channel, saving -> save(channel, client, saving));
        } else {
            withCut(channel, id, Use.ROWS, cut -> {
                CutCache.Reading reading = listener.cuts().reading(cut);
                boolean begun = saving(channel, saving -> {
                    saving.letGo = reading::close;
                    write(channel, cut, client, saving);
                });
                if (!begun) {
                    reading.close();
                }
            });
        }
    }

    /** Has a state file written on the thread for that, or says that it cannot be now. */
    private boolean saving(Channel channel, Consumer<Saving> write) {
        Semaphore permit = listener.saving();
        if (permit.tryAcquire()) {
            Saving saving = new Saving(permit);
            try {
                listener.pulls().state(() -> {
                    try (saving) {
                        write.accept(saving);
                    }
                });
                return true;
            } catch (RejectedExecutionException e) {
                saving.close(); // the service is stopping
            }
        }
        listener.counters().exportsRefused.increment();
        unavailable(channel, ONE_STATE);
        return false;
    }

    private void save(Channel channel, Client client, Saving saving) {
        Cut cut;
        try {
            cut = listener.cuts().checkpoint();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close(channel);
            return;
        } catch (IllegalStateException e) {
            saving.close();
            channel.eventLoop().execute(() -> unavailable(channel, String.valueOf(e.getMessage())));
            return;
        }
        saving.letGo = cut::release;
        write(channel, cut, client, saving);
    }

    /** Writes the file, which is compressed already, and waits for its client. */
    private void write(Channel channel, Cut cut, Client client, Saving saving) {
        HttpCounters counters = listener.counters();
        HttpResponse response = stateHead(cut, client);
        Duration usual = listener.settings().stallTimeout();
        Duration stall = usual.compareTo(SAVE_STALL) < 0 ? usual : SAVE_STALL;
        try (WaitingBody body = new WaitingBody(channel, response, stall, SAVE_BYTES_PER_SECOND)) {
            try {
                StateWriter.write(cut, body, 1);
                saving.close(); // before the client has the last chunk and may ask for the next file
                ChannelFuture last = body.finish();
                counters.exports.increment();
                channel.eventLoop().execute(() -> completed(channel, last));
            } finally {
                counters.exportBytes.add(body.written());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            brokeOff(channel, response, "the service is stopping");
        } catch (IOException e) {
            brokeOff(channel, response, reason(e));
        } catch (CutRevokedException e) {
            brokeOff(channel, response, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            counters.exportsBroken.increment();
            listener.log().warn("a download failed", () -> channel.remoteAddress() + ": " + e, e);
            breakOff(channel, response);
        }
    }

    private void brokeOff(Channel channel, HttpResponse response, String why) {
        listener.counters().exportsBroken.increment();
        listener.log().warn("a download broke off", () -> channel.remoteAddress() + ": " + why);
        breakOff(channel, response);
    }

    /** The right to write a state file, and to read the cut that is written. Handed from thread to thread. */
    private static final class Saving implements AutoCloseable {
        private final Semaphore permit;
        private Runnable letGo = () -> {};
        private boolean closed;

        /** Has the permit. */
        Saving(Semaphore permit) {
            this.permit = permit;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                letGo.run();
                permit.release();
            }
        }
    }

    private static HttpResponse stateHead(Cut cut, Client client) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        common(response, STATE_FILE);
        response.headers()
                .set(CUT_HEADER, cut.id())
                .set(CONTENT_DISPOSITION, contentDisposition("summarizer-" + cut.id() + ".state"));
        if (client.chunked) {
            response.headers().set(TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return response;
    }

    /** What the answer depends on besides the target. */
    private record Client(boolean head, boolean chunked, Encoding encoding, String ifNoneMatch) {
        static Client of(FullHttpRequest request, boolean head) {
            // HTTP/1.0, which some proxies speak, has no chunks: there the end of the connection is the end of the
            // rows.
            return new Client(
                    head,
                    request.protocolVersion().equals(HttpVersion.HTTP_1_1),
                    Encoding.of(String.join(",", request.headers().getAll(ACCEPT_ENCODING))),
                    String.join(",", request.headers().getAll(IF_NONE_MATCH)));
        }
    }

    /** Headers that say which rows these are, and that they may be asked for again for as long as the cut is kept. */
    private static void ofCut(HttpResponse response, Cut cut, String summary, String tag) {
        response.headers()
                .set(CUT_HEADER, cut.id())
                .set(LEDGER_HEADER, LedgerJson.header(cut, summary))
                .set(SINCE_RESET_HEADER, LedgerJson.headerSinceReset(cut, summary))
                .set(ETAG, tag)
                .set(VARY, ACCEPT_ENCODING)
                .set(CACHE_CONTROL, "private, no-cache");
    }

    /** Says why a query is not answered. On the event loop, as are those below. */
    void refuse(Channel channel, CsvQueryException refusal) {
        switch (refusal.reason()) {
            case INVALID -> text(channel, HttpResponseStatus.BAD_REQUEST, refusal.getMessage() + "\n");
            case TOO_LARGE -> text(channel, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, refusal.getMessage() + "\n");
            case TOO_COSTLY -> text(channel, HttpResponseStatus.UNPROCESSABLE_ENTITY, refusal.getMessage() + "\n");
            case BUSY -> unavailable(channel, refusal.getMessage());
        }
    }

    /** Says that the cut is gone before anything was sent. */
    void unavailableRevoked(Channel channel) {
        unavailable(channel, "the cut was revoked: " + REVOKED);
    }

    /** Ends an answer such that the client knows that rows are missing. */
    static void breakOff(Channel channel, HttpResponse response) {
        if (!HttpUtil.isTransferEncodingChunked(response)) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0); // no last chunk to leave out: reset the connection
        }
        close(channel);
    }

    private static String contentDisposition(String fileName) {
        // RFC 6266: a plain name for all, and the real one, percent-encoded, where it has other characters.
        String plain = fileName.replaceAll("[^A-Za-z0-9._-]", "_");
        String value = "attachment; filename=\"" + plain + '"';
        return plain.equals(fileName) ? value : value + "; filename*=UTF-8''" + Listing.escape(fileName);
    }

    private void unavailable(Channel channel, String why) {
        DefaultFullHttpResponse response =
                response(HttpResponseStatus.SERVICE_UNAVAILABLE, TEXT, utf8(why + "; try again in a moment\n"));
        response.headers().set(RETRY_AFTER, "1");
        send(channel, response);
    }

    private void text(Channel channel, HttpResponseStatus status, String text) {
        send(channel, response(status, TEXT, utf8(text)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static DefaultFullHttpResponse response(HttpResponseStatus status, String contentType, byte[] body) {
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

    void send(Channel channel, DefaultFullHttpResponse response) {
        completed(channel, channel.writeAndFlush(response));
    }

    /** Takes note that the whole answer was handed to the channel: once the client took it, reads the next request. */
    void completed(Channel channel, ChannelFuture last) {
        armStall(channel);
        var unused = last.addListener(sent -> {
            if (sent.isSuccess()) {
                readNext(channel);
            } else {
                close(channel);
            }
        });
    }

    private void readNext(Channel channel) {
        arm(channel, listener.settings().connections().idleTimeout());
        seat.busy(false, listener.now());
        begun = false;
        waiting = true;
        var unused = channel.read();
    }

    private void guarded(Channel channel, Runnable answer) {
        try {
            answer.run();
        } catch (RuntimeException e) {
            listener.log().warn("an HTTP request failed", e::toString, e);
            close(channel);
        }
    }

    /** Gives the client the stall timeout to take something of what is left of an answer, and again when it did. */
    private void armStall(Channel channel) {
        long left = left(channel);
        arm(channel, listener.settings().stallTimeout(), () -> {
            if (left(channel) < left) {
                armStall(channel);
            } else {
                close(channel);
            }
        });
    }

    /** Bytes handed to the channel that its socket did not take. */
    private static long left(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    private void arm(Channel channel, Duration timeout) {
        arm(channel, timeout, () -> close(channel));
    }

    private void arm(Channel channel, Duration timeout, Runnable otherwise) {
        disarm();
        if (channel.isActive()) {
            deadline = channel.eventLoop().schedule(otherwise, timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void disarm() {
        Future<?> deadline = this.deadline;
        this.deadline = null;
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    private static void close(Channel channel) {
        var unused = channel.close();
    }

    static String reason(IOException fault) {
        String message = fault.getMessage();
        return message == null ? "the receiver closed the connection" : message;
    }
}
