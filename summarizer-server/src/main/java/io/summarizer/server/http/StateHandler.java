package io.summarizer.server.http;

import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.summarizer.core.snapshot.CutRevokedException;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Cut;
import io.summarizer.server.http.CutCache.Use;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Answers {@code GET /state} with a state file, one at a time. A new cut for a state file is never revoked; otherwise a
 * large and busy state could not be saved. But such a cut slows updates down. So the cut is taken only when the thread
 * is free, and released after the last byte.
 *
 * <p>{@link #save} and {@link #write} run on the thread of state files, and use only the channel of the connection.
 */
record StateHandler(HttpListener listener) implements Resource.Handler {
    private static final String STATE_FILE = "application/octet-stream";
    private static final String ONE_STATE = "a state file is being written, and there is one at a time";

    /**
     * Upper limit of the stall timeout of a state file. The limit is low, because a stall is costly. If the file has a
     * new cut, this cut slows updates down. Other clients that request a state file are refused meanwhile.
     */
    private static final Duration STALL = Duration.ofSeconds(10);
    /** Lowest rate at which a client must read its state file. */
    private static final long BYTES_PER_SECOND = 1 << 20;

    @Override
    public void answer(Exchange exchange) throws BadRequestException {
        Long id = exchange.cut();
        if (exchange.isHead()) {
            exchange.withCut(id, Use.ROWS, cut -> exchange.sendHead(head(exchange, cut)));
        } else if (id == null) {
            saving(exchange, saving -> save(exchange, saving));
        } else {
            exchange.withCut(id, Use.ROWS, cut -> {
                CutCache.Reading reading = listener.served().cuts().reading(cut);
                boolean begun = saving(exchange, saving -> {
                    saving.letGo = reading::close;
                    write(exchange, cut, saving);
                });
                if (!begun) {
                    reading.close();
                }
            });
        }
    }

    /**
     * Queues a state file on the thread for state files. If that is impossible now, sends an answer that says so and
     * returns false.
     */
    private boolean saving(Exchange exchange, Consumer<Saving> write) {
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
        exchange.unavailable(ONE_STATE);
        return false;
    }

    private void save(Exchange exchange, Saving saving) {
        Cut cut;
        try {
            cut = listener.served().cuts().checkpoint();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.close();
            return;
        } catch (IllegalStateException e) {
            saving.close();
            exchange.eventLoop().execute(() -> exchange.unavailable(String.valueOf(e.getMessage())));
            return;
        }
        saving.letGo = cut::release;
        write(exchange, cut, saving);
    }

    /** Writes the file and waits for its client. The file is already compressed. */
    private void write(Exchange exchange, Cut cut, Saving saving) {
        HttpCounters counters = listener.counters();
        HttpResponse response = head(exchange, cut);
        Duration usual = listener.settings().limits().stallTimeout();
        Duration stall = usual.compareTo(STALL) < 0 ? usual : STALL;
        try (WaitingBody body = new WaitingBody(exchange.channel(), response, stall, BYTES_PER_SECOND)) {
            try {
                StateWriter.write(cut, body, 1);
                saving.close(); // before the last chunk, because after it the client may request the next file
                ChannelFuture last = body.finish();
                counters.exports.increment();
                exchange.eventLoop().execute(() -> exchange.completed(last));
            } catch (CutRevokedException e) {
                if (body.started()) {
                    throw e;
                }
                saving.close();
                counters.exportsBroken.increment();
                exchange.eventLoop().execute(exchange::unavailableRevoked);
            } finally {
                counters.exportBytes.add(body.written());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.breakOff(response, new IOException("the service is stopping", e));
        } catch (IOException | RuntimeException | Error e) {
            exchange.breakOff(response, e);
        }
    }

    private static HttpResponse head(Exchange exchange, Cut cut) {
        HttpResponse response = exchange.streamed(STATE_FILE);
        response.headers()
                .set(Exchange.CUT_HEADER, cut.id())
                .set(HttpHeaderNames.CONTENT_DISPOSITION, Exchange.disposition("summarizer-" + cut.id() + ".state"));
        return response;
    }

    /** The permit to write a state file, and the file's cut. Passed from thread to thread. */
    private static final class Saving implements AutoCloseable {
        private final Semaphore permit;
        private Runnable letGo = () -> {};
        private boolean closed;

        /** Takes over the permit. */
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
}
