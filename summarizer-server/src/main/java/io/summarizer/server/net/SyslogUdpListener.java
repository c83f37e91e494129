package io.summarizer.server.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.pipeline.Intake;
import io.summarizer.core.receive.DatagramFramer;
import io.summarizer.core.receive.StreamFramer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes syslog over UDP, one message per datagram (RFC 5426). UDP cannot make a sender wait. While the sink has no
 * room, up to {@value #WAITING_MAX} batches wait, and further datagrams are dropped and counted. The kernel drops
 * datagrams that are not read fast enough, and counts them ({@link #kernelDrops}).
 *
 * <p>Everything runs on one event loop. {@link #start} and {@link #close} block and belong to the service's threads.
 */
public final class SyslogUdpListener implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(SyslogUdpListener.class.getName());

    private static final int WAITING_MAX = 64;
    private static final int DATAGRAM_BYTES_MAX = 64 * 1024;
    private static final int DATAGRAMS_A_READ = 64;
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    private final Settings settings;
    private final NettyWorkers workers;
    private final BatchSink sink;
    private final DatagramFramer framer;
    private final ListenerCounters counters = new ListenerCounters();
    private final ThrottledLog log = new ThrottledLog(LOGGER);
    private final CountDownLatch finished = new CountDownLatch(1);
    private @Nullable Channel channel;
    private @Nullable Receiver receiver;

    /**
     * Settings of a listener.
     *
     * @param name name in log lines and as a metric's label
     * @param number number of the listener, which every batch carries
     * @param bind address of the listener; port 0 takes any free port
     * @param bufferBytes size of the receive buffer for which the listener asks the kernel; the kernel may have a bound
     *     of its own
     */
    public record Settings(String name, int number, InetSocketAddress bind, int bufferBytes) {}

    /** Makes a listener that is not started. */
    public SyslogUdpListener(Settings settings, NettyWorkers workers, BatchSink sink, DatagramFramer framer) {
        this.settings = settings;
        this.workers = workers;
        this.sink = sink;
        this.framer = framer;
    }

    /**
     * Binds and begins to read.
     *
     * @throws IOException when the address cannot be bound; the message names the address
     */
    public void start() throws IOException {
        Receiver receiver = new Receiver();
        Bootstrap bootstrap = new Bootstrap()
                .group(workers.group())
                .channel(workers.datagramChannel())
                .option(ChannelOption.SO_RCVBUF, settings.bufferBytes())
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(DATAGRAM_BYTES_MAX).maxMessagesPerRead(DATAGRAMS_A_READ))
                .handler(receiver);
        channel = NettyWorkers.bound(settings.name(), settings.bind(), bootstrap.bind(settings.bind()));
        this.receiver = receiver;
    }

    /** The name given in the settings. */
    public String name() {
        return settings.name();
    }

    /** The address in use, with its port. Valid only after {@link #start}. */
    public InetSocketAddress address() {
        return Addresses.of(channel, settings.name());
    }

    /**
     * Number of datagrams that the kernel dropped; empty if the kernel does not report this number. Call it only after
     * {@link #start}.
     */
    public Optional<KernelDrops> kernelDrops() {
        return KernelDrops.ofPort(address().getPort());
    }

    /** The counters since the start. */
    public ListenerCounters counters() {
        return counters;
    }

    /** Closes as {@link #close(Duration)} does, with a deadline of 10 s. */
    @Override
    public void close() {
        close(STOP_DEADLINE);
    }

    /**
     * Stops the listener. The listener reads nothing more. It hands over the batches that wait for room. Blocks until
     * done. Messages that could not be handed over before the deadline are lost and counted in {@link
     * ListenerCounters#messagesLost}.
     */
    public void close(Duration deadline) {
        Channel channel = this.channel;
        Receiver receiver = this.receiver;
        if (channel == null || receiver == null) {
            return;
        }
        channel.close().awaitUninterruptibly();
        try {
            if (!finished.await(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
                channel.eventLoop().submit(receiver::abandon).awaitUninterruptibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The handler of the channel. Runs on the channel's event loop. */
    private final class Receiver extends ChannelInboundHandlerAdapter implements BatchSink.Receiver {
        private final Intake intake = sink.intake(this);
        private @Nullable EventLoop loop;
        private @Nullable MessageBatch filling;
        private boolean ended; // the channel is closed

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            loop = ctx.channel().eventLoop();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object received) {
            DatagramPacket packet = (DatagramPacket) received;
            try {
                take(packet.content());
            } finally {
                packet.release();
            }
        }

        private void take(ByteBuf datagram) {
            int length = datagram.readableBytes();
            counters.bytesRead.add(length);
            if (intake.waiting() >= WAITING_MAX) {
                counters.messagesDropped.increment();
                log.warn("dropped datagrams for want of room", settings::name);
                return;
            }
            MessageBatch batch = filling;
            if (batch != null
                    && (batch.limit() + length > batch.bytes().length || batch.count() >= StreamFramer.MESSAGES_MAX)) {
                handOver(batch);
                batch = null;
            }
            if (batch == null) {
                batch = sink.acquire();
                filling = batch;
            }
            int offset = batch.limit();
            batch.ensureCapacity(offset + length);
            datagram.readBytes(batch.bytes(), offset, length);
            batch.limit(offset + length);
            framer.take(batch, offset, length);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            settle();
        }

        private void settle() {
            MessageBatch batch = filling;
            if (batch != null) {
                handOver(batch);
            }
        }

        private void handOver(MessageBatch batch) {
            filling = null;
            batch.listener(settings.number());
            intake.submit(batch, null);
        }

        @Override
        public void taken(int messages) {
            counters.batches.increment();
            counters.messages.add(messages);
        }

        @Override
        public void refused() {
            counters.pauses.increment();
        }

        /** Hands over waiting batches. May be called after the receiver has stopped. */
        @Override
        public void onRoom() {
            EventLoop loop = this.loop;
            if (loop != null) {
                NettyWorkers.run(loop, () -> {
                    intake.resume();
                    finishWhenDone();
                });
            }
        }

        private void finishWhenDone() {
            if (ended && intake.waiting() == 0) {
                finished.countDown();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            ended = true;
            settle();
            finishWhenDone();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            // Over UDP an error concerns one datagram, or a host that could not be reached.
            counters.failures.increment();
            log.warn("an error while reading datagrams", () -> settings.name() + ": " + cause, cause);
        }

        /** Drops and counts the batches that wait for room. */
        void abandon() {
            counters.messagesLost.add(intake.drop());
        }
    }
}
