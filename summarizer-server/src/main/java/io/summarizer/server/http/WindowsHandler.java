package io.summarizer.server.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.summarizer.core.archive.WindowRefusedException;
import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.text.TimestampText;
import io.summarizer.server.http.CutCache.Use;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists the time windows of a summary, closes them, and takes files that replace them. */
final class WindowsHandler {
    /** The parameter of a close. */
    static final String BEFORE = "before";

    static final String OVERWRITE = "overwrite";

    /** Largest number of lists that are made or sent at a time, because each is in memory as a whole. */
    private static final int LISTS_MAX = 4;

    private final HttpListener listener;
    private final Semaphore listing = new Semaphore(LISTS_MAX);
    /** The lists that are being sent, and since when, in ns. */
    private final Map<Exchange, Long> sending = new ConcurrentHashMap<>();

    WindowsHandler(HttpListener listener) {
        this.listener = listener;
    }

    /** The answer to a close, as JSON. */
    record Closed(boolean closed, String before) {}

    /** {@code GET /summaries/NAME/windows}. */
    void list(Exchange exchange) throws BadRequestException {
        String summary = exchange.names().get(0);
        exchange.withCut(
                exchange.cut(),
                Use.LIST,
                cut -> withWindows(exchange, cut, summary, (view, width) -> list(exchange, cut, view, width)));
    }

    /** Makes the list on a thread of the cuts, because a summary may have very many windows. */
    private void list(Exchange exchange, Cut cut, SummaryView view, SummaryWindow width) {
        if (!listing.tryAcquire()) {
            endSlowest();
            exchange.unavailable("lists of windows are being sent, and there are at most " + LISTS_MAX + " at a time");
            return;
        }
        String summary = view.layout().name();
        CutCache cuts = listener.served().cuts();
        CutCache.Reading reading = cuts.reading(cut);
        CompletableFuture<byte[]> list = cuts.onDisk(
                () -> Json.bytes(WindowListing.of(view, width, cuts.source().late(summary))));
        exchange.after(list, (json, failure) -> {
            reading.close();
            if (failure == null) {
                sending.put(exchange, listener.now());
                var unused = exchange.sendOfCut(json, cut).addListener(sent -> {
                    sending.remove(exchange);
                    listing.release();
                });
            } else {
                listing.release();
                exchange.unavailable(
                        "the windows of " + summary + " could not be listed: " + DiskErrors.describe(failure));
            }
        });
    }

    /** Ends the list whose client takes longest, unless it began a short time ago. */
    private void endSlowest() {
        sending.entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .filter(slowest -> listener.now() - slowest.getValue() > Pulls.SPARE.toNanos())
                .map(Map.Entry::getKey)
                .ifPresent(slowest -> slowest.eventLoop().execute(() -> {
                    if (sending.remove(slowest) != null) { // else the client has taken it, and may ask something else
                        slowest.close();
                    }
                }));
    }

    /** {@code POST /summaries/NAME/windows}, with the state file of a window. */
    void put(Exchange exchange) throws BadRequestException {
        String summary = exchange.names().get(0);
        String text = exchange.option(OVERWRITE);
        boolean overwrite = "true".equals(text);
        if (text != null && !overwrite) {
            throw new BadRequestException(OVERWRITE + ": the only value is true");
        }
        exchange.withCut(
                null,
                Use.GLANCE,
                cut -> withWindows(exchange, cut, summary, (view, width) -> put(exchange, summary, overwrite)));
    }

    private void put(Exchange exchange, String summary, boolean overwrite) {
        CutCache cuts = listener.served().cuts();
        BodyReader.Body body = BodyReader.of(exchange.request());
        exchange.after(cuts.uploading(() -> cuts.source().beginPut(summary)), (upload, failure) -> {
            if (failure != null) {
                refuse(exchange, failure);
            } else {
                body.receive(new Put(listener, exchange, cuts, upload, overwrite));
            }
        });
    }

    private static void refuse(Exchange exchange, Throwable failure) {
        if (failure instanceof WindowRefusedException) {
            exchange.text(HttpResponseStatus.CONFLICT, failure.getMessage() + "\n");
        } else {
            exchange.unavailable("the window was not put: " + DiskErrors.describe(failure));
        }
    }

