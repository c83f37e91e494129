package io.summarizer.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NettyWorkersTest {
    private static final int TASKS = 100;
    private static final long TASK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A tenth of the default time of tasks in one go; Netty reads the clock after each 64 of them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(60)
    void connectionsAreAcceptedBetweenTheTasksOfOtherThreads(boolean epoll) throws Exception {
        try (NettyWorkers workers = new NettyWorkers("test", 1, epoll)) {
            AtomicInteger left = new AtomicInteger(TASKS);
            AtomicInteger leftWhenAccepted = new AtomicInteger();
            CountDownLatch accepted = new CountDownLatch(1);
            Channel server = workers.listen(
                    "test",
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    ChannelOption.SO_KEEPALIVE,
                    true,
                    channel -> {
                        leftWhenAccepted.set(left.get());
                        accepted.countDown();
                        channel.pipeline().addLast(new ChannelInboundHandlerAdapter());
                    });
            CountDownLatch connected = new CountDownLatch(1);
            EventLoop loop = workers.group().next();
            loop.execute(() -> awaitQuietly(connected));
            for (int i = 0; i < TASKS; i++) {
                loop.execute(() -> {
                    work();
                    left.decrementAndGet();
                });
            }
            InetSocketAddress address = (InetSocketAddress) server.localAddress();
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                connected.countDown();
                accepted.await();
                assertThat(socket.isConnected()).isTrue();
            }
            assertThat(leftWhenAccepted.get()).isPositive();
        }
    }

    @Test
    void workersHaveAtLeastOneThread() {
        assertThatThrownBy(() -> new NettyWorkers("test", 0)).hasMessageContaining("threads=0");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void work() {
        long end = System.nanoTime() + TASK_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
