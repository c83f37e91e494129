package io.summarizer.server.http;

import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_DISPOSITION;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_ENCODING;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryView;
import io.summarizer.server.http.CutCache.Use;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Begins the answers that have rows: the answers to {@code GET /summaries/NAME.csv}, also for nested tables. A {@link
 * Pull} then writes each answer.
 */
final class CsvHandler implements Resource.Handler {
    private static final String CSV = "text/csv; charset=utf-8; header=present";
    private static final String NDJSON = "application/x-ndjson; charset=utf-8";
    private static final String LEDGER_HEADER = "X-Summarizer-Ledger";
    private static final String SINCE_RESET_HEADER = "X-Summarizer-Ledger-Since-Reset";

    private final HttpListener listener;
    private final EntityTags tags = new EntityTags();

    CsvHandler(HttpListener listener) {
        this.listener = listener;
    }

    @Override
    public void answer(Exchange exchange) throws BadRequestException, CsvQueryException {
        Long id = exchange.cut();
        Map<String, String> given = new HashMap<>();
        for (String parameter : CsvQuery.PARAMETERS) {
            String value = exchange.option(parameter);
            if (value != null) {
                given.put(parameter, value);
            }
        }
        CsvQuery query = CsvQuery.parse(given);
        List<String> names = exchange.names();
        if (names.contains("")) {
            exchange.nothing("");
            return;
        }
        CsvName name = new CsvName(names.get(0), names.subList(1, names.size()));
        exchange.withCut(id, Use.ROWS, cut -> {
            SummaryView view = find(exchange, cut, name);
            if (view != null) {
                rows(exchange, cut, new Pull.Asked(view, name, query, exchange.encoding(), exchange.isHead()));
            }
        });
    }

    /** Returns the summary that has the table. When no summary has the table, answers the request and returns null. */
    private static @Nullable SummaryView find(Exchange exchange, Cut cut, CsvName name) {
        SummaryView view = cut.summary(name.summary()).orElse(null);
        if (view == null && cut.isLast()) {
            exchange.text(
                    HttpResponseStatus.NOT_FOUND,
                    "cut " + cut.id() + " has "
                            + cut.summaries().get(0).layout().name() + " alone, which was emptied at it; pull "
                            + name.summary() + " without ?cut\n");
            return null;
        }
        if (view == null) {
            missing(
                    exchange,
                    "there is no summary " + name.summary(),
                    Listing.of(cut).summaries().stream().map(Listing.Entry::csv));
            return null;
        }
        try {
            var unused = view.path(name.fields());
            return view;
        } catch (IllegalArgumentException e) {
            missing(
                    exchange,
                    e.getMessage(),
                    Listing.of(cut).summaries().stream()
                            .filter(entry -> entry.name().equals(name.summary()))
                            .flatMap(entry -> entry.nested().stream())
                            .map(Listing.Nested::csv));
            return null;
        }
    }

    private static void missing(Exchange exchange, @Nullable String why, Stream<String> there) {
        StringBuilder text = new StringBuilder(why + "\n");
        there.forEach(address -> text.append(address).append('\n'));
        exchange.text(HttpResponseStatus.NOT_FOUND, text.toString());
    }

    private void rows(Exchange exchange, Cut cut, Pull.Asked asked) {
        String summary = asked.summary().layout().overflowOf();
        String tag = tags.tag(cut.id(), asked.query(), asked.encoding());
        if (EntityTags.matches(exchange.headers(HttpHeaderNames.IF_NONE_MATCH), tag)) {
            DefaultFullHttpResponse same = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.NOT_MODIFIED, Unpooled.EMPTY_BUFFER);
            HttpUtil.setContentLength(same, 0); // NotModifiedEncoder removes it
            ofCut(same, cut, summary, tag);
            exchange.send(same);
            return;
        }
        ExportFormat format = asked.query().format();
        HttpResponse response = exchange.streamed(format == ExportFormat.CSV ? CSV : NDJSON);
        ofCut(response, cut, summary, tag);
        response.headers()
                .set(
                        CONTENT_DISPOSITION,
                        Exchange.disposition(format.file(asked.name().path())));
        if (asked.encoding() != Encoding.IDENTITY) {
            response.headers().set(CONTENT_ENCODING, asked.encoding().token());
        }
        CutCache.Reading reading = listener.served().cuts().reading(cut);
        Pull pull = new Pull(listener, exchange, response, asked, reading);
        if (!listener.pulls().begin(pull)) {
            reading.close();
            listener.counters().exportsRefused.increment();
            exchange.unavailable("too many downloads are under way");
            return;
        }
        pull.start();
    }

    /** Adds headers that identify the cut and say for how long the cut can be pulled again. */
    private static void ofCut(HttpResponse response, Cut cut, String summary, String tag) {
        response.headers()
                .set(Exchange.CUT_HEADER, cut.id())
                .set(LEDGER_HEADER, LedgerJson.header(cut, summary))
                .set(SINCE_RESET_HEADER, LedgerJson.headerSinceReset(cut, summary))
                .set(HttpHeaderNames.ETAG, tag)
                .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING)
                .set(HttpHeaderNames.CACHE_CONTROL, "private, no-cache");
    }
}
