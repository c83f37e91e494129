package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** States that a service manager hears over a socket of its own. */
class ServiceManagerTest {
    /** More than any system queues for one socket. */
    private static final int DATAGRAMS_MAX = 100_000;

    @TempDir
    Path folder;

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private EventLoopGroup loop;

    @BeforeEach
    void start() {
        assumeTrue(Epoll.isAvailable(), "Unix datagram sockets need Linux");
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (loop != null) {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isToldThatAllIsReadyAndThatItStops(boolean isAbstract) throws Exception {
        String name = folder.resolve("notify").toString();
        Channel unused = listen(isAbstract ? '\0' + name : name);
        ServiceManager manager = new ServiceManager(Map.of("NOTIFY_SOCKET", isAbstract ? '@' + name : name));
        manager.ready();
        manager.stopping();
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("READY=1\n");
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("STOPPING=1\n");
    }

    @Test
    void neitherNoManagerNorADeafOneIsAFault() {
        assertThatCode(() -> new ServiceManager(Map.of()).ready()).doesNotThrowAnyException();
        String nobody = folder.resolve("nobody").toString();
        assertThatCode(() -> new ServiceManager(Map.of("NOTIFY_SOCKET", nobody)).ready())
                .doesNotThrowAnyException();
    }

    /** Datagrams for a manager that reads nothing fill a bounded queue, and then a sender has to wait. */
    @Test
    void aManagerThatReadsNothingIsWaitedForABoundedTime() throws Exception {
        String name = folder.resolve("notify").toString();
        listen(name).config().setAutoRead(false);
        Channel filler = new Bootstrap()
                .group(loop)
                .channel(EpollDomainDatagramChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(new DomainSocketAddress(name))
                .sync()
                .channel();
        boolean full = false;
        for (int i = 0; i < DATAGRAMS_MAX && !full; i++) {
            full = !filler.writeAndFlush(Unpooled.copiedBuffer("x", StandardCharsets.US_ASCII))
                    .await(1, TimeUnit.SECONDS);
        }
        assertThat(full).isTrue();
        assertTimeoutPreemptively(
                Duration.ofMinutes(1), new ServiceManager(Map.of("NOTIFY_SOCKET", name), Duration.ofMillis(50))::ready);
    }

    private Channel listen(String name) throws InterruptedException {
        return new Bootstrap()
                .group(loop)
                .channel(EpollDomainDatagramChannel.class)
                .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket packet) {
                        heard.add(packet.content().toString(StandardCharsets.US_ASCII));
                    }
                })
                .bind(new DomainSocketAddress(name))
                .sync()
                .channel();
    }
}