    /** Writes the body of a request to the file of the window that the request puts. */
    private record Put(
            HttpListener listener, Exchange exchange, CutCache cuts, CutSource.Upload upload, boolean overwrite)
            implements BodyReader.Receiver {
        @Override
        public CompletableFuture<?> take(byte[] part) {
            return cuts.uploading(() -> {
                upload.write(ByteBuffer.wrap(part));
                return part.length;
            });
        }

        @Override
        public void end() {
            CompletableFuture<ClosedWindow> put = cuts.uploading(() -> {
                try (upload) {
                    return upload.put(overwrite);
                }
            });
            exchange.after(put, (window, failure) -> {
                if (failure != null) {
                    refuse(exchange, failure);
                } else {
                    exchange.json(WindowListing.of(window, Map.of()));
                }
            });
        }

        @Override
        public void broken(Throwable why) {
            var unused = cuts.uploading(() -> {
                upload.close();
                return true;
            });
            if (!exchange.channel().isActive()) {
                return;
            }
            if (why instanceof BadRequestException) {
                exchange.sendLast(Exchange.textOf(
                        HttpResponseStatus.BAD_REQUEST, "the window was not put: " + why.getMessage() + "\n"));
                return;
            }
            HttpResponseStatus status = why instanceof WindowRefusedException
                    ? HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE
                    : HttpResponseStatus.INSUFFICIENT_STORAGE;
            if (why instanceof IOException) {
                String problem = DiskErrors.describe(why);
                listener.log().warn("a window was not put", () -> problem);
                exchange.sendLast(Exchange.textOf(status, "the window was not put: " + problem + "\n"));
            } else {
                exchange.close();
            }
        }
    }

    /** {@code POST /summaries/NAME/windows/close?before=T}. */
    void close(Exchange exchange) throws BadRequestException {
        String summary = exchange.names().get(0);
        OptionalLong before = before(exchange.option(BEFORE));
        exchange.withCut(
                null,
                Use.GLANCE,
                cut -> withWindows(exchange, cut, summary, (view, width) -> close(exchange, summary, before)));
    }

    private void close(Exchange exchange, String summary, OptionalLong before) {
        exchange.after(listener.served().cuts().closeWindows(summary, before), (closed, failure) -> {
            if (failure instanceof UncheckedIOException refused
                    && refused.getCause() instanceof WindowRefusedException) {
                exchange.text(HttpResponseStatus.BAD_REQUEST, failure.getMessage() + "\n");
            } else if (failure != null) {
                exchange.unavailable("windows of " + summary + " were not closed, or the close may be lost: "
                        + failure.getMessage());
            } else {
                exchange.json(new Closed(
                        closed.isPresent(), closed.isPresent() ? TimestampText.toString(closed.getAsLong()) : ""));
            }
        });
    }

    private static OptionalLong before(@Nullable String text) throws BadRequestException {
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(CsvQuery.time(BEFORE, text));
        } catch (CsvQueryException e) {
            throw new BadRequestException(e.getMessage());
        }
    }

    /**
     * Continues with a summary of the cut and the summary's windows. If there is no such summary, or if it has no
     * windows, sends an answer that says so.
     */
    private static void withWindows(
            Exchange exchange, Cut cut, String summary, BiConsumer<SummaryView, SummaryWindow> then) {
        SummaryView view = cut.summary(summary).orElse(null);
        SummaryWindow width = view == null ? null : view.layout().window();
        if (view == null) {
            String names = cut.summaries().stream()
                    .map(SummaryView::layout)
                    .filter(layout -> !layout.isKeyless())
                    .map(SummaryLayout::name)
                    .collect(Collectors.joining(", "));
            exchange.text(
                    HttpResponseStatus.NOT_FOUND,
                    "there is no summary " + summary + (names.isEmpty() ? ", nor any other" : "; there are: " + names)
                            + "\n");
        } else if (width == null) {
            exchange.text(HttpResponseStatus.NOT_FOUND, summary + " has no time windows\n");
        } else {
            then.accept(view, width);
        }
    }
}
