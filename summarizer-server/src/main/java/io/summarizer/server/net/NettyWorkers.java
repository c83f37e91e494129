package io.summarizer.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A fixed number of event loop threads, and their transport: epoll if its native library can be loaded, NIO otherwise.
 * Listeners may share workers. The listeners have to be closed before the workers.
 */
public final class NettyWorkers implements AutoCloseable {
    /** Largest number of connections that wait to be accepted. */
    private static final int BACKLOG = 1024;

    private static final ThrottledLog LOG = new ThrottledLog(System.getLogger(NettyWorkers.class.getName()));

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    /**
     * Longest time for which an event loop runs tasks of other threads before it looks at its connections again. Netty
     * checks this time only once in 64 tasks. With Netty's default of 1 s, a health check waits for seconds while pulls
     * hand over chunks.
     */
    private static final long TASKS_MS_MAX = 10;

    private final IoEventLoopGroup group;
    private final boolean epoll;

    /**
     * Starts workers over the best available transport.
     *
     * @param name prefix of the thread names
     */
    public NettyWorkers(String name, int threads) {
        this(name, threads, Epoll.isAvailable());
    }

    NettyWorkers(String name, int threads, boolean epoll) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads=" + threads + ", at least 1 is needed");
        }
        this.epoll = epoll;
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        group = new EventLoops(threads, new DefaultThreadFactory(name, true), io);
    }

    /** The event loops. */
    IoEventLoopGroup group() {
        return group;
    }

    /**
     * Binds a listener and accepts connections.
     *
     * @param name name of the listener, for errors
     * @param option an option of each connection, and its value
     * @param accept action that sets up a connection, on the connection's event loop
     * @throws IOException when the address cannot be bound; the message names the address
     */
    public Channel listen(
            String name, InetSocketAddress bind, ChannelOption<Boolean> option, boolean value, Consumer<Channel> accept)
            throws IOException {
        Channel listening = bound(
                name,
                bind,
                new ServerBootstrap()
                        .group(group)
                        .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(option, value)
                        .childHandler(new ChannelInitializer<Channel>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                accept.accept(channel);
                            }
                        })
                        .bind(bind));
        // After Netty's handler, which pauses for a second when a connection cannot be accepted.
        listening.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                LOG.warn(
                        "a connection cannot be accepted",
                        () -> name + "; " + cause.getMessage()
                                + " (LimitNOFILE or ulimit -n limits the number of open files)");
            }
        });
        return listening;
    }

    /** Waits for the channel of a listener to be bound. */
    static Channel bound(String name, InetSocketAddress bind, ChannelFuture binding) throws IOException {
        Throwable cause = binding.awaitUninterruptibly().cause();
        if (cause != null) {
            throw new IOException(name + " cannot listen on " + Addresses.text(bind) + ": " + cause.getMessage());
        }
        return binding.channel();
    }

    /** Runs a task on an event loop, unless the event loop has stopped. Any thread. */
    static void run(EventLoop loop, Runnable task) {
        if (loop.isShuttingDown()) {
            return;
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The event loop has stopped since the check above, and its stop has done the work of the task.
        }
    }

    /** Type of the channels for datagrams on the event loops of {@link #group()}. */
    Class<? extends DatagramChannel> datagramChannel() {
        return epoll ? EpollDatagramChannel.class : NioDatagramChannel.class;
    }

    /** Ends the threads; running tasks have 5 s. Blocks until the threads have ended. */
    @Override
    public void close() {
        group.shutdownGracefully(0, STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * STOP_TIMEOUT.toMillis());
    }

    /** Event loops that return to their connections after {@link #TASKS_MS_MAX}. */
    private static final class EventLoops extends MultiThreadIoEventLoopGroup {
        EventLoops(int threads, ThreadFactory factory, IoHandlerFactory io) {
            super(threads, factory, io);
        }

        @Override
        protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... none) {
            return new SingleThreadIoEventLoop(
                    this, executor, io, Integer.MAX_VALUE, RejectedExecutionHandlers.reject(), TASKS_MS_MAX);
        }
    }
}
