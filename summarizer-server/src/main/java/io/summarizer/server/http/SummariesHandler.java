package io.summarizer.server.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.summarizer.core.pipeline.ResetRefusedException;
import io.summarizer.server.http.CutCache.Use;
import java.util.List;

/** Lists summaries, resets them, and lists the cuts of resets. */
record SummariesHandler(HttpListener listener) {
    /** {@code GET /summaries}: lists the summaries; the answer names its cut when the cut is kept. */
    void list(Exchange exchange) throws BadRequestException {
        Long id = exchange.cut();
        String keep = exchange.option(Router.KEEP);
        if (keep != null && !keep.equals("no")) {
            throw new BadRequestException(
                    "keep=" + keep + ": the one thing to say is keep=no, for a cut that is not read again");
        }
        exchange.withCut(id, keep == null ? Use.LIST : Use.GLANCE, cut -> {
            List<Listing.Entry> entries = Listing.of(cut).summaries();
            if (keep == null || id != null) {
                exchange.jsonOfCut(entries, cut);
            } else {
                exchange.json(entries);
            }
        });
    }

    /** {@code POST /summaries/NAME/reset}. */
    void reset(Exchange exchange) throws BadRequestException {
        String summary = exchange.names().get(0);
        exchange.after(listener.served().cuts().reset(summary), (cut, failure) -> {
            if (failure instanceof ResetRefusedException) {
                exchange.unavailable(summary + " was not emptied: " + failure.getMessage());
            } else if (failure != null) {
                exchange.unavailable("no cut of " + summary + " can be pulled: " + failure.getMessage());
            } else if (cut.isEmpty()) {
                exchange.text(HttpResponseStatus.NOT_FOUND, "there is no summary " + summary + "\n");
            } else {
                exchange.holding(
                        cut.get(),
                        held -> exchange.jsonOfCut(
                                Listing.Emptied.of(
                                        held, listener.settings().limits().keepCuts()),
                                held));
            }
        });
    }

    /** {@code GET /resets}. */
    void resets(Exchange exchange) {
        List<CutCache.Emptied> resets = listener.served().cuts().resets();
        try {
            exchange.json(resets.stream()
                    .map(reset -> Listing.Emptied.of(reset.cut(), reset.left()))
                    .toList());
        } finally {
            resets.forEach(reset -> reset.cut().release());
        }
    }

    /** Answers an unknown path below {@code /summaries}, and names the table that may be meant. */
    void nothing(Exchange exchange) throws BadRequestException {
        String below = String.join("/", exchange.names());
        exchange.withCut(
                null, Use.GLANCE, cut -> exchange.nothing(Listing.of(cut).advice(below)));
    }
}
