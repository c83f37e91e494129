package io.summarizer.server.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.summarizer.server.http.CutCache.Use;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Shows the definitions in force and reloads them. */
record DefinitionsHandler(HttpListener listener) {
    /**
     * {@code GET /definitions}: the definitions of summaries, and their numbers of rows in a cut. The parameter {@code
     * cut} may name the cut.
     */
    void tables(Exchange exchange) throws BadRequestException {
        exchange.withCut(exchange.cut(), Use.GLANCE, cut -> exchange.json(DefinedTable.of(cut)));
    }

    /** {@code GET /definitions/files}. */
    void files(Exchange exchange) {
        Optional<DefinitionsInForce> inForce = listener.served().definitions().inForce();
        inForce.ifPresentOrElse(exchange::json, exchange::notReady);
    }

    /** {@code POST /definitions/plan}. */
    void plan(Exchange exchange) {
        answer(exchange, listener.served().definitions().plan());
    }

    /** {@code POST /definitions/reload}. */
    void reload(Exchange exchange) {
        answer(exchange, listener.served().definitions().reload());
    }

    private static void answer(Exchange exchange, CompletableFuture<DefinitionsControl.Answer> answered) {
        exchange.after(answered, (answer, failure) -> {
            if (failure != null) {
                exchange.unavailable("the definitions were not read: " + failure.getMessage());
                return;
            }
            String said = answer.text().strip();
            switch (answer.outcome()) {
                case DONE -> exchange.text(said + "\n");
                case INVALID -> exchange.text(HttpResponseStatus.UNPROCESSABLE_ENTITY, said + "\n");
                case REFUSED -> exchange.text(HttpResponseStatus.CONFLICT, said + "\n");
                case RECOVERING -> exchange.unavailable(said);
                case FAILED -> exchange.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, said + "\n");
            }
        });
    }
}
