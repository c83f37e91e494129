package io.summarizer.bench.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hostile connections to both listeners, in addition to the good connection. Some are silent. Some send noise, half
 * frames, endless messages, or a byte now and then. Some break rules of the protocol, and some are reset in the middle
 * of a frame. Connections that the service closes are opened again. One thread runs all connections. Another thread
 * calls the methods.
 */
final class Hostiles implements AutoCloseable {
    private static final int TURN_MS = 5;
    /** Number of actions per turn. It is small, so that noise is only a part of the traffic. */
    private static final int ACTS_A_TURN = 2;

    private static final int OPENED_A_TURN = 40;
    private static final int NOISE_BYTES = 600;
    private static final String OPEN = "1 open 46 relp_version=0\nrelp_software=x\ncommands=syslog\n";

    /** Addresses of the listeners. */
    private record Targets(InetSocketAddress relp, InetSocketAddress syslog) {}

    /** Behaviour of a connection. */
    private enum Habit {
        SILENT(true),
        SILENT_LINE(false),
        NOISE(true),
        NOISE_LINES(false),
        HALF(true),
        HALF_LINE(false),
        OVERSIZE(true),
        UNMATCHED(true),
        SLOW(true),
        SLOW_LINE(false),
        RESET(true);

        final boolean relp;

        Habit(boolean relp) {
            this.relp = relp;
        }
    }

    /** One hostile connection. */
    private static final class Client {
        final Habit habit;

        @Nullable
        SocketChannel channel;

        boolean opened;
        int sent;

        Client(Habit habit) {
            this.habit = habit;
        }
    }

    private final List<Client> clients = new ArrayList<>();
    private final SplittableRandom random;
    private final Selector selector;
    private final int oversize;
    private final Thread thread = new Thread(this::run, "chaos-hostiles");
    private final ByteBuffer trash = ByteBuffer.allocate(16 * 1024);
    private volatile @Nullable Targets targets;
    private volatile boolean quiet;
    private volatile boolean closed;
    private volatile boolean idle;
    private volatile int open;
    private long acts;

    /**
     * Makes connections. They open once {@link #connect} has named a service.
     *
     * @param oversize length in bytes of a message that is too long for the listeners
     */
    Hostiles(int connections, int oversize, long seed) throws IOException {
        this.oversize = oversize;
        random = new SplittableRandom(seed);
        selector = Selector.open();
        Habit[] habits = Habit.values();
        for (int i = 0; i < connections; i++) {
            clients.add(new Client(habits[i % habits.length]));
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** Tells the connections where the service listens. */
    void connect(InetSocketAddress relp, InetSocketAddress syslog) {
        targets = new Targets(relp, syslog);
    }

    /** Tells the connections that there is no service. Returns when all of them are closed. */
    void disconnect() {
        targets = null;
        awaitTurn();
    }

    /** Stops all sending, or allows it again. Returns once the change has taken effect. */
    void quiet(boolean quiet) {
        this.quiet = quiet;
        awaitTurn();
    }

    private void awaitTurn() {
        idle = false;
        while (!idle && thread.isAlive()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Number of open connections. */
    int open() {
        return open;
    }

    private void run() {
        try (selector) {
            while (!closed) {
                turn();
                selector.select(TURN_MS);
            }
            clients.forEach(this::drop);
        } catch (IOException e) {
            throw new ChaosException("hostile clients gave up: " + e);
        }
    }

    private void turn() throws IOException {
        Targets to = targets;
        boolean still = quiet;
        readAll();
        if (to == null) {
            clients.forEach(this::drop);
        } else if (!still) {
            int opening = 0;
            for (Client client : clients) {
                if (client.channel == null && opening < OPENED_A_TURN) {
                    opening++;
                    begin(client, client.habit.relp ? to.relp : to.syslog);
                }
            }
            for (int i = 0; i < ACTS_A_TURN && !clients.isEmpty(); i++) {
                act(clients.get(random.nextInt(clients.size())));
            }
        }
        int connected = 0;
        for (Client client : clients) {
            connected += client.channel == null ? 0 : 1;
        }
        open = connected;
        if (Objects.equals(to, targets) && still == quiet) {
            idle = true;
        }
    }

    private void begin(Client client, InetSocketAddress target) {
        client.opened = false;
        client.sent = 0;
        try {
            SocketChannel channel = SocketChannel.open(target);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, client);
            client.channel = channel;
        } catch (IOException e) {
            client.channel = null; // the service has just ended
        }
    }

    /** Reads and discards answers, and detects connections that the service closed. */
    private void readAll() throws IOException {
        for (SelectionKey key : selector.selectedKeys()) {
            Client client = (Client) key.attachment();
            SocketChannel channel = client.channel;
            if (channel == null) {
                continue;
            }
            try {
                int n;
                do {
                    trash.clear();
                    n = channel.read(trash);
                } while (n > 0);
                if (n < 0) {
                    drop(client);
                }
            } catch (IOException e) {
                drop(client);
            }
        }
        selector.selectedKeys().clear();
    }

    private void drop(Client client) {
        SocketChannel channel = client.channel;
        client.channel = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // The connection is gone.
            }
        }
    }

    private void act(Client client) throws IOException {
        SocketChannel channel = client.channel;
        if (channel == null) {
            return;
        }
        acts++;
        try {
            if (client.habit.relp && !client.opened && client.habit != Habit.NOISE) {
                write(channel, OPEN);
                client.opened = true;
                client.sent = 1;
                return;
            }
            switch (client.habit) {
                case SILENT, SILENT_LINE -> {}
                case NOISE, NOISE_LINES -> noise(channel);
                case HALF -> once(client, channel, (client.sent + 1) + " syslog 200 <134>1 - - - - noise - half");
                case HALF_LINE -> once(client, channel, "200 <134>1 - - - - noise - half");
                case OVERSIZE -> relp(client, channel, "<134>1 - - - - noise - " + "x".repeat(oversize));
                case UNMATCHED -> relp(client, channel, "<134>1 - - - - noise." + acts + " - nobody asked");
                case SLOW, SLOW_LINE -> write(channel, "9");
                case RESET -> {
                    write(channel, (client.sent + 1) + " syslog 100 <134>1 - - - - noise - cut");
                    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                    drop(client);
                }
            }
        } catch (IOException e) {
            drop(client);
        }
    }

    private void once(Client client, SocketChannel channel, String text) throws IOException {
        if (client.sent <= 1) {
            write(channel, text);
            client.sent = 2;
        }
    }

    private void relp(Client client, SocketChannel channel, String message) throws IOException {
        client.sent++;
        write(channel, client.sent + " syslog " + message.length() + " " + message + "\n");
    }

    private void noise(SocketChannel channel) throws IOException {
        byte[] bytes = new byte[random.nextInt(1, NOISE_BYTES)];
        random.nextBytes(bytes);
        write(channel, bytes);
    }

    private void write(SocketChannel channel, String text) throws IOException {
        write(channel, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes all bytes. Closes the connection when the socket does not take all bytes at once. */
    private void write(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        channel.write(buffer);
        if (buffer.hasRemaining()) {
            throw new IOException("the service does not read");
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }
}
