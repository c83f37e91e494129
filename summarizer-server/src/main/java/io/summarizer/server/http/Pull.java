package io.summarizer.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Future;
import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.snapshot.CutRevokedException;
import io.summarizer.core.state.StateException;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An answer with rows that is in progress. A pull is prepared, then written in turns that alternate with the turns of
 * other pulls. A turn ends when its time is over. A turn also ends when the connection has no room; the pull then
 * waits, without a thread, until the client has read.
 *
 * <p>A pull ends early, within a few rows, in four cases: the connection closes; the client reads nothing for the stall
 * timeout; all turns of the pull together exceed the query timeout; another pull displaces this pull while this pull
 * waits.
 *
 * <p>A pull belongs to one thread at a time: a worker or the compiler of {@link Pulls}.
 */
final class Pull implements Pulls.Holder {
    private final HttpListener listener;
    private final Exchange exchange;
    private final Channel channel;
    private final HttpResponse response;
    private final Asked asked;
    private final CutCache.Reading reading;
    private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.MINE);

    private CsvWriter.@Nullable Rows rows;
    private @Nullable Writing writing;
    private long startedAt;
    private long workedNanos;
    private long turnEndsAt;
    private @Nullable Future<?> stall;
    private volatile boolean stalled;
    private volatile boolean displaced;
    /** Time at which the wait began, by the listener's clock; valid while the pull waits. */
    private volatile long waitingSince;

    private boolean closed;

    /** The states of a pull. */
    private enum Turn {
        /** A thread works on the pull, or is about to. */
        MINE,
        /**
         * A thread works on the pull. Meanwhile the connection may have got room, which the thread has not noticed yet.
         */
        WANTED,
        /** The pull waits for room. */
        WAITING
    }

    /** The ways in which a turn ends. */
    private enum End {
        DONE,
        TIME,
        FULL
    }

    /**
     * The request of a client.
     *
     * @param head whether the request is a HEAD request; the answer then has no rows
     */
    record Asked(SummaryView summary, CsvName name, CsvQuery query, Encoding encoding, boolean head) {}

    /** The path of rows to the connection. */
    private record Writing(CsvWriter.Steps steps, Encoding.Body encoded, ChunkedBody body) {}

    /**
     * Makes a pull that needs a place among {@link Pulls} before it starts.
     *
     * @param reading reading of the pull's cut; the pull closes this reading when it ends
     */
    Pull(HttpListener listener, Exchange exchange, HttpResponse response, Asked asked, CutCache.Reading reading) {
        this.listener = listener;
        this.exchange = exchange;
        channel = exchange.channel();
        this.response = response;
        this.asked = asked;
        this.reading = reading;
    }

    /** Starts the pull, which then belongs to other threads. */
    void start() {
        startedAt = System.nanoTime();
        if (listener.served().csv().isQuick(asked.summary(), asked.name().fields(), asked.query())) {
            next();
            return;
        }
        try {
            listener.pulls().compile(address(), asked.query().conditionLength(), this::compile);
        } catch (RejectedExecutionException e) {
            stopping(e);
        }
    }

    /** Queues the next turn. */
    private void next() {
        try {
            listener.pulls().turn(this::work);
        } catch (RejectedExecutionException e) {
            stopping(e);
        }
    }

    private void stopping(RejectedExecutionException e) {
        fail(new IOException("the service is stopping", e));
    }

    private void compile() {
        try {
            long from = System.nanoTime();
            checkActive();
            if (from - startedAt > Pulls.COMPILE_WAIT.toNanos()) {
                throw new CsvQueryException(CsvQueryException.Reason.BUSY, "too many new queries are being compiled");
            }
            rows = prepare();
            workedNanos += System.nanoTime() - from;
        } catch (CsvQueryException | IOException | RuntimeException | Error e) {
            fail(e);
            return;
        }
        next();
    }

    private CsvWriter.Rows prepare() throws CsvQueryException {
        return listener.served().csv().prepare(asked.summary(), asked.name().fields(), asked.query());
    }

    /** Runs a turn. */
    private void work() {
        End end;
        try {
            turn.set(Turn.MINE);
            long from = System.nanoTime();
            turnEndsAt = from + Pulls.TURN.toNanos();
            end = write();
            workedNanos += System.nanoTime() - from;
            if (end != End.DONE
                    && workedNanos > listener.settings().limits().queryTimeout().toNanos()) {
                listener.counters().exportsTimedOut.increment();
                throw new CsvQueryException(
                        CsvQueryException.Reason.TOO_COSTLY,
                        "the query took more than "
                                + listener.settings().limits().queryTimeout().toMillis()
                                + " ms of work (http.query-timeout); ask for less, or simplify the condition");
            }
        } catch (CsvQueryException | IOException | RuntimeException | Error e) {
            fail(e);
            return;
        }
        Writing writing = this.writing;
        if (end == End.TIME) {
            next();
        } else if (end == End.FULL && writing != null) {
            await(writing);
        }
    }

    private End write() throws IOException, CsvQueryException {
        checkActive();
        if (displaced) {
            throw new StalledException(Pulls.SPARE, "while others wait for its place");
        }
        if (stalled) {
            throw new StalledException(listener.settings().limits().stallTimeout());
        }
        CsvWriter.Rows rows = this.rows;
        if (rows == null) {
            this.rows = rows = prepare();
        }
        if (asked.head()) {
            close();
            channel.eventLoop().execute(() -> exchange.sendHead(response));
            return End.DONE;
        }
        Writing writing = this.writing;
        if (writing == null) {
            ChunkedBody body = new ChunkedBody(channel, response, this::room);
            Encoding.Body encoded = asked.encoding().into(body);
            this.writing = writing = new Writing(rows.into(encoded), encoded, body);
        }
        if (!writing.steps.step(this::pauses)) {
            return writing.body.hasRoom() ? End.TIME : End.FULL;
        }
        writing.encoded.finish();
        ChannelFuture last = writing.body.finish();
        listener.counters().exports.increment();
        close();
        channel.eventLoop().execute(() -> exchange.completed(last));
        return End.DONE;
    }

    private boolean pauses() {
        Writing writing = this.writing;
        return (writing != null && !writing.body.hasRoom())
                || System.nanoTime() - turnEndsAt >= 0
                || !channel.isActive();
    }

    private void checkActive() throws ClosedChannelException {
        if (!channel.isActive()) {
            throw new ClosedChannelException();
        }
    }

    /** Waits until there is room. */
    private void await(Writing writing) {
        stall(writing.body.taken());
        waitingSince = listener.now();
        if (!turn.compareAndSet(Turn.MINE, Turn.WAITING)) {
            unstall();
            next();
        }
    }

    /**
     * Starts the stall timeout. Before the timeout ends, the client must have received more than {@code taken} chunks.
     */
    private void stall(long taken) {
        long timeout = listener.settings().limits().stallTimeout().toNanos();
        try {
            stall = channel.eventLoop().schedule(() -> checkStall(taken), timeout, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            stalled = true; // the event loop has ended, and the connection has ended with it
            room();
        }
    }

    private void unstall() {
        Future<?> stall = this.stall;
        if (stall != null) {
            stall.cancel(false);
        }
    }

    /** Ends a stalled pull. Runs on the event loop, like {@link #room}. */
    private void checkStall(long taken) {
        Writing writing = this.writing;
        if (turn.get() != Turn.WAITING || writing == null) {
            return;
        }
        long now = writing.body.taken();
        if (now > taken) {
            stall(now);
        } else {
            stalled = true;
            room();
        }
    }

    @Override
    public @Nullable InetAddress address() {
        return channel.remoteAddress() instanceof InetSocketAddress peer ? peer.getAddress() : null;
    }

    @Override
    public long waitedNanos() {
        return turn.get() == Turn.WAITING ? listener.now() - waitingSince : 0;
    }

    @Override
    public boolean displace() {
        if (!turn.compareAndSet(Turn.WAITING, Turn.MINE)) {
            return false;
        }
        listener.counters().exportsDisplaced.increment();
        displaced = true;
        unstall();
        next();
        return true;
    }

    /** Continues the pull. Called when the connection may have room, and when the connection is closed. */
    private void room() {
        while (!turn.compareAndSet(Turn.WAITING, Turn.MINE)) {
            if (turn.compareAndSet(Turn.MINE, Turn.WANTED) || turn.get() == Turn.WANTED) {
                return;
            }
        }
        unstall();
        next();
    }

    /** Ends the answer early, in a way that tells the client. */
    private void fail(Throwable failure) {
        boolean started = writing != null && writing.body.started();
        boolean isOfFile = failure instanceof StateException || failure instanceof FileSystemException;
        if (isOfFile) {
            listener.counters().windowsUnreadable.increment();
        }
        close();
        if (failure instanceof CsvQueryException refusal && !started) {
            channel.eventLoop().execute(() -> exchange.refuse(refusal));
        } else if (failure instanceof CutRevokedException && !started) {
            listener.counters().exportsBroken.increment();
            listener.log()
                    .warn("a download could not begin", () -> channel.remoteAddress() + ": " + failure.getMessage());
            channel.eventLoop().execute(exchange::unavailableRevoked);
        } else if (isOfFile && !started) {
            listener.counters().exportsBroken.increment();
            String problem = DiskErrors.describe(failure);
            listener.log().warn("a download could not begin", () -> channel.remoteAddress() + ": " + problem);
            channel.eventLoop()
                    .execute(() -> exchange.text(
                            HttpResponseStatus.INTERNAL_SERVER_ERROR,
                            "a file with rows cannot be read: " + problem + "\n"));
        } else {
            exchange.breakOff(response, failure);
        }
    }

    /** Releases everything that the pull holds, once. */
    private void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            Writing writing = this.writing;
            if (writing != null) {
                listener.counters().exportBytes.add(writing.body.written());
                writing.steps.close();
                writing.encoded.close();
                writing.body.close();
            }
        } catch (IOException e) {
            listener.log().warn("a download was not closed", () -> channel.remoteAddress() + ": " + e, e);
        } finally {
            reading.close();
            listener.pulls().end(this);
        }
    }
}
