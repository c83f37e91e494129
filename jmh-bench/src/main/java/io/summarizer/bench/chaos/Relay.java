package io.summarizer.bench.chaos;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stands between sender and service, at one port while services come and go at others; resets connections behind any byte, and holds
 * bytes back. One event loop; told what to do by any thread.
 */
final class Relay implements AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("chaos-relay", true), NioIoHandler.newFactory());
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel server;
    private volatile @Nullable InetSocketAddress target;
    private volatile long stalledUntilNanos = System.nanoTime();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong answerBytes = new AtomicLong();
    /** Bytes that still pass before the connection that they are of is reset, in either direction. */
    private final AtomicLong forthLeft = new AtomicLong(NEVER);

    private final AtomicLong backLeft = new AtomicLong(NEVER);

    Relay() {
        server = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel sender) {
                        connect(sender);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    /** Where senders connect to, on the loopback. */
    int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** Where connections lead from now on; null: nowhere, they are reset, and those that are open, too. */
    void target(@Nullable InetSocketAddress target) {
        this.target = target;
        if (target == null) {
            connections.forEach(Relay::reset);
            connections.newCloseFuture().awaitUninterruptibly();
        }
    }

    /** Resets a connection, both ends, as soon as so many more bytes have passed; one reset at a time in each direction. */
    void cut(boolean answers, long bytes) {
        (answers ? backLeft : forthLeft).set(bytes);
    }

    /** Lets no byte pass for some time. */
    void stall(long millis) {
        stalledUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Bytes of answers that passed so far. */
    long answerBytes() {
        return answerBytes.get();
    }

    /** Connections that were reset on command. */
    long cuts() {
        return cuts.get();
    }

    private void connect(Channel sender) {
        InetSocketAddress to = target;
        if (to == null) {
            reset(sender);
            return;
        }
        connections.add(sender);
        Channel receiver = new Bootstrap()
                .group(sender.eventLoop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new Pass(sender, backLeft))
                .connect(to)
                .addListener((ChannelFutureListener) connected -> {
                    if (!connected.isSuccess() || target == null) {
                        reset(connected.channel()); // nobody listens: the sender comes again
                        reset(sender);
                    } else {
                        connected.channel().read();
                        sender.read();
                    }
                })
                .channel();
        connections.add(receiver);
        sender.pipeline().addLast(new Pass(receiver, forthLeft));
    }

    private static void reset(Channel channel) {
        try {
            channel.config().setOption(ChannelOption.SO_LINGER, 0); // close sends RST
        } catch (ChannelException e) {
            // It is closed.
        }
        var unused = channel.close();
    }

    /** Passes what one end sends on to the other: reads again once that is written. */
    private final class Pass extends ChannelInboundHandlerAdapter {
        private final Channel to;
        private final AtomicLong left;

        Pass(Channel to, AtomicLong left) {
            this.to = to;
            this.left = left;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            long stalled = stalledUntilNanos - System.nanoTime();
            if (stalled > 0) {
                var unused =
                        context.executor().schedule(() -> channelRead(context, message), stalled, TimeUnit.NANOSECONDS);
                return;
            }
            ByteBuf bytes = (ByteBuf) message;
            int read = bytes.readableBytes();
            long before = left.getAndUpdate(more -> more == NEVER || more <= read ? NEVER : more - read);
            boolean cut = before <= read;
            if (cut) {
                bytes.writerIndex(bytes.readerIndex() + (int) before);
                cuts.incrementAndGet();
            }
            if (left == backLeft) {
                answerBytes.addAndGet(bytes.readableBytes());
            }
            to.writeAndFlush(bytes).addListener(written -> {
                if (cut || !written.isSuccess()) {
                    reset(context.channel());
                    reset(to);
                } else {
                    context.read();
                }
            });
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            var unused = to.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close(); // the other end goes with it
        }
    }

    @Override
    public void close() {
        server.close().awaitUninterruptibly();
        target(null);
        var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
