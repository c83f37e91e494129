package io.summarizer.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.summarizer.core.store.Cut;
import io.summarizer.server.Await;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.ConnectionLimits;
import io.summarizer.server.net.NettyWorkers;
import io.summarizer.server.net.Roster;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection whose client reads exactly what a test says. */
class HttpConnectionTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        var unused = clock.shutdownNow();
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private static class Client extends EmbeddedChannel {
        private @Nullable ChannelOutboundBuffer written;

        Client(ChannelHandler... handlers) {
            super(handlers);
        }

        @Override
        public SocketAddress localAddress() {
            return ANY;
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer written) {
            this.written = written;
        }

        void take(int bytes) {
            Objects.requireNonNull(written).removeBytes(bytes);
        }

        void pass(Duration time) {
            advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
            runScheduledPendingTasks();
        }
    }

    private HttpListener listener(Duration stall) {
        NettyWorkers workers = new NettyWorkers("test-http", 1);
        opened.add(workers);
        HttpListener listener = new HttpListener(
                HttpSettings.of(ANY)
                        .with(
                                new ConnectionLimits(256, 128, Duration.ofSeconds(10), Duration.ofSeconds(60)),
                                new HttpSettings.Limits(
                                        1, 1, Duration.ofSeconds(60), stall, Duration.ofSeconds(60), 4, 64 << 20)),
                workers,
                Optional::empty);
        opened.add(listener);
        return listener;
    }

    private static HttpConnection connection(HttpListener listener) {
        Roster<Channel> roster = new Roster<>(1, 1, Duration.ZERO, true, System::nanoTime);
        return new HttpConnection(
                listener,
                Objects.requireNonNull(roster.admit(new EmbeddedChannel(), null).seat()),
                false);
    }

    @Test
    void shouldWaitForAClientThatTakesTheEndOfAnAnswerSlowlyButNotForOneThatTakesNothing() {
        Client client = new Client(
                new HttpServerCodec(), new HttpObjectAggregator(1_000), connection(listener(Duration.ofSeconds(60))));
        client.freezeTime();
        client.writeInbound(Unpooled.copiedBuffer("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", US_ASCII));
        for (int minute = 1; minute <= 10; minute++) {
            client.take(1);
            client.pass(Duration.ofSeconds(60));
            assertThat(client.isOpen()).as("minute %d", minute).isTrue();
        }
        client.pass(Duration.ofSeconds(60));
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void shouldNotLetASlowClientKeepTheStateFileOfAKeptCut() throws Exception {
        HttpListener listener = listener(Duration.ofSeconds(1));
        ServerMetrics metrics = new ServerMetrics(Cuts.COUNTS);
        opened.add(metrics);
        DefinitionsControl none = new DefinitionsControl() {
            @Override
            public CompletableFuture<Answer> reload() {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletableFuture<Answer> plan() {
                throw new UnsupportedOperationException();
            }
        };
        listener.serve(() -> Cuts.of(1, "A", 60_000), metrics, none, (summary, fields, query) -> {
            throw new UnsupportedOperationException();
        });
        Cut kept = listener.served().cuts().fresh(CutCache.Use.ROWS).get(60, TimeUnit.SECONDS);
        kept.release();
        BlockingQueue<ChannelPromise> chunks = new LinkedBlockingQueue<>();
        Client client = new Client(
                new ChannelOutboundHandlerAdapter() {
                    @Override
                    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                        ReferenceCountUtil.release(message);
                        chunks.add(promise);
                    }
                },
                connection(listener));
        // About 100 KiB per second: always some bytes within the stall timeout, and much less than a state file needs.
        var unused = clock.scheduleAtFixedRate(
                () -> {
                    ChannelPromise chunk = chunks.poll();
                    if (chunk != null) {
                        chunk.trySuccess();
                    }
                },
                0,
                300,
                TimeUnit.MILLISECONDS);
        DefaultFullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/state?cut=" + kept.id());
        request.headers().set("Host", "localhost");
        client.writeInbound(request);
        Await.until(
                () -> listener.counters().exports.sum() + " written",
                () -> listener.counters().exports.sum()
                                + listener.counters().exportsBroken.sum()
                        > 0);
        assertThat(listener.counters().exportsBroken.sum()).isEqualTo(1);
        assertThat(listener.counters().exportBytes.sum()).isBetween(200_000L, 600_000L);
        Await.until(() -> "kept", () -> listener.saving().availablePermits() == 1);
        client.runPendingTasks(); // of the event loop, which closes the connection
        assertThat(client.isOpen()).isFalse();
    }
}
