package io.summarizer.server.service;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The service manager that started the process, if it wants notifications: systemd with {@code Type=notify}, or any
 * other manager that sets {@code NOTIFY_SOCKET}. The protocol is sd_notify(3): a notification is a datagram of lines,
 * sent to a Unix socket. This process sends the datagrams itself, so {@code NotifyAccess=main} suffices. Any thread may
 * notify. If a notification fails, the service only logs a warning and goes on.
 */
public final class ServiceManager {
    private static final System.Logger LOG = System.getLogger(ServiceManager.class.getName());
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final String socket;
    private final long limitMs;

    /** Makes the manager that {@code environment} names, or a manager that ignores notifications. */
    public ServiceManager(Map<String, String> environment) {
        this(environment, LIMIT);
    }

    /**
     * Makes the manager that {@code environment} names, or a manager that ignores notifications.
     *
     * @param limit longest time to wait for the manager at each step
     */
    ServiceManager(Map<String, String> environment, Duration limit) {
        socket = environment.getOrDefault("NOTIFY_SOCKET", "");
        limitMs = limit.toMillis();
    }

    /** Notifies that the service has started. Other services need not wait any longer. */
    public void ready() {
        tell("READY=1");
    }

    /** Notifies that an orderly end has begun. */
    public void stopping() {
        tell("STOPPING=1");
    }

    private void tell(String state) {
        if (socket.isEmpty()) {
            return;
        }
        if (!Epoll.isAvailable()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "cannot tell the service manager {0}: no native sockets here; set Type=exec in its unit (systemctl edit)",
                    state);
            return;
        }
        try {
            send(state);
        } catch (RuntimeException e) { // for example, no file descriptor is left
            warn(state, e);
        }
    }

    private void send(String state) {
        // A name that begins with @ is in the abstract namespace.
        String name = socket.startsWith("@") ? '\0' + socket.substring(1) : socket;
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        try {
            ChannelFuture connected = new Bootstrap()
                    .group(loop)
                    .channel(EpollDomainDatagramChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(new DomainSocketAddress(name));
            ChannelFuture told = connected;
            if (connected.awaitUninterruptibly(limitMs) && connected.isSuccess()) {
                told = connected
                        .channel()
                        .writeAndFlush(Unpooled.copiedBuffer(state + "\n", StandardCharsets.US_ASCII));
                told.awaitUninterruptibly(limitMs);
            }
            if (!told.isSuccess()) {
                warn(state, told.isDone() ? told.cause() : "it does not read within " + limitMs + " ms");
            }
            connected.channel().close().awaitUninterruptibly(limitMs);
        } finally {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly(limitMs);
        }
    }

    private void warn(String state, Object reason) {
        LOG.log(System.Logger.Level.WARNING, "cannot tell the service manager {0} by {1}: {2}", state, socket, reason);
    }
}
